/*
 * sample_store: the samples of a location, counted by call path and machine frames.
 *
 * A sample belongs to the recorded call path that its thread was at, and below that to the machine frames between, from
 * the outermost one inwards. Samples with the same frames share a path, which counts them:
 *
 *	root	stands for a recorded call path; counts the samples without frames
 *	path	a chain of machine frames below a root; it is its parent's path and one frame more
 *
 * Only the location's own thread writes, in the handler that takes a sample, or in an event while its location is busy.
 * The thread that finishes the measurement reads meanwhile: paths are never removed, and a path that a reader finds is
 * complete. sampled_call_paths.h makes call paths of them at the end.
 */
#ifndef FATHOM_PROFILE_SAMPLE_STORE_H
#define FATHOM_PROFILE_SAMPLE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"
#include "event/sample.h"
#include "platform/arena.h"
#include "platform/module.h"

struct fathom_node;

/* What a path's last frame is. */
enum fathom_sampled_kind {
	FATHOM_SAMPLED_ROOT,
	FATHOM_SAMPLED_OWN,	/* the frame of the recorded region itself, or the thread's outermost one */
	FATHOM_SAMPLED_CALL,	/* that of a function called from the frame above */
	FATHOM_SAMPLED_PARTIAL,	/* no frame: stands for those that the unwinder did not find */
};

/* The module of a frame's function, as it was when the first sample with the frame was taken. */
struct fathom_sampled_module {
	struct fathom_sampled_module *next;
	const char *path;
	uintptr_t begin, end;
	uint64_t bias;
	uint32_t id_bytes;		/* of its build-id; 0: it has none */
	unsigned char id[FATHOM_BUILD_ID_BYTES];
};

/* How many samples of an event a path has. */
struct fathom_sampled_count {
	struct fathom_sampled_count *next;	/* of another event; released when complete */
	uint64_t samples;
	uint64_t value;			/* sum of their periods */
	uint32_t event;
};

struct fathom_sampled_path {
	struct fathom_sampled_path *parent;	/* NULL: this is a root */
	struct fathom_sampled_path *first_child;	/* newest first; released when complete */
	struct fathom_sampled_path *sibling;	/* of a root: the next root */
	struct fathom_sampled_path *chain;	/* next path at the same place of the hash table */
	struct fathom_node *node;		/* of the root: the recorded call path */
	uintptr_t address;			/* see struct fathom_sample_frame */
	uintptr_t function;
	const struct fathom_sampled_module *module;	/* NULL: none, or it was not looked for */
	struct fathom_sampled_count *counts;	/* of the samples that end here; released when complete */
	enum fathom_sampled_kind kind;
};

struct fathom_sample_store {
	struct fathom_arena arena;	/* the store itself is in it */
	struct fathom_sampled_path *roots;	/* newest first; released when complete */
	struct fathom_sampled_path **table;	/* the paths by hash; 2^table_bits places */
	struct fathom_sampled_module *modules;	/* newest first */
	struct fathom_module found;	/* the module that was found last */
	uint32_t path_count;
	uint8_t table_bits;
	uint64_t samples;		/* of processor time */
	uint64_t partial;		/* of them: the unwinder did not reach the recorded call path */
	uint64_t shortened;		/* of them: counted at an outer frame for want of room for more paths */
	uint64_t lost;			/* of them: the location is at no call path that a result has */
};

/* Sets how many paths the stores of this process may have together. Context: start. */
void fathom_sample_store_limit(uint64_t most_paths);

/* The function of the substrate's table. Context: signal. */
void fathom_sample_store_take(struct fathom_location *self, struct fathom_frame *top,
			      const struct fathom_sample *sample);

/* Adds the samples at the recorded call path from to those at to, and leaves none at from. Both are call paths of self,
 * the calling thread's location, which is busy. Context: birth. */
void fathom_sample_store_move(struct fathom_location *self, struct fathom_node *to, struct fathom_node *from);

/* Returns the store of a location; NULL: it has no samples. Context: finish, signal. */
const struct fathom_sample_store *fathom_sample_store_of(const struct fathom_location *location);

/* Returns the samples of an event that end at a path, and adds up their periods in *value. Context: finish, signal. */
uint64_t fathom_sample_store_count(const struct fathom_sampled_path *path, uint32_t event, uint64_t *value);

#endif
