/*
 * check: the state of `fathom check` while it reads a trace.
 *
 * Each part (general.h, messages.h, ...) checks its own kinds of events, in the order of time. It stores only
 * operations that are not complete: messages, requests, collective operations, tasks. At the end each part reports
 * operations that are still open.
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

/* The state of a location. */
struct fathom_check_location {
	uint64_t count;			/* events so far */
	uint64_t last;			/* time of the last event */
	bool began;
	bool off;			/* recording is disabled */
	bool left_while_off, old_tasks, plain_regions, contexts;
	bool said_time, said_span, said_mixed;	/* faults that are reported only once for each location */
	bool thread_ended;
	unsigned collectives, window_collectives;	/* collective operations that have begun */
};

/* Messages that were received before they were sent. */
struct fathom_check_violations {
	uint64_t count;
	double worst_ticks;
};

/* The whole state. */
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
	bool reuses_threads;			/* several threads may have used the same location, one after another */
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

enum fathom_check_request_kind { FATHOM_CHECK_SEND, FATHOM_CHECK_RECEIVE, FATHOM_CHECK_COLLECTIVE };

/* A request that is open. */
struct fathom_check_request {
	struct fathom_table_entry entry;	/* process, id */
	enum fathom_check_request_kind kind;
	void *post;				/* the pointer that the part gave when it made the request */
	uint32_t location;
	uint64_t time, event;
};

#endif
