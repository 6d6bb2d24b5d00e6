/*
 * child_process: runs other commands (the preprocessor, OPARI2, compilers), and has their temporary directory.
 */
#ifndef FATHOM_OPARI_CHILD_PROCESS_H
#define FATHOM_OPARI_CHILD_PROCESS_H

/*
 * Runs the program at path and waits for its end. output: a file for its stdout and stderr; NULL: these stay as they
 * are. Returns its exit code, 128 + the signal that ended it, or -errno if it cannot be run. A signal that this process
 * gets meanwhile is passed on; then the caller calls fathom_process_end.
 */
int fathom_process_run(const char *path, char *const *words, const char *output);

/* Returns whether this process got a signal that ends it. Then no more commands are run. */
int fathom_process_is_over(void);

/* If this process got a signal that ends it: removes the temporary directory and ends by the signal. */
void fathom_process_end(void);

/* Makes the temporary directory, of which there is only one, and returns its path; NULL with errno. It is removed when
 * the process ends, if not before. */
const char *fathom_process_folder(void);

/* Removes the temporary directory with all that is in it. */
void fathom_process_remove(void);

#endif
