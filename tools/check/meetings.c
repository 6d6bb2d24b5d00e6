#include "tools/check/meetings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/check/check.h"
#include "tools/check/fault_reports.h"
#include "tools/common/command.h"

/* The limit of meetings that are open at a time. With more of them a member has stopped taking part, and the meetings
 * would need unlimited memory. */
enum { OPEN_MOST = 1 << 20 };

struct fathom_check_meetings *fathom_check_meetings_create(uint32_t size)
{
	struct fathom_check_meetings *meetings = fathom_tool_alloc(1, sizeof(*meetings));

	meetings->size = size;
	meetings->next = fathom_tool_alloc(size, sizeof(*meetings->next));
	meetings->room = 8;
	meetings->open = fathom_tool_alloc(meetings->room, sizeof(*meetings->open));
	return meetings;
}

void fathom_check_meetings_destroy(struct fathom_check_meetings *meetings)
{
	if (!meetings)
		return;
	free(meetings->next);
	free(meetings->open);
	free(meetings);
}

const char *fathom_check_collective_name(uint32_t op)
{
	static const char *const names[] = {
		"Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv", "Alltoall",
		"Alltoallv", "Alltoallw", "Allreduce", "Reduce", "Reduce_scatter", "Scan", "Exscan",
		"Reduce_scatter_block", "creation of a handle", "destruction of a handle", "allocation", "deallocation",
		"creation with allocation", "destruction with deallocation",
	};

	return op < sizeof(names) / sizeof(names[0]) ? names[op] : "unknown operation";
}

static void widen(struct fathom_check_meetings *meetings)
{
	size_t room = 2 * meetings->room;
	struct fathom_check_meeting *open = fathom_tool_alloc(room, sizeof(*open));
	uint64_t n;

	for (n = meetings->first; n < meetings->end; n++)
		open[n & (room - 1)] = meetings->open[n & (meetings->room - 1)];
	free(meetings->open);
	meetings->open = open;
	meetings->room = room;
}

/* Compares the operation of a member with that of the first member, and reports a fault if they differ. */
static void compare(struct fathom_check *check, struct fathom_check_meeting *meeting,
		    const struct fathom_check_part *part, enum fathom_fault kind, const char *name)
{
	bool names_root = part->root < OTF2_COLLECTIVE_ROOT_THIS_GROUP;
	char first[32] = "no root", own[32] = "no root";

	if (meeting->came == 0) {
		meeting->op = part->op;
		meeting->level = part->level;
		meeting->first_location = part->location;
		meeting->first_time = part->time;
	}
	meeting->roots += part->root == OTF2_COLLECTIVE_ROOT_SELF;
	meeting->others += part->root == OTF2_COLLECTIVE_ROOT_THIS_GROUP;
	/* On an inter-communicator only one side names a root. */
	if (meeting->came == 0 || (part->is_inter && !meeting->named && names_root)) {
		meeting->root = part->root;
		meeting->named = names_root;
	}
	if (meeting->differ)
		return;
	if (meeting->op != part->op || meeting->level != part->level) {
		meeting->differ = true;
		fathom_check_fault_at(check, kind, part->location, part->time, "%s on %s, where others have %s%s",
				      fathom_check_collective_name(part->op), name,
				      fathom_check_collective_name(meeting->op),
				      meeting->op == part->op ? " at another level" : "");
	} else if (meeting->root != part->root && (!part->is_inter || names_root)) {
		meeting->differ = true;
		if (meeting->root < OTF2_COLLECTIVE_ROOT_THIS_GROUP)
			snprintf(first, sizeof(first), "root %u", meeting->root);
		if (names_root)
			snprintf(own, sizeof(own), "root %u", part->root);
		fathom_check_fault_at(check, kind, part->location, part->time, "%s on %s with %s, where others have %s",
				      fathom_check_collective_name(part->op), name, own, first);
	}
}

/* Checks a meeting that all members have reached: on an inter-communicator a rooted operation has one root, and the
 * other side names it. */
static void conclude(struct fathom_check *check, const struct fathom_check_meeting *meeting,
		     const struct fathom_check_part *part, enum fathom_fault kind, const char *name)
{
	if (meeting->differ || !part->is_inter || (!meeting->roots && !meeting->others && !meeting->named))
		return;
	if (meeting->roots != 1)
		fathom_check_fault_at(check, kind, meeting->first_location, meeting->first_time,
				      "%s on %s, where %u processes say that they are the root",
				      fathom_check_collective_name(meeting->op), name, meeting->roots);
	else if (!meeting->named)
		fathom_check_fault_at(check, kind, meeting->first_location, meeting->first_time,
				      "%s on %s, where nobody of the other side names the root",
				      fathom_check_collective_name(meeting->op), name);
}

void fathom_check_meet(struct fathom_check *check, struct fathom_check_meetings *meetings,
		       const struct fathom_check_part *part, enum fathom_fault kind, const char *name)
{
	struct fathom_check_meeting *meeting;
	uint64_t number;

	if (meetings->given_up)
		return;
	number = meetings->next[part->member]++;
	if (number == meetings->end) {
		if (meetings->end - meetings->first == OPEN_MOST) {
			meetings->given_up = true;
			return;
		}
		if (meetings->end - meetings->first == meetings->room)
			widen(meetings);
		meetings->open[meetings->end++ & (meetings->room - 1)] = (struct fathom_check_meeting){ 0 };
	}
	meeting = &meetings->open[number & (meetings->room - 1)];
	compare(check, meeting, part, kind, name);
	if (++meeting->came < meetings->size)
		return;
	conclude(check, meeting, part, kind, name);
	/* Members reach their meetings in order, so the complete meeting is the first open one. */
	meetings->first++;
}

void fathom_check_meetings_finish(struct fathom_check *check, struct fathom_check_meetings *meetings,
				  const struct fathom_otf2_comm *comm, enum fathom_fault kind, const char *name)
{
	const struct fathom_check_meeting *meeting;
	char member[300] = "somebody";
	uint32_t m, missing = 0, first = UINT32_MAX, process;

	if (meetings->first == meetings->end)
		return;
	for (m = 0; m < meetings->size; m++)
		if (meetings->next[m] == meetings->first) {
			first = missing ? first : m;
			missing++;
		}
	process = first == UINT32_MAX ? UINT32_MAX : fathom_otf2_comm_member(&check->trace.defs, comm, first);
	if (process != UINT32_MAX) {
		const struct fathom_otf2_process *its = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_PROCESS,
								       process);

		fathom_otf2_name(&check->trace.defs, FATHOM_OTF2_PROCESS, its->id, member, sizeof(member));
	}
	meeting = &meetings->open[meetings->first & (meetings->room - 1)];
	fathom_check_fault_at(check, kind, meeting->first_location, meeting->first_time,
			      "%s on %s (number %" PRIu64 " there): %u of %u members took part, %s did not; %" PRIu64
			      " more after it", fathom_check_collective_name(meeting->op), name, meetings->first + 1,
			      meeting->came, meetings->size, member, meetings->end - meetings->first - 1);
}
