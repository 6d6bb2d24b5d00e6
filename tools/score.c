/*
 * `fathom score`: how large the trace of a run would be, and which functions to leave out of it.
 */
#include "score.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "experiment.h"
#include "index.h"
#include "tool.h"

static const char help[] =
	"usage: fathom score [OPTION...] [DIRECTORY|FILE.cubex]\n"
	"\n"
	"Predict from a profile how large the trace of the same run would be, and say\n"
	"what to leave out of it: functions on no path to communication or\n"
	"synchronization, the largest part of the trace first. Without a name, it is\n"
	"about the newest experiment in FATHOM_DIR or here.\n"
	"\n"
	"  --limit SIZE       leave out until the trace of each process is no larger\n"
	"                     (20000000, 20MB); else what is large, and short-lived\n"
	"  --filter FILE      write the filter: fathom --filter=FILE gcc ...\n"
	"                     FILE must not exist\n"
	"  --top N            so many regions\n"
	"  --json             for programs\n"
	"  --width N          columns (80 to 1000)\n"
	"  --color[=always|auto|never], --no-color\n"
	"  --help, --version\n";

/* --- the command line -------------------------------------------------------------------------------- */

static double size_of(const char *option, const char *text)
{
	static const char units[] = "kMGT";
	const char *unit;
	char *end;
	double size = strtod(text, &end);

	while (end != text && *end == ' ')
		end++;
	unit = end != text && *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
	if (unit) {
		size *= pow(1000, (double)(unit - units) + 1);
		end++;
	}
	if (end != text && *end == 'B')
		end++;
	if (end == text || *end || !isfinite(size) || size < 1)
		fathom_tool_misuse("%s %s: not a size (bytes; 500k, 20MB, 1.5G)", option, text);
	return size;
}

static int64_t number_of(const char *option, const char *text, int64_t least, int64_t most)
{
	char *end;
	long long number;

	errno = 0;
	number = strtoll(text, &end, 10);
	if (errno || end == text || *end || number < least || number > most)
		fathom_tool_misuse("%s %s: not a number from %lld to %lld", option, text, (long long)least,
				   (long long)most);
	return number;
}

static enum fathom_colour colour_of(const char *word)
{
	if (!word || strcmp(word, "always") == 0)
		return FATHOM_COLOUR_ALWAYS;
	if (strcmp(word, "auto") == 0)
		return FATHOM_COLOUR_AUTO;
	if (strcmp(word, "never") != 0)
		fathom_tool_misuse("--color=%s: not one of auto, always, never", word);
	return FATHOM_COLOUR_NEVER;
}

static void parse(struct fathom_score_options *options, int argc, char **argv)
{
	enum { LIMIT = 256, FILTER, TOP, JSON, WIDTH, COLOR, NO_COLOR, SHOW_VERSION };
	static const struct option known[] = {
		{ "limit", required_argument, NULL, LIMIT },   { "filter", required_argument, NULL, FILTER },
		{ "top", required_argument, NULL, TOP },       { "json", no_argument, NULL, JSON },
		{ "width", required_argument, NULL, WIDTH },   { "color", optional_argument, NULL, COLOR },
		{ "colour", optional_argument, NULL, COLOR },  { "no-color", no_argument, NULL, NO_COLOR },
		{ "help", no_argument, NULL, 'h' },	       { "version", no_argument, NULL, SHOW_VERSION },
		{ NULL, 0, NULL, 0 },
	};
	int code;

	options->top = -1;
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", known, NULL)) != -1) {
		switch (code) {
		case LIMIT: options->limit = size_of("--limit", optarg); break;
		case FILTER: options->filter = optarg; break;
		case TOP: options->top = number_of("--top", optarg, 0, INT32_MAX); break;
		case JSON: options->json = true; break;
		case WIDTH:
			options->width = (int)number_of("--width", optarg, FATHOM_PAGE_NARROWEST, FATHOM_PAGE_WIDEST);
			break;
		case COLOR: options->colour = colour_of(optarg); break;
		case NO_COLOR: options->colour = FATHOM_COLOUR_NEVER; break;
		case 'h': fputs(help, stdout); exit(fathom_tool_end());
		case SHOW_VERSION: printf("fathom %s\n", PACKAGE_VERSION); exit(fathom_tool_end());
		default: fathom_tool_bad_option(argv, code);
		}
	}
	if (argc - optind > 1)
		fathom_tool_misuse("%s: one directory or file at a time", argv[optind + 1]);
	options->target = argv[optind];
}

/* --- names ------------------------------------------------------------------------------------------- */

const char *fathom_score_linker_name(const struct fathom_cube_region *region)
{
	return *region->mangled ? region->mangled : region->name;
}

struct wanted {
	const char *name, *paradigm;
};

static bool is_called(const void *things, uint32_t number, const void *what)
{
	const struct fathom_score *score = things;
	const struct wanted *wanted = what;
	const struct fathom_cube_region *region = &score->profile.cube->regions[score->names[number].region];

	return strcmp(fathom_score_linker_name(region), wanted->name) == 0 &&
	       strcmp(region->paradigm, wanted->paradigm) == 0;
}

static void find_names(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;
	struct fathom_index index = { 0 };

	score->names = fathom_tool_alloc(cube->region_count, sizeof(*score->names));
	score->name_of = fathom_tool_alloc(cube->region_count, sizeof(uint32_t));
	for (uint32_t r = 0; r < cube->region_count; r++) {
		const struct fathom_cube_region *region = &cube->regions[r];
		struct wanted wanted = { fathom_score_linker_name(region), region->paradigm };
		uint64_t hash = fathom_index_hash_text(fathom_index_hash_text(0, wanted.name), wanted.paradigm);
		int64_t name = fathom_index_find(&index, hash, is_called, score, &wanted);

		if (name < 0) {
			name = score->name_count++;
			score->names[name].region = r;
			score->names[name].can_drop = strcmp(region->paradigm, "compiler") == 0 &&
						     *wanted.name && !strpbrk(wanted.name, "\r\n") &&
						     !strpbrk(region->name, "\r\n");
			fathom_index_add(&index, hash, (uint32_t)name);
		}
		score->name_of[r] = (uint32_t)name;
	}
	fathom_index_fini(&index);
}

/* What is about communication or synchronization itself; whoever calls it is on the way there. */
static bool is_talk(const struct fathom_cube_region *region)
{
	static const char *const paradigms[] = { "mpi", "openmp", "pthread", "shmem", "cuda", "opencl", "openacc",
						 "hip" };

	for (size_t i = 0; i < sizeof(paradigms) / sizeof(paradigms[0]); i++)
		if (strcmp(region->paradigm, paradigms[i]) == 0)
			return true;
	return false;
}

static void find_relevant(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;
	bool *leads = fathom_tool_alloc(cube->cnode_count, sizeof(bool));

	for (uint32_t c = cube->cnode_count; c-- > 0;) {	/* those below stand behind */
		leads[c] |= is_talk(fathom_profile_region(&score->profile, c));
		if (!leads[c])
			continue;
		score->names[score->name_of[cube->cnodes[c].region]].relevant = true;
		if (cube->cnodes[c].parent >= 0)
			leads[cube->cnodes[c].parent] = true;
	}
	free(leads);
}

/* --- adding up --------------------------------------------------------------------------------------- */

static void add(struct fathom_score_cost *sum, struct fathom_score_cost cost)
{
	sum->events += cost.events;
	sum->bytes += cost.bytes;
}

/* By group: the number of its process; the file may have groups that are none. */
static void find_processes(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;

	score->process_count = cube->group_count;
	score->processes = fathom_tool_alloc(cube->group_count, sizeof(*score->processes));
	for (uint32_t g = 0; g < cube->group_count; g++)
		score->processes[g].rank = cube->groups[g].rank;
	for (uint32_t l = 0; l < cube->location_count; l++)
		score->processes[cube->locations[l].group].locations++;
}

static void judge_path(struct fathom_score *score, const struct fathom_score_rows *rows, uint32_t cnode)
{
	const struct fathom_cube *cube = score->profile.cube;
	const struct fathom_cube_region *region = fathom_profile_region(&score->profile, cnode);
	struct fathom_score_name *name = &score->names[score->name_of[cube->cnodes[cnode].region]];
	unsigned kind = fathom_kind_of(fathom_profile_activity(&score->profile, region));

	for (uint32_t l = 0; l < cube->location_count; l++) {
		struct fathom_score_process *process = &score->processes[cube->locations[l].group];
		struct fathom_score_facts facts = fathom_score_facts(rows, l);
		struct fathom_score_cost cost = fathom_score_judge(score, cnode, &facts);

		add(&name->cost, cost);
		add(&process->cost, cost);
		process->kinds[kind] += cost.bytes;
		score->kinds[kind] += cost.bytes;
		score->kind_events[kind] += cost.events;
		if (score->shapes[cnode] != FATHOM_SCORE_NONE)
			name->visits += facts.visits;
	}
}

static int judge_all(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;
	struct fathom_score_rows rows;
	int err = 0;

	fathom_score_rows_init(score, &rows);
	for (uint32_t c = 0; !err && c < cube->cnode_count; c++)
		if (fathom_score_read(score, &rows, c, &err))
			judge_path(score, &rows, c);
	fathom_score_rows_fini(&rows);
	for (uint32_t g = 0; g < score->process_count; g++) {
		struct fathom_score_process *process = &score->processes[g];

		process->cost.bytes += process->locations *
				       fathom_score_frame(process->cost.bytes / fmax(process->locations, 1));
		process->rest = process->cost.bytes;
		add(&score->total, process->cost);
		if (process->cost.bytes > score->processes[score->largest].cost.bytes)
			score->largest = g;
	}
	return err;
}

/* The time of a recursion is that of its outermost visits, or it would count many times. */
static void add_times(struct fathom_score *score, const double *inclusive)
{
	const struct fathom_profile *profile = &score->profile;
	const struct fathom_cube *cube = profile->cube;
	uint32_t *active = fathom_tool_alloc(score->name_count, sizeof(uint32_t)), depth = 0;
	uint32_t *path = fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t));

	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		uint32_t name = score->name_of[cube->cnodes[c].region];

		while (depth > 0 && profile->subtree_end[path[depth - 1]] <= c)
			active[score->name_of[cube->cnodes[path[--depth]].region]]--;
		if (!active[name])
			score->names[name].seconds += inclusive[c];
		active[name]++;
		path[depth++] = c;
	}
	free(path);
	free(active);
}

static int read_times(struct fathom_score *score)
{
	struct fathom_values time;
	int err;

	if (score->profile.time < 0)
		return 0;
	err = fathom_profile_values(&score->profile, (uint32_t)score->profile.time, &time);
	if (err)
		return err;
	add_times(score, time.inclusive);
	fathom_values_free(&time);
	return 0;
}

static const struct fathom_score_name *sorted;

static int by_bytes(const void *a, const void *b)
{
	const struct fathom_score_name *x = &sorted[*(const uint32_t *)a], *y = &sorted[*(const uint32_t *)b];

	if (x->cost.bytes != y->cost.bytes)
		return x->cost.bytes < y->cost.bytes ? 1 : -1;
	return x < y ? -1 : x > y;
}

static void sort_names(struct fathom_score *score)
{
	score->order = fathom_tool_alloc(score->name_count, sizeof(uint32_t));
	for (uint32_t n = 0; n < score->name_count; n++)
		score->order[n] = n;
	sorted = score->names;
	qsort(score->order, score->name_count, sizeof(uint32_t), by_bytes);
}

/* --- the whole --------------------------------------------------------------------------------------- */

static int analyse(struct fathom_score *score)
{
	int err;

	if (score->profile.visits < 0) {
		fathom_tool_say("%s: does not say how often regions were visited (metric visits)", score->profile.path);
		return -EINVAL;
	}
	find_names(score);
	find_processes(score);
	find_relevant(score);
	err = fathom_score_prepare(score);
	if (!err)
		err = judge_all(score);
	if (!err)
		err = read_times(score);
	if (err)
		return err;
	sort_names(score);
	return fathom_score_choose(score);
}

static void fini(struct fathom_score *score)
{
	free(score->shapes);
	free(score->name_of);
	free(score->names);
	free(score->order);
	free(score->processes);
	fathom_profile_close(&score->profile);
}

/* Refused before anything is read. */
static int check_filter(const struct fathom_score_options *options)
{
	struct stat status;

	if (!options->filter || lstat(options->filter, &status) != 0)
		return 0;
	fathom_tool_say("%s: exists already (remove it, or choose another name)", options->filter);
	return -EEXIST;
}

int main(int argc, char **argv)
{
	struct fathom_experiment experiment;
	struct fathom_score score = { 0 };
	int err;

	fathom_tool_begin("score");
	parse(&score.options, argc, argv);
	if (check_filter(&score.options) || fathom_experiment_find(&experiment, score.options.target))
		return FATHOM_TOOL_FAILURE;
	if (fathom_experiment_is_trace(experiment.path)) {
		fathom_tool_say("%s: is a trace; its size is known (a profile is needed: FATHOM_MODE=profile)",
				experiment.path);
		return FATHOM_TOOL_FAILURE;
	}
	if (fathom_profile_open(&score.profile, experiment.path, -1))
		return FATHOM_TOOL_FAILURE;
	err = analyse(&score);
	if (!err && score.options.filter)
		err = fathom_score_write(&score);
	if (!err && score.options.json)
		fathom_score_json(&score);
	else if (!err)
		fathom_score_print(&score);
	fini(&score);
	return fathom_tool_end() || err ? FATHOM_TOOL_FAILURE : 0;
}
