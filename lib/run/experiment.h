/*
 * experiment: the directory a run leaves behind, and the small texts in it.
 *
 * System calls only, no allocation: a crashing process may have to make it.
 */
#ifndef FATHOM_RUN_EXPERIMENT_H
#define FATHOM_RUN_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_settings;

/* Where the directory of the settings is, should the program go elsewhere. Context: start. */
void fathom_experiment_init(const struct fathom_settings *settings);

/* Bytes of the path of an experiment directory, with the final zero. */
enum { FATHOM_EXPERIMENT_BYTES = 1024 };

/*
 * Whether a directory will be found for the result, as far as that can be known before main. 0; or -errno with one
 * line in error: FATHOM_DIR is no directory or its path is too long, or no directory can be made there, in TMPDIR or in
 * /tmp. A FATHOM_DIR that does not exist is no error as long as another place takes the result: the program may still
 * make it.
 * After fathom_experiment_init. Context: start.
 */
int fathom_experiment_check(const struct fathom_settings *settings, char *error, size_t bytes);

/* Whether this process, of those that were started together, says what all of them would. Context: start. */
bool fathom_experiment_is_first_rank(void);

/* The path as people write it from where the process is now: relative, if it is below. Context: signal. */
const char *fathom_experiment_shown(const char *path);

/*
 * Make a new directory for the results of program, begun at seconds since 1970, in the directory
 * the settings name; if nothing can be made there, in TMPDIR or /tmp, which is said. Its path goes
 * to path. An existing directory is never used. 0 or -errno (everything failed; said).
 * local_time: use the time zone (takes locks); else UTC. Context: signal where local_time is 0.
 */
int fathom_experiment_create(char *path, size_t bytes, const struct fathom_settings *settings, const char *program,
			     int64_t seconds, int local_time);

/*
 * Processes that were started together by mpirun but never met in MPI_Init (sessions, MPI not measured)
 * share a directory all the same: its name comes from what they have in common, the process that
 * started them. Fills rank and size from what mpirun says. 0; -ENOENT: this process was started alone;
 * or as fathom_experiment_create. Context: signal.
 */
int fathom_experiment_share(char *path, size_t bytes, const struct fathom_settings *settings, const char *program,
			    int32_t *rank, int32_t *size);

/*
 * The same as fathom_experiment_create, at the program's first event: only where the settings name it, and nothing is
 * said if that cannot be. The time of the name is what was noted before, at the start. Context: start; birth.
 */
void fathom_experiment_note_time(int64_t seconds);
int fathom_experiment_begin(char *path, size_t bytes, const struct fathom_settings *settings, const char *program);

/* Whether others were started together with this process, by mpirun. Context: birth. */
bool fathom_experiment_is_shared(void);

/* Write text to DIR/name, which must not exist. 0 or -errno (-EEXIST: somebody else did). Context: signal. */
int fathom_experiment_write(const char *dir, const char *name, const char *text, size_t length);

/* 2026-11-20T14:32:07+01:00, or with Z where local_time is 0. */
void fathom_experiment_date(char *text, size_t bytes, int64_t seconds, int local_time);

#endif
