#include "pthread/caller.h"

#ifndef FATHOM_PTHREAD_STATIC
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

struct fathom_pthread_code fathom_pthread_program;

/*
 * What is known of pages of code: a page's address, and in its low bits the groups recorded from there. A word
 * is read and written at once, so there is no lock. A page has two places; who finds neither free takes the
 * second: to be forgotten only means to be looked up again.
 */
#define PAGE_BITS 12
#define TABLE_BITS 9
#define KNOWN 0x800u
static uintptr_t pages[1 << TABLE_BITS];

/*
 * What was loaded at our start: of its code we need not ask the dynamic linker, who may have to wait for others.
 * Written at the start only; as soon as anything is unloaded the list is given up, for it may have been in it.
 */
#define MOST_MODULES 128
static struct module {
	uintptr_t begin, end;
	unsigned int groups;
} modules[MOST_MODULES];
static size_t module_count;

/*
 * Libraries that are not the program's, by the beginning of their file's name up to a digit, dot, dash or
 * underscore; of several that fit the first counts. libc is not among them: it does not call what others can
 * replace, but a function that it called itself (main) and that ends in a call may seem to be in it. It is so
 * with the start routine of a thread, which our own library calls, and in libgomp.
 */
static const struct {
	const char *name;
	unsigned int groups;	/* recorded all the same */
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
	/* MPI: MPICH and its kin, Open MPI */
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
	/* what MPI stands on */
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
	/* which hwloc asks about devices, by plugins */
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

static bool look_in_modules(uintptr_t address, unsigned int *groups)
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

static int look_at(struct dl_phdr_info *info, size_t size, void *data)
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
	/* Fibonacci hashing: the best bits come out on top. */
	return &pages[(uint64_t)(page >> PAGE_BITS) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TABLE_BITS)];
}

static FATHOM_COLD unsigned int look_up(uintptr_t address, uintptr_t page, uintptr_t *first, uintptr_t *second)
{
	struct search search = { address, FATHOM_PTHREAD_GROUPS };
	int saved = errno;

	/* Code that was made while the program runs is in no file: it is the program's, and may go again. */
	if (look_in_modules(address, &search.groups) || dl_iterate_phdr(look_at, &search))
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
	return look_up(address, page, first, second);
}

/* The code of a module is in one segment, as linkers make it. The program is the first module. */
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
	dl_iterate_phdr(note_module, NULL);
	fathom_pthread_program.begin = modules[0].begin;
	fathom_pthread_program.bytes = modules[0].end - modules[0].begin;
}

/* Another library may be loaded where one was unloaded. */
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
 * The C++ library's functions that make the calls the program asked them for. Longest of them is the first, of 271
 * bytes in GCC 12. Those that end in the call are not here: it returns to the program.
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
