/*
 * standin: takes libfathom's place in the tests of wrappers, and remembers every event.
 *
 * Test programs link it and the wrappers, run under mpirun, and compare what was remembered with
 * what they know they did. Counts and sums are of this process, since the last reset.
 * STANDIN_GROUPS in the environment: the groups of calls that are on, as a number; all by default.
 * STANDIN_DUMP: print how often each region was entered, and all sums, at the end.
 */
#ifndef STANDIN_H
#define STANDIN_H

#include <stdbool.h>
#include <stdint.h>

enum standin_kind {
	STANDIN_ENTER,
	STANDIN_EXIT,
	STANDIN_SEND,
	STANDIN_RECEIVE,
	STANDIN_SEND_BEGIN,
	STANDIN_SEND_COMPLETE,
	STANDIN_RECEIVE_BEGIN,
	STANDIN_RECEIVE_COMPLETE,
	STANDIN_CANCELLED,
	STANDIN_COLLECTIVE,
	STANDIN_COLLECTIVE_BEGIN,
	STANDIN_COLLECTIVE_COMPLETE,
	STANDIN_RMA,
	STANDIN_IO,
	STANDIN_JOIN,
	STANDIN_UNIFY,
	STANDIN_SAVE,
	STANDIN_KINDS
};

/* The last event of a kind. */
struct standin_event {
	const char *region;	/* entered; for other kinds: in which it happened */
	uint32_t comm;
	int32_t size;
	int32_t peer;		/* or root */
	int32_t tag;		/* or operation */
	uint64_t bytes;		/* sent, put, read */
	uint64_t bytes_in;	/* received, got, written */
	uint64_t request;
};

void standin_reset(void);
uint64_t standin_count(enum standin_kind kind);
const struct standin_event *standin_last(enum standin_kind kind);

/* Sums over all events of this process. */
uint64_t standin_sent(void);
uint64_t standin_received(void);
uint64_t standin_collective_sent(void);
uint64_t standin_collective_received(void);

/* How often a region was entered. */
uint64_t standin_visits(const char *region);

/* Requests that were begun and neither completed nor cancelled. */
uint64_t standin_open_requests(void);

/* Events that broke a rule: an exit without its enter, a request begun or completed twice. */
uint64_t standin_faults(void);

/* How deep the calling thread is in regions. */
int standin_depth(void);
void standin_reset_depth(void);

/* Whether fathom_event_recording says yes. */
void standin_record(bool on);

#define CHECK(condition) \
	do { \
		if (!(condition)) \
			standin_fail(__FILE__, __LINE__, #condition, 0, 0); \
	} while (0)
#define CHECK_EQUAL(a, b) \
	do { \
		uint64_t a_ = (uint64_t)(a), b_ = (uint64_t)(b); \
		if (a_ != b_) \
			standin_fail(__FILE__, __LINE__, #a " == " #b, a_, b_); \
	} while (0)
void standin_fail(const char *file, int line, const char *what, uint64_t a, uint64_t b);

/* The verdict: prints it (rank 0 "ok NAME", any rank with failures them) and is the exit code. */
int standin_verdict(const char *name, int rank);

#endif
