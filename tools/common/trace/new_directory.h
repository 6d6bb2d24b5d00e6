/*
 * new_directory: the directory of a trace that is being written. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_TRACE_NEW_DIRECTORY_H
#define FATHOM_TOOLS_COMMON_TRACE_NEW_DIRECTORY_H

/* Makes the directory, which must not exist. 0, or -errno after an error message. */
int fathom_new_directory_make(const char *path);

/* Removes it with everything in it. */
void fathom_new_directory_remove(const char *path);

#endif
