/* The definitions of the traces that make_trace makes. */
#include <stdio.h>

#include "make_trace.h"

#define DEFINE(kind, ...) must(OTF2_GlobalDefWriter_Write##kind(definitions, ##__VA_ARGS__), #kind)

static OTF2_GlobalDefWriter *definitions;

/* --- definitions -------------------------------------------------------------------------------------------------- */

static uint32_t string_count;

static uint32_t string(const char *text)
{
	DEFINE(String, string_count, text);
	return string_count++;
}

static void define_regions(void)
{
	static const struct {
		const char *name;
		OTF2_RegionRole role;
		OTF2_Paradigm paradigm;
		uint32_t line;
	} regions[REGIONS] = {
		[PROGRAM] = { "demo", OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_MEASUREMENT_SYSTEM, 0 },
		[MAIN] = { "main", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 12 },
		[INIT] = { "MPI_Init", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, 0 },
		[FINALIZE] = { "MPI_Finalize", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, 0 },
		[SEND] = { "MPI_Send", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0 },
		[RECV] = { "MPI_Recv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0 },
		[ISEND] = { "MPI_Isend", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0 },
		[WAIT] = { "MPI_Waitall", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, 0 },
		[BARRIER] = { "MPI_Barrier", OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_MPI, 0 },
		[BCAST] = { "MPI_Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL, OTF2_PARADIGM_MPI, 0 },
		[IBCAST] = { "MPI_Ibcast", OTF2_REGION_ROLE_COLL_ONE2ALL, OTF2_PARADIGM_MPI, 0 },
		[DUP] = { "MPI_Comm_dup", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, 0 },
		[WIN] = { "MPI_Win_fence", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, 0 },
		[PARALLEL] = { "!$omp parallel @demo.c:40", OTF2_REGION_ROLE_PARALLEL, OTF2_PARADIGM_OPENMP, 40 },
		[IMPLICIT] = { "!$omp implicit barrier @demo.c:44", OTF2_REGION_ROLE_IMPLICIT_BARRIER, OTF2_PARADIGM_OPENMP, 44 },
		[TASK] = { "!$omp task @demo.c:42", OTF2_REGION_ROLE_TASK, OTF2_PARADIGM_OPENMP, 42 },
		[CREATE_TASK] = { "!$omp create task @demo.c:42", OTF2_REGION_ROLE_TASK_CREATE, OTF2_PARADIGM_OPENMP, 42 },
		[CRITICAL] = { "!$omp critical @demo.c:43", OTF2_REGION_ROLE_CRITICAL, OTF2_PARADIGM_OPENMP, 43 },
		[SPAWN] = { "pthread_create", OTF2_REGION_ROLE_THREAD_CREATE, OTF2_PARADIGM_PTHREAD, 0 },
		[JOIN] = { "pthread_join", OTF2_REGION_ROLE_THREAD_WAIT, OTF2_PARADIGM_PTHREAD, 0 },
		[READ] = { "MPI_File_read", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_MPI, 0 },
		[FLUSH] = { "TRACE BUFFER FLUSH", OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_MEASUREMENT_SYSTEM, 0 },
		[OFF] = { "MEASUREMENT OFF", OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_USER, 0 },
	};
	uint32_t file = string("demo.c"), i;

	for (i = 0; i < REGIONS; i++) {
		uint32_t name = string(i == FLUSH && bad("flush-region") ? "SOMETHING ELSE" : regions[i].name);

		DEFINE(Region, i == 3 && bad("ids-twice") ? 2 : i, i == 4 && bad("name-undefined") ? 999 : name, name, 0,
		       regions[i].role, regions[i].paradigm, OTF2_REGION_FLAG_NONE,
		       regions[i].line ? file : OTF2_UNDEFINED_STRING, regions[i].line,
		       i == MAIN && bad("region-lines") ? 5 : regions[i].line ? regions[i].line + 20 : 0);
	}
	if (bad("ids-gap"))
		DEFINE(Region, REGIONS + 5, 0, 0, 0, OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
		       OTF2_UNDEFINED_STRING, 0, 0);
}

static void define_system(void)
{
	static const char *const names[LOCATIONS] = {
		"Master thread", "Master thread", "OMP thread 1", "Pthread thread 1", "sampled", "power", "idle",
	};
	OTF2_AttributeValue value;
	uint32_t pin = string("pinned to"), text = string("core 3"), i;

	value.stringRef = text;
	DEFINE(SystemTreeNode, 0, string("Linux"), string("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	DEFINE(SystemTreeNodeDomain, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
	DEFINE(SystemTreeNodeProperty, 0, pin, OTF2_TYPE_STRING, value);
	for (i = 0; i < 2; i++) {
		DEFINE(SystemTreeNode, i + 1, string(i ? "b" : "a"), string(i ? "node " : "node"), bad("node-parent") ? 7 : 0);
		DEFINE(SystemTreeNodeDomain, i + 1, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
	}
	for (i = 0; i < 2; i++) {
		DEFINE(LocationGroup, i, string(i ? "MPI Rank 1" : "MPI Rank 0"), OTF2_LOCATION_GROUP_TYPE_PROCESS, i + 1,
		       OTF2_UNDEFINED_LOCATION_GROUP);
		DEFINE(LocationGroupProperty, i, pin, OTF2_TYPE_STRING, value);
	}
	if (bad("process-empty"))
		DEFINE(LocationGroup, 2, pin, OTF2_LOCATION_GROUP_TYPE_PROCESS, 1, OTF2_UNDEFINED_LOCATION_GROUP);
	for (i = 0; i < LOCATIONS; i++) {
		DEFINE(Location, location_ids[i], string(names[i]),
		       i == HOST ? OTF2_LOCATION_TYPE_METRIC : OTF2_LOCATION_TYPE_CPU_THREAD,
		       counts[i] + (i == OMP1 && bad("event-count")),
		       i == IDLE && bad("group-undefined") ? 9 : (uint32_t)location_ids[i]);
		DEFINE(LocationProperty, location_ids[i], pin, OTF2_TYPE_STRING, value);
	}
}

static void define_paradigms(void)
{
	OTF2_AttributeValue value;

	value.stringRef = string("Comm ${id}");
	DEFINE(Paradigm, OTF2_PARADIGM_MPI, string("MPI"), OTF2_PARADIGM_CLASS_PROCESS);
	DEFINE(ParadigmProperty, OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE, OTF2_TYPE_STRING, value);
	DEFINE(Paradigm, OTF2_PARADIGM_OPENMP, string("OpenMP"),
	       bad("paradigm-class") ? OTF2_PARADIGM_CLASS_PROCESS : OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN);
	if (!bad("paradigm-missing"))
		DEFINE(Paradigm, OTF2_PARADIGM_PTHREAD, string("POSIX threads"), OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT);
	DEFINE(IoParadigm, 0, string("MPI-IO"), string("MPI I/O"), OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE,
	       0, NULL, NULL, NULL);
}

static void define_groups(void)
{
	const uint64_t masters[] = { location_ids[R0], bad("group-location") ? 1234 : location_ids[R1] };
	const uint64_t openmp[] = { location_ids[R0], location_ids[OMP1] };
	const uint64_t posix[] = { location_ids[R1], location_ids[THREAD] };
	const uint64_t both[] = { 0, bad("group-index") ? 2 : bad("group-twice") ? 0 : 1 }, one[] = { 0 }, other[] = { 1 };

	if (bad("group-order"))
		DEFINE(Group, 0, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1, one);
	else
		DEFINE(Group, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, masters);
	DEFINE(Group, 1, 0, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, bad("group-self"), one);
	DEFINE(Group, 2, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, both);
	DEFINE(Group, 3, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1, one);
	DEFINE(Group, 4, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1, other);
	DEFINE(Group, 5, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, 2, openmp);
	DEFINE(Group, 6, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, 2, (const uint64_t[]){ 0, 1 });
	DEFINE(Group, 7, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_PTHREAD, OTF2_GROUP_FLAG_NONE, 2, posix);
	DEFINE(Group, 8, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_PTHREAD, OTF2_GROUP_FLAG_NONE, 2, (const uint64_t[]){ 0, 1 });
	DEFINE(Group, 9, string("messages"), OTF2_GROUP_TYPE_REGIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2,
	       (const uint64_t[]){ SEND, bad("group-region") ? 777 : RECV });
	DEFINE(Group, 10, 0, OTF2_GROUP_TYPE_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, masters);
	DEFINE(Comm, WORLD, string("MPI_COMM_WORLD"), bad("comm-group") ? 9 : 2, OTF2_UNDEFINED_COMM,
	       OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
	DEFINE(Comm, SELF, string("MPI_COMM_SELF"), 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
	DEFINE(Comm, COPY, string("copy"), 2, bad("comm-parent") ? TEAM : WORLD, OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
	DEFINE(InterComm, INTER, string("bridge"), 3, 4, WORLD, OTF2_COMM_FLAG_NONE);
	DEFINE(Comm, TEAM, 0, 6, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	DEFINE(Comm, CONTINGENT, 0, 8, bad("comm-paradigm") ? WORLD : OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	DEFINE(RmaWin, 0, string("window"), WORLD, OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
}

static void define_metrics(void)
{
	const uint32_t pair[] = { 0, 1 }, power[] = { 2 }, twice[] = { 0, 0 };

	DEFINE(MetricMember, 0, string("PAPI_TOT_CYC"), 0, OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START,
	       bad("metric-member") ? OTF2_TYPE_STRING : OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, string("cycles"));
	DEFINE(MetricMember, 1, string("ru_utime"), 0, OTF2_METRIC_TYPE_RUSAGE, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_DOUBLE,
	       OTF2_BASE_DECIMAL, -6, string("s"));
	DEFINE(MetricMember, 2, string("power"), 0, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_INT64,
	       OTF2_BASE_DECIMAL, 0, string("W"));
	DEFINE(MetricClass, 0, 2, bad("metric-twice") ? twice : pair, OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
	DEFINE(MetricClass, 1, bad("metric-empty") ? 0 : 1, power, OTF2_METRIC_ASYNCHRONOUS,
	       bad("metric-instance") ? OTF2_RECORDER_KIND_CPU : OTF2_RECORDER_KIND_ABSTRACT);
	DEFINE(MetricInstance, 2, 1, location_ids[HOST], OTF2_SCOPE_SYSTEM_TREE_NODE, 2);
	DEFINE(MetricClassRecorder, 0, location_ids[THREAD]);
	DEFINE(Parameter, 0, string("phase"), OTF2_PARAMETER_TYPE_STRING);
	DEFINE(Parameter, 1, string("step"), OTF2_PARAMETER_TYPE_INT64);
	DEFINE(Parameter, 2, string("size"), OTF2_PARAMETER_TYPE_UINT64);
}

static void define_places(void)
{
	OTF2_AttributeValue value;
	const uint32_t dimensions[] = { 0, 1 };
	uint32_t shape[] = { 1, 0 };

	value.uint64 = 4;
	DEFINE(Callpath, 0, OTF2_UNDEFINED_CALLPATH, MAIN);
	DEFINE(CallpathParameter, 0, 2, OTF2_TYPE_UINT64, value);
	DEFINE(Attribute, 0, string("ProcessId"), 0, OTF2_TYPE_UINT64);
	DEFINE(SourceCodeLocation, 0, string("sampled.c"), 17);
	DEFINE(CallingContext, 0, MAIN, 0, OTF2_UNDEFINED_CALLING_CONTEXT);
	value.stringRef = string("lib.so");
	DEFINE(CallingContextProperty, 0, string("SHARED OBJECT"), OTF2_TYPE_STRING, value);
	DEFINE(InterruptGenerator, 0, string("timer"), OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -6, 2000);
	DEFINE(CartDimension, 0, string("x"), 2, OTF2_CART_PERIODIC_TRUE);
	DEFINE(CartDimension, 1, string("y"), 1, OTF2_CART_PERIODIC_FALSE);
	DEFINE(CartTopology, 0, string("grid"), WORLD, 2, dimensions);
	shape[1] = bad("topology-place");
	DEFINE(CartCoordinate, 0, bad("topology-rank") ? 2 : 1, 2, shape);
	DEFINE(IoRegularFile, 0, string("/data/input"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	DEFINE(IoDirectory, 1, string("/data"), 1);
	DEFINE(IoFileProperty, 0, string("kind"), OTF2_TYPE_STRING, value);
	DEFINE(IoHandle, 0, string("stdout"), OTF2_UNDEFINED_IO_FILE, 0,
	       bad("handle-state") ? OTF2_IO_HANDLE_FLAG_NONE : OTF2_IO_HANDLE_FLAG_PRE_CREATED, OTF2_UNDEFINED_COMM,
	       OTF2_UNDEFINED_IO_HANDLE);
	DEFINE(IoPreCreatedHandleState, 0, OTF2_IO_ACCESS_MODE_WRITE_ONLY, OTF2_IO_STATUS_FLAG_NONE);
	DEFINE(IoHandle, 1, string("input"), 0, 0, OTF2_IO_HANDLE_FLAG_NONE, WORLD, OTF2_UNDEFINED_IO_HANDLE);
	DEFINE(IoHandle, 2, string("copy of input"), 0, 0, OTF2_IO_HANDLE_FLAG_NONE, WORLD, OTF2_UNDEFINED_IO_HANDLE);
}

void write_definitions(void)
{
	definitions = OTF2_Archive_GetGlobalDefWriter(archive);
	if (!bad("clock-missing"))
		DEFINE(ClockProperties, TICKS_PER_SECOND, BEGIN, bad("time-outside") ? 200 : trace_length, 1763000000000000000ull);
	if (bad("clock-twice"))
		DEFINE(ClockProperties, TICKS_PER_SECOND, BEGIN, trace_length, 1763000000000000000ull);
	string("");
	if (bad("string-twice")) {
		string_count = 0;
		string("again");
	}
	/* What the events refer to: see program_begin. */
	string("/usr/bin/demo");
	string("-n");
	define_paradigms();
	define_system();
	define_regions();
	define_groups();
	define_metrics();
	define_places();
	must(OTF2_Archive_CloseGlobalDefWriter(archive, definitions), "closing the definitions");
}

/* --- definitions of locations --------------------------------------------------------------------------------------- */

static void write_map(OTF2_DefWriter *writer)
{
	uint32_t ids[REGIONS], i;
	OTF2_IdMap *map;

	for (i = 0; i < REGIONS; i++)
		ids[i] = REGIONS - 1 - i;
	if (bad("mapping-undefined"))
		ids[0] = 500;
	map = OTF2_IdMap_CreateFromUint32Array(REGIONS, ids, false);
	must(OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_REGION, map), "mapping table");
	if (bad("mapping-twice"))
		must(OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_REGION, map), "mapping table");
	OTF2_IdMap_Free(map);
}

void write_locals(void)
{
	int i;

	must(OTF2_Archive_OpenDefFiles(archive), "definition files");
	for (i = 0; i < LOCATIONS; i++) {
		OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, location_ids[i]);

		if (i == OMP1)
			write_map(writer);
		if (i == CONTEXTS && bad("time-back")) {
			/* So that time runs backwards once the offsets are applied. */
			OTF2_DefWriter_WriteClockOffset(writer, 0, 30000, 0);
			OTF2_DefWriter_WriteClockOffset(writer, 10000, 10000, 0);
		} else {
			OTF2_DefWriter_WriteClockOffset(writer, 0, 0, 0);
			if (i != IDLE || !bad("offset-alone"))
				OTF2_DefWriter_WriteClockOffset(writer, i == IDLE && bad("offset-order") ? 0 : 10000, 0, 0);
		}
		must(OTF2_Archive_CloseDefWriter(archive, writer), "closing a definition file");
	}
	must(OTF2_Archive_CloseDefFiles(archive), "definition files");
}
