/*
 * frame: the stack of frames of a location. Here are the functions that push a frame, and those that end frames other
 * than by the exit of the innermost region.
 *
 * In all functions, here is the stack pointer of the calling thread, and now is the time in ticks.
 */
#ifndef FATHOM_EVENT_FRAME_H
#define FATHOM_EVENT_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"
#include "event/state.h"

/* Calls an optional function of the substrate, if the substrate provides it: a member of struct fathom_substrate, or
 * chain.MEMBER. The location is busy during the call. */
#define FATHOM_NOTIFY(self, here, function, ...) \
	do { \
		if (unlikely(fathom.substrate->function)) { \
			fathom_location_begin((self), (here)); \
			fathom.substrate->function((self), __VA_ARGS__); \
			fathom_location_end((self), (self)->top); \
		} \
	} while (0)

/* Fills in frame, the one above the top, for region, which was entered with the stack pointer at stack. Afterwards
 * the caller calls the substrate's enter, which makes frame the top. Context: hook. */
static inline void fathom_frame_push(struct fathom_location *self, struct fathom_frame *frame,
				     const struct fathom_region *region, uintptr_t stack, uintptr_t here)
{
	fathom_location_begin(self, here);
	fathom_poke(&frame->region, region);
	fathom_poke(&frame->stack, stack);
	fathom_poke(&frame->flags, 0);
}

/* Ends the region of the innermost frame, and removes that frame. Context: hook. */
void fathom_frame_pop(struct fathom_location *self, uintptr_t here, uint64_t now);

/* Ends the regions of all frames above frame, which is on the location's stack of frames. Context: hook. */
void fathom_frame_pop_to(struct fathom_location *self, struct fathom_frame *frame, uintptr_t here, uint64_t now);

/* Called when the end of the region outer (NULL: of the thread) is about to end the regions above frame. Notes the
 * user regions among these, because the program should have ended them itself. Context: birth. */
void fathom_frame_note_open(const struct fathom_location *self, const struct fathom_frame *frame,
			    const struct fathom_region *outer);

/* Ends the innermost regions as long as they were entered with the stack pointer below here, on the same stack: their
 * functions are not active any more. Context: birth. */
void fathom_frame_end_stale(struct fathom_location *self, uintptr_t here, uint64_t now);

/* The stack pointer of the calling thread will be at here after a jump or an exception: ends the regions that were
 * entered with a lower stack pointer. Context: hook, signal. */
void fathom_frame_unwind(uintptr_t here);

/* Called when all activations that were too deep to be recorded have ended: removes the FATHOM_FRAME_LOST frame.
 * Context: birth. */
void fathom_frame_forget_lost(struct fathom_location *self);

/* Ends the frames that are not active any more, and returns the frame above the top for the caller to fill in;
 * allocates memory if the stack of frames is full. NULL: the caller drops its enter. Context: birth. */
struct fathom_frame *fathom_frame_room(struct fathom_location *self, uintptr_t here);

/*
 * For enters of blocks: stores the calling thread's location in *self, after creating or repairing it if necessary,
 * and returns the frame above the top. NULL: the caller drops its event. Context: hook.
 */
struct fathom_frame *fathom_frame_block(struct fathom_location **self, uintptr_t here);

/* Pushes a placeholder frame for region, which was entered with the stack pointer at stack. frame is the frame that
 * fathom_frame_room returned. Context: hook. */
void fathom_frame_enter_placeholder(struct fathom_location *self, struct fathom_frame *frame,
			       const struct fathom_region *region, uintptr_t stack, uintptr_t here);

/* Marks the innermost frame, which is the placeholder frame of an MPI call that begins: FATHOM_FRAME_MATCH_ONLY, if the
 * substrate wants this. Context: hook. */
void fathom_frame_match_only(struct fathom_location *self);

/* Enters a block at the time now, without a record in traces. frame is the frame that fathom_frame_block or
 * fathom_frame_room returned. A disabled region gets a placeholder frame. Context: hook. */
void fathom_frame_enter_at(struct fathom_location *self, struct fathom_frame *frame, const struct fathom_region *region,
			   uintptr_t here, uint64_t now);

/* Returns the stack pointer for the frame of a block: that of the frame around the block, because a block that is
 * never exited ends with that frame. Context: hook. */
static inline uintptr_t fathom_frame_block_stack(const struct fathom_frame *frame)
{
	return frame[-1].stack;
}

#endif
