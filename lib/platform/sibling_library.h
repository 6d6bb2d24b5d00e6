/*
 * sibling_library: loads libraries of fathom from the directory of this one when they are needed. Most runs need none.
 */
#ifndef FATHOM_PLATFORM_SIBLING_LIBRARY_H
#define FATHOM_PLATFORM_SIBLING_LIBRARY_H

/* Notes the directory of this library, before the program changes its working directory. Context: start. */
void fathom_sibling_library_start(void);

/* Loads the library of that name, which stays loaded, and returns its symbol. NULL: there is none. Context: start,
 * finish. */
void *fathom_sibling_library_symbol(const char *library, const char *symbol);

#endif
