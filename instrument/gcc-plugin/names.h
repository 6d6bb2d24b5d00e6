/*
 * names: converts the linker's name of a function of C++ or of a Fortran module to a readable name.
 *
 * names.c is C without GCC's headers, because these cannot be included together with libiberty's.
 */
#ifndef FATHOM_PLUGIN_NAMES_H
#define FATHOM_PLUGIN_NAMES_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the readable name, to be freed with fathom_names_free; NULL: the name has no readable form. */
char *fathom_names_demangle(const char *mangled);

/* Frees a name from fathom_names_demangle, or NULL. */
void fathom_names_free(char *name);

#ifdef __cplusplus
}
#endif

#endif
