/*
 * make_mpi_trace: makes the OTF2 trace of an MPI program from a text, so that tests know every time in it.
 *
 *   make_mpi_trace RANKS RANKS_A_NODE DIR < TEXT
 *
 * A line of the text is an event: RANK MICROSECONDS WORD ARGUMENTS. The times of a rank do not decrease. Words:
 *
 *   enter REGION, leave REGION                 a name that begins with MPI_ is an MPI call
 *   send TO TAG BYTES, recv FROM TAG BYTES     of MPI_COMM_WORLD
 *   isend TO TAG BYTES REQUEST, isent REQUEST, post REQUEST, irecv FROM TAG BYTES REQUEST
 *   count VALUE, level VALUE                   a counter that grows; a number that goes up and down
 *   off, on                                    the measurement of the rank, which is on at first
 *   begin, end OPERATION ROOT SENT RECEIVED    a collective operation: number of OTF2; ROOT -1: none
 */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_RANKS = 256, MOST_REGIONS = 64 };

static OTF2_EvtWriter *writers[MOST_RANKS];
static uint64_t counts[MOST_RANKS], last_time;
static char *regions[MOST_REGIONS];
static uint32_t region_count, string_count;
static int has_metrics;

static void die(const char *what)
{
	fprintf(stderr, "make_mpi_trace: %s\n", what);
	exit(1);
}

static OTF2_FlushType flush_now(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)data; (void)type; (void)location; (void)caller; (void)final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flushing = { .otf2_pre_flush = flush_now };

static uint32_t region_of(const char *name)
{
	for (uint32_t i = 0; i < region_count; i++)
		if (strcmp(regions[i], name) == 0)
			return i;
	if (region_count == MOST_REGIONS)
		die("too many regions");
	regions[region_count] = strdup(name);
	return region_count++;
}

static OTF2_ErrorCode write_event(OTF2_EvtWriter *writer, uint64_t time, const char *word, const char *arguments)
{
	unsigned long a[4] = { 0 };
	int n = sscanf(arguments, "%lu %lu %lu %lu", &a[0], &a[1], &a[2], &a[3]);
	int operation, root;
	char name[128];

	if (strcmp(word, "enter") == 0 && sscanf(arguments, "%127s", name) == 1)
		return OTF2_EvtWriter_Enter(writer, NULL, time, region_of(name));
	if (strcmp(word, "leave") == 0 && sscanf(arguments, "%127s", name) == 1)
		return OTF2_EvtWriter_Leave(writer, NULL, time, region_of(name));
	if (strcmp(word, "send") == 0 && n == 3)
		return OTF2_EvtWriter_MpiSend(writer, NULL, time, (uint32_t)a[0], 0, (uint32_t)a[1], a[2]);
	if (strcmp(word, "recv") == 0 && n == 3)
		return OTF2_EvtWriter_MpiRecv(writer, NULL, time, (uint32_t)a[0], 0, (uint32_t)a[1], a[2]);
	if (strcmp(word, "isend") == 0 && n == 4)
		return OTF2_EvtWriter_MpiIsend(writer, NULL, time, (uint32_t)a[0], 0, (uint32_t)a[1], a[2], a[3]);
	if (strcmp(word, "irecv") == 0 && n == 4)
		return OTF2_EvtWriter_MpiIrecv(writer, NULL, time, (uint32_t)a[0], 0, (uint32_t)a[1], a[2], a[3]);
	if (strcmp(word, "isent") == 0 && n == 1)
		return OTF2_EvtWriter_MpiIsendComplete(writer, NULL, time, a[0]);
	if (strcmp(word, "post") == 0 && n == 1)
		return OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time, a[0]);
	if ((strcmp(word, "count") == 0 || strcmp(word, "level") == 0) && n == 1) {
		OTF2_Type type = OTF2_TYPE_UINT64;
		OTF2_MetricValue value = { .unsigned_int = a[0] };

		has_metrics = 1;
		return OTF2_EvtWriter_Metric(writer, NULL, time, word[0] == 'l', 1, &type, &value);
	}
	if (strcmp(word, "off") == 0 || strcmp(word, "on") == 0)
		return OTF2_EvtWriter_MeasurementOnOff(writer, NULL, time,
						       word[1] == 'n' ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
	if (strcmp(word, "begin") == 0)
		return OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, time);
	if (strcmp(word, "end") == 0 && sscanf(arguments, "%d %d %lu %lu", &operation, &root, &a[0], &a[1]) == 4)
		return OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, time, (OTF2_CollectiveOp)operation, 0,
						       root < 0 ? OTF2_UNDEFINED_UINT32 : (uint32_t)root, a[0], a[1]);
	fprintf(stderr, "%s %s\n", word, arguments);
	die("wrong event");
	return OTF2_SUCCESS;
}

static uint32_t string(OTF2_GlobalDefWriter *definitions, const char *text)
{
	if (OTF2_GlobalDefWriter_WriteString(definitions, string_count, text) != OTF2_SUCCESS)
		die("string");
	return string_count++;
}

static void define_metrics(OTF2_GlobalDefWriter *definitions)
{
	static const char *const names[] = { "count", "level" };
	static const OTF2_MetricMode modes[] = { OTF2_METRIC_ACCUMULATED_START, OTF2_METRIC_ABSOLUTE_POINT };

	for (uint32_t i = 0; i < 2; i++) {
		OTF2_GlobalDefWriter_WriteMetricMember(definitions, i, string(definitions, names[i]), 0, OTF2_METRIC_TYPE_OTHER,
						       modes[i], OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0,
						       string(definitions, "items"));
		OTF2_GlobalDefWriter_WriteMetricClass(definitions, i, 1, &i, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
	}
}

static void define(OTF2_Archive *archive, unsigned long ranks, unsigned long ranks_a_node)
{
	OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(archive);
	uint64_t members[MOST_RANKS];
	char name[64];
	unsigned long i;

	OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1000000000, 1, last_time, 1763000000000000000ull);
	string(definitions, "");
	OTF2_GlobalDefWriter_WriteParadigm(definitions, OTF2_PARADIGM_MPI, string(definitions, "MPI"),
					   OTF2_PARADIGM_CLASS_PROCESS);
	OTF2_GlobalDefWriter_WriteParadigm(definitions, OTF2_PARADIGM_COMPILER, string(definitions, "compiler"),
					   OTF2_PARADIGM_CLASS_PROCESS);
	OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, string(definitions, "machine"), string(definitions, "machine"),
						 OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (i = 0; i * ranks_a_node < ranks; i++) {
		snprintf(name, sizeof(name), "node%lu", i);
		OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, (uint32_t)i + 1, string(definitions, name),
							 string(definitions, "node"), 0);
		OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(definitions, (uint32_t)i + 1,
							       OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
	}
	for (i = 0; i < ranks; i++) {
		snprintf(name, sizeof(name), "MPI Rank %lu", i);
		OTF2_GlobalDefWriter_WriteLocationGroup(definitions, (uint32_t)i, string(definitions, name),
							OTF2_LOCATION_GROUP_TYPE_PROCESS,
							(uint32_t)(1 + i / ranks_a_node), OTF2_UNDEFINED_LOCATION_GROUP);
		OTF2_GlobalDefWriter_WriteLocation(definitions, i, string(definitions, "Master thread"),
						   OTF2_LOCATION_TYPE_CPU_THREAD, counts[i], (uint32_t)i);
		members[i] = i;
	}
	for (i = 0; i < region_count; i++) {
		uint32_t text = string(definitions, regions[i]);

		OTF2_GlobalDefWriter_WriteRegion(definitions, (uint32_t)i, text, text, 0, OTF2_REGION_ROLE_FUNCTION,
						 strncmp(regions[i], "MPI_", 4) == 0 ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_COMPILER,
						 OTF2_REGION_FLAG_NONE, 0, 1, 2);
	}
	OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
					OTF2_GROUP_FLAG_NONE, (uint32_t)ranks, members);
	OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
					OTF2_GROUP_FLAG_NONE, (uint32_t)ranks, members);
	OTF2_GlobalDefWriter_WriteComm(definitions, 0, string(definitions, "MPI_COMM_WORLD"), 1, OTF2_UNDEFINED_COMM,
				       OTF2_COMM_FLAG_NONE);
	if (has_metrics)
		define_metrics(definitions);
	OTF2_Archive_CloseGlobalDefWriter(archive, definitions);
}

static void write_events(OTF2_Archive *archive, unsigned long ranks)
{
	char line[512], word[32], *end;
	unsigned long rank, i;
	uint64_t ticks;
	double time;
	int at;

	OTF2_Archive_OpenEvtFiles(archive);
	for (i = 0; i < ranks; i++)
		writers[i] = OTF2_Archive_GetEvtWriter(archive, i);
	while (fgets(line, sizeof(line), stdin)) {
		end = strchr(line, '\n');
		if (end)
			*end = '\0';
		if (*line == '\0' || *line == '#')
			continue;
		if (sscanf(line, "%lu %lf %31s%n", &rank, &time, word, &at) != 3 || rank >= ranks)
			die(line);
		ticks = (uint64_t)(time * 1000 + .5) + 1;
		if (ticks > last_time)
			last_time = ticks;
		if (write_event(writers[rank], ticks, word, line + at) != OTF2_SUCCESS)
			die(line);
		counts[rank]++;
	}
	for (i = 0; i < ranks; i++)
		OTF2_Archive_CloseEvtWriter(archive, writers[i]);
	OTF2_Archive_CloseEvtFiles(archive);
}

int main(int argc, char **argv)
{
	unsigned long ranks = argc == 4 ? strtoul(argv[1], NULL, 10) : 0, i;
	unsigned long ranks_a_node = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
	OTF2_Archive *archive;

	if (ranks == 0 || ranks > MOST_RANKS || ranks_a_node == 0)
		die("RANKS RANKS_A_NODE DIR");
	mkdir(argv[3], 0777);
	archive = OTF2_Archive_Open(argv[3], "traces", OTF2_FILEMODE_WRITE, 1 << 18, 4 << 20, OTF2_SUBSTRATE_POSIX,
				    OTF2_COMPRESSION_NONE);
	if (!archive || OTF2_Archive_SetFlushCallbacks(archive, &flushing, NULL) != OTF2_SUCCESS ||
	    OTF2_Archive_SetSerialCollectiveCallbacks(archive) != OTF2_SUCCESS)
		die("cannot make the archive");
	write_events(archive, ranks);
	OTF2_Archive_OpenDefFiles(archive);
	for (i = 0; i < ranks; i++)
		OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, i));
	OTF2_Archive_CloseDefFiles(archive);
	define(archive, ranks, ranks_a_node);
	return OTF2_Archive_Close(archive) == OTF2_SUCCESS ? 0 : 1;
}
