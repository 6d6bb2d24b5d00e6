/*
 * modules: what is loaded, and calls a function.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_MODULES_H
#define FATHOM_WRAPPERS_COMPILER_MODULES_H

/* The program, and the libraries that are loaded and call a function by that name: a list to be freed.
 * Context: start. */
struct fathom_module_name {
	struct fathom_module_name *next;
	char path[];
};
struct fathom_module_name *fathom_modules_calling(const char *function);

#endif
