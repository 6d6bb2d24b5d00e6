/*
 * meetings: matches the collective operations of the members of a group: the n-th operation of one member is the n-th
 * operation of all members.
 *
 * Used for collective operations on communicators, and for windows.
 */
#ifndef FATHOM_TOOLS_CHECK_MEETINGS_H
#define FATHOM_TOOLS_CHECK_MEETINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otf2/faults.h"

struct fathom_check;
struct fathom_otf2_comm;

struct fathom_check_meeting {
	uint32_t op, level;
	uint32_t root;			/* the root that members name */
	uint32_t came;			/* members that have taken part */
	uint32_t first_location;
	uint64_t first_time;
	uint32_t roots, others;		/* members with ROOT_SELF and with ROOT_THIS_GROUP, on inter-communicators */
	bool named, differ;
};

struct fathom_check_meetings {
	uint32_t size;			/* members */
	uint64_t *next;			/* by member: number of its next meeting */
	struct fathom_check_meeting *open;	/* a ring: meeting n is at index n modulo room */
	uint64_t first, end;		/* numbers of open meetings: first to end - 1 */
	size_t room;			/* a power of two */
	bool given_up;			/* too many meetings are open: a member has stopped taking part */
};

struct fathom_check_part {		/* the part that a member takes in a meeting */
	uint32_t member, op, level, root;
	uint32_t location;
	uint64_t time;
	bool is_inter;
};

struct fathom_check_meetings *fathom_check_meetings_create(uint32_t size);
void fathom_check_meetings_destroy(struct fathom_check_meetings *meetings);

/* Adds a member to its next meeting. If the operation of the member differs from that of the members before it, reports
 * a fault of kind; name is the name of the communicator or window. */
void fathom_check_meet(struct fathom_check *check, struct fathom_check_meetings *meetings,
		       const struct fathom_check_part *part, enum fathom_fault kind, const char *name);

/* Reports the meetings in which members of comm are missing. */
void fathom_check_meetings_finish(struct fathom_check *check, struct fathom_check_meetings *meetings,
				  const struct fathom_otf2_comm *comm, enum fathom_fault kind, const char *name);

/* Returns the name of a collective operation, by OTF2's number. */
const char *fathom_check_collective_name(uint32_t op);

#endif
