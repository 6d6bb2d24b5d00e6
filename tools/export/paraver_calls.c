#include "tools/export/paraver_calls.h"

#include <string.h>

static const struct fathom_paraver_call calls[] = {
	{ "Send", FATHOM_PARAVER_POINT_TO_POINT, 1, FATHOM_PARAVER_SENDING },
	{ "Recv", FATHOM_PARAVER_POINT_TO_POINT, 2, FATHOM_PARAVER_WAITING },
	{ "Isend", FATHOM_PARAVER_POINT_TO_POINT, 3, FATHOM_PARAVER_IMMEDIATE_SEND },
	{ "Irecv", FATHOM_PARAVER_POINT_TO_POINT, 4, FATHOM_PARAVER_IMMEDIATE_RECEIVE },
	{ "Wait", FATHOM_PARAVER_POINT_TO_POINT, 5, FATHOM_PARAVER_WAIT },
	{ "Waitall", FATHOM_PARAVER_POINT_TO_POINT, 6, FATHOM_PARAVER_WAIT },
	{ "Bsend", FATHOM_PARAVER_POINT_TO_POINT, 33, FATHOM_PARAVER_SENDING },
	{ "Ssend", FATHOM_PARAVER_POINT_TO_POINT, 34, FATHOM_PARAVER_SENDING },
	{ "Rsend", FATHOM_PARAVER_POINT_TO_POINT, 35, FATHOM_PARAVER_SENDING },
	{ "Ibsend", FATHOM_PARAVER_POINT_TO_POINT, 36, FATHOM_PARAVER_IMMEDIATE_SEND },
	{ "Issend", FATHOM_PARAVER_POINT_TO_POINT, 37, FATHOM_PARAVER_IMMEDIATE_SEND },
	{ "Irsend", FATHOM_PARAVER_POINT_TO_POINT, 38, FATHOM_PARAVER_IMMEDIATE_SEND },
	{ "Test", FATHOM_PARAVER_POINT_TO_POINT, 39, FATHOM_PARAVER_TESTING },
	{ "Cancel", FATHOM_PARAVER_POINT_TO_POINT, 40, FATHOM_PARAVER_OTHERS },
	{ "Sendrecv", FATHOM_PARAVER_POINT_TO_POINT, 41, FATHOM_PARAVER_SEND_RECEIVE },
	{ "Sendrecv_replace", FATHOM_PARAVER_POINT_TO_POINT, 42, FATHOM_PARAVER_SEND_RECEIVE },
	{ "Waitany", FATHOM_PARAVER_POINT_TO_POINT, 59, FATHOM_PARAVER_WAIT },
	{ "Waitsome", FATHOM_PARAVER_POINT_TO_POINT, 60, FATHOM_PARAVER_WAIT },
	{ "Probe", FATHOM_PARAVER_POINT_TO_POINT, 61, FATHOM_PARAVER_TESTING },
	{ "Iprobe", FATHOM_PARAVER_POINT_TO_POINT, 62, FATHOM_PARAVER_TESTING },
	{ "Start", FATHOM_PARAVER_POINT_TO_POINT, 123, FATHOM_PARAVER_OTHERS },
	{ "Startall", FATHOM_PARAVER_POINT_TO_POINT, 124, FATHOM_PARAVER_OTHERS },
	{ "Testall", FATHOM_PARAVER_POINT_TO_POINT, 125, FATHOM_PARAVER_TESTING },
	{ "Testany", FATHOM_PARAVER_POINT_TO_POINT, 126, FATHOM_PARAVER_TESTING },
	{ "Testsome", FATHOM_PARAVER_POINT_TO_POINT, 128, FATHOM_PARAVER_TESTING },
	{ "Bcast", FATHOM_PARAVER_COLLECTIVE, 7, FATHOM_PARAVER_GROUP },
	{ "Barrier", FATHOM_PARAVER_COLLECTIVE, 8, FATHOM_PARAVER_SYNCHRONISING },
	{ "Reduce", FATHOM_PARAVER_COLLECTIVE, 9, FATHOM_PARAVER_GROUP },
	{ "Allreduce", FATHOM_PARAVER_COLLECTIVE, 10, FATHOM_PARAVER_GROUP },
	{ "Alltoall", FATHOM_PARAVER_COLLECTIVE, 11, FATHOM_PARAVER_GROUP },
	{ "Alltoallv", FATHOM_PARAVER_COLLECTIVE, 12, FATHOM_PARAVER_GROUP },
	{ "Gather", FATHOM_PARAVER_COLLECTIVE, 13, FATHOM_PARAVER_GROUP },
	{ "Gatherv", FATHOM_PARAVER_COLLECTIVE, 14, FATHOM_PARAVER_GROUP },
	{ "Scatter", FATHOM_PARAVER_COLLECTIVE, 15, FATHOM_PARAVER_GROUP },
	{ "Scatterv", FATHOM_PARAVER_COLLECTIVE, 16, FATHOM_PARAVER_GROUP },
	{ "Allgather", FATHOM_PARAVER_COLLECTIVE, 17, FATHOM_PARAVER_GROUP },
	{ "Allgatherv", FATHOM_PARAVER_COLLECTIVE, 18, FATHOM_PARAVER_GROUP },
	{ "Scan", FATHOM_PARAVER_COLLECTIVE, 30, FATHOM_PARAVER_GROUP },
	{ "Reduce_scatter", FATHOM_PARAVER_COLLECTIVE, 80, FATHOM_PARAVER_GROUP },
	{ "Comm_rank", FATHOM_PARAVER_OTHER, 19, FATHOM_PARAVER_OTHERS },
	{ "Comm_size", FATHOM_PARAVER_OTHER, 20, FATHOM_PARAVER_OTHERS },
	{ "Comm_create", FATHOM_PARAVER_OTHER, 21, FATHOM_PARAVER_OTHERS },
	{ "Comm_dup", FATHOM_PARAVER_OTHER, 22, FATHOM_PARAVER_OTHERS },
	{ "Comm_split", FATHOM_PARAVER_OTHER, 23, FATHOM_PARAVER_OTHERS },
	{ "Comm_group", FATHOM_PARAVER_OTHER, 24, FATHOM_PARAVER_OTHERS },
	{ "Comm_free", FATHOM_PARAVER_OTHER, 25, FATHOM_PARAVER_OTHERS },
	{ "Init", FATHOM_PARAVER_OTHER, 31, FATHOM_PARAVER_OTHERS },
	{ "Finalize", FATHOM_PARAVER_OTHER, 32, FATHOM_PARAVER_OTHERS },
	{ "Cart_create", FATHOM_PARAVER_OTHER, 43, FATHOM_PARAVER_OTHERS },
	{ "Win_create", FATHOM_PARAVER_RMA, 63, FATHOM_PARAVER_ONE_SIDED },
	{ "Win_free", FATHOM_PARAVER_RMA, 64, FATHOM_PARAVER_ONE_SIDED },
	{ "Put", FATHOM_PARAVER_RMA, 65, FATHOM_PARAVER_ONE_SIDED },
	{ "Get", FATHOM_PARAVER_RMA, 66, FATHOM_PARAVER_ONE_SIDED },
	{ "Accumulate", FATHOM_PARAVER_RMA, 67, FATHOM_PARAVER_ONE_SIDED },
	{ "Win_fence", FATHOM_PARAVER_RMA, 68, FATHOM_PARAVER_ONE_SIDED },
	{ "Win_start", FATHOM_PARAVER_RMA, 69, FATHOM_PARAVER_ONE_SIDED },
	{ "Win_complete", FATHOM_PARAVER_RMA, 70, FATHOM_PARAVER_ONE_SIDED },
	{ "Win_post", FATHOM_PARAVER_RMA, 71, FATHOM_PARAVER_ONE_SIDED },
	{ "Win_wait", FATHOM_PARAVER_RMA, 72, FATHOM_PARAVER_ONE_SIDED },
	{ "Win_test", FATHOM_PARAVER_RMA, 73, FATHOM_PARAVER_ONE_SIDED },
	{ "Win_lock", FATHOM_PARAVER_RMA, 74, FATHOM_PARAVER_ONE_SIDED },
	{ "Win_unlock", FATHOM_PARAVER_RMA, 75, FATHOM_PARAVER_ONE_SIDED },
};

/* Calls without a number of their own, by the beginning of their names. The last row fits all. */
static const struct fathom_paraver_call groups[] = {
	{ "File_", FATHOM_PARAVER_MPI_IO, 0, FATHOM_PARAVER_IO },
	{ "Win_", FATHOM_PARAVER_RMA, 0, FATHOM_PARAVER_ONE_SIDED },
	{ "R", FATHOM_PARAVER_RMA, 0, FATHOM_PARAVER_ONE_SIDED },
	{ "Init", FATHOM_PARAVER_OTHER, 31, FATHOM_PARAVER_OTHERS },
	{ "I", FATHOM_PARAVER_COLLECTIVE, 0, FATHOM_PARAVER_GROUP },
	{ "Neighbor", FATHOM_PARAVER_COLLECTIVE, 0, FATHOM_PARAVER_GROUP },
	{ "", FATHOM_PARAVER_OTHER, 0, FATHOM_PARAVER_OTHERS },
};

const struct fathom_paraver_call *fathom_paraver_call_of(const char *name)
{
	size_t i;

	if (strncmp(name, "MPI_", 4) == 0)
		name += 4;
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i].name, name) == 0)
			return &calls[i];
	for (i = 0; strncmp(groups[i].name, name, strlen(groups[i].name)) != 0; )
		i++;
	return &groups[i];
}

void fathom_paraver_write_header(FILE *out)
{
	static const struct { int number; const char *name, *colour; } states[] = {
		{ 0, "Idle", "{117,195,255}" }, { 1, "Running", "{0,0,255}" }, { 2, "Not created", "{255,255,255}" },
		{ 3, "Waiting a message", "{255,0,0}" }, { 4, "Blocking Send", "{255,0,174}" },
		{ 5, "Synchronization", "{179,0,0}" }, { 6, "Test/Probe", "{0,255,0}" },
		{ 7, "Scheduling and Fork/Join", "{255,255,0}" }, { 8, "Wait/WaitAll", "{235,0,0}" },
		{ 9, "Blocked", "{0,162,0}" }, { 10, "Immediate Send", "{255,0,255}" },
		{ 11, "Immediate Receive", "{100,100,177}" }, { 12, "I/O", "{172,174,41}" },
		{ 13, "Group Communication", "{255,144,26}" }, { 14, "Tracing Disabled", "{2,255,177}" },
		{ 15, "Others", "{192,224,0}" }, { 16, "Send Receive", "{66,66,66}" },
		{ 25, "One-sided communication", "{189,168,100}" },
	};
	size_t i;

	fputs("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\nLOOK_BACK           100\n"
	      "SPEED               1\nFLAG_ICONS          ENABLED\nNUM_OF_STATE_COLORS 1000\n"
	      "YMAX_SCALE          37\n\n\n"
	      "DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\n\nSTATES\n", out);
	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		fprintf(out, "%d    %s\n", states[i].number, states[i].name);
	fputs("\n\nSTATES_COLOR\n", out);
	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		fprintf(out, "%d    %s\n", states[i].number, states[i].colour);
	fputs("\n\n", out);
}

void fathom_paraver_write_calls(FILE *out)
{
	static const struct { uint32_t type; const char *name; } types[] = {
		{ FATHOM_PARAVER_POINT_TO_POINT, "MPI Point-to-point" },
		{ FATHOM_PARAVER_COLLECTIVE, "MPI Collective Comm" },
		{ FATHOM_PARAVER_OTHER, "MPI Other" }, { FATHOM_PARAVER_RMA, "MPI One-sided" },
		{ FATHOM_PARAVER_MPI_IO, "MPI I/O" },
	};

	for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
		fprintf(out, "EVENT_TYPE\n9    %u    %s\nVALUES\n0    Outside MPI\n", types[t].type, types[t].name);
		for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
			if (calls[i].type == types[t].type)
				fprintf(out, "%u    MPI_%s\n", calls[i].value, calls[i].name);
		fputs("1000    another call\n\n\n", out);
	}
	fprintf(out, "EVENT_TYPE\n0    %u    Bytes sent in a collective operation\n"
		"0    %u    Bytes received in a collective operation\n0    %u    Root of a collective operation\n"
		"0    %u    Communicator of a collective operation\n\n\n",
		FATHOM_PARAVER_BYTES_SENT, FATHOM_PARAVER_BYTES_RECEIVED, FATHOM_PARAVER_ROOT,
		FATHOM_PARAVER_COMMUNICATOR);
}
