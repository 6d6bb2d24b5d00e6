/*
 * open_state: what is open at a moment of a trace: regions, forks, teams, tasks, threads, locks, communicators,
 * windows, handles, requests.
 *
 * The state follows the events in the order of time. When a copy begins, the state writes an event for all that is open
 * then; when it ends, an event that closes each of them. Events are copied without their attributes. Context of all
 * functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACE_OPEN_STATE_H
#define FATHOM_TOOLS_TRACE_OPEN_STATE_H

#include "otf2/selection.h"
#include "tools/trace/copy_plan.h"

struct fathom_open_state;

/* The function that gets the written events. */
typedef void fathom_open_write(void *data, const struct fathom_otf2_event *event);

/* Makes an empty state. Both arguments must live as long as the state. */
struct fathom_open_state *fathom_open_state_create(struct fathom_otf2_selection *selection,
						   const struct fathom_copy_plan *plan);
void fathom_open_state_destroy(struct fathom_open_state *state);

/*
 * Takes the event with that number in its location, before or inside the window. Returns whether the copy has the
 * event; false: it belongs to an operation that is left out.
 */
bool fathom_open_state_take(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number);

/* Changes the number of an acquisition of a lock: those of each lock count from 1 in the window, too. */
void fathom_open_state_renumber(const struct fathom_open_state *state, struct fathom_otf2_event *event);

/* Writes what is open now as events of that time, and leaves out the operations that have begun. To be called when the
 * window begins. */
void fathom_open_state_begin(struct fathom_open_state *state, uint64_t time, fathom_open_write *write, void *data);

/* Closes what is open with events of that time. To be called when the window ends. */
void fathom_open_state_end(struct fathom_open_state *state, uint64_t time, fathom_open_write *write, void *data);

#endif
