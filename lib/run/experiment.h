/*
 * experiment: makes the experiment directory of a run and writes small text files into it.
 *
 * A crashing process may have to make the directory, so functions with Context: signal use only system calls and
 * allocate no memory.
 */
#ifndef FATHOM_RUN_EXPERIMENT_H
#define FATHOM_RUN_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_settings;

/* Notes the absolute path of the directory that the settings name, because the program may change its working directory
 * later. Context: start. */
void fathom_experiment_init(const struct fathom_settings *settings);

/* Room for the path of an experiment directory, in bytes with the final zero. */
enum { FATHOM_EXPERIMENT_BYTES = 1024 };

/*
 * Checks whether an experiment directory can be made, as far as that can be known before main. Returns 0, or -errno and
 * a text of one line in error: FATHOM_DIR is no directory, or its path is too long, or no directory can be made in
 * FATHOM_DIR, in TMPDIR or in /tmp. A FATHOM_DIR that does not exist is no error as long as TMPDIR or /tmp can be used,
 * because the program may still make it. To be called after fathom_experiment_init. Context: start.
 */
int fathom_experiment_check(const struct fathom_settings *settings, char *error, size_t bytes);

/* Returns whether this process is the one that prints messages which otherwise all processes that mpirun started
 * together would print: rank 0, or a process that was started alone. Context: start. */
bool fathom_experiment_is_first_rank(void);

/* Returns the rank that mpirun gave to this process; 0: the process was started alone. Context: start. */
uint32_t fathom_experiment_rank(void);

/* Returns the part of path to show to the user: relative to the working directory if path is below it, otherwise the
 * whole path. Context: signal. */
const char *fathom_experiment_shown(const char *path);

/*
 * Makes a new experiment directory for program, whose run began at seconds since 1970, and writes its path to path. The
 * directory is made in the directory that the settings name or, with a message, in TMPDIR or /tmp. An existing
 * directory is never used. Returns 0; or, if all of these failed, -errno after a message. local_time: 1 for a name in
 * local time, which takes locks; 0 for UTC. Context: start, finish; signal if local_time is 0.
 */
int fathom_experiment_create(char *path, size_t bytes, const struct fathom_settings *settings, const char *program,
			     int64_t seconds, int local_time);

/*
 * Makes, or finds, the experiment directory that processes share which mpirun started together but which never met in
 * MPI_Init (because of sessions, or because MPI is not measured). Its name is derived from the parent process, which
 * they have in common. Sets rank and size from the variables of mpirun. Returns 0; -ENOENT: this process was started
 * alone; or an error as fathom_experiment_create. Context: signal.
 */
int fathom_experiment_share(char *path, size_t bytes, const struct fathom_settings *settings, const char *program,
			    int32_t *rank, int32_t *size);

/* Notes the time, in seconds since 1970, for the name that fathom_experiment_begin gives the directory.
 * Context: start. */
void fathom_experiment_note_time(int64_t seconds);

/*
 * Makes an experiment directory at the program's first event, with the time that was noted in its name. Unlike
 * fathom_experiment_create it tries only the directory that the settings name, and prints no message. Returns 0 or
 * -errno. Context: birth.
 */
int fathom_experiment_begin(char *path, size_t bytes, const struct fathom_settings *settings, const char *program);

/* Returns whether mpirun started other processes together with this one. Context: birth. */
bool fathom_experiment_is_shared(void);

/* Writes length bytes of text to a new file dir/name. Returns 0 or -errno; -EEXIST: the file exists, for example
 * because another rank wrote it. Context: signal. */
int fathom_experiment_write(const char *dir, const char *name, const char *text, size_t length);

/* Writes a date like 2026-11-20T14:32:07+01:00 to text; in UTC, with Z at the end, if local_time is 0. seconds: since
 * 1970. Context: start, finish; signal if local_time is 0. */
void fathom_experiment_date(char *text, size_t bytes, int64_t seconds, int local_time);

#endif
