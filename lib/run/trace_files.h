/*
 * trace_files: files that are made from the trace when the program has ended and the trace is complete: its index and
 * its compressed form.
 *
 * `fathom trace`, a program of its own, makes them. Its memory and its faults are therefore not those of the measured
 * program, and whatever happens to it, the trace is there.
 */
#ifndef FATHOM_RUN_TRACE_FILES_H
#define FATHOM_RUN_TRACE_FILES_H

/* Makes the files that FATHOM_TRACE_INDEX and FATHOM_TRACE_COMPRESS ask for, waits until they are complete, and reports
 * the time that this took. err: 0 or -errno of the profile, or of the trace if no profile is written. Does
 * nothing if there is no complete trace. One process of a parallel program calls it. Context: finish. */
void fathom_trace_files_make(int err);

#endif
