/*
 * collective_matching: brings the shares of all members of a collective operation together, and finds who waited.
 *
 * The n-th operation of each member on a communicator is the same one. The times of the members go up the binomial
 * tree of their positions; what they have in common comes down again, so no process handles more than log2(members)
 * messages.
 */
#ifndef FATHOM_WAITS_COLLECTIVE_MATCHING_H
#define FATHOM_WAITS_COLLECTIVE_MATCHING_H

#include "waits/matching/posting_order.h"

struct fathom_waits_collectives;

/* Creates the state of matching; channels belongs to the caller. NULL: no memory. Context: finish. */
struct fathom_waits_collectives *fathom_waits_collectives_create(struct fathom_waits_state *state,
								 struct fathom_waits_channels *channels);

/* Counts the operations in which not all members took part, and frees the state. Context: finish. */
void fathom_waits_collectives_destroy(struct fathom_waits_collectives *collectives);

/* Takes a part that completes a collective operation; other parts are ignored. 0 or -errno. Context: finish. */
int fathom_waits_collectives_visit(struct fathom_waits_collectives *collectives,
				   struct fathom_waits_location_state *location, uint32_t record,
				   const struct fathom_waits_part *part);

/* Take messages between hosts of the types FATHOM_WAITS_MAIL_UP and FATHOM_WAITS_MAIL_DOWN. 0 or -errno. Context:
 * finish. */
int fathom_waits_collectives_take_up(struct fathom_waits_collectives *collectives, const void *data, size_t bytes);
int fathom_waits_collectives_take_down(struct fathom_waits_collectives *collectives, const void *data, size_t bytes);

#endif
