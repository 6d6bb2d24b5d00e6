/*
 * sibling_library: libraries that stand beside this one and are loaded when they are needed, which most runs never do.
 */
#ifndef FATHOM_PLATFORM_SIBLING_LIBRARY_H
#define FATHOM_PLATFORM_SIBLING_LIBRARY_H

/* Note where this library is, as long as the working directory is what it was when it was loaded. Context: start. */
void fathom_sibling_library_start(void);

/* What the library of that name calls so; it stays loaded. NULL: not there. Context: start or finish. */
void *fathom_sibling_library_symbol(const char *library, const char *symbol);

#endif
