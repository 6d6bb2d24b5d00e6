#include "bursts/recorded_bursts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bursts/burst_blocks.h"
#include "otf2/memory.h"

static const uint64_t ticks_per_second = 1000000000000;

/* What is being read. */
struct reading {
	struct fathom_burst_blocks blocks;
	struct fathom_burst_extraction *extraction;
	struct fathom_otf2_archive *trace;
	struct fathom_table strings;	/* by hash of the text */
	long double first_ns;		/* when the first burst began, in nanoseconds since 1970 */
	/* Of the process that is being read: by its own numbers. */
	uint32_t *regions, *paths, *counters;
	uint32_t first_location;	/* index */
};

bool fathom_recorded_bursts_is_file(const char *path)
{
	static const char name[] = "bursts.bin";
	size_t length = strlen(path), least = sizeof(name) - 1;

	return length >= least && strcmp(path + length - least, name) == 0 &&
	       (length == least || path[length - least - 1] == '/' || path[length - least - 1] == '.');
}

/* --- definitions ------------------------------------------------------------------------------------------ */

struct string {
	struct fathom_table_entry entry;	/* hash of the text, number of equal hashes before */
	uint32_t id;
};

static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

/* Returns the id of the string with this text. */
static uint32_t string_id(struct reading *reading, const char *text)
{
	struct fathom_otf2_defs *defs = &reading->trace->defs;
	uint64_t hash = hash_text(text);
	struct fathom_otf2_string *added;
	struct string *string;
	uint32_t turn = 0, id;
	char *copy;

	for (; (string = fathom_table_find(&reading->strings, hash, turn, 0)); turn++)
		if (strcmp(fathom_otf2_text(defs, string->id), text) == 0)
			return string->id;
	id = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_STRING);
	copy = fathom_otf2_memory_from(&defs->arena, strlen(text) + 1);
	added = fathom_otf2_defs_add(defs, FATHOM_OTF2_STRING, id);
	added->text = strcpy(copy, text);
	string = fathom_table_add(&reading->strings, hash, turn, 0);
	string->id = id;
	return id;
}

static uint8_t paradigm_of(const char *name)
{
	static const struct {
		const char *name;
		OTF2_Paradigm paradigm;
	} paradigms[] = {
		{ "mpi", OTF2_PARADIGM_MPI }, { "openmp", OTF2_PARADIGM_OPENMP },
		{ "pthread", OTF2_PARADIGM_PTHREAD }, { "compiler", OTF2_PARADIGM_COMPILER },
		{ "user", OTF2_PARADIGM_USER }, { "measurement", OTF2_PARADIGM_MEASUREMENT_SYSTEM },
	};

	for (size_t i = 0; i < sizeof(paradigms) / sizeof(*paradigms); i++)
		if (strcmp(name, paradigms[i].name) == 0)
			return paradigms[i].paradigm;
	return OTF2_PARADIGM_UNKNOWN;
}

/* Only some roles decide whether the own time of a region is computation; most of the others are unknown here. */
static uint8_t role_of(const char *name)
{
	static const struct {
		const char *name;
		OTF2_RegionRole role;
	} roles[] = {
		{ "function", OTF2_REGION_ROLE_FUNCTION }, { "loop", OTF2_REGION_ROLE_LOOP },
		{ "code", OTF2_REGION_ROLE_CODE }, { "parallel", OTF2_REGION_ROLE_PARALLEL },
		{ "sections", OTF2_REGION_ROLE_SECTIONS }, { "section", OTF2_REGION_ROLE_SECTION },
		{ "workshare", OTF2_REGION_ROLE_WORKSHARE }, { "single sblock", OTF2_REGION_ROLE_SINGLE_SBLOCK },
		{ "master", OTF2_REGION_ROLE_MASTER }, { "critical sblock", OTF2_REGION_ROLE_CRITICAL_SBLOCK },
		{ "ordered sblock", OTF2_REGION_ROLE_ORDERED_SBLOCK }, { "task", OTF2_REGION_ROLE_TASK },
		{ "barrier", OTF2_REGION_ROLE_BARRIER },
		{ "implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER },
		{ "point2point", OTF2_REGION_ROLE_POINT2POINT }, { "one2all", OTF2_REGION_ROLE_COLL_ONE2ALL },
		{ "all2one", OTF2_REGION_ROLE_COLL_ALL2ONE }, { "all2all", OTF2_REGION_ROLE_COLL_ALL2ALL },
		{ "other collective", OTF2_REGION_ROLE_COLL_OTHER }, { "file io", OTF2_REGION_ROLE_FILE_IO },
		{ "file io metadata", OTF2_REGION_ROLE_FILE_IO_METADATA },
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (strcmp(name, roles[i].name) == 0)
			return roles[i].role;
	return OTF2_REGION_ROLE_UNKNOWN;
}

/* Returns the index of a region with these properties, added if it is new. */
static uint32_t find_region(struct reading *reading, const struct fathom_otf2_region *wanted)
{
	struct fathom_otf2_defs *defs = &reading->trace->defs;
	uint32_t count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_REGION);
	struct fathom_otf2_region *region;

	for (uint32_t r = 0; r < count; r++) {
		region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, r);
		if (region->name == wanted->name && region->file == wanted->file &&
		    region->begin_line == wanted->begin_line && region->end_line == wanted->end_line &&
		    region->paradigm == wanted->paradigm && region->role == wanted->role)
			return r;
	}
	region = fathom_otf2_defs_add(defs, FATHOM_OTF2_REGION, count);
	*region = *wanted;
	region->id = count;
	return count;
}

static uint32_t region_of(struct reading *reading, const struct fathom_burst_process *process, uint32_t number)
{
	const struct fathom_burst_file_region *region = &process->regions[number];
	uint32_t name = string_id(reading, process->text + region->name);

	return find_region(reading, &(struct fathom_otf2_region){
		.name = name, .canonical = name, .file = string_id(reading, process->text + region->file),
		.begin_line = region->begin_line, .end_line = region->end_line,
		.paradigm = paradigm_of(process->text + region->paradigm),
		.role = role_of(process->text + region->role),
	});
}

/* Defines the counters of a process: one member for each name. */
static void define_counters(struct reading *reading, const struct fathom_burst_process *process)
{
	struct fathom_otf2_defs *defs = &reading->trace->defs;

	for (uint32_t c = 0; c < process->head->counter_count; c++) {
		uint32_t name = string_id(reading, process->text + process->counters[c].name);
		uint32_t count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_MEMBER), m = 0;
		struct fathom_otf2_typed *member;

		while (m < count && ((struct fathom_otf2_typed *)fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, m))->name !=
		       name)
			m++;
		if (m < count)
			continue;
		member = fathom_otf2_defs_add(defs, FATHOM_OTF2_MEMBER, count);
		member->name = name;
		member->unit = string_id(reading, process->text + process->counters[c].unit);
		member->type = OTF2_TYPE_UINT64;
		member->mode = OTF2_METRIC_ACCUMULATED_START;
		member->factor = 1;
	}
}

/* Returns the index of the machine with this name, added if it is new. */
static int32_t node_of(struct reading *reading, const char *host)
{
	struct fathom_otf2_defs *defs = &reading->trace->defs;
	uint32_t name = string_id(reading, host), count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_NODE);
	struct fathom_otf2_node *node;

	for (uint32_t n = 0; n < count; n++)
		if (((struct fathom_otf2_node *)fathom_otf2_at(defs, FATHOM_OTF2_NODE, n))->name == name)
			return (int32_t)n;
	node = fathom_otf2_defs_add(defs, FATHOM_OTF2_NODE, count);
	node->name = name;
	node->class_name = string_id(reading, "node");
	node->parent = -1;
	node->domains = 1u << OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY;
	return (int32_t)count;
}

static void define_process(struct reading *reading, const struct fathom_burst_process *process)
{
	struct fathom_otf2_defs *defs = &reading->trace->defs;
	uint32_t index = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_PROCESS);
	int32_t node = node_of(reading, process->text + process->head->host);
	struct fathom_otf2_process *added;
	char name[64];

	snprintf(name, sizeof(name), process->head->process_count > 1 ? "MPI Rank %u" : "Process", process->rank);
	added = fathom_otf2_defs_add(defs, FATHOM_OTF2_PROCESS, process->rank);
	added->name = string_id(reading, name);
	added->type = OTF2_LOCATION_GROUP_TYPE_PROCESS;
	added->node = node;
	added->creator = -1;
	for (uint32_t l = 0; l < process->head->location_count; l++) {
		uint32_t text = string_id(reading, process->text + process->locations[l].name);
		struct fathom_otf2_location *location =
			fathom_otf2_defs_add(defs, FATHOM_OTF2_LOCATION, (uint64_t)l << 32 | process->rank);

		location->name = text;
		location->type = OTF2_LOCATION_TYPE_CPU_THREAD;
		location->process = index;
		location->events = process->locations[l].bursts;
	}
	define_counters(reading, process);
	for (uint32_t r = 0; r < process->head->region_count; r++)
		region_of(reading, process, r);
}

static void define_all(struct reading *reading)
{
	struct fathom_otf2_defs *defs = &reading->trace->defs;

	fathom_otf2_defs_init(defs);
	fathom_table_init(&reading->strings, sizeof(struct string));
	defs->resolution = ticks_per_second;
	defs->clocks = 1;
	for (size_t p = 0; p < reading->blocks.process_count; p++)
		define_process(reading, &reading->blocks.processes[p]);
	fathom_otf2_defs_finish(defs, NULL);
}

/* --- bursts ----------------------------------------------------------------------------------------------- */

/* Returns a time of a process in nanoseconds since 1970. */
static long double realtime(const struct fathom_burst_process *process, uint64_t ticks)
{
	const struct fathom_burst_file_process *head = process->head;

	return head->realtime_ns +
	       (long double)(int64_t)(ticks - head->zero_ticks) * 1e9L / head->ticks_per_second;
}

static void find_first(struct reading *reading)
{
	reading->first_ns = INFINITY;
	for (size_t p = 0; p < reading->blocks.process_count; p++) {
		const struct fathom_burst_process *process = &reading->blocks.processes[p];
		const struct fathom_burst_file_bursts *bursts;
		size_t place = process->first_block;

		while ((bursts = fathom_burst_blocks_next(&reading->blocks, process, &place))) {
			const struct fathom_burst_file_record *record = (const void *)(bursts + 1);

			if (bursts->count && realtime(process, record->begin) < reading->first_ns)
				reading->first_ns = realtime(process, record->begin);
		}
	}
}

/* Returns the innermost call path, from path outwards, whose own time is computation. */
static uint32_t computing_path(const struct fathom_burst_extraction *extraction, uint32_t path)
{
	const struct fathom_burst_path *paths = extraction->paths.paths;

	while (path != FATHOM_NO_BURST_PATH && extraction->is_runtime[paths[path].region])
		path = paths[path].parent;
	return path;
}

/* Returns the innermost call path that computes and that both paths are in or below. The program begins or ends in the
 * code of the other end. */
static uint32_t code_between(const struct fathom_burst_extraction *extraction, uint32_t before, uint32_t after)
{
	const struct fathom_burst_path *paths = extraction->paths.paths;

	before = computing_path(extraction, before == FATHOM_NO_BURST_PATH ? after : before);
	after = computing_path(extraction, after == FATHOM_NO_BURST_PATH ? before : after);
	while (before != after && before != FATHOM_NO_BURST_PATH && after != FATHOM_NO_BURST_PATH) {
		if (before > after)	/* parents have smaller numbers */
			before = paths[before].parent;
		else
			after = paths[after].parent;
	}
	return before == after ? computing_path(extraction, before) : FATHOM_NO_BURST_PATH;
}

static uint32_t path_of(const struct reading *reading, uint32_t number)
{
	return number == FATHOM_BURST_FILE_NO_PATH ? FATHOM_NO_BURST_PATH : reading->paths[number];
}

/* Gives a burst to the user. False: no more bursts are wanted. */
static bool give(struct reading *reading, const struct fathom_burst_process *process, uint32_t location,
		 const uint64_t *words, uint32_t counter_count)
{
	const struct fathom_burst_file_record *record = (const void *)words;
	struct fathom_burst_extraction *extraction = reading->extraction;
	long double begin = realtime(process, record->begin) - reading->first_ns;
	long double ticks = (long double)(record->end - record->begin) * ticks_per_second /
			    process->head->ticks_per_second;
	struct fathom_burst burst = {
		.location = reading->first_location + location,
		.before = path_of(reading, record->before),
		.after = path_of(reading, record->after),
		.begin = begin > 0 ? (uint64_t)(begin * 1000) : 0,
		.counters = extraction->differences,
	};

	burst.end = burst.begin + (uint64_t)(ticks + 0.5L);
	burst.code = code_between(extraction, burst.before, burst.after);
	for (uint32_t c = 0; c < extraction->counter_count; c++)
		extraction->differences[c] = NAN;
	for (uint32_t c = 0; c < counter_count; c++)
		extraction->differences[reading->counters[c]] =
			(double)words[sizeof(*record) / sizeof(uint64_t) + c];
	extraction->bursts++;
	return extraction->take(extraction->taker, &burst);
}

/* Maps the numbers of a process to those of all. */
static void map_process(struct reading *reading, const struct fathom_burst_process *process)
{
	const struct fathom_burst_file_process *head = process->head;
	struct fathom_burst_extraction *extraction = reading->extraction;

	reading->regions = fathom_otf2_memory_alloc(head->region_count, sizeof(*reading->regions));
	reading->paths = fathom_otf2_memory_alloc(head->path_count, sizeof(*reading->paths));
	reading->counters = fathom_otf2_memory_alloc(head->counter_count, sizeof(*reading->counters));
	for (uint32_t r = 0; r < head->region_count; r++)
		reading->regions[r] = region_of(reading, process, r);
	for (uint32_t p = 0; p < head->path_count; p++)
		reading->paths[p] = fathom_burst_paths_child(&extraction->paths,
							     path_of(reading, process->paths[p].parent),
							     reading->regions[process->paths[p].region]);
	for (uint32_t c = 0; c < head->counter_count; c++)
		while (strcmp(extraction->counters[reading->counters[c]].name,
			      process->text + process->counters[c].name) != 0)
			reading->counters[c]++;
}

/* Reads the bursts of a process. The blocks of a location are in the order of time. False: no more are wanted. */
static bool read_process(struct reading *reading, const struct fathom_burst_process *process)
{
	const struct fathom_burst_file_bursts *bursts;
	size_t place = process->first_block;
	bool goes_on = true;

	map_process(reading, process);
	while (goes_on && (bursts = fathom_burst_blocks_next(&reading->blocks, process, &place))) {
		size_t words = sizeof(struct fathom_burst_file_record) / sizeof(uint64_t) + bursts->counter_count;
		const uint64_t *record = (const void *)(bursts + 1);

		for (uint64_t i = 0; goes_on && i < bursts->count; i++, record += words)
			goes_on = give(reading, process, bursts->location, record, bursts->counter_count);
	}
	free(reading->regions);
	free(reading->paths);
	free(reading->counters);
	return goes_on;
}

static void read_all(struct reading *reading)
{
	const struct fathom_otf2_archive *trace = reading->trace;
	bool goes_on = true;

	find_first(reading);
	for (size_t p = 0; goes_on && p < reading->blocks.process_count; p++) {
		const struct fathom_burst_process *process = &reading->blocks.processes[p];
		bool is_read = !trace->part_count || p % trace->part_count == trace->part;

		for (uint32_t l = 0; is_read && l < process->head->location_count; l++) {
			reading->extraction->interrupted += process->locations[l].interrupted;
			reading->extraction->unrecorded += process->locations[l].dropped;
		}
		if (is_read)
			goes_on = read_process(reading, process);
		reading->first_location += process->head->location_count;
	}
	reading->extraction->stopped = !goes_on;
}

int fathom_recorded_bursts_read(struct fathom_burst_extraction *extraction, struct fathom_otf2_archive *trace,
				const char *path, fathom_burst_take *take, void *taker)
{
	struct reading reading = { .extraction = extraction, .trace = trace };
	int err = fathom_burst_blocks_open(&reading.blocks, path);

	snprintf(trace->anchor, sizeof(trace->anchor), "%s", path);
	if (err) {
		snprintf(trace->error, sizeof(trace->error), "%s: %s", path, reading.blocks.error);
	} else {
		define_all(&reading);
		fathom_burst_extraction_init(extraction, trace, take, taker);
		read_all(&reading);
		fathom_table_fini(&reading.strings);
	}
	fathom_burst_blocks_close(&reading.blocks);
	return err;
}
