/*
 * process: the commands that work for ours, and their temporary directory.
 */
#ifndef FATHOM_OPARI_PROCESS_H
#define FATHOM_OPARI_PROCESS_H

/*
 * Run the program at path and wait for its end. output: a file for all it says, NULL to let it
 * say it. Returns its exit code, 128 + the signal that ended it, or -errno if it could not be run.
 * A signal that is meant for ours is handed on; fathom_process_end has to follow then.
 */
int fathom_process_run(const char *path, char *const *words, const char *output);

/* If a signal has come that ends commands: end by it, after clean-up is done. */
void fathom_process_end(void);

/* A new directory, as a string to free; NULL with errno. */
char *fathom_process_folder(void);

/* Remove it with the files and directories in it. */
void fathom_process_remove(const char *folder);

#endif
