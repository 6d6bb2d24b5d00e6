/*
 * module: finds the program or library that an address belongs to, and its file.
 */
#ifndef FATHOM_PLATFORM_MODULE_H
#define FATHOM_PLATFORM_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/arena.h"
#include "platform/compiler.h"

enum { FATHOM_BUILD_ID_BYTES = 32 };	/* longer build-ids are cut */

struct fathom_module {
	char path[4096];	/* of its file; absolute if it is known. Empty: unknown */
	uint64_t bias;		/* address - bias = value in the module's own symbol table */
	uintptr_t begin, end;	/* its addresses */
	char name[256];		/* the name that the dynamic linker uses, unless it is longer */
};

/* Returns the file of the program. Empty: unknown. The first call, at the start, finds it. Context: signal. */
FATHOM_API const char *fathom_module_program(void);

/* Finds the module of an address. Returns 0, or -ENOENT if there is none (code generated at run time). *module is
 * all zero or the result of an earlier call, which makes finding the same module faster. Context: birth. */
FATHOM_API int fathom_module_of(const void *address, struct fathom_module *module);

/* Like fathom_module_of, but takes no lock where the C library can do without one (glibc 2.35), and does not add the
 * module to fathom_module_notes. Context: signal; birth with an older C library. */
FATHOM_API int fathom_module_find(const void *address, struct fathom_module *module);

/* Returns whether fathom_module_find takes no lock. Any context. */
FATHOM_API bool fathom_module_find_is_lock_free(void);

/* Copies the build-id of the module, which is loaded, to id, which has room for FATHOM_BUILD_ID_BYTES. Returns the
 * number of bytes; 0: it has none. Context: signal. */
uint32_t fathom_module_build_id(const struct fathom_module *module, unsigned char *id);

/* Identifies a module, also compared with another one that is loaded later at the same addresses. */
struct fathom_module_mark {
	uintptr_t bias, begin, end;
	uint64_t name;			/* hash of the name */
};

/* Fills in the mark of a module. Context: birth. */
FATHOM_API void fathom_module_mark(const struct fathom_module *module, struct fathom_module_mark *mark);

/* Returns whether that module is still, or again, loaded at the same addresses. Context: birth. */
FATHOM_API int fathom_module_is_there(const struct fathom_module_mark *mark);

/* Returns 1 if a module is loaded at address now, else 0. Context: birth. */
FATHOM_API int fathom_module_is_loaded(const void *address);

/*
 * The modules that fathom_module_of has found so far, each with its load address and build-id. fathom merge uses them
 * to find the names of functions after the process was killed. A module that is unloaded stays in the list.
 */
struct fathom_module_note {
	struct fathom_module_note *older;
	uint64_t bias;
	uint64_t path_bytes;		/* with its NUL */
	uint32_t id_bytes;		/* 0: it has none */
	unsigned char id[FATHOM_BUILD_ID_BYTES];	/* longer ones are cut */
	char path[];
};

/* Return the newest entry of the list, and the memory of the list. Context: signal. */
const struct fathom_module_note *fathom_module_notes(void);
const struct fathom_arena *fathom_module_arena(void);

#endif
