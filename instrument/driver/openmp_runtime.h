/*
 * openmp_runtime: whether a program can run on LLVM's OpenMP runtime in place of GCC's, which tells nothing of itself.
 *
 * LLVM's has GCC's functions, too, but not all of them: one that is missing would be served by GCC's runtime, which
 * is still there, with an idea of its own of who is in which team.
 */
#ifndef FATHOM_DRIVER_OPENMP_RUNTIME_H
#define FATHOM_DRIVER_OPENMP_RUNTIME_H

/*
 * name: as the user calls the program at path. 0: *library is the file to preload, to be freed, or NULL where the
 * program uses LLVM's runtime anyway. Else the exit code, after one line that says why not.
 */
int fathom_openmp_runtime_check(const char *name, const char *path, char **library);

#endif
