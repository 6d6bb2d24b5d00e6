/*
 * make_long: writes a long trace, whose events a generator of random numbers chooses; the same ones each time.
 *
 *   make_long LOCATIONS EVENTS PATHS DIR
 *
 * LOCATIONS processes of MPI have about EVENTS events each. PATHS few: main and two regions in it. PATHS many: calls of
 * 20 regions, up to 8 deep. Between the calls, each process sends messages to the next one and ends collectives. PATHS
 * details: as few, with several receives at a time that do not end in the order of their begin, and three counters, of
 * which one grows, one has any value, and one has increments. Times are in nanoseconds; clocks are off by some
 * milliseconds and drift, which clock offsets describe.
 */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAIN, SEND, WORK, REGIONS = 20, MOST_DEPTH = 8, CHUNK_BYTES = 256 << 10, PENDING = 3 };

static OTF2_Archive *archive;
static uint64_t state = 1, last_time;

static void must(OTF2_ErrorCode code)
{
	if (code != OTF2_SUCCESS) {
		fprintf(stderr, "make_long: %s\n", OTF2_Error_GetDescription(code));
		exit(1);
	}
}

static uint32_t random_number(uint32_t limit)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % limit;
}

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)data;
	(void)type;
	(void)location;
	(void)caller;
	(void)final;
	return OTF2_FLUSH;
}

static OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = before_flush };

struct writing {
	OTF2_EvtWriter *writer;
	uint64_t time;
	uint32_t rank, ranks;
	uint32_t stack[MOST_DEPTH], depth;
	uint64_t pending[PENDING], sent;	/* numbers of receives that have begun; of messages */
	uint32_t pending_count;
};

static void step(struct writing *writing)
{
	/* Now and then a call is a thousand times longer. */
	writing->time += random_number(10) ? random_number(50) : random_number(4000) * (random_number(100) ? 1 : 1000);
}

static void enter(struct writing *writing, uint32_t region)
{
	must(OTF2_EvtWriter_Enter(writing->writer, NULL, writing->time, region));
	writing->stack[writing->depth++] = region;
}

static void leave(struct writing *writing)
{
	must(OTF2_EvtWriter_Leave(writing->writer, NULL, writing->time, writing->stack[--writing->depth]));
}

static void exchange(struct writing *writing)
{
	uint32_t next = (writing->rank + 1) % writing->ranks;
	uint32_t previous = (writing->rank + writing->ranks - 1) % writing->ranks;

	enter(writing, SEND);
	must(OTF2_EvtWriter_MpiSend(writing->writer, NULL, writing->time, next, 0, 7, 800));
	step(writing);
	must(OTF2_EvtWriter_MpiRecv(writing->writer, NULL, writing->time, previous, 0, 7, 800));
	must(OTF2_EvtWriter_MpiCollectiveBegin(writing->writer, NULL, writing->time));
	step(writing);
	must(OTF2_EvtWriter_MpiCollectiveEnd(writing->writer, NULL, writing->time, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
					     OTF2_COLLECTIVE_ROOT_NONE, 8, 8));
	leave(writing);
}

static void count_items(struct writing *writing)
{
	OTF2_Type types[3] = { OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE, OTF2_TYPE_INT64 };
	OTF2_MetricValue values[3] = { { .unsigned_int = writing->time / 100 },
				       { .floating_point = random_number(1000) / 8.0 }, { .signed_int = random_number(9) } };

	must(OTF2_EvtWriter_Metric(writing->writer, NULL, writing->time, 0, 3, types, values));
}

/* Begins a receive; when there are several, one of them ends. The tags of messages are 0 and 1 in turn. */
static void exchange_out_of_order(struct writing *writing)
{
	uint32_t next = (writing->rank + 1) % writing->ranks;
	uint32_t previous = (writing->rank + writing->ranks - 1) % writing->ranks, which;
	uint64_t number = writing->sent++;

	enter(writing, SEND);
	must(OTF2_EvtWriter_MpiIrecvRequest(writing->writer, NULL, writing->time, 1000 + number));
	writing->pending[writing->pending_count++] = number;
	step(writing);
	must(OTF2_EvtWriter_MpiIsend(writing->writer, NULL, writing->time, next, 0, number % 2, number, 1));
	step(writing);
	if (writing->pending_count == PENDING) {
		which = random_number(PENDING);
		number = writing->pending[which];
		writing->pending[which] = writing->pending[--writing->pending_count];
		must(OTF2_EvtWriter_MpiIrecv(writing->writer, NULL, writing->time, previous, 0, number % 2, number,
					     1000 + number));
	}
	if (writing->sent % 3 == 0) {
		must(OTF2_EvtWriter_MpiCollectiveBegin(writing->writer, NULL, writing->time));
		step(writing);
		must(OTF2_EvtWriter_MpiCollectiveEnd(writing->writer, NULL, writing->time, OTF2_COLLECTIVE_OP_ALLREDUCE,
						     0, OTF2_COLLECTIVE_ROOT_NONE, 8, 8));
	}
	if (random_number(4) == 0)
		count_items(writing);
	leave(writing);
}

/* Returns the number of events. */
static uint64_t write_location(uint32_t rank, uint32_t ranks, uint64_t events, int has_many, int has_details)
{
	struct writing writing = { OTF2_Archive_GetEvtWriter(archive, rank), 1000000, rank, ranks, { 0 }, 0, { 0 }, 0, 0 };
	uint64_t count = 0;

	enter(&writing, MAIN);
	if (has_details)	/* of a message that says that all is over */
		must(OTF2_EvtWriter_MpiIrecvRequest(writing.writer, NULL, writing.time, 1));
	while (count + 1 < events) {
		step(&writing);
		if (random_number(40) == 0 && writing.depth < (has_many ? MOST_DEPTH - 1 : 2)) {
			(has_details ? exchange_out_of_order : exchange)(&writing);
			count += 6;
		} else if (writing.depth > 1 && (!has_many || random_number(2) || writing.depth + 1 == MOST_DEPTH)) {
			leave(&writing);
			count++;
		} else {
			enter(&writing, has_many ? WORK + random_number(REGIONS - WORK) : WORK);
			count++;
		}
	}
	while (writing.depth)
		leave(&writing);
	if (writing.time > last_time)
		last_time = writing.time;
	must(OTF2_EvtWriter_GetNumberOfEvents(writing.writer, &count));
	must(OTF2_Archive_CloseEvtWriter(archive, writing.writer));
	return count;
}

static void write_clocks(uint32_t ranks)
{
	must(OTF2_Archive_OpenDefFiles(archive));
	for (uint32_t i = 0; i < ranks; i++) {
		OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, i);

		must(OTF2_DefWriter_WriteClockOffset(writer, 0, 1000 * i, 0));
		must(OTF2_DefWriter_WriteClockOffset(writer, last_time, 1200 * i, 0));
		must(OTF2_Archive_CloseDefWriter(archive, writer));
	}
	must(OTF2_Archive_CloseDefFiles(archive));
}

static void write_definitions(uint32_t ranks, const uint64_t *counts)
{
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
	uint64_t *members = calloc(ranks, sizeof(*members));
	static const char *const metrics[3] = { "grows", "level", "increments" };
	const OTF2_MetricMode modes[3] = { OTF2_METRIC_ACCUMULATED_START, OTF2_METRIC_ABSOLUTE_POINT,
					   OTF2_METRIC_RELATIVE_LAST };
	uint32_t string = 0;
	char name[32];

	must(OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 1000000, last_time, OTF2_UNDEFINED_TIMESTAMP));
	must(OTF2_GlobalDefWriter_WriteString(writer, string++, ""));
	for (uint32_t r = 0; r < REGIONS; r++) {
		snprintf(name, sizeof(name), r == MAIN ? "main" : r == SEND ? "MPI_Sendrecv" : "work_%u", r);
		must(OTF2_GlobalDefWriter_WriteString(writer, string, name));
		must(OTF2_GlobalDefWriter_WriteRegion(writer, r, string, string, 0, r == SEND ?
			OTF2_REGION_ROLE_POINT2POINT : OTF2_REGION_ROLE_FUNCTION, r == SEND ? OTF2_PARADIGM_MPI :
			OTF2_PARADIGM_COMPILER, OTF2_REGION_FLAG_NONE, 0, 0, 0));
		string++;
	}
	for (uint32_t m = 0; m < 3; m++) {
		must(OTF2_GlobalDefWriter_WriteString(writer, string, metrics[m]));
		must(OTF2_GlobalDefWriter_WriteMetricMember(writer, m, string++, 0, OTF2_METRIC_TYPE_USER, modes[m],
			m == 0 ? OTF2_TYPE_UINT64 : m == 1 ? OTF2_TYPE_DOUBLE : OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, 0));
	}
	must(OTF2_GlobalDefWriter_WriteMetricClass(writer, 0, 3, (OTF2_MetricMemberRef[]){ 0, 1, 2 },
		OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
	must(OTF2_GlobalDefWriter_WriteString(writer, string, "host"));
	must(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, string++, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint32_t i = 0; i < ranks; i++) {
		members[i] = i;
		snprintf(name, sizeof(name), "MPI Rank %u", i);
		must(OTF2_GlobalDefWriter_WriteString(writer, string, name));
		must(OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, string++, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
							     OTF2_UNDEFINED_LOCATION_GROUP));
		must(OTF2_GlobalDefWriter_WriteString(writer, string, "Master thread"));
		must(OTF2_GlobalDefWriter_WriteLocation(writer, i, string++, OTF2_LOCATION_TYPE_CPU_THREAD, counts[i], i));
	}
	must(OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
					     OTF2_GROUP_FLAG_NONE, ranks, members));
	must(OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
					     OTF2_GROUP_FLAG_NONE, ranks, members));
	must(OTF2_GlobalDefWriter_WriteComm(writer, 0, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	must(OTF2_Archive_CloseGlobalDefWriter(archive, writer));
	free(members);
}

int main(int argc, char **argv)
{
	uint32_t ranks = argc == 5 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
	uint64_t *counts = calloc(ranks + 1, sizeof(*counts));

	if (!ranks)
		return 2;
	archive = OTF2_Archive_Open(argv[4], "traces", OTF2_FILEMODE_WRITE, CHUNK_BYTES, 1 << 20, OTF2_SUBSTRATE_POSIX,
				    OTF2_COMPRESSION_NONE);
	must(OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL));
	must(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
	must(OTF2_Archive_OpenEvtFiles(archive));
	for (uint32_t i = 0; i < ranks; i++) {
		counts[i] = write_location(i, ranks, strtoull(argv[2], NULL, 10), strcmp(argv[3], "many") == 0,
					   strcmp(argv[3], "details") == 0);
	}
	must(OTF2_Archive_CloseEvtFiles(archive));
	write_clocks(ranks);
	write_definitions(ranks, counts);
	must(OTF2_Archive_Close(archive));
	free(counts);
	return 0;
}
