/*
 * child_process: the commands that work for ours, and their temporary directory.
 */
#ifndef FATHOM_OPARI_CHILD_PROCESS_H
#define FATHOM_OPARI_CHILD_PROCESS_H

/*
 * Run the program at path and wait for its end. output: a file for all it says, NULL to let it
 * say it. Returns its exit code, 128 + the signal that ended it, or -errno if it could not be run.
 * A signal that is meant for ours is handed on; fathom_process_end has to follow then.
 */
int fathom_process_run(const char *path, char *const *words, const char *output);

/* Whether a signal has come that ends commands: no more commands are run then. */
int fathom_process_is_over(void);

/* If a signal has come that ends commands: clean up, and end by it. */
void fathom_process_end(void);

/* A new directory, the only one; NULL with errno. It goes with the command unless it is removed before. */
const char *fathom_process_folder(void);

/* Remove it with the files and directories in it. */
void fathom_process_remove(void);

#endif
