#include "profile/result/burst_result.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "comm/chunked_transfer.h"
#include "define/metric.h"
#include "event/location.h"
#include "event/result.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "platform/write.h"
#include "profile/recording/burst_log.h"
#include "profile/result/burst_definitions.h"
#include "profile/result/sibling_file.h"

/* --- the file, at rank 0 ------------------------------------------------------------------------------- */

/* Where blocks go: to the file at rank 0, else to rank 0. */
struct output {
	struct fathom_comm *comm;
	uint32_t rank;			/* of this process in the world */
	int fd;				/* at rank 0; negative: the file could not be made */
	int file_err;			/* the first error of writing */
	int comm_err;			/* comm is broken */
	uint32_t blocks;
	uint64_t dropped;		/* bursts of all processes that were dropped */
};

static void write_file(struct output *output, const void *data, size_t bytes)
{
	if (!output->file_err)
		output->file_err = fathom_write_all(output->fd, data, bytes);
}

/* Adds up the bursts that a process dropped. */
static void count_dropped(struct output *output, const void *payload)
{
	const struct fathom_burst_file_process *process = payload;
	const struct fathom_burst_file_location *locations = (const void *)(process + 1);

	for (uint32_t i = 0; i < process->location_count; i++)
		output->dropped += locations[i].dropped;
}

/* Writes a block whose payload is complete. */
static void write_block(struct output *output, const struct fathom_burst_file_block *head, const void *payload)
{
	write_file(output, head, sizeof(*head));
	write_file(output, payload, head->bytes);
	output->blocks++;
	if (head->kind == FATHOM_BURST_BLOCK_PROCESS)
		count_dropped(output, payload);
}

/* Writes a block, or sends it to rank 0. Rank 0 learns the end of a process' blocks by a head without a kind. */
static void put_block(struct output *output, uint32_t kind, const void *payload, uint64_t bytes)
{
	struct fathom_burst_file_block head = {
		.kind = kind,
		.number = output->rank,
		.bytes = bytes,
		.checksum = fathom_burst_file_checksum(payload, bytes / sizeof(uint64_t)),
	};

	if (output->comm->rank == 0) {
		write_block(output, &head, payload);
		return;
	}
	if (!output->comm_err)
		output->comm_err = output->comm->send(output->comm, 0, &head, sizeof(head));
	if (!output->comm_err && bytes)
		output->comm_err = fathom_chunked_send(output->comm, 0, payload, bytes);
}

/* --- the blocks of a process ------------------------------------------------------------------------------ */

/* The payload of a block of bursts, which is filled record by record. */
enum { PAYLOAD_WORDS = 16 * 1024 };

struct process {
	struct output *output;
	struct fathom_burst_definitions definitions;
	const struct fathom_burst_log *log;	/* that is being written */
	uint32_t location;			/* its index */
	uint64_t bursts;			/* of this log so far */
	uint64_t fill;				/* words of the payload */
	uint64_t payload[PAYLOAD_WORDS];
};

enum { HEAD_WORDS = sizeof(struct fathom_burst_file_bursts) / sizeof(uint64_t) };

_Static_assert(sizeof(struct fathom_burst_file_record) == 3 * sizeof(uint64_t), "a record is three words");

static void flush(struct process *process)
{
	uint32_t counters = process->log->counter_count;
	struct fathom_burst_file_bursts head = {
		process->location, counters, (process->fill - HEAD_WORDS) / (3 + counters),
	};

	if (!head.count)
		return;
	memcpy(process->payload, &head, sizeof(head));
	put_block(process->output, FATHOM_BURST_BLOCK_BURSTS, process->payload, process->fill * sizeof(uint64_t));
	process->fill = HEAD_WORDS;
}

static void put_record(struct process *process, const uint64_t *record)
{
	uint32_t counters = process->log->counter_count;
	struct fathom_burst_file_record packed = {
		.begin = record[FATHOM_BURST_BEGIN], .end = record[FATHOM_BURST_END],
	};
	const struct fathom_node *before = (const void *)(uintptr_t)record[FATHOM_BURST_BEFORE];
	const struct fathom_node *after = (const void *)(uintptr_t)record[FATHOM_BURST_AFTER];

	packed.before = fathom_burst_definitions_path(&process->definitions, before);
	packed.after = fathom_burst_definitions_path(&process->definitions, after);
	if (process->fill + 3 + counters > PAYLOAD_WORDS)
		flush(process);
	memcpy(process->payload + process->fill, &packed, sizeof(packed));
	memcpy(process->payload + process->fill + 3, record + FATHOM_BURST_COUNTERS, counters * sizeof(uint64_t));
	process->fill += 3 + counters;
	process->bursts++;
}

static int put_records(void *context, const uint64_t *records, uint32_t count)
{
	struct process *process = context;

	for (uint32_t i = 0; i < count; i++)
		put_record(process, records + (size_t)i * fathom_burst_log_width(process->log));
	return process->output->comm_err;
}

/* Writes the burst that is open at the end of the run. True: there is one, and it is dropped like those before it. */
static bool put_open_burst(struct process *process, const struct fathom_result *result)
{
	uint64_t record[FATHOM_BURST_COUNTERS + FATHOM_METRIC_MOST_STRICT] = { 0 };
	const struct fathom_burst_log *log = process->log;
	uint64_t end = fathom_peek(&log->location->end_ticks);

	if (!end || end > result->end_ticks)
		end = result->end_ticks;
	if (fathom_peek(&log->state) != FATHOM_BURST_OPEN || end <= log->begin)
		return false;
	if (log->dropped)
		return true;
	record[FATHOM_BURST_BEGIN] = log->begin;
	record[FATHOM_BURST_END] = end;
	record[FATHOM_BURST_BEFORE] = (uint64_t)(uintptr_t)log->before;
	for (uint32_t c = 0; c < log->counter_count; c++)
		record[FATHOM_BURST_COUNTERS + c] = log->location->meter->values[c] - log->readings[c];
	put_record(process, record);
	return false;
}

static void put_log(struct process *process, struct fathom_burst_log *log, const struct fathom_result *result,
		    struct fathom_burst_file_location *location)
{
	bool is_dropped = false;
	char name[64];
	int err;

	process->log = log;
	process->fill = HEAD_WORDS;
	process->bursts = 0;
	err = fathom_burst_log_read(log, result->may_allocate, put_records, process);
	if (!err)
		is_dropped = put_open_burst(process, result);
	flush(process);
	if (err && !process->output->comm_err)
		fathom_log(FATHOM_LOG_ERROR, "bursts.bin: bursts that were in a file cannot be read: %s",
			   strerrordesc_np(-err));
	*location = (struct fathom_burst_file_location){
		.name = fathom_burst_definitions_text(&process->definitions,
						      fathom_location_name(log->location, name, sizeof(name))),
		.counter_count = log->counter_count,
		.bursts = process->bursts,
		.dropped = log->dropped + is_dropped,
		.interrupted = log->interrupted + (fathom_peek(&log->state) == FATHOM_BURST_INTERRUPTED),
	};
}

/* Copies bytes to the end of a payload, and returns the new end. */
static char *append(char *end, const void *data, size_t bytes)
{
	if (bytes)
		memcpy(end, data, bytes);
	return end + bytes;
}

static uint64_t realtime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Writes the block of definitions. -ENOMEM: there is none. */
static int put_definitions(struct process *process, const struct fathom_burst_file_location *locations,
			   uint32_t location_count, const struct fathom_result *result)
{
	struct fathom_burst_definitions *definitions = &process->definitions;
	struct fathom_burst_file_counter counters[FATHOM_METRIC_MOST_STRICT];
	struct fathom_burst_file_process head = {
		.zero_ticks = fathom_clock_ticks(),
		.realtime_ns = realtime_ns(),
		.ticks_per_second = FATHOM_UNITS_PER_SECOND * 4294967296.0 /
				    (double)fathom_clock_scale().units_per_tick_q32,
		.process_count = (uint32_t)result->world_size,
		.host = fathom_burst_definitions_text(definitions, result->host ? result->host : ""),
		.location_count = location_count,
		.counter_count = fathom_metric_strict_count(),
		.region_count = definitions->region_count,
		.path_count = definitions->path_count,
	};
	uint64_t bytes;
	char *payload, *end;

	for (uint32_t c = 0; c < head.counter_count; c++)
		counters[c] = (struct fathom_burst_file_counter){
			fathom_burst_definitions_text(definitions, fathom_metric_by_id(c)->name),
			fathom_burst_definitions_text(definitions, fathom_metric_by_id(c)->unit),
		};
	if (definitions->is_incomplete)
		return -ENOMEM;
	head.text_bytes = (definitions->text_bytes + 7u) & ~7u;
	bytes = sizeof(head) + location_count * sizeof(*locations) + head.counter_count * sizeof(*counters) +
		head.region_count * sizeof(*definitions->regions) + head.path_count * sizeof(*definitions->paths) +
		head.text_bytes;
	payload = fathom_arena_alloc(&definitions->arena, bytes);
	if (!payload)
		return -ENOMEM;
	end = append(payload, &head, sizeof(head));
	end = append(end, locations, location_count * sizeof(*locations));
	end = append(end, counters, head.counter_count * sizeof(*counters));
	end = append(end, definitions->regions, head.region_count * sizeof(*definitions->regions));
	end = append(end, definitions->paths, head.path_count * sizeof(*definitions->paths));
	append(end, definitions->text, definitions->text_bytes);
	put_block(process->output, FATHOM_BURST_BLOCK_PROCESS, payload, bytes);
	return 0;
}

/* Returns the logs in the order of their creation; NULL: no memory. */
static struct fathom_burst_log **list_logs(struct fathom_arena *arena, uint32_t *count)
{
	struct fathom_burst_log *newest = fathom_burst_log_newest(), **list;
	uint32_t i;

	*count = 0;
	for (struct fathom_burst_log *log = newest; log; log = log->older)
		++*count;
	list = fathom_arena_alloc(arena, (*count + (size_t)1) * sizeof(*list));
	i = *count;
	for (struct fathom_burst_log *log = newest; list && log; log = log->older)
		list[--i] = log;
	return list;
}

/* Writes all blocks of this process. */
static void put_process(struct output *output, const struct fathom_result *result)
{
	static struct process process;	/* static, because signal handlers have small stacks */
	struct fathom_burst_definitions *definitions = &process.definitions;
	struct fathom_burst_file_location *locations;
	struct fathom_burst_log **list;
	uint32_t count;
	int err = -ENOMEM;

	memset(&process, 0, offsetof(struct process, payload));
	process.output = output;
	definitions->result = result;
	list = list_logs(&definitions->arena, &count);
	locations = fathom_arena_alloc(&definitions->arena, (count + (size_t)1) * sizeof(*locations));
	for (uint32_t i = 0; list && locations && i < count; i++) {
		process.location = i;
		put_log(&process, list[i], result, &locations[i]);
	}
	if (count && list && locations)
		err = put_definitions(&process, locations, count, result);
	if (count && err)
		fathom_log(FATHOM_LOG_ERROR, "bursts.bin: there is no memory for the definitions of rank %d",
			   result->rank);
	fathom_burst_definitions_fini(definitions);
}

/* --- all ranks ------------------------------------------------------------------------------------------ */

/* Returns whether any rank has bursts: 1, 0, or -errno: comm is broken. */
static int any_has_bursts(struct fathom_comm *comm)
{
	int children[32], parent, count = fathom_comm_tree(comm->rank, comm->size, &parent, children);
	int has = fathom_burst_log_newest() != NULL, err = 0;

	if (comm->size == 1)
		return has;
	for (int i = 0; i < count && !err; i++) {
		int of_child = 0;

		err = comm->receive(comm, children[i], &of_child, sizeof(of_child));
		has |= of_child;
	}
	if (!err && parent >= 0)
		err = comm->send(comm, parent, &has, sizeof(has));
	if (!err)
		err = comm->broadcast(comm, 0, &has, sizeof(has));
	return err ? err : has;
}

/* Receives the blocks of a rank. Without memory a block is lost. */
static void receive_rank(struct output *output, int rank)
{
	struct fathom_arena arena = { 0 };
	struct fathom_burst_file_block head;
	uint32_t room = 0;
	char *payload = NULL;

	while (!output->comm_err) {
		output->comm_err = output->comm->receive(output->comm, rank, &head, sizeof(head));
		if (output->comm_err || !head.kind)
			break;
		if (!fathom_arena_grow(&arena, &payload, &room, (uint32_t)head.bytes, 1) && !output->file_err)
			output->file_err = -ENOMEM;
		output->comm_err = fathom_chunked_receive(output->comm, rank, room < head.bytes ? NULL : payload,
							  head.bytes);
		if (output->comm_err || room < head.bytes)
			continue;
		write_block(output, &head, payload);
	}
	fathom_arena_fini(&arena);
}

static void open_file(struct output *output, const struct fathom_result *result, char *path, size_t bytes)
{
	struct fathom_burst_file_head head = {
		.order = FATHOM_BURST_FILE_ORDER, .version = FATHOM_BURST_FILE_VERSION,
	};

	memcpy(head.magic, FATHOM_BURST_FILE_MAGIC, sizeof(head.magic));
	if (!fathom_sibling_file(result->path, "bursts.bin", path, bytes)) {
		output->file_err = -ENAMETOOLONG;
		return;
	}
	output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (output->fd < 0)
		output->file_err = -errno;
	write_file(output, &head, sizeof(head));
}

static void close_file(struct output *output, const char *path)
{
	struct fathom_burst_file_block end = { .kind = FATHOM_BURST_BLOCK_END, .number = output->blocks };

	end.checksum = fathom_burst_file_checksum(NULL, 0);
	write_file(output, &end, sizeof(end));
	if (output->fd >= 0 && close(output->fd) && !output->file_err)
		output->file_err = -errno;
	if (output->file_err && output->fd >= 0)
		unlink(path);
	if (output->file_err)
		fathom_log(FATHOM_LOG_ERROR, "cannot write bursts.bin: %s", strerrordesc_np(-output->file_err));
	else if (output->dropped)
		fathom_log(FATHOM_LOG_SAY, "%lu bursts were dropped, because they had no room in memory: "
			   "give FATHOM_BURSTS a larger size", (unsigned long)output->dropped);
}

int fathom_burst_result_write(struct fathom_comm *comm, const struct fathom_result *result)
{
	static struct output output;	/* static, because signal handlers have small stacks */
	struct fathom_burst_file_block end = { 0 };
	char path[1100];
	int has = any_has_bursts(comm);

	if (has <= 0)
		return has;
	output = (struct output){ .comm = comm, .rank = (uint32_t)result->rank, .fd = -1 };
	if (comm->rank == 0)
		open_file(&output, result, path, sizeof(path));
	put_process(&output, result);
	if (comm->rank) {
		if (!output.comm_err)
			output.comm_err = comm->send(comm, 0, &end, sizeof(end));
		return output.comm_err;
	}
	for (int rank = 1; rank < comm->size && !output.comm_err; rank++)
		receive_rank(&output, rank);
	close_file(&output, path);
	return output.comm_err;
}
