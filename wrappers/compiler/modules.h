/*
 * modules: which program or library an address is code of.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_MODULES_H
#define FATHOM_WRAPPERS_COMPILER_MODULES_H

#include <stddef.h>
#include <stdint.h>

struct fathom_module {
	char path[4096];
	uint64_t bias;		/* address - bias = what the module's own symbols say */
	uintptr_t begin, end;	/* its addresses */
};

/* The module of address. 0, or -ENOENT: none (code made at run time). Context: birth. */
int fathom_module_of(const void *address, struct fathom_module *module);

/* Whether anything is loaded at address now. Context: birth. */
int fathom_module_loaded(const void *address);

/* The program, and the libraries that are loaded and call a function by that name: a list to be freed.
 * Context: start. */
struct fathom_module_name {
	struct fathom_module_name *next;
	char path[];
};
struct fathom_module_name *fathom_modules_calling(const char *function);

#endif
