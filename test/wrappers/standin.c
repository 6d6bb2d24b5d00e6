#include "standin.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/comm.h"
#include "define/cart.h"
#include "define/communicator.h"
#include "define/region.h"
#include "event/event.h"
#include "run/runtime.h"
#include "platform/log.h"

#define MOST_REGIONS 1024
#define MOST_REQUESTS (1 << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* all below; tests need no speed */
static struct fathom_region regions[MOST_REGIONS];
static uint64_t visits[MOST_REGIONS];
static uint32_t region_count;
static uint64_t counts[STANDIN_KINDS];
static struct standin_event last[STANDIN_KINDS];
static struct { uint64_t sent, received, collective_sent, collective_received, put, got, read, written; } sums;
static unsigned char request_open[MOST_REQUESTS];
static uint64_t open_requests, faults, failures;
static bool recording = true;
static __thread const struct fathom_region *stack[64];
static __thread int depth;
static struct fathom_settings settings = { .mode = 1, .mpi = ~UINT64_C(0) };

/* What users would be told goes where it does. */
void fathom_log(enum fathom_log_level level, const char *format, ...)
{
	va_list list;

	(void)level;
	va_start(list, format);
	fputs("fathom: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
}

int fathom_format(char *text, size_t bytes, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text, bytes, format, arguments);
	va_end(arguments);
	return length;
}

#ifndef FATHOM_WITHOUT_TOPOLOGIES
/* Grids are for profiles: test/user/carts.sh. */
void fathom_cart_note(const struct fathom_cart *cart)
{
	(void)cart;
}

void fathom_cart_name(uint64_t key, const char *name)
{
	(void)key;
	(void)name;
}
#endif

static void remember(enum standin_kind kind, struct standin_event event)
{
	if (!event.region && depth)
		event.region = stack[depth - 1]->name;
	counts[kind]++;
	last[kind] = event;
}

static void on(void)
{
	pthread_mutex_lock(&lock);
}

static void off(void)
{
	pthread_mutex_unlock(&lock);
}

static void fault(const char *what)
{
	faults++;
	fprintf(stderr, "fault: %s in %s\n", what, depth ? stack[depth - 1]->name : "no region");
}

static void open_request(uint64_t request)
{
	if (request >= MOST_REQUESTS || request_open[request])
		fault("a request is begun twice");
	else {
		request_open[request] = 1;
		open_requests++;
	}
}

static void close_request(uint64_t request)
{
	if (request >= MOST_REQUESTS || !request_open[request])
		fault("a request completes that is not open");
	else {
		request_open[request] = 0;
		open_requests--;
	}
}

void fathom_event_enter(const struct fathom_region *region)
{
	on();
	if (depth < 64)
		stack[depth] = region;
	depth++;
	visits[region->id]++;
	remember(STANDIN_ENTER, (struct standin_event){ .region = region->name });
	off();
}

void fathom_event_exit(const struct fathom_region *region)
{
	on();
	/* As the core does: an exit that skips regions ends those first. */
	while (depth && stack[depth - 1] != region)
		depth--;
	if (!depth)
		fault("an exit without its enter");
	else
		depth--;
	remember(STANDIN_EXIT, (struct standin_event){ .region = region->name });
	off();
}

bool fathom_event_recording(void)
{
	return recording;
}

static struct standin_event of(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes,
			       uint64_t bytes_in, uint64_t request)
{
	return (struct standin_event){ NULL, comm->id, comm->remote_size, peer, tag, bytes, bytes_in, request };
}

void fathom_event_send(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes)
{
	on();
	remember(STANDIN_SEND, of(comm, peer, tag, bytes, 0, 0));
	sums.sent += bytes;
	off();
}

void fathom_event_receive(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes)
{
	on();
	remember(STANDIN_RECEIVE, of(comm, peer, tag, 0, bytes, 0));
	sums.received += bytes;
	off();
}

void fathom_event_send_begin(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes,
			     uint64_t request)
{
	on();
	remember(STANDIN_SEND_BEGIN, of(comm, peer, tag, bytes, 0, request));
	sums.sent += bytes;
	open_request(request);
	off();
}

void fathom_event_send_complete(uint64_t request)
{
	on();
	remember(STANDIN_SEND_COMPLETE, (struct standin_event){ .request = request });
	close_request(request);
	off();
}

void fathom_event_receive_begin(uint64_t request)
{
	on();
	remember(STANDIN_RECEIVE_BEGIN, (struct standin_event){ .request = request });
	open_request(request);
	off();
}

void fathom_event_receive_matched(uint64_t request)
{
	fathom_event_receive_begin(request);
}

void fathom_event_receive_complete(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes,
				   uint64_t request)
{
	on();
	remember(STANDIN_RECEIVE_COMPLETE, of(comm, peer, tag, 0, bytes, request));
	sums.received += bytes;
	close_request(request);
	off();
}

/* It does not trace: nobody asks for this. */
void fathom_event_request_tested(uint64_t request)
{
	(void)request;
}

void fathom_event_request_cancelled(uint64_t request)
{
	on();
	remember(STANDIN_CANCELLED, (struct standin_event){ .request = request });
	close_request(request);
	off();
}

void fathom_event_collective(const struct fathom_communicator *comm, enum fathom_collective operation, int32_t root,
			     uint64_t bytes_sent, uint64_t bytes_received)
{
	on();
	remember(STANDIN_COLLECTIVE, of(comm, root, (int32_t)operation, bytes_sent, bytes_received, 0));
	sums.collective_sent += bytes_sent;
	sums.collective_received += bytes_received;
	off();
}

void fathom_event_collective_begin(uint64_t request)
{
	on();
	remember(STANDIN_COLLECTIVE_BEGIN, (struct standin_event){ .request = request });
	open_request(request);
	off();
}

void fathom_event_collective_complete(const struct fathom_communicator *comm, enum fathom_collective operation,
				      int32_t root, uint64_t bytes_sent, uint64_t bytes_received, uint64_t request)
{
	on();
	remember(STANDIN_COLLECTIVE_COMPLETE, of(comm, root, (int32_t)operation, bytes_sent, bytes_received, request));
	sums.collective_sent += bytes_sent;
	sums.collective_received += bytes_received;
	close_request(request);
	off();
}

/* Nothing is written down event by event here. */
/* The calls under test do not report what they exclude. */
const struct fathom_region *fathom_event_enter_unrecorded(void)
{
	return NULL;
}

void fathom_event_exit_operation(const struct fathom_region *region)
{
	fathom_event_exit(region);
}

bool fathom_event_knows_comms(void)
{
	return fathom_event_traces();
}

bool fathom_event_traces(void)
{
	return false;
}

uint32_t fathom_event_comm_define(const struct fathom_comm_members *members)
{
	(void)members;
	abort();
}

uint32_t fathom_event_comm_of_operation(uint32_t comm, uint32_t operation, const char *call)
{
	(void)operation, (void)call;
	return comm;
}

uint32_t fathom_event_comm_neighbors(uint32_t comm, const struct fathom_comm_neighbors *neighbors)
{
	(void)comm, (void)neighbors;
	abort();
}

uint32_t fathom_event_window_note(uint32_t comm, uint32_t order)
{
	(void)comm, (void)order;
	abort();
}

void fathom_event_comm_name(const struct fathom_communicator *comm, const char *name)
{
	(void)comm, (void)name;
}

void fathom_event_comm_create(const struct fathom_communicator *comm)
{
	(void)comm;
}

void fathom_event_comm_destroy(const struct fathom_communicator *comm)
{
	(void)comm;
}

bool fathom_event_votes(void)
{
	return false;
}

void fathom_event_vote(uint64_t number, uint64_t *words)
{
	(void)number;
	(void)words;
}

void fathom_event_vote_result(uint64_t number, const uint64_t *sums)
{
	(void)number;
	(void)sums;
}

void fathom_event_incomplete(void)
{
}

uint32_t fathom_event_object_define(const struct fathom_object *object)
{
	(void)object;
	abort();
}

void fathom_event_window_name(uint32_t window, const char *name)
{
	(void)window, (void)name;
	abort();
}

void fathom_event_rma_step(const struct fathom_rma_step *step)
{
	(void)step;
	abort();
}

void fathom_event_io_step(const struct fathom_io_step *step)
{
	(void)step;
	abort();
}

void fathom_event_rma(uint64_t bytes_put, uint64_t bytes_got)
{
	on();
	remember(STANDIN_RMA, (struct standin_event){ .bytes = bytes_put, .bytes_in = bytes_got });
	sums.put += bytes_put;
	sums.got += bytes_got;
	off();
}

void fathom_event_io(uint64_t bytes_read, uint64_t bytes_written)
{
	on();
	remember(STANDIN_IO, (struct standin_event){ .bytes = bytes_read, .bytes_in = bytes_written });
	sums.read += bytes_read;
	sums.written += bytes_written;
	off();
}

const struct fathom_region *fathom_region_define(const struct fathom_region *spec)
{
	struct fathom_region *region = NULL;

	on();
	for (uint32_t i = 0; i < region_count && !region; i++) {
		if (!strcmp(regions[i].name, spec->name))
			region = &regions[i];
	}
	if (!region && region_count < MOST_REGIONS) {
		region = &regions[region_count];
		*region = *spec;
		region->id = region_count++;
	}
	off();
	return region;
}

bool fathom_runtime_measures(void)
{
	return settings.mode != 0;
}

const struct fathom_settings *fathom_runtime_settings(void)
{
	return &settings;
}

/* Exercises the communicator it is given: everybody learns something from everybody. */
static void talk(struct fathom_comm *comm)
{
	struct fathom_comm *part = NULL;
	int word = comm->rank == comm->size - 1 ? 4711 : 0;
	int half = comm->rank % 2;
	long sum = 0;

	CHECK(!comm->broadcast(comm, comm->size - 1, &word, sizeof(word)));
	CHECK_EQUAL(word, 4711);

	/* Even and odd ranks, the highest first; everybody tells the first of its half. */
	CHECK(!comm->split(comm, half, -comm->rank, &part));
	CHECK_EQUAL(part->size, (comm->size + !half) / 2);
	CHECK_EQUAL(part->rank, (comm->size - 1 - comm->rank) / 2);
	if (part->rank) {
		CHECK(!part->send(part, 0, &comm->rank, sizeof(comm->rank)));
	} else {
		for (int i = 1; i < part->size; i++) {
			int told = -1;

			CHECK(!part->receive(part, i, &told, sizeof(told)));
			CHECK_EQUAL(told, comm->rank - 2 * i);
			sum += told;
		}
		(void)sum;
	}
	word = part->rank == part->size - 1 ? comm->rank : -1;
	CHECK(!part->broadcast(part, part->size - 1, &word, sizeof(word)));
	CHECK_EQUAL(word, half);
	part->close(part);
}

void fathom_runtime_join(struct fathom_comm *comm)
{
	remember(STANDIN_JOIN, (struct standin_event){ .peer = comm->rank, .size = comm->size });
	talk(comm);
}

static void dump(int rank)
{
	for (uint32_t i = 0; i < region_count; i++) {
		if (visits[i])
			printf("%d %s %llu\n", rank, regions[i].name, (unsigned long long)visits[i]);
	}
	printf("%d bytes sent %llu received %llu collective %llu %llu\n", rank, (unsigned long long)sums.sent,
	       (unsigned long long)sums.received, (unsigned long long)sums.collective_sent,
	       (unsigned long long)sums.collective_received);
	printf("%d open %llu faults %llu\n", rank, (unsigned long long)open_requests, (unsigned long long)faults);
	fflush(stdout);
}

void fathom_runtime_unify(struct fathom_comm *comm)
{
	remember(STANDIN_UNIFY, (struct standin_event){ .peer = comm->rank, .size = comm->size });
	talk(comm);
	if (getenv("STANDIN_DUMP"))
		dump(comm->rank);
}

void fathom_runtime_finalized(void)
{
}

void fathom_runtime_save(const char *why)
{
	remember(STANDIN_SAVE, (struct standin_event){ .region = why });
	/* Into a file: what a rank prints just before MPI_Abort may never get out. */
	if (getenv("STANDIN_SAVED")) {
		FILE *file = fopen(getenv("STANDIN_SAVED"), "a");

		if (!file)
			abort();
		fprintf(file, "saved: %s\n", why);
		fclose(file);
	}
}

void standin_reset(void)
{
	on();
	memset(counts, 0, sizeof(counts));
	memset(last, 0, sizeof(last));
	memset(visits, 0, sizeof(visits));
	memset(&sums, 0, sizeof(sums));
	off();
}

uint64_t standin_count(enum standin_kind kind)
{
	return counts[kind];
}

const struct standin_event *standin_last(enum standin_kind kind)
{
	return &last[kind];
}

uint64_t standin_sent(void)
{
	return sums.sent;
}

uint64_t standin_received(void)
{
	return sums.received;
}

uint64_t standin_collective_sent(void)
{
	return sums.collective_sent;
}

uint64_t standin_collective_received(void)
{
	return sums.collective_received;
}

uint64_t standin_visits(const char *region)
{
	for (uint32_t i = 0; i < region_count; i++) {
		if (!strcmp(regions[i].name, region))
			return visits[i];
	}
	return 0;
}

uint64_t standin_open_requests(void)
{
	return open_requests;
}

uint64_t standin_faults(void)
{
	return faults;
}

int standin_depth(void)
{
	return depth;
}

void standin_reset_depth(void)
{
	depth = 0;
}

void standin_record(bool on_or_off)
{
	recording = on_or_off;
}

void standin_fail(const char *file, int line, const char *what, uint64_t a, uint64_t b)
{
	failures++;
	fprintf(stderr, "%s:%d: failed: %s (%llu, %llu)\n", file, line, what, (unsigned long long)a,
		(unsigned long long)b);
}

int standin_verdict(const char *name, int rank)
{
	if (faults) {
		fprintf(stderr, "%s: rank %d: %llu events broke a rule\n", name, rank, (unsigned long long)faults);
		failures++;
	}
	if (!failures && rank == 0)
		printf("ok %s\n", name);
	return failures != 0;
}

__attribute__((constructor)) static void start(void)
{
	const char *groups = getenv("STANDIN_GROUPS");
	const char *mode = getenv("STANDIN_MODE");

	if (groups)
		settings.mpi = strtoull(groups, NULL, 0);
	if (mode)
		settings.mode = strtoull(mode, NULL, 0);
}
