#include "model.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cube/dtype.h"
#include "cube/reader/reader.h"
#include "cube/writer/writer.h"

/* Names that need care, what they read as where that differs, and what a region of that name reads as. */
static const struct {
	const char *given;
	const char *read;
	const char *region;	/* NULL: as other names */
} names[] = {
	{ "main", NULL, NULL },
	{ "", NULL, NULL },
	{ "void fill<Grid<int>, Box<int> >(Box<int> >)", NULL, "void fill<Grid<int>, Box<int>>(Box<int>>)" },
	{ "std::enable_if<(2)>::type (anonymous namespace)::f<Box<int> >() const", NULL, NULL },
	{ "(anonymous namespace)::(anonymous namespace)::run(Box<Box<int> >)", NULL,
	  "{anonymous namespace}::(anonymous namespace)::run(Box<Box<int>>)" },
	{ "void (*make<int>(int))(char)", NULL, "void(*make<int>(int))(char)" },
	{ "decltype ({parm#1}+{parm#2}) add<int>(int, int)", NULL,
	  "decltype({parm#1}+{parm#2}) add<int>(int, int)" },
	{ "_ + (())", NULL, "region:__+_{()}" },
	{ "(never closed", NULL, "{never closed" },
	{ "std::vector<std::pair<int, char> >::operator[](unsigned long) const", NULL, NULL },
	{ "a & b && \"c\" 'd' <e/>", NULL, NULL },
	{ "]]> <!-- --> <?x ?> &amp; &#38;", NULL, NULL },
	{ "na\xc3\xafve \xe2\x98\x83 \xf0\x9f\x8c\x8d", NULL, NULL },
	{ "line\nfeed\tand\rreturn", "line feed and return", NULL },
	{ "bell\x07 escape\x1b delete\x7f", "bell\xef\xbf\xbd escape\xef\xbf\xbd delete\xef\xbf\xbd", NULL },
	{ "bad \xff\xc3 end\xe2\x98", "bad \xef\xbf\xbd\xef\xbf\xbd end\xef\xbf\xbd\xef\xbf\xbd", NULL },
	{ "overlong \xc0\xaf surrogate \xed\xa0\x80",
	  "overlong \xef\xbf\xbd\xef\xbf\xbd surrogate \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", NULL },
	{ "not a character \xef\xbf\xbf high control \xc2\x85",
	  "not a character \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd high control \xef\xbf\xbd\xef\xbf\xbd", NULL },
	{ "beyond \xf4\x90\x80\x80", "beyond \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", NULL },
	{ "  blanks at both ends  ", NULL, "  blanks at both ends" },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

uint64_t model_mix(uint64_t a, uint64_t b)
{
	uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) ^ (b + UINT64_C(0xd1b54a32d192ed03));

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

const char *model_read_as(const char *name)
{
	for (size_t i = 0; i < COUNT(names); i++) {
		if (names[i].read && strcmp(names[i].given, name) == 0)
			return names[i].read;
	}
	return name;
}

const char *model_region_read_as(const char *name)
{
	for (size_t i = 0; i < COUNT(names); i++) {
		if (names[i].region && strcmp(names[i].given, name) == 0)
			return names[i].region;
	}
	return model_read_as(name);
}

static void *zeroed(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
}

static const char *odd_name(uint64_t number)
{
	return names[number % COUNT(names)].given;
}

static void make_system(struct fathom_cube *cube, uint64_t seed, uint32_t nodes, uint32_t groups, uint32_t locations)
{
	cube->node_count = nodes;
	cube->group_count = groups;
	cube->location_count = locations;
	cube->nodes = zeroed(nodes, sizeof(*cube->nodes));
	cube->groups = zeroed(groups, sizeof(*cube->groups));
	cube->locations = zeroed(locations, sizeof(*cube->locations));
	for (uint32_t i = 0; i < nodes; i++) {
		cube->nodes[i].name = i ? "node n" : "machine m";
		cube->nodes[i].class_name = i ? "node" : "machine";
		/* the one before or the one above that, which keeps the order */
		cube->nodes[i].parent = i == 0 ? -1 : model_mix(seed, i) % 2 || i == 1 ? (int32_t)i - 1 :
										cube->nodes[i - 1].parent;
		if (i && cube->nodes[i].parent < 0)
			cube->nodes[i].parent = 0;
	}
	for (uint32_t i = 0; i < groups; i++) {
		cube->groups[i].name = i % 3 ? "MPI Rank" : odd_name(4 + i);
		cube->groups[i].node = (int32_t)((uint64_t)i * nodes / groups);
		cube->groups[i].rank = i;
	}
	for (uint32_t i = 0; i < locations; i++) {
		struct fathom_cube_location *location = &cube->locations[i];

		location->name = i % 2 ? "OMP thread 1" : "Master thread";
		location->group = (int32_t)((uint64_t)i * groups / locations);
		location->rank = i && location[-1].group == location->group ? location[-1].rank + 1 : 0;
		location->type = location->rank == 3 ? "metric" : NULL;
		location->threads = location->rank == 2 ? "2-7,9" : location->rank == 1 ? "" : NULL;
	}
}

static int32_t random_parent(const struct fathom_cube *cube, uint64_t seed, uint32_t cnode)
{
	uint64_t choice = model_mix(seed, 77 + cnode);
	int32_t parent = (int32_t)cnode - 1;

	/* go up some levels from the one before: several children, and now and then a new root */
	for (uint64_t up = choice % 5 == 0 ? choice / 5 % 8 : choice % 5 / 2; up && parent >= 0; up--)
		parent = cube->cnodes[parent].parent;
	return parent;
}

static void make_regions(struct fathom_cube *cube, uint32_t count)
{
	cube->region_count = count;
	cube->regions = zeroed(count, sizeof(*cube->regions));
	for (uint32_t i = 0; i < count; i++) {
		cube->regions[i].name = i ? odd_name(i) : "program";
		cube->regions[i].mangled = i % 2 ? odd_name(i + 1) : NULL;
		cube->regions[i].file = i % 3 ? "src/\"odd\" dir/f.c" : NULL;
		cube->regions[i].paradigm = i % 4 ? "compiler" : "user";
		cube->regions[i].role = i ? "function" : "artificial";
		cube->regions[i].description = odd_name(i + 2);
		cube->regions[i].begin_line = i % 2 ? (int32_t)i : 0;
		cube->regions[i].end_line = i % 2 ? (int32_t)i + 10 : -1;
		cube->regions[i].activity = (enum fathom_activity)(i % FATHOM_ACTIVITY_COUNT);
	}
}

static void make_cnodes(struct fathom_cube *cube, uint64_t seed, uint32_t count)
{
	cube->cnode_count = count;
	cube->cnodes = zeroed(count, sizeof(*cube->cnodes));
	cube->parameters = zeroed(count * 2, sizeof(*cube->parameters));
	for (uint32_t i = 0; i < count; i++) {
		struct fathom_cube_cnode *cnode = &cube->cnodes[i];

		cnode->region = (uint32_t)(model_mix(seed, 5 + i) % cube->region_count);
		cnode->parent = random_parent(cube, seed, i);
		cnode->first_parameter = cube->parameter_count;
		cnode->parameter_count = (uint32_t)(model_mix(seed, 9 + i) % 8 == 0 ? 2 : 0);
		if (cnode->parameter_count) {
			cube->parameters[cube->parameter_count++] =
				(struct fathom_cube_parameter){ "n", i % 3 ? "16" : "-1.5e+3", true };
			cube->parameters[cube->parameter_count++] =
				(struct fathom_cube_parameter){ odd_name(i), odd_name(i + 3), false };
		}
	}
}

static void make_metrics(struct fathom_cube *cube, uint64_t seed)
{
	static char uniq_names[64][24];

	cube->metric_count = 2 * (FATHOM_CUBE_TUPLE + 1);
	cube->metrics = zeroed(cube->metric_count, sizeof(*cube->metrics));
	for (uint32_t i = 0; i < cube->metric_count; i++) {
		struct fathom_cube_metric *metric = &cube->metrics[i];

		snprintf(uniq_names[i], sizeof(uniq_names[i]), "metric::%u", i);
		metric->uniq_name = uniq_names[i];
		metric->disp_name = odd_name(i);
		metric->unit = i % 2 ? "sec" : "10^-6 s";
		metric->url = i % 3 ? NULL : "@mirror@metrics.html#time";
		metric->description = odd_name(i + 5);
		metric->dtype = (enum fathom_cube_dtype)(i / 2);
		metric->type = i % 2 && metric->dtype < FATHOM_CUBE_MINDOUBLE ? FATHOM_CUBE_INCLUSIVE :
										FATHOM_CUBE_EXCLUSIVE;
		metric->parent = i == 0 ? -1 : model_mix(seed, i) % 3 ? cube->metrics[i - 1].parent : (int32_t)i - 1;
		metric->ghost = i >= cube->metric_count - 2;
		metric->is_void = false;
	}
}

void model_random(struct model *model, uint64_t seed)
{
	static struct fathom_cube_attribute attributes[] = {
		{ "Creator", "a test" }, { "CubePL Version", "1.1" }, { "a & b", "\"<'>\"" },
	};
	struct fathom_cube *cube = &model->cube;
	uint32_t groups;

	memset(model, 0, sizeof(*model));
	model->seed = seed;
	cube->attributes = attributes;
	cube->attribute_count = COUNT(attributes);
	make_metrics(cube, seed);
	make_regions(cube, 3 + (uint32_t)(seed % 20));
	make_cnodes(cube, seed, 1 + (uint32_t)(model_mix(seed, 1) % 200));
	groups = 1 + (uint32_t)(model_mix(seed, 2) % 6);
	make_system(cube, seed, 1 + (uint32_t)(model_mix(seed, 3) % 5), groups,
		    groups * (1 + (uint32_t)(model_mix(seed, 4) % 4)));
}

void model_sane(struct model *model, uint64_t seed)
{
	static const struct fathom_cube_metric metrics[] = {
		{ .uniq_name = "visits", .unit = "occ", .parent = -1, .dtype = FATHOM_CUBE_UINT64 },
		{ .uniq_name = "time", .unit = "sec", .parent = -1, .type = FATHOM_CUBE_INCLUSIVE },
		{ .uniq_name = "min_time", .unit = "sec", .parent = -1, .dtype = FATHOM_CUBE_MINDOUBLE },
		{ .uniq_name = "max_time", .unit = "sec", .parent = -1, .dtype = FATHOM_CUBE_MAXDOUBLE },
		{ .uniq_name = "bytes", .unit = "bytes", .parent = -1, .dtype = FATHOM_CUBE_UINT64 },
		{ .uniq_name = "bytes::sent", .unit = "bytes", .parent = 4, .dtype = FATHOM_CUBE_UINT64 },
	};
	struct fathom_cube *cube = &model->cube;

	model_random(model, seed);
	free(cube->metrics);
	cube->metric_count = COUNT(metrics);
	cube->metrics = zeroed(COUNT(metrics), sizeof(*cube->metrics));
	memcpy(cube->metrics, metrics, sizeof(metrics));
	/* one root; every cnode a region of its own, so that all siblings differ */
	free(cube->regions);
	make_regions(cube, cube->cnode_count);
	for (uint32_t i = 0; i < cube->cnode_count; i++) {
		struct fathom_cube_region *region = &cube->regions[i];

		if (i && cube->cnodes[i].parent < 0)
			cube->cnodes[i].parent = 0;
		cube->cnodes[i].parameter_count = 0;
		cube->cnodes[i].region = i;
		if (!*region->name)
			region->name = "nameless";
		region->begin_line = (int32_t)i + 1;
		region->end_line = (int32_t)i + 2;
	}
	for (uint32_t i = 0; i < cube->group_count; i++)
		cube->groups[i].name = "MPI Rank";
}

void model_shape(struct model *model, uint32_t cnodes, int32_t (*parent)(uint32_t cnode), uint32_t locations)
{
	struct fathom_cube *cube = &model->cube;

	memset(model, 0, sizeof(*model));
	make_metrics(cube, 1);
	cube->metric_count = 2;		/* both of doubles: EXCLUSIVE and INCLUSIVE */
	cube->metrics[1].parent = -1;
	make_regions(cube, 3);
	make_system(cube, 1, 2, 1, locations);
	cube->cnode_count = cnodes;
	cube->cnodes = zeroed(cnodes, sizeof(*cube->cnodes));
	for (uint32_t i = 0; i < cnodes; i++) {
		cube->cnodes[i].region = i % 3;
		cube->cnodes[i].parent = parent(i);
	}
}

static bool is_sane(const struct model *model)
{
	return strcmp(model->cube.metrics[0].uniq_name, "visits") == 0;
}

bool model_present(void *context, uint32_t metric, uint32_t cnode)
{
	const struct model *model = context;
	uint64_t choice = model_mix(model->seed + metric, cnode);

	if (is_sane(model))
		return metric < 4 || choice % 2;
	/* some metrics have no rows, some all of them */
	return metric % 7 == 3 ? false : metric % 7 == 4 ? true : choice % 3 != 0;
}

/* Visits 1 to 4; a second for every cnode below and including this one. */
static void sane_value(const struct model *model, uint32_t metric, uint32_t cnode, uint32_t location, void *value)
{
	uint64_t visits = 1 + model_mix(cnode, location) % 4;
	uint64_t bytes = model_mix(model->seed + cnode, location) % 1000;
	double seconds = 1;

	for (uint32_t i = cnode + 1; i < model->cube.cnode_count && model->cube.cnodes[i].parent >= (int32_t)cnode; i++)
		seconds++;
	if (metric == 2 || metric == 3)
		seconds = seconds / (double)visits;
	if (metric >= 4) {
		/* a part of its parent, where both are there */
		visits = metric == 4 ? bytes : model_present((void *)model, 4, cnode) ? bytes / 2 : 0;
	}
	if (metric == 0 || metric >= 4)
		memcpy(value, &visits, sizeof(visits));
	else
		memcpy(value, &seconds, sizeof(seconds));
}

void model_value(const struct model *model, uint32_t metric, uint32_t cnode, uint32_t location, void *value)
{
	uint64_t bits = model_mix(model_mix(model->seed, metric), model_mix(cnode, location));
	double number = (double)(int64_t)bits / 1048576;
	struct fathom_cube_tuple tuple = { (uint32_t)bits % 100, number, number + 1, number * 3, number * number };

	if (is_sane(model)) {
		sane_value(model, metric, cnode, location, value);
		return;
	}
	switch (model->cube.metrics[metric].dtype) {
	case FATHOM_CUBE_DOUBLE:
	case FATHOM_CUBE_MINDOUBLE:
	case FATHOM_CUBE_MAXDOUBLE:
		memcpy(value, &number, sizeof(number));
		break;
	case FATHOM_CUBE_TUPLE:
		memcpy(value, &tuple, sizeof(tuple));
		break;
	case FATHOM_CUBE_UINT64:
		bits >>= 11;	/* what a double holds exactly */
		memcpy(value, &bits, sizeof(bits));
		break;
	case FATHOM_CUBE_INT64:
		bits = (uint64_t)((int64_t)bits >> 11);
		memcpy(value, &bits, sizeof(bits));
		break;
	default:
		memcpy(value, &bits, fathom_cube_value_bytes(&model->cube.metrics[metric]));
		break;
	}
}

int model_write(struct model *model, const char *path)
{
	struct fathom_cube *cube = &model->cube;
	struct fathom_cube_writer *writer;
	int err = fathom_cube_writer_open(&writer, path, cube, model_present, model, 1700000000);

	if (err)
		return err;
	for (uint32_t m = 0; m < cube->metric_count; m++) {
		uint32_t bytes = fathom_cube_value_bytes(&cube->metrics[m]);
		char *row = zeroed(cube->location_count, bytes + 8);

		for (uint32_t c = 0; c < cube->cnode_count && !err; c++) {
			for (uint32_t l = 0; l < cube->location_count; l++)
				model_value(model, m, c, l, row + (size_t)l * bytes);
			if (model_present(model, m, c))
				err = fathom_cube_writer_put(writer, m, c, 0, cube->location_count, row);
		}
		free(row);
	}
	if (err) {
		fathom_cube_writer_abandon(writer);
		return err;
	}
	return fathom_cube_writer_close(writer);
}

void model_free(struct model *model)
{
	free(model->cube.metrics);
	free(model->cube.regions);
	free(model->cube.cnodes);
	free(model->cube.parameters);
	free(model->cube.nodes);
	free(model->cube.groups);
	free(model->cube.locations);
	memset(model, 0, sizeof(*model));
}

static char scratch[] = "/tmp/fathom-cube-XXXXXX";

bool scratch_enter(void)
{
	return mkdtemp(scratch) && chdir(scratch) == 0;
}

void scratch_leave(void)
{
	DIR *folder = opendir(scratch);
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			remove(entry->d_name);
	}
	if (folder)
		closedir(folder);
	if (chdir("/") == 0)
		rmdir(scratch);
}
