/*
 * frame: the stack of active regions, where it is not simply one more or one less.
 */
#ifndef FATHOM_EVENT_FRAME_H
#define FATHOM_EVENT_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"
#include "event/state.h"

/* Call a function of the substrate that it need not have. */
#define FATHOM_TELL(self, here, function, ...) \
	do { \
		if (unlikely(fathom.substrate->function)) { \
			fathom_location_begin((self), (here)); \
			fathom.substrate->function((self), __VA_ARGS__); \
			fathom_location_end((self), (self)->top); \
		} \
	} while (0)

/* Make the frame above the top one of region, entered with the stack pointer at stack; the thread's is at here. A
 * substrate's enter is to follow. Context: hook. */
static inline void fathom_frame_push(struct fathom_location *self, struct fathom_frame *frame,
				     const struct fathom_region *region, uintptr_t stack, uintptr_t here)
{
	fathom_location_begin(self, here);
	fathom_poke(&frame->region, region);
	fathom_poke(&frame->stack, stack);
	fathom_poke(&frame->flags, 0);
}

/* End the innermost region. Context: hook. */
void fathom_frame_pop(struct fathom_location *self, uintptr_t here, uint64_t now);

/* End the regions above frame, which is on the location's stack. Context: hook. */
void fathom_frame_pop_to(struct fathom_location *self, struct fathom_frame *frame, uintptr_t here, uint64_t now);

/* Of the regions above frame, which are about to be ended by outer (NULL: the end of the thread), note those that the
 * program should have ended itself. Context: birth. */
void fathom_frame_note_open(const struct fathom_location *self, const struct fathom_frame *frame,
			    const struct fathom_region *outer);

/* End the regions that cannot be active any more, now that the stack pointer is back at here. Context: birth. */
void fathom_frame_end_stale(struct fathom_location *self, uintptr_t here, uint64_t now);

/* The calling thread's stack pointer is about to be at here, after a jump or an exception: ends the regions that were
 * entered below it. Context: hook, signal. */
void fathom_frame_unwind(uintptr_t here);

/* The regions that were too deep to be recorded are over. Context: birth. */
void fathom_frame_forget_lost(struct fathom_location *self);

/* A place for one more frame, after what must be done before there is one. NULL: drop the enter. Context: birth. */
struct fathom_frame *fathom_frame_room(struct fathom_location *self, uintptr_t here);

/*
 * For enters of blocks: the calling thread's location in *self, woken if it was busy, and room for a frame. NULL: drop
 * the event. Context: hook.
 */
struct fathom_frame *fathom_frame_block(struct fathom_location **self, uintptr_t here);

/* A placeholder frame of region; frame is as fathom_frame_room gave it. Context: hook. */
void fathom_frame_enter_placeholder(struct fathom_location *self, struct fathom_frame *frame,
			       const struct fathom_region *region, uintptr_t stack, uintptr_t here);

/* Enter a block at now, which is not in traces; frame is as fathom_frame_block or fathom_frame_room gave it. A region
 * that is off gets a placeholder frame. Context: hook. */
void fathom_frame_enter_at(struct fathom_location *self, struct fathom_frame *frame, const struct fathom_region *region,
			   uintptr_t here, uint64_t now);

/* What stands in for the caller's stack pointer in the frame of a block. */
static inline uintptr_t fathom_frame_block_stack(const struct fathom_frame *frame)
{
	return frame[-1].stack;
}

#endif
