#include "cube/reader/activity_rules.h"

#include <string.h>

#include "cube/reader/call_names.h"

/* Returns whether words, which has the form " one two three ", contains word. */
static bool among(const char *word, const char *words)
{
	size_t length = strlen(word);
	const char *at = words;

	if (length == 0 || strchr(word, ' '))
		return false;
	while ((at = strstr(at, word)) != NULL) {
		if (at[-1] == ' ' && at[length] == ' ')
			return true;
		at += length;
	}
	return false;
}

static bool starts(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool is_collective(const char *role)
{
	return strcmp(role, "one2all") == 0 || strcmp(role, "all2one") == 0 || strcmp(role, "all2all") == 0 ||
	       strcmp(role, "other collective") == 0;
}

static enum fathom_activity mpi_activity(const char *name, const char *role)
{
	const struct fathom_call_name *call;

	if (strcmp(role, "barrier") == 0)
		return FATHOM_ACTIVITY_MPI_BARRIER;
	if (strcmp(role, "point2point") == 0)
		return FATHOM_ACTIVITY_MPI_P2P;
	if (strcmp(role, "rma") == 0 || strcmp(role, "atomic") == 0)
		return FATHOM_ACTIVITY_MPI_RMA;
	if (is_collective(role))
		return FATHOM_ACTIVITY_MPI_COLLECTIVE;
	call = fathom_call_name_find("mpi", name);
	return call && call->activity != FATHOM_ACTIVITY_NONE ? call->activity : FATHOM_ACTIVITY_MPI;
}

static enum fathom_activity openmp_activity(const char *name, const char *role)
{
	static const struct {
		const char *role;
		enum fathom_activity activity;
	} roles[] = {
		{ "barrier", FATHOM_ACTIVITY_OMP_EXPLICIT_BARRIER },
		{ "implicit barrier", FATHOM_ACTIVITY_OMP_IMPLICIT_BARRIER },
		{ "atomic", FATHOM_ACTIVITY_OMP_CRITICAL },
		{ "critical", FATHOM_ACTIVITY_OMP_CRITICAL },
		{ "ordered", FATHOM_ACTIVITY_OMP_ORDERED },
		{ "taskwait", FATHOM_ACTIVITY_OMP_TASKWAIT },
		{ "flush", FATHOM_ACTIVITY_OMP_FLUSH },
		{ "task create", FATHOM_ACTIVITY_OMP_MANAGEMENT },
		{ "single", FATHOM_ACTIVITY_OMP_MANAGEMENT },	/* the block of the construct is another region */
	};
	size_t i;

	for (i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (strcmp(role, roles[i].role) == 0)
			return roles[i].activity;
	if (starts(name, "omp_") && strstr(name, "_lock"))
		return FATHOM_ACTIVITY_OMP_LOCK;
	/* "!$omp ..." is a fork or a join. Other artificial regions are roots of trees and take no time themselves. */
	if (strcmp(role, "artificial") == 0 && starts(name, "!$omp "))
		return FATHOM_ACTIVITY_OMP_MANAGEMENT;
	return FATHOM_ACTIVITY_COMPUTATION;	/* parallel, loop, task, ...: code of the program */
}

static enum fathom_activity pthread_activity(const char *name)
{
	const struct fathom_call_name *call = fathom_call_name_find("pthread", name);

	/* Any other region, such as a whole thread: code of the program. */
	return call ? call->activity : FATHOM_ACTIVITY_COMPUTATION;
}

static enum fathom_activity io_activity(const char *name, const char *role)
{
	if (strcmp(role, "file io metadata") == 0)
		return FATHOM_ACTIVITY_IO_META;
	if (among(name, " aio_read fgetc fgets fread fscanf getc getchar gets pread pread64 preadv preadv2 preadv64"
			" preadv64v2 read readv scanf vfscanf vscanf "))
		return FATHOM_ACTIVITY_IO_READ;
	if (among(name, " aio_write fflush fprintf fputc fputs fwrite printf putchar puts pwrite pwrite64 pwritev"
			" pwritev2 pwritev64 pwritev64v2 vfprintf vprintf write writev "))
		return FATHOM_ACTIVITY_IO_WRITE;
	return FATHOM_ACTIVITY_IO;
}

enum fathom_activity fathom_activity_by_rules(const struct fathom_cube_region *region)
{
	const char *paradigm = region->paradigm, *name = region->name, *role = region->role;

	if (strcmp(paradigm, "mpi") == 0)
		return mpi_activity(name, role);
	if (strcmp(paradigm, "openmp") == 0)
		return openmp_activity(name, role);
	if (strcmp(paradigm, "pthread") == 0)
		return pthread_activity(name);
	if (strcmp(paradigm, "io") == 0)
		return io_activity(name, role);
	if (strcmp(paradigm, "shmem") == 0)
		return FATHOM_ACTIVITY_SHMEM;
	if (starts(paradigm, "libwrap:") && paradigm[8])
		return FATHOM_ACTIVITY_LIBWRAP;
	if (strcmp(paradigm, "measurement") == 0 && strcmp(name, "TRACE BUFFER FLUSH") == 0)
		return FATHOM_ACTIVITY_OVERHEAD;
	if (strcmp(paradigm, "openacc") == 0)
		return starts(name, "acc_") ? FATHOM_ACTIVITY_OPENACC : FATHOM_ACTIVITY_COMPUTATION;
	/* Kernels run on the device; their time counts as computation. */
	if (strcmp(paradigm, "opencl") == 0 && strcmp(region->file, "OPENCL_KERNEL") != 0)
		return FATHOM_ACTIVITY_OPENCL;
	if (strcmp(paradigm, "cuda") == 0 && strcmp(region->file, "CUDA_KERNEL") != 0)
		return FATHOM_ACTIVITY_CUDA;
	if (strcmp(paradigm, "hip") == 0 && strcmp(region->file, "HIP_KERNEL") != 0)
		return FATHOM_ACTIVITY_HIP;
	return FATHOM_ACTIVITY_COMPUTATION;
}

enum fathom_activity fathom_activity_remapped(const struct fathom_cube_region *region)
{
	enum fathom_activity activity = region->activity;

	return activity == FATHOM_ACTIVITY_OMP_MANAGEMENT ? FATHOM_ACTIVITY_COMPUTATION : activity;
}
