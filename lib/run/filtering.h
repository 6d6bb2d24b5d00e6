/*
 * filtering: the filter of FATHOM_FILTER, applied to regions.
 *
 * Regions that the wrappers name are judged when they are made; what is excluded is switched off from the start. Of
 * functions the name is known late: who knows them (wrappers/compiler) asks about each before it is a region, and
 * makes none where it is excluded. Rules for ranks are applied when the rank is known, in MPI_Init.
 */
#ifndef FATHOM_RUN_FILTERING_H
#define FATHOM_RUN_FILTERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_filter_subject;
struct fathom_region;

/* Read the filter. 0, or -errno and one line in error. Context: start. */
int fathom_filtering_init(const char *path, char *error, size_t error_bytes);

/* The process is rank of its world. Context: start. */
void fathom_filtering_join(int32_t rank);

/* Whether any region was met and left out; which, see omitted.h. Context: finish, signal. */
bool fathom_filtering_has_left_out(void);

/* Whether there are rules for functions, and for the files they are in. Context: start. */
FATHOM_API bool fathom_event_filters(void);
FATHOM_API bool fathom_event_filters_files(void);

/* Whether a region is to be left out, as far as it is known now; subject's rank is filled in. Context: birth. */
FATHOM_API bool fathom_event_excludes(struct fathom_filter_subject *subject);

/* A region was met and left out. Context: birth. Takes a lock that holds nothing. */
FATHOM_API void fathom_event_left_out(const struct fathom_region *region);

/*
 * What the calling thread does between these two is the measurement's own: it records nothing, even where functions of
 * the program are called (its malloc), and the hooks meet no function. fathom_event_hide returns what fathom_event_show
 * wants. Signals must be blocked between the two: a handler's events would be lost, and a jump out of it would leave
 * the thread hidden. Context: birth.
 */
FATHOM_API void *fathom_event_hide(void);
FATHOM_API void fathom_event_show(void *before);

/* The calling thread is between the two, or records nothing for another reason. Context: birth. */
FATHOM_API bool fathom_event_is_hidden(void);

/* If nothing was recorded so far, the run begins now: what was done before is the measurement's own. Context: start. */
FATHOM_API void fathom_event_begin_now(void);

/* Call back, once, when the rank is known, should there be rules that ask for it. There can be one. Context: start. */
FATHOM_API void fathom_event_follow_rank(void (*follower)(void));

#endif
