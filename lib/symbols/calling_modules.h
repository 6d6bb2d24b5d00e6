/*
 * calling_modules: lists the loaded modules (the program and its libraries) that call a function.
 */
#ifndef FATHOM_SYMBOLS_CALLING_MODULES_H
#define FATHOM_SYMBOLS_CALLING_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/* A module, in a list. */
struct fathom_module_name {
	struct fathom_module_name *next;
	uint64_t bias;			/* address in memory - bias = address in the module's symbol table */
	/* False: the program, which does not refer to the function; a statically linked one never does. */
	bool calls;
	char path[];
};
/* Returns the program, and the loaded libraries that refer to the function. The caller frees each element. Context:
 * start. */
struct fathom_module_name *fathom_modules_calling(const char *function);

#endif
