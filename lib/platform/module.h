/*
 * module: which program or library an address is code of, and what file that is.
 */
#ifndef FATHOM_PLATFORM_MODULE_H
#define FATHOM_PLATFORM_MODULE_H

#include <stdint.h>

#include "platform/arena.h"
#include "platform/compiler.h"

struct fathom_module {
	char path[4096];	/* of its file; from the root wherever the system tells. Empty: not known */
	uint64_t bias;		/* address - bias = what the module's own symbols say */
	uintptr_t begin, end;	/* its addresses */
	char name[256];		/* what the dynamic linker calls it, unless that is longer */
};

/* The program's file. Empty: not known. It is found out the first time, at the start. Any context. */
FATHOM_API const char *fathom_module_program(void);

/* The module of address. 0, or -ENOENT: none (code made at run time). *module is all zero, or what an earlier call has
 * left there: then finding the same once more takes less. Context: birth. */
FATHOM_API int fathom_module_of(const void *address, struct fathom_module *module);

/* What tells a module from another one that is loaded later, be it at the same addresses. */
struct fathom_module_mark {
	uintptr_t bias, begin, end;
	uint64_t name;			/* a number made of it */
};

FATHOM_API void fathom_module_mark(const struct fathom_module *module, struct fathom_module_mark *mark);

/* Whether that module is still loaded, or again, where it was. Context: birth. */
FATHOM_API int fathom_module_is_there(const struct fathom_module_mark *mark);

/* Whether anything is loaded at address now: 1 or 0. Context: birth. */
FATHOM_API int fathom_module_is_loaded(const void *address);

/*
 * The modules that fathom_module_of has told of so far, each with where it was loaded and its build-id: what names its
 * functions after the process has ended without a word. A module that is unloaded stays in the list.
 */
enum { FATHOM_BUILD_ID_BYTES = 32 };
struct fathom_module_note {
	struct fathom_module_note *older;
	uint64_t bias;
	uint64_t path_bytes;		/* with its NUL */
	uint32_t id_bytes;		/* 0: it has none */
	unsigned char id[FATHOM_BUILD_ID_BYTES];	/* longer ones are cut */
	char path[];
};

/* The newest of the list, and the memory that it is in. Context: signal. */
const struct fathom_module_note *fathom_module_notes(void);
const struct fathom_arena *fathom_module_arena(void);

#endif
