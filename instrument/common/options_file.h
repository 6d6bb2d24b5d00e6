/*
 * options_file: reads the words of an options file (@file), by the same rules as compilers.
 */
#ifndef FATHOM_INSTRUMENT_OPTIONS_FILE_H
#define FATHOM_INSTRUMENT_OPTIONS_FILE_H

#include "common/word_list.h"

/* Adds the words of the file at path. 0 or -errno: the file cannot be read; then @file is an ordinary word. */
int fathom_options_file_read(struct fathom_words *words, const char *path);

#endif
