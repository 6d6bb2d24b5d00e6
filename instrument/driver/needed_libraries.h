/*
 * needed_libraries: the libraries that the dynamic linker will load with a program. The dynamic linker itself is asked.
 */
#ifndef FATHOM_DRIVER_NEEDED_LIBRARIES_H
#define FATHOM_DRIVER_NEEDED_LIBRARIES_H

#include "common/word_list.h"

/* Lists the paths of the libraries; preload, if it is not NULL, is loaded before them. 0 or -errno: the dynamic
 * linker does not answer. */
int fathom_needed_libraries(const char *path, const char *preload, struct fathom_words *libraries);

#endif
