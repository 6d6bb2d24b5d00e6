#include "made_logs.h"

#include "simulated_comm.h"
#include "unit_test.h"

enum { MOST_COMMUNICATORS = 8 };

static uint64_t ticks_of(double seconds)
{
	return (uint64_t)(seconds * 1e6 + 0.5);
}

/* The program begins at one second of the clock. */
static uint64_t time_of(double seconds)
{
	return ticks_of(seconds + 1);
}

struct made_program *made_create(uint32_t ranks, uint32_t threads)
{
	struct made_program *program = calloc(1, sizeof(*program));
	uint32_t locations = ranks * threads;

	program->ranks = ranks;
	program->threads = threads;
	program->absent = UINT32_MAX;
	program->logs = calloc(locations, sizeof(*program->logs));
	program->locations = calloc(locations, sizeof(*program->locations));
	program->processes = calloc(ranks, sizeof(*program->processes));
	program->communicators = calloc((size_t)ranks * MOST_COMMUNICATORS, sizeof(*program->communicators));
	program->results = calloc(locations, sizeof(*program->results));
	for (uint32_t l = 0; l < locations; l++)
		program->locations[l].begin = time_of(0);
	for (uint32_t r = 0; r < ranks; r++)
		program->processes[r] = (struct fathom_waits_process){
			.rank = r,
			.location_count = threads,
			.locations = &program->locations[r * threads],
			.communicators = &program->communicators[r * MOST_COMMUNICATORS],
			.windows = &program->communicators[r * MOST_COMMUNICATORS],
		};
	made_communicator(program, NULL, ranks);
	return program;
}

void made_destroy(struct made_program *program)
{
	for (uint32_t l = 0; l < program->ranks * program->threads; l++)
		free(program->logs[l].records);
	free(program->logs);
	free(program->locations);
	free(program->processes);
	free(program->communicators);
	free(program->results);
	free(program);
}

uint32_t made_communicator(struct made_program *program, const uint32_t *ranks, uint32_t count)
{
	uint32_t number = program->communicator_count++;

	for (uint32_t r = 0; r < program->ranks; r++) {
		struct fathom_waits_communicator *comm = &program->communicators[r * MOST_COMMUNICATORS + number];

		*comm = (struct fathom_waits_communicator){ .identity = 1000 + number, .count = count, .position = r,
							    .ranks = ranks, .first = 0, .stride = 1 };
		for (uint32_t i = 0; ranks && i < count; i++)
			if (ranks[i] == r)
				comm->position = i;
		program->processes[r].communicator_count = program->communicator_count;
		program->processes[r].window_count = program->communicator_count;
	}
	return number;
}

static struct fathom_waits_record *next_record(struct made_log *log)
{
	if (log->count == log->room) {
		log->room = log->room ? 2 * log->room : 32;
		log->records = realloc(log->records, log->room * sizeof(*log->records));
	}
	memset(&log->records[log->count], 0, sizeof(*log->records));
	return &log->records[log->count++];
}

void made_end(struct made_program *program, uint32_t rank, double end)
{
	for (uint32_t t = 0; t < program->threads; t++)
		program->locations[rank * program->threads + t].end = time_of(end);
}

uint32_t made_thread_operation(struct made_program *program, uint32_t rank, uint32_t thread, uint64_t path, double begin,
			       double end, struct fathom_waits_part part)
{
	struct made_log *log = &program->logs[rank * program->threads + thread];
	struct fathom_waits_record *record = next_record(log);

	record->operation.call_path = path;
	record->operation.begin = time_of(begin);
	record->operation.part = part;
	record->end_and_kind = fathom_waits_end_of(time_of(end));
	return log->count - 1;
}

uint32_t made_operation(struct made_program *program, uint32_t rank, uint64_t path, double begin, double end,
			struct fathom_waits_part part)
{
	return made_thread_operation(program, rank, 0, path, begin, end, part);
}

void made_part(struct made_program *program, uint32_t rank, struct fathom_waits_part part)
{
	struct made_log *log = &program->logs[rank * program->threads];
	struct fathom_waits_record *record = &log->records[log->count - 1];
	uint64_t back = fathom_waits_record_back(record);

	if (fathom_waits_record_kind(record) == FATHOM_WAITS_OPERATION_MORE && fathom_waits_record_fill(record) == 1) {
		record->more[1] = part;
		record->end_and_kind = fathom_waits_fill_of(FATHOM_WAITS_OPERATION_MORE, 2, back);
		return;
	}
	record = next_record(log);
	record->more[0] = part;
	record->end_and_kind = fathom_waits_fill_of(FATHOM_WAITS_OPERATION_MORE, 1, back + 1);
}

void made_thread_time(struct made_program *program, uint32_t rank, uint32_t thread, uint64_t path, double seconds)
{
	struct made_log *log = &program->logs[rank * program->threads + thread];
	struct fathom_waits_map_entry entry = { path, ticks_of(seconds) };
	struct fathom_waits_record *record = log->count ? &log->records[log->count - 1] : NULL;
	enum fathom_waits_record_kind kind = FATHOM_WAITS_MAP;
	uint64_t back = 0;

	if (record && (fathom_waits_record_kind(record) == FATHOM_WAITS_MAP ||
		       fathom_waits_record_kind(record) == FATHOM_WAITS_MAP_MORE)) {
		back = fathom_waits_record_back(record);
		if (fathom_waits_record_fill(record) == 1) {
			record->entries[1] = entry;
			record->end_and_kind = fathom_waits_fill_of(fathom_waits_record_kind(record), 2, back);
			return;
		}
		kind = FATHOM_WAITS_MAP_MORE;
		back++;
	}
	record = next_record(log);
	record->entries[0] = entry;
	record->end_and_kind = fathom_waits_fill_of(kind, 1, back);
}

void made_time(struct made_program *program, uint32_t rank, uint64_t path, double seconds)
{
	made_thread_time(program, rank, 0, path, seconds);
}

uint32_t made_next(const struct made_program *program, uint32_t rank)
{
	return program->logs[rank * program->threads].count;
}

struct fathom_waits_part made_part_of(enum fathom_waits_part_kind kind, uint32_t peer, uint32_t comm, int tag, uint32_t posted)
{
	return (struct fathom_waits_part){ .kind = kind, .peer = peer & 0xffffff, .comm = comm, .tag = tag, .posted = posted };
}

void made_send(struct made_program *program, uint32_t rank, uint64_t path, double begin, double end, uint32_t to)
{
	made_operation(program, rank, path, begin, end, made_part_of(FATHOM_WAITS_SEND, to, 0, 0, 0));
}

void made_receive(struct made_program *program, uint32_t rank, uint64_t path, double begin, double end, uint32_t from)
{
	made_operation(program, rank, path, begin, end,
		       made_part_of(FATHOM_WAITS_RECEIVE, from, 0, 0, made_next(program, rank)));
}

void made_collective(struct made_program *program, uint32_t rank, uint64_t path, double begin, double end, int operation,
		     int root, uint32_t comm)
{
	made_operation(program, rank, path, begin, end,
		       made_part_of(FATHOM_WAITS_COLLECTIVE, root < 0 ? FATHOM_WAITS_NO_PEER : (uint32_t)root, comm, operation,
				    made_next(program, rank)));
}

/* --- the search ---------------------------------------------------------------------------------------- */

double made_seconds(void *context, const struct fathom_waits_process *process, uint64_t ticks)
{
	(void)context, (void)process;
	return ((double)ticks - 1e6) * 1e-6;
}

uint64_t made_digest(void *context, const struct fathom_waits_process *process, const struct fathom_waits_location *location,
		     uint64_t call_path)
{
	(void)context, (void)process, (void)location;
	return call_path;
}

static uint32_t host_of(void *context, uint32_t rank)
{
	const struct made_program *program = context;

	return rank == program->absent ? FATHOM_WAITS_NO_HOST :
	       (uint32_t)((uint64_t)rank * program->hosts / program->ranks);
}

static void add(void *context, const struct fathom_waits_process *process, const struct fathom_waits_location *location,
		uint64_t call_path, enum fathom_waits_pattern pattern, double value)
{
	struct made_program *program = context;

	if (call_path < MADE_PATHS)
		program->results[process->rank * program->threads + location->number][call_path][pattern] += value;
}

static int search(struct fathom_comm *comm, void *argument)
{
	struct made_program *program = argument;
	struct fathom_waits_summary summary;
	struct fathom_waits_input input = {
		.world_size = program->ranks,
		.context = program,
		.host = host_of,
		.seconds = made_seconds,
		.digest = made_digest,
		.add = add,
		.least_wait = program->least_wait,
	};
	uint32_t first = 0;
	int err;

	while (first < program->ranks && (first == program->absent || (int)host_of(program, first) < comm->rank))
		first++;
	while (first + input.process_count < program->ranks &&
	       (int)host_of(program, first + input.process_count) == comm->rank)
		input.process_count++;
	input.processes = &program->processes[first];
	err = fathom_waits_search(comm, &input, &summary);
	if (comm->rank == 0)
		program->summary = summary;
	return err;
}

int made_search(struct made_program *program, uint32_t hosts)
{
	void **arguments = calloc(hosts, sizeof(*arguments));
	int *errors = calloc(hosts, sizeof(*errors)), worst = 0;

	program->hosts = hosts;
	memset(program->results, 0, program->ranks * program->threads * sizeof(*program->results));
	for (uint32_t l = 0; l < program->ranks * program->threads; l++)
		program->locations[l] = (struct fathom_waits_location){
			.number = l % program->threads,
			.count = program->logs[l].count,
			.records = program->logs[l].records,
			.begin = program->locations[l].begin,
			.end = program->locations[l].end,
		};
	for (uint32_t h = 0; h < hosts; h++)
		arguments[h] = program;
	simulated_run((int)hosts, search, arguments, errors);
	for (uint32_t h = 0; h < hosts; h++)
		if (errors[h] < worst)
			worst = errors[h];
	free(arguments);
	free(errors);
	return worst;
}

bool made_search_by(struct made_program *program, int number)
{
	static const uint32_t host_counts[] = { 1, 2, 3, 7 };

	if (number >= 4 || host_counts[number] > program->ranks)
		return false;
	assert_int_equal(made_search(program, host_counts[number]), 0);
	assert_int_equal(simulated_mismatches, 0);
	return true;
}

double made_at(const struct made_program *program, uint32_t rank, uint64_t path, enum fathom_waits_pattern pattern)
{
	return program->results[rank * program->threads][path][pattern];
}

double made_of(const struct made_program *program, uint32_t rank, enum fathom_waits_pattern pattern)
{
	double sum = 0;

	for (uint32_t t = 0; t < program->threads; t++)
		for (uint64_t path = 0; path < MADE_PATHS; path++)
			sum += program->results[rank * program->threads + t][path][pattern];
	return sum;
}

double made_sum(const struct made_program *program, enum fathom_waits_pattern pattern)
{
	double sum = 0;

	for (uint32_t r = 0; r < program->ranks; r++)
		sum += made_of(program, r, pattern);
	return sum;
}
