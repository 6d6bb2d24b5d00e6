/*
 * Finds the MPI library of a process into which the wrappers were preloaded.
 */
#include "mpi/mpi_library.h"

#include "mpi/mpi_mismatch.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifndef OPEN_MPI
MPI_F08_status **fathom_mpi_real_ignored_status;
MPI_F08_status **fathom_mpi_real_ignored_statuses;
#endif

#define MOST_LIBRARIES 1024

struct names {
	const char *name[MOST_LIBRARIES];	/* the texts belong to the dynamic linker */
	int count;
};

static int note_name(struct dl_phdr_info *info, size_t size, void *names_pointer)
{
	struct names *names = names_pointer;

	(void)size;
	if (info->dlpi_name && *info->dlpi_name && names->count < MOST_LIBRARIES)
		names->name[names->count++] = info->dlpi_name;
	return 0;
}

/* Returns whether address is in this library. This library also defines PMPI_ names, those of the calls that it
 * wraps. */
static bool is_ours(void *address)
{
	Dl_info there, here;

	return dladdr(address, &there) && dladdr(&fathom_mpi_real, &here) && there.dli_fbase == here.dli_fbase;
}

/* Returns an MPI library whose names other libraries do not see (loaded with RTLD_LOCAL). NULL: there is none. */
static void *find_hidden_library(void)
{
	static struct names names;	/* too large for a small stack; pthread_once admits one caller */

	/* The names are collected first: dlopen inside dl_iterate_phdr would take two locks in the wrong order. */
	names.count = 0;
	dl_iterate_phdr(note_name, &names);
	for (int i = 0; i < names.count; i++) {
		void *library = dlopen(names.name[i], RTLD_LAZY | RTLD_NOLOAD);
		void *init;

		if (!library)
			continue;
		init = dlsym(library, "PMPI_Init");
		if (init && !is_ours(init))
			return library;	/* stays open: the table will point into it */
		dlclose(library);
	}
	return NULL;
}

/* Returns the address of a function or variable of the MPI library. The program may contain a copy of a variable; then
 * the program and the library both use this copy. */
static void *find(void *library, const char *name)
{
	void *variable = strncmp(name, "ompi_", 5) == 0 ? dlsym(RTLD_DEFAULT, name) : NULL;

	return variable ? variable : dlsym(library, name);
}

static void load(void)
{
	void *library = RTLD_NEXT;

	/* A plugin that was loaded by dlopen may have brought MPI, visible to the plugin only: so it is in Python. */
	if (!dlsym(library, "PMPI_Init"))
		library = find_hidden_library();
	if (!library)
		return;
	fathom_mpi_mismatch_check(library);
	for (const struct fathom_mpi_real_name *entry = fathom_mpi_real_names; entry->name; entry++)
		*(void **)((char *)&fathom_mpi_real + entry->offset) = find(library, entry->name);
#ifndef OPEN_MPI
	fathom_mpi_real_ignored_status = dlsym(library, "MPI_F08_STATUS_IGNORE");
	fathom_mpi_real_ignored_statuses = dlsym(library, "MPI_F08_STATUSES_IGNORE");
#endif
}

void fathom_mpi_real_load(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
}
