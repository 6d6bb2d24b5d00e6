/*
 * make_bursts: a trace with planted kinds of bursts, and a file that says which burst is of which kind.
 *
 *   make_bursts DIR PROCESSES ITERATIONS KIND...
 *
 * Each process executes the kinds one after the other in each iteration. A KIND is NAME:INSTRUCTIONS:SPREAD:IPC:SPREAD and
 * perhaps :WHO. The spreads are relative: a number is the deviation of a normal distribution; u and a number the half width
 * of an even one; r and a number grows evenly from the first process to the last. WHO: even or odd processes only, late
 * (the second half of the iterations), or noise (a random one of all bursts, with random values). A kind is a function NAME
 * that computes and then calls MPI_Allreduce; the processor has 1 GHz. PLAIN=1 in the environment: the trace has no counters.
 *
 * GROUPS_OF in the environment: besides instructions and cycles, a process counts PAPI_L1_DCM (of kind k, k hundredths of the
 * instructions) or PAPI_RES_STL (0.3 of the cycles): "space": even processes the first and odd ones the second; "time": all
 * processes in turn, changed in every MPI_Allreduce; "time-space": the same, and odd processes begin with the second;
 * "all": all processes count both.
 *
 * DIR/planted.csv: process, begin in ns, number of the kind from 1 (0: noise).
 */
#include <math.h>
#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_KINDS = 32, MPI_INIT, MPI_FINALIZE, ALLREDUCE, FIRST_NAME = 64 };

struct spread {
	char form;
	double width;
};

struct kind {
	char name[32];
	double instructions, ipc;
	struct spread of_instructions, of_ipc;
	char who[16];
};

static struct kind kinds[MOST_KINDS];
static int kind_count, processes, iterations;
static bool plain;
static FILE *planted;
static uint64_t seed = 42;
static OTF2_Archive *archive;
static uint64_t last_time;

static void must(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "make_bursts: %s\n", what);
	exit(1);
}

static double next_random(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

static double spread(const struct spread *spread, int process)
{
	double radius;

	if (spread->form == 'u')
		return 1 + spread->width * (2 * next_random() - 1);
	if (spread->form == 'r')
		return 1 + spread->width * process / (processes > 1 ? processes - 1 : 1) + 0.003 * (next_random() - 0.5);
	/* In this order with any compiler. */
	radius = sqrt(-2 * log(1 - next_random()));
	return exp(spread->width * radius * cos(2 * 3.14159265358979 * next_random()));
}

static struct spread read_spread(const char *text)
{
	bool has_form = text[0] == 'u' || text[0] == 'r';

	return (struct spread){ has_form ? text[0] : 'g', atof(text + has_form) };
}

static void read_kind(char *text)
{
	struct kind *kind = &kinds[kind_count++];
	char *part[6] = { text };
	int count = 1;

	must(kind_count < MOST_KINDS, "too many kinds");
	for (char *colon = strchr(text, ':'); colon && count < 6; colon = strchr(part[count++], ':')) {
		*colon = '\0';
		part[count] = colon + 1;
	}
	must(count >= 5, "a kind needs five values");
	snprintf(kind->name, sizeof(kind->name), "%s", part[0]);
	kind->instructions = atof(part[1]);
	kind->of_instructions = read_spread(part[2]);
	kind->ipc = atof(part[3]);
	kind->of_ipc = read_spread(part[4]);
	snprintf(kind->who, sizeof(kind->who), "%s", count > 5 ? part[5] : "");
}

/* --- events ------------------------------------------------------------------------------------------- */

struct process {
	OTF2_EvtWriter *writer;
	int number;
	uint64_t time, instructions, cycles, misses, stalls;
	int group;	/* that is counted now: 0 or 1 */
};

static const char *groups;	/* NULL: one group */

static void count(struct process *process)
{
	const OTF2_Type types[] = { OTF2_TYPE_UINT64, OTF2_TYPE_UINT64 };
	OTF2_MetricValue values[] = { { .unsigned_int = process->instructions }, { .unsigned_int = process->cycles } };

	if (groups && strcmp(groups, "all") == 0) {
		const OTF2_Type both[] = { OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64 };
		OTF2_MetricValue all[] = { values[0], values[1], { .unsigned_int = process->misses },
					   { .unsigned_int = process->stalls } };

		OTF2_EvtWriter_Metric(process->writer, NULL, process->time, 0, 4, both, all);
	} else if (groups) {
		const OTF2_Type more[] = { OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64 };
		OTF2_MetricValue all[] = { values[0], values[1],
					   { .unsigned_int = process->group ? process->stalls : process->misses } };

		OTF2_EvtWriter_Metric(process->writer, NULL, process->time, (uint32_t)process->group, 3, more, all);
	} else if (!plain)
		OTF2_EvtWriter_Metric(process->writer, NULL, process->time, 0, 2, types, values);
}

static void call(struct process *process, uint32_t region, uint64_t duration)
{
	count(process);
	OTF2_EvtWriter_Enter(process->writer, NULL, process->time, region);
	process->time += duration;
	process->cycles += duration;
	process->instructions += duration / 2;
	if (groups && strncmp(groups, "time", 4) == 0 && region == ALLREDUCE)
		process->group = !process->group;
	count(process);
	OTF2_EvtWriter_Leave(process->writer, NULL, process->time, region);
}

static void compute(struct process *process, double instructions, double ipc, int number)
{
	uint64_t cycles = (uint64_t)(instructions / ipc);

	fprintf(planted, "%d,%llu,%d\n", process->number, (unsigned long long)process->time, number);
	process->time += cycles;
	process->cycles += cycles;
	process->instructions += (uint64_t)instructions;
	process->misses += (uint64_t)(instructions * number / 100);
	process->stalls += (uint64_t)(0.3 * (double)cycles);
}

static void execute(struct process *process, int number, int iteration)
{
	const struct kind *kind = &kinds[number];
	bool is_noise = strcmp(kind->who, "noise") == 0;
	double instructions, ipc;

	if ((strcmp(kind->who, "even") == 0 && process->number % 2) ||
	    (strcmp(kind->who, "odd") == 0 && process->number % 2 == 0) ||
	    (strcmp(kind->who, "late") == 0 && iteration < iterations / 2) || (is_noise && next_random() > 0.1))
		return;
	OTF2_EvtWriter_Enter(process->writer, NULL, process->time, FIRST_NAME + (uint32_t)number);
	/* The numbers come in this order with any compiler. */
	ipc = kind->ipc * (is_noise ? 0.2 + 2 * next_random() : spread(&kind->of_ipc, process->number));
	instructions = kind->instructions *
		       (is_noise ? exp(4 * (next_random() - 0.5)) : spread(&kind->of_instructions, process->number));
	compute(process, instructions, ipc, is_noise ? 0 : number + 1);
	call(process, ALLREDUCE, 1000 + (uint64_t)(next_random() * 500));
	OTF2_EvtWriter_Leave(process->writer, NULL, process->time, FIRST_NAME + (uint32_t)number);
}

static uint64_t write_process(int number)
{
	struct process process = { OTF2_Archive_GetEvtWriter(archive, (uint64_t)number), number, 1000, 0, 0, 0, 0, 0 };
	uint64_t events;

	must(process.writer, "no writer");
	process.group = groups && strstr(groups, "space") ? number % 2 : 0;
	OTF2_EvtWriter_Enter(process.writer, NULL, process.time, 0);
	call(&process, MPI_INIT, 1000);
	for (int i = 0; i < iterations; i++)
		for (int k = 0; k < kind_count; k++)
			execute(&process, k, i);
	call(&process, MPI_FINALIZE, 1000);
	OTF2_EvtWriter_Leave(process.writer, NULL, process.time, 0);
	OTF2_EvtWriter_GetNumberOfEvents(process.writer, &events);
	OTF2_Archive_CloseEvtWriter(archive, process.writer);
	if (process.time > last_time)
		last_time = process.time;
	return events;
}

/* --- definitions -------------------------------------------------------------------------------------- */

static OTF2_GlobalDefWriter *definitions;
static uint32_t string_count;

static uint32_t text(const char *words)
{
	OTF2_GlobalDefWriter_WriteString(definitions, string_count, words);
	return string_count++;
}

static void region(uint32_t id, const char *name, OTF2_RegionRole role, OTF2_Paradigm paradigm, uint32_t file, uint32_t line)
{
	uint32_t string = text(name);

	OTF2_GlobalDefWriter_WriteRegion(definitions, id, string, string, text(""), role, paradigm, OTF2_REGION_FLAG_NONE, file,
					 line, line + 9);
}

static void write_definitions(const uint64_t *events)
{
	const OTF2_MetricMemberRef members[] = { 0, 1 };
	uint32_t file;

	definitions = OTF2_Archive_GetGlobalDefWriter(archive);
	OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1000000000, 0, last_time + 1, OTF2_UNDEFINED_TIMESTAMP);
	file = text("app.c");
	region(0, "main", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, file, 1);
	region(MPI_INIT, "MPI_Init", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, file, 0);
	region(MPI_FINALIZE, "MPI_Finalize", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, file, 0);
	region(ALLREDUCE, "MPI_Allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI, file, 0);
	for (int k = 0; k < kind_count; k++)
		region(FIRST_NAME + (uint32_t)k, kinds[k].name, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, file,
		       10 * (uint32_t)(k + 1));
	OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, text("host"), text("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (int p = 0; p < processes; p++) {
		char name[32];

		snprintf(name, sizeof(name), "MPI Rank %d", p);
		OTF2_GlobalDefWriter_WriteLocationGroup(definitions, (uint32_t)p, text(name), OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
							OTF2_UNDEFINED_LOCATION_GROUP);
		OTF2_GlobalDefWriter_WriteLocation(definitions, (uint64_t)p, text("Master thread"),
						   OTF2_LOCATION_TYPE_CPU_THREAD, events[p], (uint32_t)p);
	}
	if (plain)
		return;
	OTF2_GlobalDefWriter_WriteMetricMember(definitions, 0, text("PAPI_TOT_INS"), text(""), OTF2_METRIC_TYPE_PAPI,
		OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, text("#"));
	OTF2_GlobalDefWriter_WriteMetricMember(definitions, 1, text("PAPI_TOT_CYC"), text(""), OTF2_METRIC_TYPE_PAPI,
		OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, text("#"));
	if (groups) {
		const OTF2_MetricMemberRef first[] = { 0, 1, 2 }, second[] = { 0, 1, 3 }, both[] = { 0, 1, 2, 3 };

		OTF2_GlobalDefWriter_WriteMetricMember(definitions, 2, text("PAPI_L1_DCM"), text(""), OTF2_METRIC_TYPE_PAPI,
			OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, text("#"));
		OTF2_GlobalDefWriter_WriteMetricMember(definitions, 3, text("PAPI_RES_STL"), text(""), OTF2_METRIC_TYPE_PAPI,
			OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, text("#"));
		if (strcmp(groups, "all") == 0) {
			OTF2_GlobalDefWriter_WriteMetricClass(definitions, 0, 4, both, OTF2_METRIC_SYNCHRONOUS_STRICT,
							      OTF2_RECORDER_KIND_CPU);
			return;
		}
		OTF2_GlobalDefWriter_WriteMetricClass(definitions, 0, 3, first, OTF2_METRIC_SYNCHRONOUS_STRICT,
						      OTF2_RECORDER_KIND_CPU);
		OTF2_GlobalDefWriter_WriteMetricClass(definitions, 1, 3, second, OTF2_METRIC_SYNCHRONOUS_STRICT,
						      OTF2_RECORDER_KIND_CPU);
		return;
	}
	OTF2_GlobalDefWriter_WriteMetricClass(definitions, 0, 2, members, OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
}

static OTF2_FlushType flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)final;
	return OTF2_FLUSH;
}

int main(int argc, char **argv)
{
	static const OTF2_FlushCallbacks flushing = { .otf2_pre_flush = flush, .otf2_post_flush = NULL };
	char path[4096];
	uint64_t *events;

	must(argc > 4, "DIR PROCESSES ITERATIONS KIND...");
	processes = atoi(argv[2]);
	iterations = atoi(argv[3]);
	plain = getenv("PLAIN") != NULL;
	groups = getenv("GROUPS_OF");
	for (int i = 4; i < argc; i++)
		read_kind(argv[i]);
	must(mkdir(argv[1], 0777) == 0, "the directory exists already");
	snprintf(path, sizeof(path), "%s/planted.csv", argv[1]);
	planted = fopen(path, "w");
	events = calloc((size_t)processes + 1, sizeof(*events));
	archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024, OTF2_SUBSTRATE_POSIX,
				    OTF2_COMPRESSION_NONE);
	must(planted && events && archive, "the trace cannot be made");
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
	must(OTF2_Archive_Close(archive) == OTF2_SUCCESS && fclose(planted) == 0, "the trace cannot be written");
	free(events);
	return 0;
}
