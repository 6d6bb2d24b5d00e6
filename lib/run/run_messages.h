/*
 * run_messages: the messages of a run about its results.
 */
#ifndef FATHOM_RUN_RUN_MESSAGES_H
#define FATHOM_RUN_RUN_MESSAGES_H

/* Returns what this run writes, in words: "profile", "trace", or "profile and trace". Context: signal. */
const char *fathom_run_products(void);

/* Reports that a product ("profile", "trace") could not be written to path. err: -errno. rank: the rank that had the
 * error, if it is another one than the rank that reports; otherwise 0. Context: finish, signal. */
void fathom_run_say_lost(const char *product, const char *path, int err, int rank);

/*
 * Reports whether the result was written. err: 0 or -errno of the profile at path, or of the trace if no profile is
 * written. begin: text at the begin of the line. up_to_there: text after the names of the products. Context: finish,
 * signal.
 */
void fathom_run_say_result(int err, const char *path, const char *begin, const char *up_to_there);

/* Reports that a fault inside fathom ended the saving: the program has overwritten memory of the measurement, or fathom
 * has a bug. why: why the process ends. Context: finish, signal. */
void fathom_run_say_fault(const char *why);

/* With FATHOM_VERBOSE, tells how many samples this process has taken. Context: finish, signal. */
void fathom_run_say_samples(void);

#endif
