/*
 * faults: the faults of a trace, in the order in which they are found.
 *
 * The first ones are printed at once, the others are counted. A trace may declare that events of a kind are incomplete:
 * findings that this explains are no faults, but are counted, too. Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_FAULTS_H
#define FATHOM_OTF2_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

enum fathom_fault {
	FATHOM_FAULT_LIBRARY,
	FATHOM_FAULT_ANCHOR,
	FATHOM_FAULT_FILES,
	FATHOM_FAULT_IDS,
	FATHOM_FAULT_REFERENCE,
	FATHOM_FAULT_CLOCK,
	FATHOM_FAULT_PARADIGM,
	FATHOM_FAULT_TREE,
	FATHOM_FAULT_REGION,
	FATHOM_FAULT_GROUP,
	FATHOM_FAULT_COMM,
	FATHOM_FAULT_METRIC,
	FATHOM_FAULT_TOPOLOGY,
	FATHOM_FAULT_HANDLE,
	FATHOM_FAULT_MAPPING,
	FATHOM_FAULT_OFFSET,
	FATHOM_FAULT_TIME,
	FATHOM_FAULT_SPAN,
	FATHOM_FAULT_COUNT,
	FATHOM_FAULT_UNDEFINED,
	FATHOM_FAULT_BALANCE,
	FATHOM_FAULT_OPEN,
	FATHOM_FAULT_PROGRAM,
	FATHOM_FAULT_OFF,
	FATHOM_FAULT_FLUSH,
	FATHOM_FAULT_VALUES,
	FATHOM_FAULT_PARAMETER,
	FATHOM_FAULT_ATTRIBUTE,
	FATHOM_FAULT_RECORD,
	FATHOM_FAULT_RANK,
	FATHOM_FAULT_UNRECEIVED,
	FATHOM_FAULT_UNSENT,
	FATHOM_FAULT_LENGTH,
	FATHOM_FAULT_EARLY,
	FATHOM_FAULT_REQUEST,
	FATHOM_FAULT_BRACKET,
	FATHOM_FAULT_MEMBERS,
	FATHOM_FAULT_DIFFERENT,
	FATHOM_FAULT_COMM_LIFE,
	FATHOM_FAULT_FORK,
	FATHOM_FAULT_TEAM,
	FATHOM_FAULT_TASK,
	FATHOM_FAULT_THREAD,
	FATHOM_FAULT_LOCK,
	FATHOM_FAULT_WINDOW,
	FATHOM_FAULT_WINDOW_MEMBERS,
	FATHOM_FAULT_WINDOW_LOCK,
	FATHOM_FAULT_ONE_SIDED,
	FATHOM_FAULT_IO_HANDLE,
	FATHOM_FAULT_IO_OPERATION,
	FATHOM_FAULT_KINDS
};

enum fathom_fault_excuse {	/* properties by which a trace declares that events are incomplete; bits */
	FATHOM_EXCUSE_MPI = 1,
	FATHOM_EXCUSE_FORK_JOIN = 2,
	FATHOM_EXCUSE_CREATE_WAIT = 4,
	FATHOM_EXCUSE_LOCK = 8
};

/* The place of a fault; unknown members are zero. */
struct fathom_fault_place {
	const char *where;		/* "rank 3, Master thread"; NULL: in no location */
	uint64_t event;			/* number of the event in its location, from 1 */
	uint64_t time;			/* in ticks of the trace */
	double seconds;			/* the same time, since the trace's beginning */
	bool timed;			/* time and seconds are known */
};

/* The faults of a trace, counted. All zero is ready for use. */
struct fathom_faults {
	/* Shows a fault; the text is one line without control characters. place may be NULL. If show is NULL, faults
	 * are only counted. */
	void (*show)(struct fathom_faults *faults, enum fathom_fault kind, const struct fathom_fault_place *place,
		     const char *text);
	unsigned excuses;		/* bits of enum fathom_fault_excuse; the user of the reader sets them */
	uint64_t counts[FATHOM_FAULT_KINDS];
	uint64_t count;			/* of all kinds */
	uint64_t excused;		/* faults that are explained by the trace's own properties; not in count */
};

/* Returns a short name for a kind, which is also used in JSON: "unbalanced leave". */
const char *fathom_fault_name(enum fathom_fault kind);

/* Replaces characters that would disturb a terminal. Names come from the file and may contain any bytes. */
void fathom_fault_tame(char *text);

/* Counts a fault and shows it. If faults is NULL, does nothing; place may be NULL. */
void fathom_fault_say(struct fathom_faults *faults, enum fathom_fault kind, const struct fathom_fault_place *place,
		      const char *format, ...) FATHOM_PRINTF(4, 5);

#endif
