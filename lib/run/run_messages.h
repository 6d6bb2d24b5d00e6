/*
 * run_messages: the lines that a run says about its results.
 */
#ifndef FATHOM_RUN_RUN_MESSAGES_H
#define FATHOM_RUN_RUN_MESSAGES_H

/* What this run writes, in words: "profile", "trace", or "profile and trace". Any context. */
const char *fathom_run_products(void);

/* Says that what ("profile", "trace") cannot be written to path. err: -errno. rank: which rank's error it was, where
 * that is another rank than the one that says so; else 0. Context: finish, signal. */
void fathom_run_say_lost(const char *what, const char *path, int err, int rank);

/*
 * Says how writing the result went. err: 0 or -errno, of the profile at path; where no profile is written, of the
 * trace. begin: words at the begin of the line; up_to_there: words behind what was written. Context: finish, signal.
 */
void fathom_run_say_result(int err, const char *path, const char *begin, const char *up_to_there);

/* Says that a fault inside fathom ended the saving: memory of the measurement was overwritten by the program, or fathom
 * has a mistake. why: why the process ends. Context: finish, signal. */
void fathom_run_say_fault(const char *why);

#endif
