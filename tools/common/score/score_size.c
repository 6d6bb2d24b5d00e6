#include "tools/common/score/score_size.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cube/reader/call_names.h"
#include "otf2/records.h"
#include "platform/compiler.h"
#include "tools/common/command.h"
#include "tools/common/score/field_size.h"
#include "tools/common/score/score_counters.h"

enum {
	STAMP = FATHOM_OTF2_TIME_BYTES,
	SMALL = 2,		/* a field with a number from 1 to 255 */
	ZERO = 1,		/* a field with the number 0, or with "undefined" */
	ATTRIBUTE = 2 + SMALL + SMALL + 1,	/* the record of an attribute, without the value */
	SYSTEM_ID = 4,		/* the system's number of a process or thread, in most cases */
	/* The begin and end of a program, at the times of the first enter and the last leave. */
	PROGRAM_BYTES = ATTRIBUTE + SYSTEM_ID + 2 * 2 + 16,
};

static bool starts(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool has_role(const struct fathom_cube_region *region, const char *role)
{
	return strcmp(region->role, role) == 0;
}

/* --- which records ----------------------------------------------------------------------------------- */

static bool ends(const char *text, const char *end)
{
	size_t length = strlen(text), least = strlen(end);

	return length >= least && strcmp(text + length - least, end) == 0;
}

/*
 * Which records a trace has of an MPI call, by the type of the call's wrapper (wrappers/mpi/calls.txt). The first line
 * that matches decides; calls of other types have only enter and leave records.
 */
static const struct {
	const char *type;
	const char *constant;		/* NULL: any */
	enum fathom_score_shape shape;
} shapes_by_type[] = {
	{ "collective", NULL, FATHOM_SCORE_COLLECTIVE },
	{ "icollective", NULL, FATHOM_SCORE_REQUEST },
	{ "comm_create", NULL, FATHOM_SCORE_COMM },
	{ "comm_apart", NULL, FATHOM_SCORE_COMM },
	{ "comm_birth", NULL, FATHOM_SCORE_COMM },
	{ "comm_idup", NULL, FATHOM_SCORE_COMM },
	{ "comm_free", NULL, FATHOM_SCORE_COMM },
	{ "rma_put", NULL, FATHOM_SCORE_RMA },
	{ "rma_get", NULL, FATHOM_SCORE_RMA },
	{ "rma_fetch", NULL, FATHOM_SCORE_RMA },
	{ "rma_swap", NULL, FATHOM_SCORE_RMA },
	{ "rput", NULL, FATHOM_SCORE_RMA },
	{ "rget", NULL, FATHOM_SCORE_RMA },
	{ "rfetch", NULL, FATHOM_SCORE_RMA },
	{ "win_create", NULL, FATHOM_SCORE_RMA_ALL },
	{ "win_free", NULL, FATHOM_SCORE_RMA_ALL },
	{ "win_sync", "FENCE", FATHOM_SCORE_RMA_ALL },
	{ "win_sync", "UNLOCK", FATHOM_SCORE_RMA_LOCK },
	{ "win_sync", "FLUSH", FATHOM_SCORE_RMA_LOCK },
	{ "win_sync", "FLUSH_LOCAL", FATHOM_SCORE_RMA_LOCK },
	{ "win_lock", NULL, FATHOM_SCORE_RMA_LOCK },
	{ "win_open", NULL, FATHOM_SCORE_RMA_GROUP },
	{ "win_close", NULL, FATHOM_SCORE_RMA_GROUP },
	{ "win_test", NULL, FATHOM_SCORE_RMA_GROUP },
	{ "file_open", NULL, FATHOM_SCORE_IO_HANDLE },
	{ "file_close", NULL, FATHOM_SCORE_IO_HANDLE },
	{ "file_seek", NULL, FATHOM_SCORE_IO_HANDLE },
	{ "io", NULL, FATHOM_SCORE_IO },
	{ "io_start", NULL, FATHOM_SCORE_IO },
	{ "io_begin", NULL, FATHOM_SCORE_IO },
	{ "io_end", NULL, FATHOM_SCORE_IO },
	{ "file_sync", NULL, FATHOM_SCORE_IO },
};

static enum fathom_score_shape shape_of_mpi(const struct fathom_cube_region *region)
{
	const struct fathom_call_name *call = fathom_call_name_find("mpi", region->name);

	for (size_t i = 0; call && i < sizeof(shapes_by_type) / sizeof(shapes_by_type[0]); i++)
		if (strcmp(call->type, shapes_by_type[i].type) == 0 &&
		    (!shapes_by_type[i].constant || strcmp(call->constant, shapes_by_type[i].constant) == 0))
			return shapes_by_type[i].shape;
	/* Initialisation and finalization of MPI have wrappers written by hand. A session has no records of its own. */
	if (call && strcmp(call->type, "own") == 0 && call->activity == FATHOM_ACTIVITY_MPI_INIT_EXIT &&
	    !starts(call->name, "MPI_Session_"))
		return FATHOM_SCORE_INIT;
	return FATHOM_SCORE_PLAIN;
}

/* Returns whether a thread call acquires a lock. All records of a lock are charged to the acquiring call: the call that
 * releases a lock has no record if the lock was held for reading. */
static bool is_thread_lock(const char *name)
{
	const struct fathom_call_name *call = fathom_call_name_find("pthread", name);

	return call && (strcmp(call->type, "acquire") == 0 || strcmp(call->type, "wait") == 0);
}

/* Returns whether a function of OpenMP's runtime acquires a lock. */
static bool is_openmp_lock(const char *name)
{
	return (starts(name, "omp_set_") || starts(name, "omp_test_")) && ends(name, "_lock");
}

static enum fathom_score_shape shape_of_openmp(const struct fathom_profile *profile, uint32_t cnode,
					       const struct fathom_cube_region *region)
{
	int32_t parent = profile->cube->cnodes[cnode].parent;

	if (has_role(region, "parallel"))
		return FATHOM_SCORE_PARALLEL;
	if (has_role(region, "artificial") && parent >= 0 &&
	    has_role(fathom_profile_region(profile, (uint32_t)parent), "parallel"))
		return FATHOM_SCORE_FORK;
	if (has_role(region, "task create"))
		return FATHOM_SCORE_TASK_CREATE;
	if (has_role(region, "critical") || is_openmp_lock(region->name))
		return FATHOM_SCORE_LOCK;
	return FATHOM_SCORE_PLAIN;
}

/* Returns whether a call path is the root of a tree of explicit tasks. */
static bool is_task(const struct fathom_profile *profile, uint32_t cnode)
{
	int32_t parent = profile->cube->cnodes[cnode].parent;

	if (!profile->in_tasks[cnode] || parent < 0 || !profile->in_tasks[parent])
		return false;
	parent = profile->cube->cnodes[parent].parent;
	return parent < 0 || !profile->in_tasks[parent];
}

static enum fathom_score_shape shape_of(const struct fathom_profile *profile, uint32_t cnode, const bool *heads)
{
	const struct fathom_cube_cnode *node = &profile->cube->cnodes[cnode];
	const struct fathom_cube_region *region = fathom_profile_region(profile, cnode);
	bool is_top = node->parent < 0 || profile->in_tasks[node->parent] != profile->in_tasks[cnode];

	if (is_task(profile, cnode))
		return FATHOM_SCORE_TASK;
	if (is_top && profile->in_tasks[cnode])
		return FATHOM_SCORE_NONE;
	/* A stub where a task ran has no records; they are charged to the tree of the task. */
	if (!profile->in_tasks[cnode] && heads[node->region] &&
	    profile->first_child[cnode] == profile->first_child[cnode + 1])
		return FATHOM_SCORE_NONE;
	if (node->parent < 0)
		return FATHOM_SCORE_PROGRAM;
	if (strcmp(region->paradigm, "mpi") == 0)
		return shape_of_mpi(region);
	if (strcmp(region->paradigm, "openmp") == 0)
		return shape_of_openmp(profile, cnode, region);
	if (has_role(region, "thread create"))
		return FATHOM_SCORE_THREAD_CREATE;
	if (strcmp(region->paradigm, "pthread") != 0)
		return FATHOM_SCORE_PLAIN;
	if (has_role(region, "thread wait"))
		return FATHOM_SCORE_JOIN;
	return is_thread_lock(region->name) ? FATHOM_SCORE_LOCK : FATHOM_SCORE_PLAIN;
}

/* Decides how samples are predicted. Where a thread waits, time passes and no samples are taken; so the samples of the
 * profile are better than its time. */
static void prepare_samples(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;
	const char *text = fathom_cube_attribute(cube, "fathom::sampling_rate");
	double wanted = score->options.samples, rate = text ? strtod(text, NULL) : 0;

	if (wanted <= 0)
		return;
	score->sampled_by = rate > 0 && fathom_cube_metric_by_name(cube, "samples") >= 0 ? "samples" : "time";
	score->samples_each = strcmp(score->sampled_by, "time") == 0 ? wanted : wanted < rate ? wanted / rate : 1;
}

int fathom_score_prepare(struct fathom_score *score)
{
	struct fathom_profile *profile = &score->profile;
	const struct fathom_cube *cube = profile->cube;
	bool *heads = fathom_tool_alloc(cube->region_count, sizeof(bool));
	struct fathom_score_rows rows;
	int err = 0;

	for (uint32_t c = 0; c < cube->cnode_count; c++)
		if (is_task(profile, c))
			heads[cube->cnodes[c].region] = true;
	score->shapes = fathom_tool_alloc(cube->cnode_count, 1);
	prepare_samples(score);
	fathom_score_rows_init(score, &rows);
	for (uint32_t c = 0; !err && c < cube->cnode_count; c++) {
		score->shapes[c] = (uint8_t)shape_of(profile, c, heads);
		if (score->shapes[c] != FATHOM_SCORE_TASK || !fathom_score_read(score, &rows, c, &err))
			continue;
		for (uint32_t l = 0; l < cube->location_count; l++)
			score->tasks += rows.values[0][l];
	}
	fathom_score_rows_fini(&rows);
	score->task_creators = cube->location_count;
	free(heads);
	return err;
}

/* --- how large they are ------------------------------------------------------------------------------ */

/*
 * Returns the bytes of a record without its time. sizes has the sizes of its fields in order, without fields that are
 * always one byte; sizes[0] is not used.
 */
static double record_bytes(enum fathom_record record, const double *sizes, size_t count)
{
	const char *field = fathom_otf2_fields[record];
	const double *size = sizes + 1;
	double bytes = 1;		/* the number of the record */

	if (*field == '-')
		field++;
	else
		bytes++;		/* the length of the fields */
	for (; *field; field++)
		bytes += *field == 'b' ? 1 : *size++;
	fathom_assert((size_t)(size - sizes) == 1 + count);
	(void)count;
	return bytes;
}

/* RECORD(MPI_SEND, receiver, communicator, tag, length): bytes of a record whose fields have these sizes */
#define RECORD(name, ...) \
	record_bytes(FATHOM_RECORD_##name, (const double[]){ 0, ##__VA_ARGS__ }, \
		     sizeof((const double[]){ 0, ##__VA_ARGS__ }) / sizeof(double) - 1)

/* Returns the bytes of the number of a calling context: the call paths of the profile are contexts. */
static double context_field(const struct fathom_score *score)
{
	return fathom_score_mean_field(score->profile.cube->cnode_count);
}

/* Returns the bytes of an enter and a leave record with their times. With samples, they have calling contexts. */
static double both(const struct fathom_score *score, uint32_t region)
{
	if (score->options.samples > 0)
		return 2 * STAMP + RECORD(CALLING_CONTEXT_ENTER, context_field(score), SMALL) +
		       RECORD(CALLING_CONTEXT_LEAVE, context_field(score));
	return 2 * (STAMP + RECORD(ENTER, fathom_score_field(region)));
}

static void add(struct fathom_score_cost *cost, double count, double events, double bytes)
{
	cost->events += count * events;
	cost->bytes += count * bytes;
}

static bool waits_for_receive(const char *name)
{
	return starts(name, "MPI_Recv") || starts(name, "MPI_Sendrecv");
}

/* Adds the records of messages. A nonblocking message has two records; both are charged to the call that starts it. */
static void add_messages(struct fathom_score_cost *cost, const struct fathom_score *score, const char *name,
			 const struct fathom_score_values *facts)
{
	double peer = fathom_score_mean_field(score->process_count - 1.0), length;

	if (facts->sent > 0) {
		length = fathom_score_field(facts->bytes_sent / facts->sent);
		if (starts(name, "MPI_I") || starts(name, "MPI_Start"))
			add(cost, facts->sent, 2,
			    RECORD(MPI_ISEND, peer, ZERO, SMALL, length, SMALL) + STAMP +
				    RECORD(MPI_ISEND_COMPLETE, SMALL));
		else
			add(cost, facts->sent, 1, RECORD(MPI_SEND, peer, ZERO, SMALL, length));
	}
	if (facts->received > 0) {
		length = fathom_score_field(facts->bytes_received / facts->received);
		if (waits_for_receive(name))
			add(cost, facts->received, 1, STAMP + RECORD(MPI_RECV, peer, ZERO, SMALL, length));
		else
			add(cost, facts->received, 2,
			    STAMP + RECORD(MPI_IRECV, peer, ZERO, SMALL, length, SMALL) + STAMP +
				    RECORD(MPI_IRECV_REQUEST, SMALL));
	}
}

static double collective_end(const struct fathom_score_values *facts)
{
	return STAMP + RECORD(MPI_COLLECTIVE_END, ZERO, ZERO, fathom_score_field(facts->bytes_sent / facts->visits),
			      fathom_score_field(facts->bytes_received / facts->visits));
}

/* Adds the records of an explicit task. */
static void add_task(struct fathom_score_cost *cost, const struct fathom_score *score, uint32_t region, double visits)
{
	double number = fathom_score_mean_field(score->tasks / score->task_creators);
	double record = RECORD(THREAD_TASK_SWITCH, ZERO, fathom_score_mean_field(3), number);

	/* Records: switch to the task, enter; leave, complete, switch to the next task. */
	add(cost, visits, 5, both(score, region) + 3 * record);
}

/*
 * Adds the records of one-sided operations. Each operation is assumed to complete alone, since profiles do not say
 * which complete together. Operations with and without a request end with the same two records.
 */
static void add_rma(struct fathom_score_cost *cost, const struct fathom_score *score, const char *name, double visits,
		    double length)
{
	double target = fathom_score_mean_field(score->process_count - 1.0);
	double record = RECORD(RMA_PUT, ZERO, target, length, SMALL);

	if (starts(name, "MPI_Accumulate") || starts(name, "MPI_Raccumulate"))
		record = RECORD(RMA_ATOMIC, ZERO, target, length, ZERO, SMALL);
	else if (!starts(name, "MPI_Put") && !starts(name, "MPI_Rput") && strcmp(name, "MPI_Get") != 0 &&
		 strcmp(name, "MPI_Rget") != 0)
		record = RECORD(RMA_ATOMIC, ZERO, target, length, length, SMALL);
	add(cost, visits, 3, record + 2 * (STAMP + RECORD(RMA_OP_COMPLETE_BLOCKING, ZERO, SMALL)));
}

/* Adds the records of begin and end of file operations. The offset in the file is an attribute record before begin. */
static void add_io(struct fathom_score_cost *cost, const char *name, double visits, double length, double place)
{
	double begin = RECORD(IO_OPERATION_BEGIN, ZERO, ZERO, length, SMALL);
	double end = STAMP + RECORD(IO_OPERATION_COMPLETE, ZERO, length, SMALL);

	if (!strstr(name, "_shared") && !strstr(name, "_ordered") && strcmp(name, "MPI_File_sync") != 0)
		begin += ATTRIBUTE + place;
	if (!ends(name, "_end"))
		add(cost, visits, 1, begin);
	if (!ends(name, "_begin"))
		add(cost, visits, 1, end);
	if (starts(name, "MPI_File_i") || ends(name, "_begin"))
		add(cost, visits, 1, STAMP + RECORD(IO_OPERATION_ISSUED, ZERO, SMALL));
}

static bool add_shape_of_one_side(struct fathom_score_cost *cost, const struct fathom_score *score, uint32_t cnode,
				  const struct fathom_score_values *facts)
{
	const char *name = fathom_profile_region(&score->profile, cnode)->name;
	double visits = facts->visits, target = fathom_score_mean_field(score->process_count - 1.0), record;

	switch ((enum fathom_score_shape)score->shapes[cnode]) {
	case FATHOM_SCORE_RMA:
		add_rma(cost, score, name, visits, fathom_score_field((facts->bytes_put + facts->bytes_get) / visits));
		return true;
	case FATHOM_SCORE_RMA_ALL:		/* begin and end, and the creation or end of the window */
		add(cost, visits, 2,
		    RECORD(RMA_COLLECTIVE_BEGIN) + STAMP +
			    RECORD(RMA_COLLECTIVE_END, SMALL, ZERO, ZERO, ZERO, ZERO));
		if (!starts(name, "MPI_Win_fence"))
			add(cost, visits, 1, RECORD(RMA_WIN_CREATE, ZERO));
		return true;
	case FATHOM_SCORE_RMA_LOCK:
		add(cost, visits, 1,
		    strstr(name, "flush") ? STAMP + RECORD(RMA_SYNC, ZERO, target, ZERO) :
		    strstr(name, "unlock") ? STAMP + RECORD(RMA_RELEASE_LOCK, ZERO, target, ZERO) :
					     RECORD(RMA_ACQUIRE_LOCK, ZERO, target, ZERO));
		return true;
	case FATHOM_SCORE_RMA_GROUP:
		add(cost, visits, 1, STAMP + RECORD(RMA_GROUP_SYNC, SMALL, ZERO, SMALL));
		return true;
	case FATHOM_SCORE_IO:
		add_io(cost, name, visits, fathom_score_field((facts->bytes_read + facts->bytes_written) / visits),
		       fathom_score_mean_field((facts->bytes_read + facts->bytes_written) * score->process_count));
		return true;
	case FATHOM_SCORE_IO_HANDLE:
		if (starts(name, "MPI_File_open"))
			record = RECORD(IO_CREATE_HANDLE, ZERO, SMALL, ZERO);
		else if (starts(name, "MPI_File_seek"))
			record = RECORD(IO_SEEK, ZERO, SMALL, SMALL);
		else
			record = RECORD(IO_DESTROY_HANDLE, ZERO);
		add(cost, visits, 1, STAMP + record);
		return true;
	default:
		return false;
	}
}

static void add_shape(struct fathom_score_cost *cost, const struct fathom_score *score, uint32_t cnode,
		      const struct fathom_score_values *facts)
{
	uint32_t region = score->profile.cube->cnodes[cnode].region;
	double visits = facts->visits, number;

	if (add_shape_of_one_side(cost, score, cnode, facts))
		return;
	switch ((enum fathom_score_shape)score->shapes[cnode]) {
	case FATHOM_SCORE_PLAIN:
		break;
	case FATHOM_SCORE_NONE:
		add(cost, visits, -2, -both(score, region));
		break;
	case FATHOM_SCORE_PROGRAM:
		add(cost, visits, 2, PROGRAM_BYTES);
		break;
	case FATHOM_SCORE_PARALLEL:		/* team begin and end, the end at the time of the leave */
		add(cost, visits, 2, STAMP + RECORD(THREAD_TEAM_BEGIN, SMALL) + RECORD(THREAD_TEAM_END, SMALL));
		break;
	case FATHOM_SCORE_FORK:
		/* Entered twice: for the fork, and for the join. The region's enter shares the time of team begin. */
		number = RECORD(THREAD_FORK, fathom_score_field(score->profile.most_threads)) + RECORD(THREAD_JOIN);
		add(cost, visits, -1, STAMP + number / 2 - both(score, region) - STAMP / 2.0);
		break;
	case FATHOM_SCORE_TASK:
		add(cost, visits, -2, -both(score, region));
		add_task(cost, score, region, visits);
		break;
	case FATHOM_SCORE_TASK_CREATE:
		number = fathom_score_mean_field(score->tasks / score->task_creators);
		add(cost, visits, 1, STAMP + RECORD(THREAD_TASK_CREATE, ZERO, fathom_score_mean_field(3), number));
		break;
	case FATHOM_SCORE_COLLECTIVE:
		add(cost, visits, 2, RECORD(MPI_COLLECTIVE_BEGIN) + collective_end(facts));
		break;
	case FATHOM_SCORE_REQUEST:
		/* The end record has one more field, the request. */
		add(cost, visits, 2,
		    RECORD(NON_BLOCKING_COLLECTIVE_REQUEST, SMALL) + collective_end(facts) + SMALL);
		break;
	case FATHOM_SCORE_COMM:
		add(cost, visits, 3,
		    RECORD(MPI_COLLECTIVE_BEGIN) + collective_end(facts) + SMALL + STAMP + RECORD(COMM_CREATE, SMALL));
		break;
	case FATHOM_SCORE_INIT:
		add(cost, visits, 4,
		    RECORD(MPI_COLLECTIVE_BEGIN) + collective_end(facts) + 2 * (STAMP + RECORD(COMM_CREATE, ZERO)));
		break;
	case FATHOM_SCORE_THREAD_CREATE:	/* creation, and begin and end of the created thread */
		add(cost, visits, 3, 2 * STAMP + 3 * RECORD(THREAD_CREATE, SMALL, SMALL) + ATTRIBUTE + SYSTEM_ID);
		break;
	case FATHOM_SCORE_JOIN:
		add(cost, visits, 1, STAMP + RECORD(THREAD_WAIT, SMALL, SMALL));
		break;
	case FATHOM_SCORE_LOCK:			/* number: how often all threads have acquired the lock so far */
		number = fathom_score_mean_field(visits * score->profile.most_threads);
		add(cost, visits, 2, 2 * (STAMP + RECORD(THREAD_ACQUIRE_LOCK, SMALL, number)));
		break;
	default:
		break;
	}
}

/* Adds readings of counters, which share the time of the enter or leave behind them, and values of the program. */
static void add_readings(struct fathom_score_cost *cost, const struct fathom_score *score, uint32_t cnode,
			 const struct fathom_score_values *facts)
{
	enum fathom_score_shape shape = (enum fathom_score_shape)score->shapes[cnode];
	/* A fork region has an enter and a leave in two parts, which share one reading. */
	double each = shape == FATHOM_SCORE_NONE ? 0 : shape == FATHOM_SCORE_FORK ? 1 : 2;

	if (score->counter_bytes)
		add(cost, facts->visits * each, score->counter_records[facts->location],
		    score->counter_bytes[facts->location]);
	for (uint32_t g = 0; g < score->given_count; g++)
		if (!score->given[g].is_amount)
			add(cost, facts->given[g], 1, score->given[g].bytes);
	fathom_score_add_amounts(score, facts, cost);
}

struct fathom_score_cost fathom_score_judge(const struct fathom_score *score, uint32_t cnode,
					    const struct fathom_score_values *facts)
{
	uint32_t region = score->profile.cube->cnodes[cnode].region;
	struct fathom_score_cost cost = { 2 * facts->visits, facts->visits * both(score, region) };

	if (facts->visits > 0)
		add_shape(&cost, score, cnode, facts);
	add(&cost, facts->sampled * score->samples_each, 1,
	    STAMP + RECORD(CALLING_CONTEXT_SAMPLE, context_field(score), SMALL, ZERO));
	add_readings(&cost, score, cnode, facts);
	if (facts->sent > 0 || facts->received > 0)
		add_messages(&cost, score, score->profile.cube->regions[region].name, facts);
	return cost;
}

double fathom_score_frame(double bytes)
{
	/* The last byte of the file marks its end. */
	return FATHOM_OTF2_CHUNK_HEAD_BYTES * ceil(bytes / FATHOM_OTF2_CHUNK_BYTES) + 1;
}

/* --- facts --------------------------------------------------------------------------------------------- */

void fathom_score_rows_init(struct fathom_score *score, struct fathom_score_rows *rows)
{
	const char *const names[FATHOM_SCORE_VALUES] = {
		"visits", "messages_sent", "messages_received", "bytes_sent", "bytes_received",
		"bytes_put", "bytes_get", "io_bytes_read", "io_bytes_written", "amounts_given",
		"real_amounts_given", score->sampled_by ? score->sampled_by : "",
	};
	const struct fathom_cube *cube = score->profile.cube;

	rows->count = FATHOM_SCORE_VALUES + score->given_count;
	for (uint32_t i = 0; i < rows->count; i++) {
		rows->metrics[i] = i < FATHOM_SCORE_VALUES ? fathom_cube_metric_by_name(cube, names[i]) :
				   score->given[i - FATHOM_SCORE_VALUES].metric;
		if (rows->metrics[i] >= 0 && !fathom_profile_can_read(&cube->metrics[rows->metrics[i]]))
			rows->metrics[i] = -1;
		rows->values[i] = fathom_tool_alloc(cube->location_count, sizeof(double));
	}
}

void fathom_score_rows_fini(struct fathom_score_rows *rows)
{
	for (uint32_t i = 0; i < rows->count; i++)
		free(rows->values[i]);
}

/* Checks that a row has counts, because sizes computed from other values would be wrong. 0, or -EINVAL after an error
 * message. */
static int check_counts(const struct fathom_score *score, uint32_t metric, uint32_t cnode, const double *values)
{
	const struct fathom_cube *cube = score->profile.cube;

	for (uint32_t l = 0; l < cube->location_count; l++) {
		/*
		 * An own value is a difference and may be below zero by rounding. An integer that the file calls a
		 * floating-point number reads as a denormal number.
		 */
		if (!values[l] || (isnormal(values[l]) && values[l] > -0.5 && values[l] < FATHOM_SCORE_LARGEST_NUMBER))
			continue;
		fathom_tool_error("%s: the metric %s has a value that is no count (%g) in %s", score->profile.path,
				  cube->metrics[metric].uniq_name, values[l],
				  fathom_profile_region(&score->profile, cnode)->name);
		return -EINVAL;
	}
	return 0;
}

bool fathom_score_read(struct fathom_score *score, struct fathom_score_rows *rows, uint32_t cnode, int *err)
{
	uint32_t count = score->profile.cube->location_count;
	bool found = false;

	for (uint32_t i = 0; i < rows->count && !*err; i++) {
		if (rows->metrics[i] >= 0 &&
		    fathom_cube_reader_present(score->profile.reader, (uint32_t)rows->metrics[i], cnode)) {
			*err = fathom_profile_own_row(&score->profile, (uint32_t)rows->metrics[i], cnode,
						      rows->values[i]);
			if (!*err && i < FATHOM_SCORE_VALUES)
				*err = check_counts(score, (uint32_t)rows->metrics[i], cnode, rows->values[i]);
			found = true;
		} else {
			memset(rows->values[i], 0, count * sizeof(double));
		}
	}
	return found && !*err;
}

struct fathom_score_values fathom_score_values(const struct fathom_score_rows *rows, uint32_t location)
{
	struct fathom_score_values facts = {
		.location = location,
		.visits = rows->values[0][location],
		.sent = rows->values[1][location],
		.received = rows->values[2][location],
		.bytes_sent = rows->values[3][location],
		.bytes_received = rows->values[4][location],
		.bytes_put = rows->values[5][location],
		.bytes_get = rows->values[6][location],
		.bytes_read = rows->values[7][location],
		.bytes_written = rows->values[8][location],
		.amounts = rows->values[9][location],
		.real_amounts = rows->values[10][location],
		.sampled = rows->values[11][location],
	};

	for (uint32_t g = 0; g + FATHOM_SCORE_VALUES < rows->count; g++)
		facts.given[g] = rows->values[FATHOM_SCORE_VALUES + g][location];
	return facts;
}
