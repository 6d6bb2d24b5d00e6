#include "tools/common/hosts.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"

/* The communicator while it is open, and the functions of the module; NULL: there is one process. */
static struct fathom_comm *opened;
static void (*close_hosts)(struct fathom_comm *comm);
static void (*abort_hosts)(int code);

/* Returns the number of processes that mpirun has started, and the rank of this one. */
static int launched(int *rank)
{
	static const char *const names[][2] = {
		{ "PMI_SIZE", "PMI_RANK" }, { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
	};
	size_t i;

	*rank = 0;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *size = getenv(names[i][0]), *own = getenv(names[i][1]);

		if (!size || !own)
			continue;
		*rank = atoi(own);
		return atoi(size);
	}
	return 1;
}

/* Loads the module from the directory of this program, or of its build. */
static void *load_module(void)
{
	char program[PATH_MAX], path[PATH_MAX + 64];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	static const char *const folders[] = { "", ".libs/" };
	void *module = NULL;
	char *slash;
	size_t i;

	if (length <= 0)
		return NULL;
	program[length] = '\0';
	slash = strrchr(program, '/');
	if (!slash)
		return NULL;
	for (i = 0; !module && i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, sizeof(path), "%.*s/%sfathom-analyze-mpich.so", (int)(slash - program), program,
			 folders[i]);
		module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	}
	return module;
}

static void end_others(void)
{
	if (opened && abort_hosts)
		abort_hosts(FATHOM_TOOL_FAILURE);
}

/* Waits for all other processes, so that mpirun has what they printed, and closes the communicator. */
static void end_together(void)
{
	fathom_hosts_agree(opened, 0);
	fathom_hosts_close();
}

struct fathom_comm *fathom_hosts_open(void)
{
	struct fathom_comm *(*open_hosts)(void);
	int rank, size = launched(&rank);
	void *module;

	if (size <= 1)
		return opened = fathom_comm_serial();
	module = load_module();
	open_hosts = module ? (struct fathom_comm *(*)(void))dlsym(module, "fathom_analysis_hosts_open") : NULL;
	close_hosts = module ? (void (*)(struct fathom_comm *))dlsym(module, "fathom_analysis_hosts_close") : NULL;
	abort_hosts = module ? (void (*)(int))dlsym(module, "fathom_analysis_hosts_abort") : NULL;
	if (open_hosts && close_hosts && abort_hosts)
		opened = open_hosts();
	if (opened) {
		atexit(end_others);
		fathom_tool_share_command_line(opened->rank == 0, end_together);
		return opened;
	}
	if (rank == 0)
		fathom_tool_error("mpirun: %s (without mpirun, one process does all the work)",
				  module ? "MPI cannot be initialized" :
					   "this fathom has no module for this MPI");
	return NULL;
}

void fathom_hosts_command_line_read(void)
{
	fathom_tool_share_command_line(true, NULL);
}

void fathom_hosts_close(void)
{
	struct fathom_comm *comm = opened;

	opened = NULL;
	if (comm && close_hosts)
		close_hosts(comm);
}

int fathom_hosts_agree(struct fathom_comm *comm, int err)
{
	int rank, other, failed = 0;

	if (comm->size == 1)
		return err;
	if (comm->rank > 0)
		failed = comm->send(comm, 0, &err, sizeof(err));
	for (rank = 1; !failed && comm->rank == 0 && rank < comm->size; rank++) {
		failed = comm->receive(comm, rank, &other, sizeof(other));
		err = err ? err : other;
	}
	if (!failed)
		failed = comm->broadcast(comm, 0, &err, sizeof(err));
	return failed ? failed : err;
}
