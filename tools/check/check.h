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
#include "tools/check/messages.h"

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

struct fathom_check_request {
	struct fathom_table_entry entry;	/* process, id */
	enum fathom_check_asked asked;
	void *post;				/* what waits for it; of its part */
	uint32_t location;
	uint64_t time, event;
};

#endif
