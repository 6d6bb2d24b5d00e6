/*
 * scope: finds the C library's functions, defines the regions, and knows the code whose calls are not recorded.
 */
#include "io/scope.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "platform/settings.h"
#include "run/runtime.h"

const struct fathom_region *fathom_io_regions[FATHOM_IO_CALLS];
bool fathom_io_is_ready;

/* The code of fathom and of MPI libraries, as far as it was loaded at the start. Written at the start only. */
enum { MOST_MODULES = 64 };
static struct {
	uintptr_t begin, end;
} excluded[MOST_MODULES];
static size_t excluded_count;

static pthread_t initial_thread;
static bool has_begun;	/* a thread has recorded something; from then on, the initial thread is like all others */

void fathom_io_find(void)
{
	void **place = (void **)&fathom_io_real;	/* members are in the order of the calls */
	int saved = errno;

	_Static_assert(sizeof(fathom_io_real) == FATHOM_IO_CALLS * sizeof(void *), "a table of pointers");
	for (int call = 0; call < FATHOM_IO_CALLS; call++) {
		void *found = dlsym(RTLD_NEXT, fathom_io_facts[call].name);

		if (!found)	/* no program can have been linked to a function that the C library does not have */
			abort();
		__atomic_store_n(&place[call], found, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&fathom_io_is_ready, true, __ATOMIC_RELEASE);
	errno = saved;
}

bool fathom_io_is_of_program(const void *caller)
{
	uintptr_t address = (uintptr_t)caller - 1;
	const struct fathom_region *innermost;

	if (fathom_event_recording())
		has_begun = true;
	else if (has_begun || !pthread_equal(pthread_self(), initial_thread))
		return false;
	for (size_t i = 0; i < excluded_count; i++)
		if (address - excluded[i].begin < excluded[i].end - excluded[i].begin)
			return false;
	innermost = fathom_event_innermost();
	return !innermost || (innermost->paradigm != FATHOM_PARADIGM_MPI && innermost->paradigm != FATHOM_PARADIGM_IO);
}

/* --- the start ------------------------------------------------------------------------------------- */

/* Returns whether a module is a library of fathom or MPI, or one that MPI libraries use. */
static bool is_excluded(const char *path)
{
	static const char *const names[] = {
		"libfathom", "libmpi", "libmpich", "libopen-pal", "libopen-rte", "libprrte", "libpmi", "libevent",
		"libucp", "libucs", "libuct", "libucm", "libfabric", "libhwloc", "libibverbs", "librdmacm", "libpsm",
		"libnuma", "libotf2", "libdw", "libelf",
	};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

static int note_module(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	(void)data;
	if (!is_excluded(info->dlpi_name))
		return 0;
	for (int i = 0; i < info->dlpi_phnum && excluded_count < MOST_MODULES; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
			continue;
		excluded[excluded_count].begin = info->dlpi_addr + header->p_vaddr;
		excluded[excluded_count].end = excluded[excluded_count].begin + header->p_memsz;
		excluded_count++;
	}
	return 0;
}

/* In a child of fork, which measures nothing, calls are only passed on. The core's handler has run before. */
static void stop_in_child(void)
{
	if (!fathom_runtime_measures())
		memset(fathom_io_regions, 0, sizeof(fathom_io_regions));
}

/* Runs after the constructor of the core, which has priority 101. */
__attribute__((constructor(103))) static void start(void)
{
	int saved = errno;

	if (!fathom_io_is_ready)
		fathom_io_find();
	initial_thread = pthread_self();
	dl_iterate_phdr(note_module, NULL);
	fathom_io_is_traced = fathom_runtime_measures() && fathom_event_traces();
	if (fathom_runtime_measures() && fathom_runtime_settings()->io) {
		pthread_atfork(NULL, NULL, stop_in_child);
		for (int call = 0; call < FATHOM_IO_CALLS; call++)
			fathom_io_regions[call] = fathom_region_define(&(struct fathom_region){
				.name = fathom_io_facts[call].region,
				.file = "IO",
				.paradigm = FATHOM_PARADIGM_IO,
				.role = fathom_io_facts[call].role,
				.activity = (uint8_t)fathom_io_facts[call].activity,
			});
	}
	errno = saved;
}
