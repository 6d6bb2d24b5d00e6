/*
 * location: the record stream of one thread, as the core and the substrates keep it.
 *
 * The core creates a location at the thread's first event and never frees it, because the finish of the run needs
 * what the thread recorded. Only the thread itself writes to its location. The thread that finishes the measurement
 * may read the location at any time through fathom_peek, also while its owner runs.
 */
#ifndef FATHOM_EVENT_LOCATION_H
#define FATHOM_EVENT_LOCATION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/arena.h"
#include "platform/compiler.h"

struct fathom_region;
struct fathom_held;
struct fathom_node;
struct fathom_coroutine;

/* Properties of a frame that the core or a substrate must know later. */
enum fathom_frame_flags {
	FATHOM_FRAME_BOTTOM = 1,	/* the lowest frame of the program, or of an explicit task */
	FATHOM_FRAME_PLACEHOLDER = 2,	/* see below */
	FATHOM_FRAME_ANCHOR = 4,	/* has no region: the frames above appear below another location's call path */
	FATHOM_FRAME_LOST = 8,		/* has no region: stands for all activations that are too deep to be recorded */
	FATHOM_FRAME_ORPHANED = 16,	/* the last barrier of a worker whose team may already be over */
	FATHOM_FRAME_UNTRACED = 32,	/* its enter has no record in the trace */
	FATHOM_FRAME_FOLDED = 64,	/* set by the profile: a visit inside another visit of the same call path. It is
					 * counted, but its time is not added (profile/recording/folding.h) */
	FATHOM_FRAME_PAUSE = 128,	/* its region, MEASUREMENT OFF, gets the time in which the paused thread
					 * records nothing */
	FATHOM_FRAME_IDLE = 256,	/* a region in which the thread waits for others, see event/teams/idleness.h */
	FATHOM_FRAME_BURSTS = 2048,	/* set by the profile: a function that a call of a runtime calls, or the first
					 * one of a thread; the thread computes only inside of it
					 * (profile/recording/burst_stage.h) */
	FATHOM_FRAME_PENDING = 1024,	/* its enter is not in the trace yet, see trace/records/pending_enters.h */
	FATHOM_FRAME_MATCH_ONLY = 512,	/* of a placeholder frame: an MPI call that is not recorded, but whose
					 * messages and collective operations are reported to the substrate, which
					 * counts them: see matches_unrecorded in substrate.h */
};

/*
 * A frame: the record of one region that is active now. The core keeps a stack of frames for each location.
 * Substrates keep what they must remember between enter and exit in the members that belong to them. If the member
 * stack is FATHOM_STACK_HIGHEST, only an exit ends the frame, not a movement of the stack pointer.
 *
 * A placeholder frame stands for an activation that is not recorded; substrates ignore the frame. The core pushes one
 * where a disabled region is entered directly inside a frame of the same region: with it the core distinguishes the
 * exit of the inner activation, which is not recorded, from the exit of the outer one, which is recorded. On a paused
 * thread every enter pushes a placeholder frame. Its node is the node of the frame below.
 */
struct fathom_frame {
	const struct fathom_region *region;	/* NULL: the frame has none; &fathom_placeholder_region in a
						 * placeholder frame */
	uintptr_t stack;		/* the thread's stack pointer at the enter; FATHOM_STACK_HIGHEST at the
					 * bottom */
	uint64_t enter_ticks;		/* written by the substrate: the time of the enter */
	struct fathom_node *node;	/* written by the profile: the call path of the region */
	uint32_t flags;			/* enum fathom_frame_flags; each enter sets them anew */
	const struct fathom_region *unrecorded;	/* in a placeholder frame: the region that was entered */
};

/* Traces remember by the address of a frame which frame their newest record belongs to: see fathom_trace_link. */
_Static_assert(sizeof(struct fathom_frame) % 16 == 0, "frames are a multiple of 16 bytes apart");

#define FATHOM_STACK_HIGHEST UINTPTR_MAX

/* The region of all placeholder frames. No exit reports this region, and it has no code. Therefore the hot path never
 * takes a placeholder frame for the frame of the region that exits, and need not test the flags. */
extern FATHOM_HIDDEN const struct fathom_region fathom_placeholder_region;

/* Returns true if frame is a placeholder frame. Context: hook, signal. */
static inline bool fathom_frame_is_placeholder(const struct fathom_frame *frame)
{
	return fathom_peek(&frame->flags) & FATHOM_FRAME_PLACEHOLDER;
}

/* Returns the region that frame stands for, whether its activation is recorded or not; NULL if there is no region.
 * Context: hook. */
static inline const struct fathom_region *fathom_frame_region(const struct fathom_frame *frame)
{
	return frame->flags & FATHOM_FRAME_PLACEHOLDER ? frame->unrecorded : frame->region;
}

/* The stack of frames of one task: of a thread's implicit task, or of an explicit task. The members have the meaning
 * of those of struct fathom_location. */
struct fathom_stack {
	struct fathom_frame *root;
	struct fathom_frame *top;
	struct fathom_frame *limit;
	struct fathom_frame *end;
	uint64_t lost_depth;
	bool is_paused;
};

enum fathom_drop {		/* reasons why events were not recorded */
	FATHOM_DROP_DEPTH,	/* no memory for a deeper stack of active regions */
	FATHOM_DROP_NODES,	/* call paths beyond FATHOM_NODES */
	FATHOM_DROP_MEMORY,	/* the kernel gave no more memory */
	FATHOM_DROP_UNBALANCED,	/* an exit without an enter */
	FATHOM_DROP_COUNT
};

/* The kind of thread that a location belongs to. Only the initial and the foreign threads have a call tree of their
 * own; the regions of all other threads appear below a call path of another location. */
enum fathom_kind {
	FATHOM_KIND_INITIAL,	/* the thread that runs main */
	FATHOM_KIND_FOREIGN,	/* a thread whose creation no wrapper reported */
	FATHOM_KIND_CREATED,	/* a thread whose creation a wrapper reported, see thread.h */
	FATHOM_KIND_WORKER,	/* a worker: number 1 or higher in its teams, see team.h */
	FATHOM_KIND_SCRATCH,	/* of no thread: the core measures its own cost on it */
};

/* The counters of a location's thread, as they were when the core read them last: see lib/event/meter.c. */
struct fathom_meter {
	struct fathom_counters *counters;	/* of the thread that uses the location now, see metric/counters.h */
	uint32_t count;			/* number of strict metrics that the location has: those with the lowest ids */
	uint32_t group;			/* of metrics that counters count, see fathom_metric_group_count */
	uint64_t values[];		/* by id of the metric; 0 for a metric that the thread does not have */
};

struct fathom_location {
	/* The members that the hot path uses. They fill one cache line, which the owner writes at every event. */
	volatile uintptr_t busy;	/* 0; while the thread is inside the core: the stack pointer of the event */
	struct fathom_frame *top;	/* the innermost active region; the lowest frame is root */
	struct fathom_frame *limit;	/* the hot path handles an enter only if its frame is below limit. Usually
					 * limit is end; it is root while every enter must take the slow path
					 * (is_paused, is_orphaned) */
	uint64_t lost_depth;		/* number of active regions that are too deep to be recorded; if it is not 0,
					 * top is a FATHOM_FRAME_LOST frame */
	void *substrate_data;		/* belongs to the profile */
	void *trace_data;
	struct fathom_meter *meter;	/* NULL if there are no strict metrics */
	uint64_t *operation_end;	/* the exit of the MPI call that is active stores its time there, shifted
					 * left by two; NULL: nowhere. Set by the profile, see waits/recording.h */

	struct fathom_location *next;	/* the location that was created before this one */
	struct fathom_frame *root;	/* the lowest frame of the stack that top belongs to */
	struct fathom_frame *end;	/* one behind the last frame that there is memory for; top may be equal to end
					 * only while lost_depth is not 0 */
	uint64_t match_only_begin;	/* time of the enter of the last FATHOM_FRAME_MATCH_ONLY frame, in ticks */
	struct fathom_task *task;	/* the explicit task that the thread executes; NULL: it executes its implicit
					 * task */
	struct fathom_stack implicit;	/* the implicit task's frames, while the thread executes an explicit task */
	struct fathom_team *team;	/* the team that the thread works in; NULL if it is in none */
	uint64_t idle_mark;		/* reading of the team's idle clock up to which call paths are charged */
	struct fathom_team *leads;	/* the innermost team whose number 0 this thread is, between its begin and
					 * end */
	struct fathom_team *forked;	/* all teams that the thread has ever forked, oldest first */
	struct fathom_location *outer;	/* of a logical place: the location of its thread outside the team */
	struct fathom_location *leader;	/* of a worker: the location that forked its first team */
	struct fathom_coroutine *coroutine;	/* the coroutine stack that the thread is on; NULL: the thread's own */
	struct fathom_coroutine *home;	/* frames of the thread's own stack, while it is on a coroutine stack */
	void *origin;			/* of a created thread: the call path of its creation, see thread.h */
	struct fathom_task *spare_tasks;
	struct fathom_held *held;	/* the locks that the thread holds, see locks.c */
	struct fathom_held *spare_held;	/* unused entries for more held locks */
	void *spare_stacks;		/* unused memory for the frames of tasks, see task.c */
	uint32_t spare_count;		/* length of the list spare_tasks */
	uint32_t created;		/* number of tasks that the thread has created */
	uint32_t disabled_exits;		/* number of exits of disabled regions */
	struct fathom_arena arena;	/* memory of the core and of the substrate for this location */
	uint64_t dropped[FATHOM_DROP_COUNT];
	uint64_t birth_ticks;
	uint64_t end_ticks;		/* 0 while the thread runs */
	uint32_t id;			/* 0 for the first location of the process, 1 for the next */
	uint32_t number;		/* of a worker: its number in the team; of other threads: from 1; of the
					 * initial thread: 0 */
	uint32_t level;			/* of a worker: number of the leader's teams around the worker's own team */
	enum fathom_kind kind;
	volatile bool is_moving;	/* the thread is switching from one coroutine stack to another */
	bool is_spare;			/* its thread has ended; another thread may take it over */
	bool is_paused;			/* the thread records nothing on the stack of frames that top belongs to, see
					 * pause.h */
	bool is_orphaned;		/* there may be an orphaned frame on the implicit task's stack */
};

/* The value of busy in a location that never records: the initial location, and the locations of suspended threads and
 * of threads that are not measured. */
#define FATHOM_BUSY_FOR_EVER UINTPTR_MAX

extern FATHOM_HIDDEN FATHOM_TLS struct fathom_location *fathom_self;

/*
 * The location is half changed between fathom_location_begin and fathom_location_end. A signal handler on this thread
 * must find busy set before any such change. The handler runs on the same processor, and no other thread reads busy;
 * therefore a compiler fence is enough. here: the thread's stack pointer. Context: hook.
 */
static inline void fathom_location_begin(struct fathom_location *self, uintptr_t here)
{
	self->busy = here;
	atomic_signal_fence(memory_order_seq_cst);
}

/* Ends the change that fathom_location_begin began. top: the innermost frame from now on. The function changes the
 * member top last, so a signal handler that interrupts the change and leaves by longjmp leaves the stack of frames as
 * it was. Context: hook. */
static inline void fathom_location_end(struct fathom_location *self, struct fathom_frame *top)
{
	atomic_signal_fence(memory_order_seq_cst);
	fathom_poke(&self->top, top);
	atomic_signal_fence(memory_order_seq_cst);
	self->busy = 0;
}

/* Counts an event that was not recorded. Other threads may read the count meanwhile. Context: hook. */
static inline void fathom_location_drop(struct fathom_location *self, enum fathom_drop why)
{
	fathom_poke(&self->dropped[why], self->dropped[why] + 1);
}

/*
 * The calling thread's location is busy, and this function finds out why. Returns a location that is not busy: a new
 * one, or self after a repair. Returns NULL if the caller must drop its event. here: the caller's stack pointer.
 * Context: birth.
 */
struct fathom_location *fathom_location_resolve_busy(struct fathom_location *self, uintptr_t here);

/* Sets limit to the value that is_paused and is_orphaned require. Context: hook. */
static inline void fathom_location_set_limit(struct fathom_location *self)
{
	self->limit = self->is_paused || self->is_orphaned ? self->root : self->end;
}

/* Sets whether the stack of frames that self uses now is paused. No region gets the time of this pause;
 * fathom_pause_begin pauses with a region that gets the time. Context: hook. */
static inline void fathom_location_set_paused(struct fathom_location *self, bool on)
{
	if (on)
		self->limit = self->root;	/* limit first: a signal handler may interrupt here and leave by a
						 * jump */
	atomic_signal_fence(memory_order_seq_cst);
	self->is_paused = on;
	atomic_signal_fence(memory_order_seq_cst);
	fathom_location_set_limit(self);
}

/* Moves the frames to a stack of twice the size. Returns the frame above the top. NULL: no memory. Context: birth. */
struct fathom_frame *fathom_location_grow(struct fathom_location *self);

/* Returns memory for count frames from the location's arena. The frame below the first one has the flag
 * FATHOM_FRAME_BOTTOM. NULL: no memory. Context: birth. */
struct fathom_frame *fathom_location_frames(struct fathom_location *self, size_t count);

/*
 * Returns true if a function that was entered with the stack pointer at old cannot be active any more, now that the
 * stack pointer is at here, above old: both addresses are on the same stack, which grows downwards. Context: birth,
 * signal.
 */
bool fathom_location_is_stale(uintptr_t old, uintptr_t here);

/*
 * Creates a location for a thread whose creation was reported, or for a logical place, and adds the location to the
 * list. Its frames will appear below a call path of another location. Returns NULL if there is no memory, or if the
 * measurement is off. Context: birth. Takes the lock of locations.
 */
struct fathom_location *fathom_location_create(enum fathom_kind kind, struct fathom_location *leader, uint32_t number,
					       uint32_t level);

/* Writes the name of a location ("Master thread", "OMP thread 3", nested "OMP thread 0:2", "Pthread thread 5") to
 * text, and returns text. Context: finish, signal. */
FATHOM_API const char *fathom_location_name(const struct fathom_location *location, char *text, size_t bytes);

/* fathom_location_is_none returns true if the calling thread, whose fathom_self is self, has no location of its own
 * yet: self is the initial location or the location of ignored threads. fathom_location_ignored returns the location
 * of ignored threads; no event creates a location for them. Context: birth. */
bool fathom_location_is_none(const struct fathom_location *self);
struct fathom_location *fathom_location_ignored(void);

/* fathom_location_suspend suspends the calling thread, which then records nothing, and returns its location.
 * fathom_location_resume ends this; before is the location that fathom_location_suspend returned.
 * fathom_location_is_suspended returns true if self is the location of suspended threads. Context: birth. */
struct fathom_location *fathom_location_suspend(void);
void fathom_location_resume(struct fathom_location *before);
bool fathom_location_is_suspended(const struct fathom_location *self);

/* Makes self the calling thread's location until the thread ends. Context: birth. */
void fathom_location_adopt(struct fathom_location *self);

/* The calling thread begins to work at logical places, which are the locations of no thread: it begins to be measured,
 * if it has not yet. Context: birth. */
void fathom_location_adopt_places(void);

/* Returns a location whose thread has ended, and which another thread may take over. If origin is not NULL, only a
 * location of a thread with the same origin is returned. NULL: there is none. Context: birth. Takes the lock of
 * locations. */
struct fathom_location *fathom_location_reuse(void *origin);

/* Returns the newest location; its member next leads to the older ones. Context: finish, signal. */
struct fathom_location *fathom_location_newest(void);

/*
 * Functions by which the core reports the births and ends of threads to lib/run, so that the core does not depend on
 * lib/run. Each member may be NULL.
 */
struct fathom_thread_watch {
	/* The first location of the process was created. Context: birth. Called inside the lock of locations. */
	void (*first_location)(void);
	/* fathom begins to measure the calling thread, which records nothing during the call. Context: birth. */
	void (*thread_begins)(void);
	/* The calling thread ends by return, pthread_exit or cancellation. location: the location that the thread
	 * adopted. Context: birth. */
	void (*thread_ends)(struct fathom_location *location);
	/* The calling thread is one that fathom does not measure, and begins. Context: birth. */
	void (*thread_is_ignored)(void);
};

/* Copies watches. Called before the first birth. Context: start. */
void fathom_location_init(const struct fathom_thread_watch *watch);

/* Tells the watch that the calling thread begins, and is not measured. Context: birth. */
void fathom_location_note_ignored(void);

/* A signal handler interrupted an event of self, the calling thread's location, and left by a jump, so the event will
 * not be continued. Undoes the changes that the event has half made. Context: birth, signal. */
void fathom_location_repair(struct fathom_location *self);

/* Two stack pointers that differ by more than this number of bytes belong to different stacks. */
#define FATHOM_LARGEST_STACK_BYTES ((uintptr_t)64 << 20)

/* Adds a location that was read from a run snapshot to the list. Called once for each location, in the order of their
 * births. Context: finish. */
void fathom_location_restore(struct fathom_location *self);

/* Called in a child of fork: no thread records anything from now on. Context: birth. */
void fathom_location_forget_all(void);

/* fathom_location_create_scratch returns a location of no thread, on which the core measures its own cost; NULL: no
 * memory. fathom_location_destroy_scratch frees it. Context: birth, finish. */
struct fathom_location *fathom_location_create_scratch(void);
void fathom_location_destroy_scratch(struct fathom_location *scratch);

#endif
