/*
 * text_file: a small file of /proc or /sys.
 */
#ifndef FATHOM_SYSTEM_TEXT_FILE_H
#define FATHOM_SYSTEM_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the begin of the file into text, which ends with a NUL. Returns false if there is no such file, or nothing in
 * it. Context: finish, signal. */
bool fathom_text_file_read(const char *path, char *text, size_t bytes);

#endif
