/*
 * options_file: the words in an options file (@file), cut as the compilers cut them.
 */
#ifndef FATHOM_DRIVER_OPTIONS_FILE_H
#define FATHOM_DRIVER_OPTIONS_FILE_H

#include "driver/word_list.h"

/* 0 or -errno; a file that cannot be read is no options file, and @file an ordinary word. */
int fathom_options_file_read(struct fathom_words *words, const char *path);

#endif
