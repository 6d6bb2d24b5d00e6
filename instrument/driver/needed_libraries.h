/*
 * needed_libraries: the libraries that the dynamic linker will load with a program, as it says itself.
 */
#ifndef FATHOM_DRIVER_NEEDED_LIBRARIES_H
#define FATHOM_DRIVER_NEEDED_LIBRARIES_H

#include "driver/word_list.h"

/* Their paths; with preload, if it is not NULL, in front. 0 or -errno: nobody can say. */
int fathom_needed_libraries(const char *path, const char *preload, struct fathom_words *libraries);

#endif
