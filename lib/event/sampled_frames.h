/*
 * sampled_frames: which machine frames of a sample are call paths.
 *
 * A sample has the machine frames below the innermost recorded region. Some of them say nothing about the program:
 * frames of fathom's own libraries, of the functions that start a thread, and of an OpenMP runtime around the body of a
 * construct. Profile and trace leave out the same frames.
 */
#ifndef FATHOM_EVENT_SAMPLED_FRAMES_H
#define FATHOM_EVENT_SAMPLED_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "define/region.h"

/* What a module is to the call tree. */
enum fathom_code_kind {
	FATHOM_CODE_PROGRAM,	/* the program, or a library that is none of the following */
	FATHOM_CODE_LIBC,	/* it also starts threads and calls main */
	FATHOM_CODE_OPENMP,	/* an OpenMP runtime: it calls the bodies of parallel regions and tasks */
	FATHOM_CODE_FATHOM,	/* a library of fathom */
};

/* Returns the kind of a module with this path. Context: finish, signal. */
enum fathom_code_kind fathom_code_kind_of(const char *path);

/* Returns whether frames below a call path of region are kept. Where the region's time is not computation (MPI calls,
 * barriers, locks, files), the recorded region says what the program does, and the frames are those of a library.
 * Context: signal. */
bool fathom_region_keeps_frames(const struct fathom_region *region);

/* Returns whether a region is a block that a runtime begins: an OpenMP construct or the function of a thread. The stack
 * pointer that the core keeps of one is that of the frame around it, so a sample has machine frames outside of the
 * block. Context: finish, signal. */
bool fathom_region_is_block(const struct fathom_region *region);

/* The frames of a sample that were seen so far, from the outermost one inwards. At first, is_edge is true and
 * is_in_runtime is false. */
struct fathom_frame_filter {
	bool is_edge;		/* no frame was shown */
	bool is_in_runtime;	/* the last frame is one of fathom or of an OpenMP runtime */
};

/* A frame that is not the one of the recorded region itself, and where it was found. */
struct fathom_filtered_frame {
	const struct fathom_region *recorded;	/* the innermost recorded region; NULL: none */
	bool is_thread_root;	/* the recorded region is the lowest one of its thread, or there is none */
	bool is_entry;		/* the frame's function is the entry of the program */
	enum fathom_code_kind kind;	/* of the frame's module */
};

/*
 * Returns whether the frame is shown as a call path. These are left out:
 *   - frames of fathom's libraries;
 *   - the outermost frames of a thread: the program's entry, and functions of the C library that start it;
 *   - below blocks, the frames outside of the block, that is, up to the function that an OpenMP runtime or fathom
 *     called. Runtimes call the bodies of parallel regions, of tasks and of threads.
 * *is_first becomes true if the frames that were shown before are outside of the block: then the frame stands directly
 * below the recorded region. Context: finish, signal.
 */
bool fathom_frame_is_shown(struct fathom_frame_filter *filter, const struct fathom_filtered_frame *frame,
			   bool *is_first);

#endif
