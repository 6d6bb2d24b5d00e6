/*
 * filtering: applies the filter of FATHOM_FILTER to regions.
 *
 * A region whose name its wrapper knows is checked when it is defined; an excluded region is disabled from the start.
 * The names of functions are not known when these are defined as regions. wrappers/compiler therefore looks the names
 * up itself, asks fathom_event_excludes about each function, and defines no region for an excluded one. Rules for ranks
 * are applied in MPI_Init, when the rank is known.
 */
#ifndef FATHOM_RUN_FILTERING_H
#define FATHOM_RUN_FILTERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_filter_subject;
struct fathom_region;

/* Reads the filter file at path. Returns 0, or -errno and a text of one line in error. Context: start. */
int fathom_filtering_init(const char *path, char *error, size_t error_bytes);

/* Applies the rules for ranks: the process has this rank in MPI_COMM_WORLD. Context: start. */
void fathom_filtering_join(int32_t rank);

/* Returns whether the filter has excluded any region so far; omitted.h knows which ones. Context: finish, signal. */
bool fathom_filtering_has_left_out(void);

/* Returns whether there is a filter. Context: start, birth. */
FATHOM_API bool fathom_event_filters(void);

/* Returns whether the filter has rules for the source files of functions. Context: start, birth. */
FATHOM_API bool fathom_event_filters_files(void);

/* Returns whether the filter excludes subject, as far as the rank of the process is known. Sets the rank in subject.
 * Context: birth. */
FATHOM_API bool fathom_event_excludes(struct fathom_filter_subject *subject);

/* Counts a region that the filter excludes, for the report on the filter. Takes the lock of omitted.c, inside which no
 * other lock is taken. Context: birth. */
FATHOM_API void fathom_event_left_out(const struct fathom_region *region);

/*
 * Suspends the calling thread until fathom_event_show: it records nothing, even if fathom's work calls functions of the
 * program (its malloc), and the hooks define no region. Returns the value to pass to fathom_event_show. All signals
 * must be blocked in between: events of a handler would be lost, and a jump out of the handler would leave the thread
 * suspended. Context: birth.
 */
FATHOM_API void *fathom_event_hide(void);

/* Ends the suspension of the calling thread. before: what fathom_event_hide returned. Context: birth. */
FATHOM_API void fathom_event_show(void *before);

/* Returns whether the calling thread is suspended or records nothing for another reason. Context: birth. */
FATHOM_API bool fathom_event_is_suspended(void);

/* Sets the begin of the run to the present time, unless an event has been recorded already. The time before belongs to
 * fathom's own start. Context: start. */
FATHOM_API void fathom_event_begin_now(void);

/* Registers a function that is called once the rank is known, if the filter has rules for ranks. Only one function can
 * be registered. Context: start. */
FATHOM_API void fathom_event_follow_rank(void (*follower)(void));

#endif
