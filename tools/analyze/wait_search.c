#include "tools/analyze/wait_search.h"

#include <stdlib.h>

#include "otf2/memory.h"
#include "tools/common/command.h"

/* The input of the search, and how it leads back to the extraction. */
struct source {
	struct fathom_extraction *extraction;
	struct fathom_wait_values *waits;
	struct fathom_interval_list *intervals;
	uint32_t host_count;
	struct fathom_waits_process *processes;
	struct fathom_waits_location *locations;	/* of all processes, one after the other */
	uint32_t *indices;				/* by position in locations: index of the definition */
	struct fathom_waits_communicator *communicators;	/* the table of one process after the other */
	uint32_t **ranks;				/* by communicator: its members */
	struct fathom_waits_grid *grids;		/* by topology of the trace */
	bool *are_periodic;				/* of the dimensions of all grids */
};

/* --- values ------------------------------------------------------------------------------------------- */

void fathom_wait_values_add(struct fathom_wait_values *waits, const struct fathom_wait_value *value)
{
	waits->values = fathom_otf2_memory_grow(waits->values, waits->count, &waits->room, sizeof(*waits->values));
	waits->values[waits->count++] = *value;
}

static int compare(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int by_row(const void *a, const void *b)
{
	const struct fathom_wait_value *x = a, *y = b;
	int order = compare(x->pattern, y->pattern);

	if (!order)
		order = compare(x->path, y->path);
	return order ? order : compare(x->location, y->location);
}

void fathom_wait_values_sort(struct fathom_wait_values *waits)
{
	if (waits->count)
		qsort(waits->values, waits->count, sizeof(*waits->values), by_row);
}

void fathom_wait_values_fini(struct fathom_wait_values *waits)
{
	free(waits->values);
	*waits = (struct fathom_wait_values){ 0 };
}

/* --- communicators ---------------------------------------------------------------------------------- */

/* Collects the members of a communicator, which all its processes share. */
static void find_members(struct source *source, uint32_t index)
{
	struct fathom_otf2_defs *defs = &source->extraction->trace->defs;
	const struct fathom_otf2_comm *comm = fathom_otf2_at(defs, FATHOM_OTF2_COMM, index);
	uint32_t count, i;

	if (comm->is_self || comm->paradigm != OTF2_PARADIGM_MPI)
		return;
	count = fathom_otf2_comm_size(defs, comm);
	source->ranks[index] = fathom_tool_alloc(count + 1, sizeof(**source->ranks));
	for (i = 0; i < count; i++)
		source->ranks[index][i] = fathom_otf2_comm_member(defs, comm, i);
}

/* Describes a communicator as a process knows it. A communicator that each process has alone has an identity of its own
 * in each. */
static struct fathom_waits_communicator describe(struct source *source, uint32_t process, uint32_t index)
{
	struct fathom_otf2_defs *defs = &source->extraction->trace->defs;
	const struct fathom_otf2_comm *comm = fathom_otf2_at(defs, FATHOM_OTF2_COMM, index);
	int64_t position;

	if (comm->is_self)
		return (struct fathom_waits_communicator){
			.identity = (uint64_t)(process + 1) << 32 | index,
			.count = 1,
			.first = process,
		};
	if (!source->ranks[index])
		return (struct fathom_waits_communicator){ .identity = (uint64_t)index + 1 };
	position = fathom_otf2_comm_process(defs, comm, process);
	return (struct fathom_waits_communicator){
		.identity = (uint64_t)index + 1,
		.count = position < 0 ? 0 : fathom_otf2_comm_size(defs, comm),
		.position = position < 0 ? 0 : (uint32_t)position,
		.ranks = source->ranks[index],
		.is_inter = comm->is_inter,
	};
}

/* Describes a window; number is its index. */
static struct fathom_waits_communicator describe_window(struct source *source, uint32_t process, uint32_t number)
{
	const struct fathom_otf2_defs *defs = &source->extraction->trace->defs;
	const struct fathom_otf2_window *window = fathom_otf2_at(defs, FATHOM_OTF2_WINDOW, number);
	struct fathom_waits_communicator described = { .count = 0 };

	if (window->comm >= 0)
		described = describe(source, process, (uint32_t)window->comm);
	/* Each process has windows of its own on a communicator of its own. */
	described.identity = (described.identity >> 32 << 32) + fathom_otf2_count(defs, FATHOM_OTF2_COMM) + number + 1;
	return described;
}

/* --- grids ------------------------------------------------------------------------------------------ */

/* Describes the topologies of the trace. One in which a member of the communicator has no position, or one of threads,
 * gets no dimensions. */
static void list_grids(struct source *source)
{
	const struct fathom_otf2_defs *defs = &source->extraction->trace->defs;
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_TOPOLOGY), dimensions = 0, i;

	source->grids = fathom_tool_alloc(count + 1, sizeof(*source->grids));
	source->are_periodic = fathom_tool_alloc(count * FATHOM_WAITS_DIMENSIONS + 1, sizeof(*source->are_periodic));
	for (i = 0; i < count; i++) {
		const struct fathom_otf2_topology *topology = fathom_otf2_at(defs, FATHOM_OTF2_TOPOLOGY, i);
		bool *are_periodic = source->are_periodic + dimensions;
		uint8_t d;

		if (!topology->at || topology->placed < topology->members ||
		    topology->count > FATHOM_WAITS_DIMENSIONS || !source->ranks[topology->comm])
			continue;
		source->grids[i] = (struct fathom_waits_grid){
			.comm = (uint32_t)topology->comm,
			.dimension_count = topology->count,
			.sizes = topology->sizes,
			.are_periodic = are_periodic,
			.at = topology->at,
		};
		dimensions += topology->count;
		for (d = 0; d < topology->count; d++) {
			const struct fathom_otf2_dimension *dimension = topology->dimensions[d] < 0 ? NULL :
				fathom_otf2_at(defs, FATHOM_OTF2_DIMENSION, (uint64_t)topology->dimensions[d]);

			are_periodic[d] = dimension && dimension->is_periodic;
		}
	}
}

/* Returns the largest grid that a process has a position in, the first one of equally large ones; NULL: none. */
static const struct fathom_waits_grid *grid_of(const struct source *source,
					       const struct fathom_waits_communicator *communicators)
{
	const struct fathom_otf2_defs *defs = &source->extraction->trace->defs;
	const struct fathom_waits_grid *largest = NULL;
	size_t i;

	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_TOPOLOGY); i++) {
		const struct fathom_waits_grid *grid = &source->grids[i];

		if (grid->dimension_count && communicators[grid->comm].count > 1 &&
		    (!largest || communicators[grid->comm].count > communicators[largest->comm].count))
			largest = grid;
	}
	return largest;
}

/* --- processes and locations -------------------------------------------------------------------------- */

static void add_location(struct source *source, struct fathom_waits_process *process, uint32_t index, uint32_t place)
{
	const struct fathom_extraction_location *location = &source->extraction->locations[index];

	source->locations[place] = (struct fathom_waits_location){
		.number = process->location_count++,
		.count = location->log.count,
		.records = location->log.records,
		.lost = location->log.lost,
		.file_records = location->log.file ? location->log.count : 0,
		.begin = location->first,
		.end = location->last,
	};
	source->indices[place] = index;
}

static void fill(struct source *source, struct fathom_waits_input *input)
{
	struct fathom_extraction *extraction = source->extraction;
	const struct fathom_otf2_defs *defs = &extraction->trace->defs;
	uint32_t process_count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_PROCESS);
	uint32_t comm_count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_COMM);
	uint32_t window_count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_WINDOW);
	uint32_t table_count = comm_count + window_count, p, i, place = 0;

	source->processes = fathom_tool_alloc(process_count + 1, sizeof(*source->processes));
	source->locations = fathom_tool_alloc(extraction->location_count + 1, sizeof(*source->locations));
	source->indices = fathom_tool_alloc(extraction->location_count + 1, sizeof(*source->indices));
	source->communicators = fathom_tool_alloc((size_t)process_count * table_count + 1,
						  sizeof(*source->communicators));
	source->ranks = fathom_tool_alloc(comm_count + 1, sizeof(*source->ranks));
	for (i = 0; i < comm_count; i++)
		find_members(source, i);
	list_grids(source);
	for (p = 0; p < process_count; p++) {
		struct fathom_waits_process *process = &source->processes[input->process_count];

		struct fathom_waits_communicator *table;

		*process = (struct fathom_waits_process){ .rank = p, .locations = source->locations + place };
		for (i = 0; i < extraction->location_count; i++)
			if (extraction->locations[i].process == p && extraction->locations[i].is_hosted &&
			    extraction->locations[i].first)
				add_location(source, process, i, place++);
		if (!process->location_count)
			continue;
		process->communicators = table = source->communicators + (size_t)input->process_count * table_count;
		process->communicator_count = comm_count;
		process->windows = table + comm_count;
		process->window_count = window_count;
		for (i = 0; i < comm_count; i++)
			table[i] = describe(source, p, i);
		for (i = 0; i < window_count; i++)
			table[comm_count + i] = describe_window(source, p, i);
		process->grid = grid_of(source, table);
		input->process_count++;
	}
	input->processes = source->processes;
	input->world_size = process_count;
}

static uint32_t host_of(void *context, uint32_t rank)
{
	const struct source *source = context;

	return rank % source->host_count;
}

/* Times are on the common clock already: OTF2's library applies the clock offsets. */
static double seconds(void *context, const struct fathom_waits_process *process, uint64_t ticks)
{
	const struct source *source = context;
	const struct fathom_otf2_defs *defs = &source->extraction->trace->defs;

	(void)process;
	return fathom_otf2_seconds(defs, (double)(int64_t)(ticks - defs->offset));
}

static uint64_t digest(void *context, const struct fathom_waits_process *process,
		       const struct fathom_waits_location *location, uint64_t call_path)
{
	const struct source *source = context;

	(void)process;
	(void)location;
	return call_path < source->extraction->tree.count ? source->extraction->tree.paths[call_path].digest : 0;
}

static void add(void *context, const struct fathom_waits_process *process, const struct fathom_waits_location *location,
		uint64_t call_path, enum fathom_waits_pattern pattern, double value)
{
	struct source *source = context;
	struct fathom_wait_value added = {
		.location = source->indices[location - source->locations],
		.path = (uint32_t)call_path,
		.pattern = pattern,
		.value = value,
	};

	(void)process;
	if (call_path < source->extraction->tree.count)
		fathom_wait_values_add(source->waits, &added);
}

static uint64_t ticks_of(const struct source *source, double seconds)
{
	uint64_t resolution = source->extraction->trace->defs.resolution;

	return seconds > 0 ? (uint64_t)(seconds * (double)(resolution ? resolution : 1000000000) + 0.5) : 0;
}

static void add_interval(void *context, const struct fathom_waits_interval_found *found)
{
	struct source *source = context;
	struct fathom_interval interval = {
		.begin = ticks_of(source, found->begin),
		.end = ticks_of(source, found->end),
		.location = source->indices[found->location - source->locations],
		.pattern = found->pattern,
		.cause_process = found->cause_rank == FATHOM_WAITS_NO_HOST ? FATHOM_INTERVAL_NO_CAUSE :
				 found->cause_rank,
		.cause_thread = found->cause_thread,
	};

	fathom_interval_list_add(source->intervals, &interval);
}

/* Of each location, the search keeps at most so much in memory, and about so many records at a time. */
enum { MOST_MEMORY = 1 << 18, WINDOW_RECORDS = 10000 };

int fathom_wait_search(struct fathom_extraction *extraction, struct fathom_comm *comm, struct fathom_wait_values *waits,
		       struct fathom_interval_list *intervals)
{
	struct source source = { .extraction = extraction, .waits = waits, .intervals = intervals,
				 .host_count = (uint32_t)comm->size };
	struct fathom_waits_input input = {
		.context = &source,
		.host = host_of,
		.seconds = seconds,
		.digest = digest,
		.add = add,
		.add_interval = add_interval,
		.scratch = fathom_operation_log_folder(),
		.scratch_from = MOST_MEMORY,
		.window_records = WINDOW_RECORDS,
	};
	uint32_t i;
	int err;

	fill(&source, &input);
	err = fathom_waits_search(comm, &input, &waits->summary);
	for (i = 0; i < fathom_otf2_count(&extraction->trace->defs, FATHOM_OTF2_COMM); i++)
		free(source.ranks[i]);
	free(source.ranks);
	free(source.grids);
	free(source.are_periodic);
	free(source.communicators);
	free(source.indices);
	free(source.locations);
	free(source.processes);
	return err;
}
