/*
 * run_snapshot: a copy of the measurement's memory in a file, for the case that the process ends without a chance to
 * write its result: SIGKILL, the batch system's limit, a node that loses power.
 *
 * A helper thread (platform/helper.h) copies the memory each second, while the program goes on and without changing
 * anything in it; so the hot path does nothing for it. The file has room for two copies, which are written in turn: one
 * of them is always whole. It is removed once the result has been written. lib/restore makes a profile of it, which
 * `fathom merge` asks for.
 *
 * Against a live mapping of the file, which needs no copying: a mapping costs the program a page fault per page after
 * each write-back, ends it with SIGBUS where the disk is full, and still lacks the time of death, which only a thread
 * that is awake can note.
 *
 * File: a header, and two slots. Slot: pieces. Piece: a header and so many bytes, the first piece is a struct
 * fathom_run_snapshot_roots, the last one has no bytes. Addresses are those that the process had.
 */
#ifndef FATHOM_RUN_RUN_SNAPSHOT_H
#define FATHOM_RUN_RUN_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/arena.h"

#define FATHOM_RUN_SNAPSHOT_MAGIC "fathom snapshot"
#define FATHOM_RUN_SNAPSHOT_SERIAL "profile.snapshot"		/* the file's name, without MPI; */
#define FATHOM_RUN_SNAPSHOT_RANK "rank-%d.snapshot"		/* of a rank */

enum {
	FATHOM_RUN_SNAPSHOT_VERSION = 2,
	FATHOM_RUN_SNAPSHOT_HEADER_BYTES = 4096,
	FATHOM_RUN_SNAPSHOT_PIECE_BYTES = 64 << 10,
	FATHOM_RUN_SNAPSHOT_SLOTS = 2,
};

struct fathom_run_snapshot_slot {
	uint64_t number;	/* of the copy, from 1; 0: there is none in this slot. The higher is the newer */
	uint64_t offset, bytes;
	uint64_t sum;		/* of the three before, as fathom_run_snapshot_sum has it */
};

struct fathom_run_snapshot_header {
	char magic[16];
	uint64_t version;
	uint64_t layout;	/* fathom_run_snapshot_layout() of the library that wrote it */
	struct fathom_run_snapshot_slot slots[FATHOM_RUN_SNAPSHOT_SLOTS];
};

enum fathom_run_snapshot_kind {
	FATHOM_RUN_SNAPSHOT_ROOTS = 0x31544f4f52,	/* what is found from nowhere else */
	FATHOM_RUN_SNAPSHOT_MEMORY = 0x314d454d,
	FATHOM_RUN_SNAPSHOT_END = 0x31444e45,		/* address: pieces in the slot, this included */
};

struct fathom_run_snapshot_piece {
	uint64_t kind;
	uint64_t address;	/* where the bytes were */
	uint64_t bytes;		/* that follow, a multiple of 8; */
	uint64_t memory_bytes;	/* that it stands for: those behind are zero */
	uint64_t sum;		/* of the four before and of the bytes */
};

enum { FATHOM_RUN_SNAPSHOT_SETTINGS_BYTES = 8192 };

struct fathom_run_snapshot_roots {
	uint64_t now_ticks;		/* when the copy was begun; */
	uint64_t units_per_tick_q32;	/* what a tick is worth, see platform/clock.h */
	uint64_t begin_ticks;
	int64_t begin_seconds;		/* since 1970 */
	int64_t now_seconds;
	uint64_t processor_ns;		/* processor time of the process since begin_ticks, */
	uint64_t initial_ns;		/* and of its initial thread */
	uint64_t processors[16];	/* that it may use: a cpu_set_t */
	uint64_t pid;
	int64_t rank, size;
	uint64_t is_parallel;
	uint64_t newest_location;	/* addresses */
	uint64_t region_chunks;		/* of the first of so many pointers to chunks: */
	uint64_t region_count;
	uint64_t metrics;		/* of an array of */
	uint64_t metric_count;
	uint64_t parameters;		/* of an array of */
	uint64_t parameter_count;
	uint64_t topologies;		/* of an array of */
	uint64_t topology_count;
	uint64_t newest_position;	/* in a topology */
	uint64_t modules;
	uint64_t mode;			/* bits: FATHOM_MODE_PROFILE, FATHOM_MODE_TRACE */
	uint64_t trace;			/* where the trace begins (struct fathom_trace_roots); 0: there is none */
	char program[4096];
	char arguments[4096];
	char host[256];
	/* NAME=value, a NUL behind each; an empty one is last */
	char settings[FATHOM_RUN_SNAPSHOT_SETTINGS_BYTES];
};

/* A number made of the layout of all structures that a reader of the file must know. */
uint64_t fathom_run_snapshot_layout(void);

/* Go on with a sum over so many words of 8 bytes. */
static inline uint64_t fathom_run_snapshot_sum(uint64_t sum, const uint64_t *words, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum;
}

/* Where FATHOM_SNAPSHOT and the settings ask for it: know what is needed when the first event comes. Context: start. */
void fathom_run_snapshot_init(void);

/* The first event: begin to copy, if the directory is known or can be made now. Context: birth. */
void fathom_run_snapshot_begin(void);

/* The process has become a rank, its directory is known: copy there. Context: finish. */
void fathom_run_snapshot_join(void);

/* Whether the measurement is copied to a file now. Context: signal. */
bool fathom_run_snapshot_is_active(void);

/* The result is written: the file is of no use any more. Context: signal. */
void fathom_run_snapshot_end(void);

#endif
