/*
 * calling_modules: what is loaded, and calls a function.
 */
#ifndef FATHOM_SYMBOLS_CALLING_MODULES_H
#define FATHOM_SYMBOLS_CALLING_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/* The program, and the libraries that are loaded and call a function by that name: a list to be freed.
 * Context: start. */
struct fathom_module_name {
	struct fathom_module_name *next;
	uint64_t bias;			/* address - bias = what the module's own symbols say */
	bool calls;			/* false: the program, which does not; of a static one nobody knows */
	char path[];
};
struct fathom_module_name *fathom_modules_calling(const char *function);

#endif
