/*
 * run_snapshot: a copy of the measurement's memory in a file, for the case that the process ends without a chance to
 * write its result: SIGKILL, the batch system's limit, a node that loses power.
 *
 * A helper thread (platform/helper.h) copies the memory each second. The program continues meanwhile, and the helper
 * changes nothing in its memory, so the hot path does nothing for it. The file has two slots, which the helper
 * overwrites in turn: one of the two copies is always whole. The file is removed once the result has been written.
 * `fathom merge` starts fathom-restore (tools/restore), which makes a profile, a trace, or both from the file.
 *
 * A shared mapping of the file would need no copying. But it costs the program a page fault per page after each
 * write-back, it ends the program by SIGBUS if the disk is full, and nobody notes in it how long the process lived.
 *
 * The file consists of a header and two slots. A slot is a sequence of pieces, and a piece is a header with the bytes
 * of a stretch of memory behind it. The first piece of a slot is a struct fathom_run_snapshot_roots; the last one is
 * empty. All addresses in the file are those of the process that wrote it.
 */
#ifndef FATHOM_RUN_RUN_SNAPSHOT_H
#define FATHOM_RUN_RUN_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/arena.h"

#define FATHOM_RUN_SNAPSHOT_MAGIC "fathom snapshot"
#define FATHOM_RUN_SNAPSHOT_SERIAL "profile.snapshot"		/* name of the file of a process without MPI */
#define FATHOM_RUN_SNAPSHOT_RANK "rank-%d.snapshot"		/* name of the file of an MPI rank */

enum {
	FATHOM_RUN_SNAPSHOT_VERSION = 2,
	FATHOM_RUN_SNAPSHOT_HEADER_BYTES = 4096,
	FATHOM_RUN_SNAPSHOT_PIECE_BYTES = 64 << 10,
	FATHOM_RUN_SNAPSHOT_SLOTS = 2,
};

struct fathom_run_snapshot_slot {
	uint64_t number;	/* of the copy, from 1; the newer one has the higher number. 0: no complete copy */
	uint64_t offset, bytes;	/* offset of the first piece in the file; size of all pieces */
	uint64_t sum;		/* fathom_run_snapshot_sum over the three members before */
};

struct fathom_run_snapshot_header {
	char magic[16];
	uint64_t version;
	uint64_t layout;	/* fathom_run_snapshot_layout() of the library that wrote it */
	struct fathom_run_snapshot_slot slots[FATHOM_RUN_SNAPSHOT_SLOTS];
};

enum fathom_run_snapshot_kind {
	FATHOM_RUN_SNAPSHOT_ROOTS = 0x31544f4f52,	/* the bytes are a struct fathom_run_snapshot_roots */
	FATHOM_RUN_SNAPSHOT_MEMORY = 0x314d454d,
	FATHOM_RUN_SNAPSHOT_END = 0x31444e45,		/* the address is the number of pieces, this one included */
};

struct fathom_run_snapshot_piece {
	uint64_t kind;
	uint64_t address;	/* of the bytes in the process */
	uint64_t bytes;		/* how many bytes follow in the file; a multiple of 8 */
	uint64_t memory_bytes;	/* length of the stretch of memory; the bytes of it that are not in the file are 0 */
	uint64_t sum;		/* checksum over the four members before and the bytes that follow */
};

enum { FATHOM_RUN_SNAPSHOT_SETTINGS_BYTES = 8192 };

/* The data that a reader cannot find by following pointers, and the pointers with which it begins. */
struct fathom_run_snapshot_roots {
	uint64_t now_ticks;		/* when this copy was begun */
	uint64_t units_per_tick_q32;	/* the clock's scale at that time, see platform/clock.h */
	uint64_t begin_ticks;		/* when the measurement began */
	int64_t begin_seconds;		/* when the measurement began, in seconds since 1970 */
	int64_t now_seconds;		/* when this copy was begun, in seconds since 1970 */
	uint64_t processor_ns;		/* processor time of the process since begin_ticks */
	uint64_t initial_ns;		/* processor time of its initial thread since begin_ticks */
	uint64_t processors[16];	/* which processors the process may use, as a cpu_set_t */
	uint64_t pid;
	int64_t rank, size;
	uint64_t is_parallel;
	/* Addresses, and counts of the arrays at the addresses before them. */
	uint64_t newest_location;	/* the older locations follow by next */
	uint64_t region_chunks;		/* array of pointers to chunks of FATHOM_REGION_CHUNK regions */
	uint64_t region_count;		/* of regions */
	uint64_t metrics;
	uint64_t metric_count;
	uint64_t metric_groups;		/* fathom_metric_group_count */
	uint64_t parameters;
	uint64_t parameter_count;
	uint64_t topologies;
	uint64_t topology_count;
	uint64_t newest_position;	/* of a process or thread in a topology; older positions follow by next */
	uint64_t modules;		/* newest note of a program or library (platform/module.h) */
	uint64_t trace;			/* address of a struct fathom_trace_roots; 0: there is no trace */
	uint64_t mode;			/* FATHOM_MODE: bits of enum fathom_mode */
	char program[4096];
	char arguments[4096];
	char host[256];
	/* The variables FATHOM_...: NAME=value, each with a NUL behind it; behind the last one is an empty text. */
	char settings[FATHOM_RUN_SNAPSHOT_SETTINGS_BYTES];
};

/* Returns a hash of the version and of the layout of all structures that a reader of the file must know.
 * Context: signal, tool. */
uint64_t fathom_run_snapshot_layout(void);

/* Returns the checksum of count words of 8 bytes that follow those whose checksum is sum. Context: signal, tool. */
static inline uint64_t fathom_run_snapshot_sum(uint64_t sum, const uint64_t *words, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum;
}

/* Decides by the setting FATHOM_SNAPSHOT whether there will be a run snapshot, and prepares it. Context: start. */
void fathom_run_snapshot_init(void);

/* Makes the experiment directory and begins to copy there. Called at the first event. Does nothing in a process that
 * mpirun started together with others: there fathom_run_snapshot_join begins. Context: birth. */
void fathom_run_snapshot_begin(void);

/* Begins to copy, if the experiment directory is known. Called when the process has become an MPI rank, and in a daemon
 * that continues the measurement of its parent. Context: start, finish. */
void fathom_run_snapshot_join(void);

/* Returns whether the process has a run snapshot now. Context: signal. */
bool fathom_run_snapshot_is_active(void);

/* Removes the file and asks the helper thread to end, because the result has been written. Context: signal. */
void fathom_run_snapshot_end(void);

#endif
