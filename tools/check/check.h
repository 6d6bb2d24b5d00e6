/*
 * check: what `fathom check` knows while it reads a trace.
 *
 * Each part looks at its own kinds of events, in the order of time, and keeps only what is under
 * way: messages, requests, collectives, tasks, operations. At the end each says what is left.
 */
#ifndef FATHOM_TOOLS_CHECK_CHECK_H
#define FATHOM_TOOLS_CHECK_CHECK_H

#include "otf2/archive_reader.h"
#include "otf2/region_stacks.h"
#include "tools/check/fault_output.h"

struct fathom_check_options {
	const char *target;
	bool all, json;
	double clock_ns;	/* messages received earlier than this before they were sent are faults; -1: none */
};

struct fathom_check_location {
	uint64_t count;			/* events so far */
	uint64_t last;			/* time */
	bool began;
	bool off;			/* measurement is */
	bool left_while_off, old_tasks, plain_regions, contexts;
	bool said_time, said_span, said_mixed;	/* once each is enough */
	bool thread_ended;
	unsigned collectives, window_collectives;	/* open */
};

struct fathom_check_violations {	/* messages received before they were sent */
	uint64_t count;
	double worst_ticks;
};

struct fathom_check {
	struct fathom_check_options options;
	struct fathom_otf2_archive trace;
	struct fathom_fault_output output;
	struct fathom_check_location *locations;
	struct fathom_otf2_stacks stacks;
	struct fathom_table requests;		/* struct fathom_check_request, by process and id */
	uint64_t events, messages, collectives;
	uint64_t kinds[FATHOM_RECORD_COUNT];
	struct fathom_check_violations within_host, between_hosts;
	bool reuses_threads;			/* a location may be of several threads */
	struct fathom_check_general *general;
	struct fathom_check_messages *messages_part;
	struct fathom_check_collectives *collectives_part;
	struct fathom_check_teams *teams;
	struct fathom_check_locks *locks;
	struct fathom_check_windows *windows;
	struct fathom_check_files *files;
	char where[512];
	char names[2][300];			/* of regions */
	unsigned name;
};

enum fathom_check_asked { FATHOM_CHECK_SEND, FATHOM_CHECK_RECEIVE, FATHOM_CHECK_COLLECTIVE };

struct fathom_check_request {
	struct fathom_table_entry entry;	/* process, id */
	enum fathom_check_asked asked;
	void *post;				/* what waits for it; of its part */
	uint32_t location;
	uint64_t time, event;
};

/* A fault at the event that is being looked at. */
void fathom_check_say(struct fathom_check *check, enum fathom_fault kind, const struct fathom_otf2_event *event,
		      const char *format, ...) FATHOM_PRINTF(4, 5);

/* A fault at an earlier moment, or, with UINT64_MAX for the time, of a location as a whole. */
void fathom_check_say_at(struct fathom_check *check, enum fathom_fault kind, uint32_t location, uint64_t time,
			 const char *format, ...) FATHOM_PRINTF(5, 6);

/* Process of a location; UINT32_MAX: not defined. */
uint32_t fathom_check_process(const struct fathom_check *check, uint32_t location);

/* The record an event refers to, which dispatch has seen to be there. */
void *fathom_check_refers(const struct fathom_check *check, const struct fathom_otf2_event *event);

/* Name of a region by its id; valid until the next call but one. */
const char *fathom_check_region_name(struct fathom_check *check, uint64_t region);

/* --- requests: of messages and of collectives (messages.c) -------------------------------------- */

/* A request begins; post may be NULL. */
struct fathom_check_request *fathom_check_ask(struct fathom_check *check, const struct fathom_otf2_event *event,
					      enum fathom_check_asked asked, void *post);

/* The request that an event completes, removed; post is what was given. False: there is none of that kind, which was
 * said. */
bool fathom_check_answer(struct fathom_check *check, const struct fathom_otf2_event *event,
			 enum fathom_check_asked asked, void **post);

/* --- members that meet: collectives on communicators and windows (meetings.c) ---------------------- */

struct fathom_check_meeting {
	uint32_t op, level;
	uint32_t root;			/* of those who name one */
	uint32_t came;
	uint32_t first_location;
	uint64_t first_time;
	uint32_t roots, others;		/* ROOT_SELF, ROOT_THIS_GROUP: of inter-communicators */
	bool named, differ;
};

struct fathom_check_meetings {
	uint32_t size;			/* members */
	uint64_t *next;			/* by member: number of its next meeting */
	struct fathom_check_meeting *open;	/* a ring: number n stands at n modulo room */
	uint64_t first, end;		/* numbers of open meetings: first to end - 1 */
	size_t room;			/* a power of two */
	bool given_up;			/* too many open: somebody has stopped taking part */
};

struct fathom_check_part {		/* that somebody takes in a meeting */
	uint32_t member, op, level, root;
	uint32_t location;
	uint64_t time;
	bool is_inter;
};

struct fathom_check_meetings *fathom_check_meetings_create(uint32_t size);
void fathom_check_meetings_destroy(struct fathom_check_meetings *meetings);

/* Take part; what differs is a fault of that kind. */
void fathom_check_meet(struct fathom_check *check, struct fathom_check_meetings *meetings,
		       const struct fathom_check_part *part, enum fathom_fault kind, const char *name);

/* Say what never became complete; member_name tells who lacks. */
void fathom_check_meetings_finish(struct fathom_check *check, struct fathom_check_meetings *meetings,
				  const struct fathom_otf2_comm *comm, enum fathom_fault kind, const char *name);

/* Name of a collective operation. */
const char *fathom_check_collective_name(uint32_t op);

/* --- the parts: each has its own file PART.c ----------------------------------------------------- */

/* A fathom_otf2_take, which gets a struct fathom_check. */
bool fathom_check_event(void *taker, const struct fathom_otf2_event *event);
void fathom_check_events_finish(struct fathom_check *check);

void fathom_check_general_init(struct fathom_check *check);
void fathom_check_general_take(struct fathom_check *check, const struct fathom_otf2_event *event);
void fathom_check_general_finish(struct fathom_check *check);

void fathom_check_messages_init(struct fathom_check *check);
void fathom_check_messages_take(struct fathom_check *check, const struct fathom_otf2_event *event);
void fathom_check_messages_finish(struct fathom_check *check);

void fathom_check_collectives_init(struct fathom_check *check);
void fathom_check_collectives_take(struct fathom_check *check, const struct fathom_otf2_event *event);
void fathom_check_collectives_finish(struct fathom_check *check);

/* A request of a collective was cancelled: it never takes place. */
void fathom_check_collective_cancelled(void *post);

/* A process uses a communicator: it must be created, and not destroyed yet. */
void fathom_check_comm_used(struct fathom_check *check, const struct fathom_otf2_event *event,
			    const struct fathom_otf2_comm *comm);

void fathom_check_teams_init(struct fathom_check *check);
void fathom_check_teams_take(struct fathom_check *check, const struct fathom_otf2_event *event);
void fathom_check_teams_finish(struct fathom_check *check);

void fathom_check_locks_init(struct fathom_check *check);
void fathom_check_locks_take(struct fathom_check *check, const struct fathom_otf2_event *event);
void fathom_check_locks_finish(struct fathom_check *check);

void fathom_check_windows_init(struct fathom_check *check);
void fathom_check_windows_take(struct fathom_check *check, const struct fathom_otf2_event *event);
void fathom_check_windows_finish(struct fathom_check *check);

void fathom_check_files_init(struct fathom_check *check);
void fathom_check_files_take(struct fathom_check *check, const struct fathom_otf2_event *event);
void fathom_check_files_finish(struct fathom_check *check);

#endif
