/*
 * make_folds: a trace of a program whose region `solve` has planted rates and lines, for tests of fathom fold.
 *
 *   make_folds DIR PROCESSES INSTANCES SAMPLES
 *
 * Each process executes solve INSTANCES times and calls MPI_Allreduce in each. An instance takes 1 ms (every fifth one 2 ms,
 * which are a mode of their own; the eleventh takes 30 ms), longer or shorter by 1 %. In the first 20 % of its time it has
 * 0.5 times, then to 50 % 2 times, then to 70 % 0.1 times and at last 0.9333 times the mean rate of 10^6 (2 ms: 3 * 10^6)
 * instructions an instance; 2 * 10^6 cycles are evenly distributed. In each instance there are SAMPLES samples at random
 * times, with readings of both counters: in line 11 of solve up to 40 %, then in line 22 of the inlined function `flux`.
 */
#include <math.h>
#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAIN, SOLVE, ALLREDUCE, FLUX, REGIONS };	/* regions, and the calling contexts in which they are called */
enum { LINE_11 = REGIONS, LINE_22, CONTEXTS };

static int processes, instances, samples;
static uint64_t seed = 5, last_time;
static OTF2_Archive *archive;

static void must(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "make_folds: %s\n", what);
	exit(1);
}

static double next_random(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

/* The share of the instructions of an instance up to a share of its time. */
static double done(double x)
{
	static const double ends[] = { 0, 0.2, 0.5, 0.7, 1 }, rates[] = { 0.5, 2, 0.1, 0.28 / 0.3 };
	double y = 0;

	for (int s = 0; s < 4 && x > ends[s]; s++)
		y += rates[s] * (fmin(x, ends[s + 1]) - ends[s]);
	return y;
}

static void count(OTF2_EvtWriter *writer, uint64_t time, double instructions, double cycles)
{
	const OTF2_Type types[] = { OTF2_TYPE_UINT64, OTF2_TYPE_UINT64 };
	OTF2_MetricValue values[] = { { .unsigned_int = (uint64_t)instructions }, { .unsigned_int = (uint64_t)cycles } };

	OTF2_EvtWriter_Metric(writer, NULL, time, 0, 2, types, values);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static uint64_t write_process(int number)
{
	OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, (uint64_t)number);
	double instructions = 0, cycles = 0, *at = calloc((size_t)samples + 1, sizeof(*at));
	uint64_t time = 1000, events;

	must(writer && at, "no writer");
	OTF2_EvtWriter_CallingContextEnter(writer, NULL, time, MAIN, 1);
	for (int i = 0; i < instances; i++) {
		double scale = i == 11 ? 30 : i % 5 == 4 ? 2 : 1, whole = scale == 2 ? 3e6 : 1e6;
		double length = 1e6 * scale * (1 + 0.01 * (2 * next_random() - 1));

		count(writer, time, instructions, cycles);
		OTF2_EvtWriter_CallingContextEnter(writer, NULL, time, SOLVE, 1);
		for (int s = 0; s < samples; s++)
			at[s] = next_random();
		qsort(at, (size_t)samples, sizeof(*at), compare);
		for (int s = 0; s < samples; s++) {
			uint64_t now = time + (uint64_t)(at[s] * length);
			double x = (double)(now - time) / length;

			OTF2_EvtWriter_CallingContextSample(writer, NULL, now, x < 0.4 ? LINE_11 : LINE_22, 1, 0);
			count(writer, now, instructions + whole * done(x), cycles + 2e6 * x);
		}
		time += (uint64_t)length;
		instructions += whole;
		cycles += 2e6;
		count(writer, time, instructions, cycles);
		OTF2_EvtWriter_CallingContextEnter(writer, NULL, time, ALLREDUCE, 1);
		time += 50000;
		cycles += 1e5;
		count(writer, time, instructions, cycles);
		OTF2_EvtWriter_CallingContextLeave(writer, NULL, time, ALLREDUCE);
		count(writer, time, instructions, cycles);
		OTF2_EvtWriter_CallingContextLeave(writer, NULL, time, SOLVE);
	}
	OTF2_EvtWriter_CallingContextLeave(writer, NULL, time, MAIN);
	OTF2_EvtWriter_GetNumberOfEvents(writer, &events);
	OTF2_Archive_CloseEvtWriter(archive, writer);
	if (time > last_time)
		last_time = time;
	free(at);
	return events;
}

static OTF2_GlobalDefWriter *definitions;
static uint32_t string_count;

static uint32_t text(const char *words)
{
	OTF2_GlobalDefWriter_WriteString(definitions, string_count, words);
	return string_count++;
}

static void write_definitions(const uint64_t *events)
{
	static const char *const names[] = { "main", "solve", "MPI_Allreduce", "flux" };
	const OTF2_MetricMemberRef members[] = { 0, 1 };
	uint32_t file;

	definitions = OTF2_Archive_GetGlobalDefWriter(archive);
	OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1000000000, 0, last_time + 1, OTF2_UNDEFINED_TIMESTAMP);
	file = text("dir/app.c");
	for (uint32_t r = 0; r < REGIONS; r++) {
		uint32_t name = text(names[r]);

		OTF2_GlobalDefWriter_WriteRegion(definitions, r, name, name, text(""), r == ALLREDUCE ?
			OTF2_REGION_ROLE_COLL_ALL2ALL : OTF2_REGION_ROLE_FUNCTION, r == ALLREDUCE ? OTF2_PARADIGM_MPI :
			OTF2_PARADIGM_COMPILER, OTF2_REGION_FLAG_NONE, file, 10 * r, 10 * r + 9);
	}
	OTF2_GlobalDefWriter_WriteSourceCodeLocation(definitions, 0, file, 11);
	OTF2_GlobalDefWriter_WriteSourceCodeLocation(definitions, 1, file, 22);
	OTF2_GlobalDefWriter_WriteCallingContext(definitions, MAIN, MAIN, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
						 OTF2_UNDEFINED_CALLING_CONTEXT);
	for (uint32_t c = SOLVE; c < CONTEXTS; c++)
		OTF2_GlobalDefWriter_WriteCallingContext(definitions, c, c == LINE_11 ? SOLVE : c == LINE_22 ? FLUX : c,
			c >= LINE_11 ? c - LINE_11 : OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
			c == SOLVE || c == LINE_11 ? MAIN : SOLVE);
	OTF2_GlobalDefWriter_WriteInterruptGenerator(definitions, 0, text("timer"), OTF2_INTERRUPT_GENERATOR_MODE_TIME,
						     OTF2_BASE_DECIMAL, -9, 100000);
	OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, text("host"), text("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (int p = 0; p < processes; p++) {
		char name[32];

		snprintf(name, sizeof(name), "MPI Rank %d", p);
		OTF2_GlobalDefWriter_WriteLocationGroup(definitions, (uint32_t)p, text(name), OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
							OTF2_UNDEFINED_LOCATION_GROUP);
		OTF2_GlobalDefWriter_WriteLocation(definitions, (uint64_t)p, text("Master thread"),
						   OTF2_LOCATION_TYPE_CPU_THREAD, events[p], (uint32_t)p);
	}
	OTF2_GlobalDefWriter_WriteMetricMember(definitions, 0, text("PAPI_TOT_INS"), text(""), OTF2_METRIC_TYPE_PAPI,
		OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, text("#"));
	OTF2_GlobalDefWriter_WriteMetricMember(definitions, 1, text("PAPI_TOT_CYC"), text(""), OTF2_METRIC_TYPE_PAPI,
		OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, text("#"));
	OTF2_GlobalDefWriter_WriteMetricClass(definitions, 0, 2, members, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
}

static OTF2_FlushType flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)final;
	return OTF2_FLUSH;
}

int main(int argc, char **argv)
{
	static const OTF2_FlushCallbacks flushing = { .otf2_pre_flush = flush, .otf2_post_flush = NULL };
	uint64_t *events;

	must(argc == 5, "DIR PROCESSES INSTANCES SAMPLES");
	processes = atoi(argv[2]);
	instances = atoi(argv[3]);
	samples = atoi(argv[4]);
	must(mkdir(argv[1], 0777) == 0, "the directory exists already");
	events = calloc((size_t)processes + 1, sizeof(*events));
	archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024, OTF2_SUBSTRATE_POSIX,
				    OTF2_COMPRESSION_NONE);
	must(events && archive, "the trace cannot be made");
	OTF2_Archive_SetFlushCallbacks(archive, &flushing, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	OTF2_Archive_OpenDefFiles(archive);
	for (int p = 0; p < processes; p++) {
		events[p] = write_process(p);
		OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, (uint64_t)p));
	}
	OTF2_Archive_CloseEvtFiles(archive);
	OTF2_Archive_CloseDefFiles(archive);
	write_definitions(events);
	must(OTF2_Archive_Close(archive) == OTF2_SUCCESS, "the trace cannot be written");
	free(events);
	return 0;
}
