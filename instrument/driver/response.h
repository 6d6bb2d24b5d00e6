/*
 * response: the words in an options file (@file), cut as the compilers cut them.
 */
#ifndef FATHOM_DRIVER_RESPONSE_H
#define FATHOM_DRIVER_RESPONSE_H

#include "driver/words.h"

/* 0 or -errno; a file that cannot be read is no options file, and @file an ordinary word. */
int fathom_response_read(struct fathom_words *words, const char *path);

#endif
