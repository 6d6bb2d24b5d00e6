#include "replay/dimemas_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BURST = 1, SEND = 2, RECEIVE = 3, COLLECTIVE = 10 };	/* kinds of records in the file */
enum { RECEIVE_BLOCKING, RECEIVE_IMMEDIATE, RECEIVE_WAIT, RECEIVE_WAITALL };
enum { SEND_RENDEZVOUS = 1, SEND_IMMEDIATE = 2 };		/* bits */

/* The operations in the order of their numbers in the file. */
static const enum fathom_collective operations[] = {
	FATHOM_COLLECTIVE_BARRIER, FATHOM_COLLECTIVE_BCAST, FATHOM_COLLECTIVE_GATHER, FATHOM_COLLECTIVE_GATHERV,
	FATHOM_COLLECTIVE_SCATTER, FATHOM_COLLECTIVE_SCATTERV, FATHOM_COLLECTIVE_ALLGATHER,
	FATHOM_COLLECTIVE_ALLGATHERV, FATHOM_COLLECTIVE_ALLTOALL, FATHOM_COLLECTIVE_ALLTOALLV,
	FATHOM_COLLECTIVE_REDUCE, FATHOM_COLLECTIVE_ALLREDUCE, FATHOM_COLLECTIVE_REDUCE_SCATTER,
	FATHOM_COLLECTIVE_REDUCE_SCATTER_BLOCK, FATHOM_COLLECTIVE_SCAN, FATHOM_COLLECTIVE_ALLTOALLW,
};
enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };

/* --- writing --- */

/* Returns the number of an operation. Those that the format does not have are barriers, and Exscan is Scan. */
static int number_of(enum fathom_collective operation)
{
	for (int i = 0; i < OPERATIONS; i++)
		if (operations[i] == operation)
			return i;
	return operation == FATHOM_COLLECTIVE_EXSCAN ? 14 : 0;
}

static void write_send(const struct fathom_replay_program *program, uint32_t task, size_t record, FILE *out)
{
	const struct fathom_replay_task *of = &program->tasks[task];
	uint64_t number = of->records[record].value;
	const struct fathom_replay_message *message = &program->messages[number];
	const struct fathom_replay_channel *channel = &program->channels[message->channel];
	bool is_blocking = record + 1 < of->count && of->records[record + 1].kind == FATHOM_REPLAY_WAIT_SEND &&
			   of->records[record + 1].value == number;

	if (message->receive == FATHOM_REPLAY_NONE)
		return;
	fprintf(out, "2:%" PRIu32 ":0:%" PRIu32 ":-1:%" PRIu64 ":%" PRIu32 ":%" PRIu32 ":%d\n", task,
		channel->destination, message->bytes, channel->tag, channel->comm + 1,
		(is_blocking ? 0 : SEND_IMMEDIATE) +
			(message->mode == FATHOM_REPLAY_SYNCHRONOUS ? SEND_RENDEZVOUS : 0));
}

/* Writes a receive, its wait, or both if they follow each other. Returns the number of records that it has written. */
static size_t write_receive(const struct fathom_replay_program *program, uint32_t task, size_t record, FILE *out)
{
	const struct fathom_replay_task *of = &program->tasks[task];
	const struct fathom_replay_record *is = &of->records[record];
	const struct fathom_replay_receive *receive = &program->receives[is->value];
	const struct fathom_replay_channel *channel;
	bool is_blocking = is->kind == FATHOM_REPLAY_RECEIVE && record + 1 < of->count &&
			   is[1].kind == FATHOM_REPLAY_WAIT_RECEIVE && is[1].value == is->value;

	if (receive->message != FATHOM_REPLAY_NONE) {
		channel = &program->channels[receive->channel];
		fprintf(out, "3:%" PRIu32 ":0:%" PRIu32 ":-1:%" PRIu64 ":%" PRIu32 ":%" PRIu32 ":%d\n", task,
			channel->source, program->messages[receive->message].bytes, channel->tag, channel->comm + 1,
			is_blocking ? RECEIVE_BLOCKING :
			is->kind == FATHOM_REPLAY_RECEIVE ? RECEIVE_IMMEDIATE : RECEIVE_WAIT);
	}
	return is_blocking ? 2 : 1;
}

static void write_collective(const struct fathom_replay_program *program, uint32_t task, uint64_t number, FILE *out)
{
	const struct fathom_replay_participation *part = &program->participations[number];

	if (part->instance == FATHOM_REPLAY_NONE)
		return;
	fprintf(out, "10:%" PRIu32 ":0:%d:%" PRIu32 ":%" PRIu32 ":0:%" PRIu64 ":%" PRIu64 ":1\n", task,
		number_of((enum fathom_collective)part->operation), part->comm + 1,
		part->root == FATHOM_REPLAY_NONE ? 0 : part->root, part->sent, part->received);
}

static void write_task(const struct fathom_replay_program *program, uint32_t task, FILE *out)
{
	const struct fathom_replay_task *of = &program->tasks[task];
	size_t i = 0;

	if (of->begin > program->begin)
		fprintf(out, "1:%" PRIu32 ":0:%.9f\n", task,
			fathom_replay_seconds(program, of->begin - program->begin));
	while (i < of->count) {
		const struct fathom_replay_record *record = &of->records[i];
		size_t written = 1;

		switch (record->kind) {
		case FATHOM_REPLAY_BURST:
		case FATHOM_REPLAY_LOCAL:
			fprintf(out, "1:%" PRIu32 ":0:%.9f\n", task, fathom_replay_seconds(program, record->value));
			break;
		case FATHOM_REPLAY_SEND: write_send(program, task, i, out); break;
		case FATHOM_REPLAY_RECEIVE:
		case FATHOM_REPLAY_WAIT_RECEIVE: written = write_receive(program, task, i, out); break;
		case FATHOM_REPLAY_WAIT_COLLECTIVE: write_collective(program, task, record->value, out); break;
		default: break;
		}
		i += written;
	}
}

void fathom_dimemas_write(const struct fathom_replay_program *program, const char *name, FILE *out)
{
	uint32_t i, m, comms = 0;

	for (i = 0; i < program->comm_count; i++)
		comms += program->comms[i].size > 0;
	fprintf(out, "#DIMEMAS:\"%s\":0:%" PRIu32 "(", name, program->task_count);
	for (i = 0; i < program->task_count; i++)
		fputs(i ? ",1" : "1", out);
	fprintf(out, "),%" PRIu32 "\n", comms);
	for (i = 0; i < program->comm_count; i++) {
		if (program->comms[i].size == 0)
			continue;
		fprintf(out, "d:1:%" PRIu32 ":%" PRIu32, i + 1, program->comms[i].size);
		for (m = 0; m < program->comms[i].size; m++)
			fprintf(out, ":%" PRIu32, program->comms[i].tasks[m]);
		fputc('\n', out);
	}
	for (i = 0; i < program->task_count; i++)
		write_task(program, i, out);
}

/* --- reading --- */

/* A receive that was posted and not waited for yet, in the order of posting. */
struct posted {
	struct fathom_replay_channel channel;
	uint32_t number;
	bool is_over;
};

struct reading {
	struct fathom_replay_program *program;
	FILE *in;
	unsigned long line;
	char *error;
	size_t error_bytes;
	char *text;
	size_t text_room;
	struct posted *posted;
	size_t posted_count, posted_room;
	uint64_t *now;		/* by task: ticks */
};

static int wrong(struct reading *reading, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int wrong(struct reading *reading, const char *format, ...)
{
	int length = snprintf(reading->error, reading->error_bytes, "line %lu: ", reading->line);
	va_list arguments;

	va_start(arguments, format);
	if (length > 0 && (size_t)length < reading->error_bytes)
		vsnprintf(reading->error + length, reading->error_bytes - (size_t)length, format, arguments);
	va_end(arguments);
	return -EINVAL;
}

static bool next_line(struct reading *reading)
{
	ssize_t length = getline(&reading->text, &reading->text_room, reading->in);

	if (length < 0)
		return false;
	reading->line++;
	while (length > 0 && strchr("\r\n", reading->text[length - 1]))
		reading->text[--length] = '\0';
	return true;
}

/* Reads numbers between colons. Returns how many there are; -1: something else is there, or more than most. */
static int numbers_of(const char *text, int64_t *numbers, int most)
{
	int count = 0;
	char *end;

	for (;;) {
		if (count == most)
			return -1;
		errno = 0;
		numbers[count++] = strtoll(text, &end, 10);
		if (end == text || errno)
			return -1;
		if (*end == '\0')
			return count;
		if (*end != ':')
			return -1;
		text = end + 1;
	}
}

/* Reads the first line: the number of tasks. */
static int read_header(struct reading *reading)
{
	char *quote, *paren, *end;
	long tasks;

	if (!next_line(reading) || strncmp(reading->text, "#DIMEMAS:", 9) != 0)
		return wrong(reading, "does not begin with #DIMEMAS:, so this is no trace of Dimemas");
	quote = strrchr(reading->text, '"');
	paren = quote ? strchr(quote, '(') : NULL;
	while (paren && paren > quote && paren[-1] != ':')
		paren--;
	tasks = paren ? strtol(paren, &end, 10) : 0;
	if (tasks < 1 || tasks > INT32_MAX || *end != '(')
		return wrong(reading, "the number of tasks is missing");
	if (fathom_replay_program_init(reading->program, (uint32_t)tasks, 1e-9))
		return -ENOMEM;
	reading->now = calloc((size_t)tasks, sizeof(*reading->now));
	return reading->now ? 0 : -ENOMEM;
}

static bool is_task(const struct reading *reading, int64_t task)
{
	return task >= 0 && task < reading->program->task_count;
}

/* d:1:ID:COUNT:TASK:... */
static int read_comm(struct reading *reading)
{
	int64_t *numbers = malloc(((size_t)reading->program->task_count + 4) * sizeof(*numbers));
	uint32_t *members = malloc((size_t)reading->program->task_count * sizeof(*members));
	int count, err = 0;

	if (!numbers || !members) {
		err = -ENOMEM;
		goto free_numbers;
	}
	count = numbers_of(reading->text + 2, numbers, (int)reading->program->task_count + 3);
	if (count < 3 || numbers[1] < 1 || numbers[1] > 1 << 24 || numbers[2] != count - 3) {
		err = wrong(reading, "a communicator is d:1:NUMBER:MEMBERS:TASK:...");
		goto free_numbers;
	}
	for (int i = 3; i < count; i++) {
		if (!is_task(reading, numbers[i])) {
			err = wrong(reading, "task %" PRId64 " of %" PRIu32, numbers[i], reading->program->task_count);
			goto free_numbers;
		}
		members[i - 3] = (uint32_t)numbers[i];
	}
	fathom_replay_set_comm(reading->program, (uint32_t)numbers[1] - 1, members, (uint32_t)numbers[2]);
free_numbers:
	free(numbers);
	free(members);
	return err;
}

static int read_burst(struct reading *reading, uint32_t task)
{
	const char *colon = strrchr(reading->text, ':');
	char *end;
	double seconds = strtod(colon + 1, &end);
	struct fathom_replay_record record = { .kind = FATHOM_REPLAY_BURST, .time = reading->now[task] };

	if (end == colon + 1 || *end || !(seconds >= 0) || seconds > 1e9)
		return wrong(reading, "a burst is 1:TASK:THREAD:SECONDS");
	record.value = (uint64_t)llround(seconds * 1e9);
	reading->now[task] += record.value;
	if (record.value)
		fathom_replay_add_time(reading->program, task, record);
	return 0;
}

static int read_send(struct reading *reading, uint32_t task, const int64_t *n)
{
	struct fathom_replay_channel channel = { task, (uint32_t)n[3], (uint32_t)n[6], (uint32_t)n[7] };
	uint64_t time = reading->now[task];
	uint32_t number;

	if (!is_task(reading, n[3]) || n[5] < 0 || n[8] < 0 || n[8] > 3)
		return wrong(reading, "a send is 2:TASK:THREAD:TASK:THREAD:BYTES:TAG:COMMUNICATOR:MODE (0 to 3)");
	number = fathom_replay_add_send(reading->program, FATHOM_REPLAY_SEND, time, channel, (uint64_t)n[5],
					n[8] & SEND_RENDEZVOUS ? FATHOM_REPLAY_SYNCHRONOUS : FATHOM_REPLAY_STANDARD);
	if (!(n[8] & SEND_IMMEDIATE))
		fathom_replay_add_wait(reading->program, task, FATHOM_REPLAY_WAIT_SEND, FATHOM_REPLAY_SEND, time,
				       number);
	return 0;
}

/* Finds the first receive of a channel that is not over. NULL: there is none. */
static struct posted *find_posted(struct reading *reading, const struct fathom_replay_channel *channel)
{
	size_t first = 0;

	while (first < reading->posted_count && reading->posted[first].is_over)
		first++;
	if (first == reading->posted_count)
		reading->posted_count = 0;
	for (size_t i = first; i < reading->posted_count; i++)
		if (!reading->posted[i].is_over &&
		    memcmp(&reading->posted[i].channel, channel, sizeof(*channel)) == 0)
			return &reading->posted[i];
	return NULL;
}

static int post(struct reading *reading, const struct fathom_replay_channel *channel, uint32_t number)
{
	if (reading->posted_count == reading->posted_room) {
		size_t room = reading->posted_room ? 2 * reading->posted_room : 64;
		void *larger = realloc(reading->posted, room * sizeof(*reading->posted));

		if (!larger)
			return -ENOMEM;
		reading->posted = larger;
		reading->posted_room = room;
	}
	reading->posted[reading->posted_count++] = (struct posted){ *channel, number, false };
	return 0;
}

static int read_receive(struct reading *reading, uint32_t task, const int64_t *n)
{
	struct fathom_replay_channel channel = { (uint32_t)n[3], task, (uint32_t)n[6], (uint32_t)n[7] };
	uint64_t time = reading->now[task];
	struct posted *posted;
	uint32_t number;

	if (!is_task(reading, n[3]) || n[5] < 0 || n[8] < RECEIVE_BLOCKING || n[8] > RECEIVE_WAITALL)
		return wrong(reading, "a receive is 3:TASK:THREAD:TASK:THREAD:BYTES:TAG:COMMUNICATOR:KIND (0 to 3)");
	if (n[8] <= RECEIVE_IMMEDIATE) {
		number = fathom_replay_add_receive(reading->program, task, FATHOM_REPLAY_RECEIVE, time);
		fathom_replay_complete_receive(reading->program, number, channel);
		if (n[8] == RECEIVE_IMMEDIATE)
			return post(reading, &channel, number);
	} else {
		posted = find_posted(reading, &channel);
		if (!posted)
			return wrong(reading, "a wait for a receive that was not posted before");
		posted->is_over = true;
		number = posted->number;
	}
	fathom_replay_add_wait(reading->program, task, FATHOM_REPLAY_WAIT_RECEIVE, FATHOM_REPLAY_RECEIVE, time,
			       number);
	return 0;
}

static int read_collective(struct reading *reading, uint32_t task, const int64_t *n)
{
	struct fathom_replay_program *program = reading->program;
	uint32_t number;

	if (n[3] < 0 || n[3] >= OPERATIONS || n[4] < 1 || n[4] > program->comm_count || n[7] < 0 || n[8] < 0)
		return wrong(reading, "a collective operation is 10:TASK:THREAD:OPERATION:COMMUNICATOR:ROOT:THREAD:"
			     "SENT:RECEIVED:1, with an operation from 0 to %d", OPERATIONS - 1);
	number = fathom_replay_add_collective(program, task, FATHOM_REPLAY_COLLECTIVE, reading->now[task]);
	fathom_replay_complete_collective(program, number, (struct fathom_replay_participation){
		.sent = (uint64_t)n[7], .received = (uint64_t)n[8], .comm = (uint32_t)n[4] - 1,
		.root = FATHOM_REPLAY_NONE, .operation = (uint8_t)operations[n[3]] });
	fathom_replay_add_wait(program, task, FATHOM_REPLAY_WAIT_COLLECTIVE, FATHOM_REPLAY_COLLECTIVE,
			       reading->now[task], number);
	return 0;
}

/* Reads a record of a task. Records of other kinds (events, offsets) are left out. */
static int read_record(struct reading *reading)
{
	static const int counts[] = { [BURST] = 4, [SEND] = 9, [RECEIVE] = 9, [COLLECTIVE] = 10 };
	int64_t n[16] = { 0 };
	char *end;
	long kind = strtol(reading->text, &end, 10);
	int count;

	if (*end != ':' || kind < 0)
		return wrong(reading, "no record");
	if (kind != BURST && kind != SEND && kind != RECEIVE && kind != COLLECTIVE)
		return 0;
	if (sscanf(end, ":%" SCNd64 ":%" SCNd64, &n[1], &n[2]) != 2 || !is_task(reading, n[1]))
		return wrong(reading, "no such task");
	if (kind == BURST)
		return read_burst(reading, (uint32_t)n[1]);
	count = numbers_of(reading->text, n, 16);
	if (count != counts[kind])
		return wrong(reading, "%d numbers, and not %d, in a record of kind %ld", count, counts[kind], kind);
	if (kind == COLLECTIVE)
		return read_collective(reading, (uint32_t)n[1], n);
	return kind == SEND ? read_send(reading, (uint32_t)n[1], n) : read_receive(reading, (uint32_t)n[1], n);
}

static int read_lines(struct reading *reading)
{
	int err = read_header(reading);

	while (!err && next_line(reading)) {
		if (*reading->text == 'd')
			err = reading->text[1] == ':' ? read_comm(reading) : wrong(reading, "no record");
		else if (*reading->text && *reading->text != 's' && *reading->text != '#')
			err = read_record(reading);
	}
	return err;
}

int fathom_dimemas_read(struct fathom_replay_program *program, FILE *in, char *error, size_t error_bytes)
{
	struct reading reading = { .program = program, .in = in, .error = error, .error_bytes = error_bytes };
	int err;

	*program = (struct fathom_replay_program){ 0 };
	err = read_lines(&reading);
	for (uint32_t i = 0; !err && i < program->task_count; i++) {
		program->tasks[i].end = reading.now[i];
		program->end = reading.now[i] > program->end ? reading.now[i] : program->end;
	}
	if (!err && program->path_count == 0)
		program->path_count = 1;
	if (!err)
		err = fathom_replay_program_finish(program);
	free(reading.text);
	free(reading.posted);
	free(reading.now);
	if (err)
		fathom_replay_program_fini(program);
	return err;
}
