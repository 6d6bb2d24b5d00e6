/*
 * make_trace: what its two files share. See make_trace.c.
 */
#ifndef FATHOM_TEST_TOOLS_MAKE_TRACE_H
#define FATHOM_TEST_TOOLS_MAKE_TRACE_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

enum { BEGIN = 1000, LENGTH = 30000, TICKS_PER_SECOND = 1000000 };

/* Locations by their position; ids as a rank with a thread number above. */
enum { R0, R1, OMP1, THREAD, CONTEXTS, HOST, IDLE, LOCATIONS };
extern const uint64_t location_ids[LOCATIONS];

/* Regions; names in define_regions. */
enum { PROGRAM, MAIN, INIT, FINALIZE, SEND, RECV, ISEND, WAIT, BARRIER, BCAST, IBCAST, DUP, WIN, PARALLEL, IMPLICIT, TASK,
	CREATE_TASK, CRITICAL, SPAWN, JOIN, READ, FLUSH, OFF, REGIONS };

/* Communicators. */
enum { WORLD, SELF, COPY, INTER, TEAM, CONTINGENT, COMMS };

extern OTF2_Archive *archive;
extern uint64_t counts[LOCATIONS];	/* events */
extern uint64_t trace_length;		/* in ticks */

_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether this is the thing to do wrong. */
bool bad(const char *name);
void must(OTF2_ErrorCode code, const char *what);

/* All global definitions; those of the locations. When the events are written. */
void write_definitions(void);
void write_locals(void);

#endif
