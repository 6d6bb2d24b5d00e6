#include "pthread/caller.h"

#ifndef FATHOM_PTHREAD_STATIC
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

struct fathom_pthread_code fathom_pthread_program;
struct fathom_pthread_code fathom_pthread_library;

/*
 * Pages of code, as a hash table: the address of a page, with the groups of calls that are recorded from it in the low
 * bits. A word is read and written as a whole, so there is no lock. A page can be at two places. Where neither is free,
 * the second one is overwritten: the page that was there is looked up again at its next call.
 */
#define PAGE_BITS 12
#define TABLE_BITS 9
#define KNOWN 0x800u
static uintptr_t pages[1 << TABLE_BITS];

/*
 * The modules that were loaded at the start: for addresses in their code the dynamic linker need not be asked, which
 * may have to wait for another thread. Written at the start only. As soon as any library is unloaded, the list is not
 * used any more, because the library may be in it.
 */
#define MOST_MODULES 128
static struct module {
	uintptr_t begin, end;
	unsigned int groups;
} modules[MOST_MODULES];
static size_t module_count;

/*
 * Libraries of runtime systems, by the first part of their file's name, which ends before a digit, dot, dash or
 * underscore. If several names fit, the first counts. libc is not in the list. It does not call functions that other
 * libraries can replace; but a function that libc has called (main) and that ends with a tail call seems to call from
 * libc. The same holds for the start routine of a thread, which this library calls, and for libgomp.
 */
static const struct {
	const char *name;
	unsigned int groups;	/* groups of calls that are recorded nevertheless */
} runtimes[] = {
	{ "libfathom-pthread", FATHOM_PTHREAD_GROUPS },
	{ "libfathom", 0 },
	/* compilers */
	{ "libstdc++", FATHOM_PTHREAD_GROUP_THREADS | FATHOM_PTHREAD_GROUP_LOCKS },	/* std::thread */
	{ "libgfortran", FATHOM_PTHREAD_GROUP_THREADS },	/* each input or output takes locks */
	{ "libgcc", 0 },
	{ "libgomp", FATHOM_PTHREAD_GROUP_LOCKS },
	{ "libomp", 0 },
	{ "libiomp", 0 },
	{ "libarcher", 0 },
	/* MPI: MPICH and MPIs derived from it, Open MPI */
	{ "libmpich", 0 },
	{ "libmpichcxx", 0 },
	{ "libmpichfort", 0 },
	{ "libmpi", 0 },
	{ "libmpicxx", 0 },
	{ "libmpifort", 0 },
	{ "libopen-pal", 0 },
	{ "libopen-rte", 0 },
	{ "libprrte", 0 },
	{ "mca", 0 },
	{ "libevent", 0 },
	/* libraries that MPI uses */
	{ "libpmi", 0 },
	{ "libpmix", 0 },
	{ "libucp", 0 },
	{ "libucs", 0 },
	{ "libuct", 0 },
	{ "libucm", 0 },
	{ "libucc", 0 },
	{ "libfabric", 0 },
	{ "libhwloc", 0 },
	{ "libnuma", 0 },
	{ "libibverbs", 0 },
	{ "librdmacm", 0 },
	{ "libmlx", 0 },
	{ "libefa", 0 },
	{ "libpsm", 0 },
	{ "libxpmem", 0 },
	{ "libnl", 0 },
	{ "libudev", 0 },
	/* libraries of devices, which plugins of hwloc use */
	{ "hwloc", 0 },
	{ "libpciaccess", 0 },
	{ "libX11", 0 },
	{ "libxcb", 0 },
	{ "libXNVCtrl", 0 },
	{ "libOpenCL", 0 },
	{ "libcuda", 0 },
	{ "libcudart", 0 },
	{ "libnvidia", 0 },
};

static unsigned int groups_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(*runtimes); i++) {
		size_t length = strlen(runtimes[i].name);

		if (!strncmp(name, runtimes[i].name, length) && name[length] && strchr(".-_0123456789", name[length]))
			return runtimes[i].groups;
	}
	return FATHOM_PTHREAD_GROUPS;
}

static bool find_module(uintptr_t address, unsigned int *groups)
{
	for (size_t i = 0; i < fathom_peek(&module_count); i++) {
		if (address >= modules[i].begin && address < modules[i].end) {
			*groups = modules[i].groups;
			return true;
		}
	}
	return false;
}

struct search {
	uintptr_t address;
	unsigned int groups;
};

static int find_segment(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type == PT_LOAD &&
		    search->address - info->dlpi_addr - header->p_vaddr < header->p_memsz) {
			search->groups = groups_of(info->dlpi_name);
			return 1;
		}
	}
	return 0;
}

static uintptr_t *place_of(uintptr_t page)
{
	/* Fibonacci hashing: the upper bits of the product are the best. */
	return &pages[(uint64_t)(page >> PAGE_BITS) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TABLE_BITS)];
}

static FATHOM_COLD unsigned int find_groups(uintptr_t address, uintptr_t page, uintptr_t *first, uintptr_t *second)
{
	struct search search = { address, FATHOM_PTHREAD_GROUPS };
	int saved = errno;

	/* Code that was generated while the program runs is in no file. It belongs to the program, and is not stored in
	 * the table, because it may be removed again. */
	if (find_module(address, &search.groups) || dl_iterate_phdr(find_segment, &search))
		fathom_poke(fathom_peek(first) ? second : first, page | KNOWN | search.groups);
	errno = saved;
	return search.groups;
}

unsigned int fathom_pthread_caller_look(uintptr_t address)
{
	uintptr_t page = address & ~(((uintptr_t)1 << PAGE_BITS) - 1);
	uintptr_t *first = place_of(page), *second = &pages[(first - pages) ^ 1];
	uintptr_t word = fathom_peek(first);

	if (word >> PAGE_BITS != page >> PAGE_BITS)
		word = fathom_peek(second);
	if (word >> PAGE_BITS == page >> PAGE_BITS && (word & KNOWN))
		return word & FATHOM_PTHREAD_GROUPS;
	return find_groups(address, page, first, second);
}

/* Notes the addresses of a module's code. Linkers put the code of a module into one segment. The program is the first
 * module. */
static int note_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct module *module = &modules[module_count];

	(void)size;
	(void)data;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
			continue;
		module->begin = info->dlpi_addr + header->p_vaddr;
		module->end = module->begin + header->p_memsz;
		module->groups = groups_of(info->dlpi_name);
		module_count++;
		break;
	}
	return module_count == MOST_MODULES;
}

void fathom_pthread_caller_start(void)
{
	uintptr_t here = (uintptr_t)fathom_pthread_caller_start;

	dl_iterate_phdr(note_module, NULL);
	fathom_pthread_program.begin = modules[0].begin;
	fathom_pthread_program.bytes = modules[0].end - modules[0].begin;
	for (size_t i = 0; i < module_count; i++) {
		if (here - modules[i].begin < modules[i].end - modules[i].begin) {
			fathom_pthread_library.begin = modules[i].begin;
			fathom_pthread_library.bytes = modules[i].end - modules[i].begin;
		}
	}
}

/* Wrapped because a library may be loaded at the addresses of one that was unloaded: forgets all pages and modules. */
FATHOM_API int dlclose(void *handle);
int dlclose(void *handle)
{
	int (*real)(void *);
	int err;

	*(void **)&real = dlsym(RTLD_NEXT, "dlclose");
	if (!real)
		return -1;
	err = real(handle);
	fathom_poke(&module_count, 0);
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		fathom_poke(&pages[i], 0);
	return err;
}
#else
#include <stddef.h>

/*
 * The functions of the C++ library that make thread calls for the program. The longest is the first, with 271 bytes in
 * GCC 12. Functions that end with a tail call are not in the list, because such a call returns to the program.
 */
#define LARGEST_BYTES 512
#define CXX(name) extern const char name[] __attribute__((weak))
CXX(_ZNSt6thread15_M_start_threadESt10shared_ptrINS_10_Impl_baseEEPFvvE);
CXX(_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE);
CXX(_ZNSt6thread4joinEv);
CXX(_ZNSt6thread6detachEv);
CXX(_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE);

unsigned int fathom_pthread_caller_look(uintptr_t address)
{
	const uintptr_t functions[] = {
		(uintptr_t)_ZNSt6thread15_M_start_threadESt10shared_ptrINS_10_Impl_baseEEPFvvE,
		(uintptr_t)_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE,
		(uintptr_t)_ZNSt6thread4joinEv,
		(uintptr_t)_ZNSt6thread6detachEv,
		(uintptr_t)_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE,
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (functions[i] && address - functions[i] < LARGEST_BYTES)
			return FATHOM_PTHREAD_GROUP_THREADS | FATHOM_PTHREAD_GROUP_LOCKS;
	return 0;
}
#endif
