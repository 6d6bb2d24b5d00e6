/*
 * names: what a function of C++, or of a Fortran module, is called by people, from what the linker calls it.
 *
 * C without GCC's headers: those and libiberty's do not go together.
 */
#ifndef FATHOM_PLUGIN_NAMES_H
#define FATHOM_PLUGIN_NAMES_H

#ifdef __cplusplus
extern "C" {
#endif

/* The readable form; a string of its own, or NULL if it is none. */
char *fathom_names_demangle(const char *mangled);

/* For strings from above. */
void fathom_names_free(char *name);

#ifdef __cplusplus
}
#endif

#endif
