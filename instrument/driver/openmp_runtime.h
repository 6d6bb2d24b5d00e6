/*
 * openmp_runtime: whether a program that was linked with GCC's OpenMP runtime, which has no tool interface (OMPT), can
 * run on LLVM's runtime instead.
 *
 * LLVM's runtime also has GCC's functions, but not all of them. A call of a missing function would reach GCC's runtime,
 * which is also loaded and knows nothing of the teams of LLVM's runtime.
 */
#ifndef FATHOM_DRIVER_OPENMP_RUNTIME_H
#define FATHOM_DRIVER_OPENMP_RUNTIME_H

/* Checks the program at path, which the user calls `name'. Returns 0 and sets *library to the runtime to preload (the
 * caller frees it), or to NULL if the program uses LLVM's runtime anyway. Returns the exit code after a message if the
 * exchange is impossible. */
int fathom_openmp_runtime_check(const char *name, const char *path, char **library);

#endif
