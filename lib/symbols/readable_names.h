/*
 * readable_names: names of functions as people write them, made of those that linkers use.
 */
#ifndef FATHOM_SYMBOLS_READABLE_NAMES_H
#define FATHOM_SYMBOLS_READABLE_NAMES_H

/* Returns solver::step for gfortran's __solver_MOD_step, in memory that the caller owns; NULL: the name is no such one.
 * Context: finish. */
char *fathom_fortran_module_name(const char *linker_name);

/* Returns the readable form of a linker's name of C++ or of a Fortran module, in memory that the caller owns; NULL: it
 * has no other form. Context: finish. */
char *fathom_readable_name(const char *linker_name);

#endif
