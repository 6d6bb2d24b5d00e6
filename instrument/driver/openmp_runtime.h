/*
 * openmp_runtime: whether a program that was linked with GCC's OpenMP runtime, which has no tool interface (OMPT), can
 * run on LLVM's runtime instead.
 *
 * LLVM's runtime also has GCC's functions, but not all of them. A call of a missing function would reach GCC's runtime,
 * which is also loaded and knows nothing of the teams of LLVM's runtime.
 */
#ifndef FATHOM_DRIVER_OPENMP_RUNTIME_H
#define FATHOM_DRIVER_OPENMP_RUNTIME_H

/*
 * name: how the user calls the program at path. 0: *library is the runtime to preload (the caller frees it), or NULL
 * where the program uses LLVM's runtime anyway. Else the exit code, after a message that says why it is impossible.
 */
int fathom_openmp_runtime_check(const char *name, const char *path, char **library);

#endif
