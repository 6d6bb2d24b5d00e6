/*
 * location: a thread as the measurement sees it.
 *
 * A location is born with its thread's first event and never freed: what the thread did must be
 * there at the end. Only the thread itself writes to it; whoever finishes the measurement may read
 * it at any time, also while the thread runs (through fathom_peek).
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

/* What a frame is besides an active region. */
enum fathom_frame_flags {
	FATHOM_FRAME_BOTTOM = 1,	/* the lowest one: of the program, or of an explicit task */
	FATHOM_FRAME_PLACEHOLDER = 2,	/* see below */
	FATHOM_FRAME_ANCHOR = 4,	/* no region: the frames above hang under another location's call path */
	FATHOM_FRAME_LOST = 8,		/* no region: stands for all activations that are too deep to be recorded */
	FATHOM_FRAME_ORPHANED = 16,	/* the last barrier of a worker whose team may already be over */
	FATHOM_FRAME_UNTRACED = 32,	/* its enter is not in the trace */
	FATHOM_FRAME_FOLDED = 64,	/* the profile's: a visit inside another visit of the same call path */
	FATHOM_FRAME_PAUSE = 128,	/* its region has the time in which a paused thread records nothing */
};

/*
 * A frame: the record of one region that is active now. The core keeps a stack of frames for each location;
 * substrates keep what they must remember between enter and exit in the members they own. The stack pointer may be
 * FATHOM_STACK_HIGHEST: then no movement of the stack ends the frame, only its exit does.
 *
 * A placeholder frame stands for an activation that is not recorded; substrates ignore it. The core needs it where a
 * disabled region is entered directly inside a frame of the same region: so it can tell the exit of the inner
 * activation, which is not recorded, from that of the outer one, which is. On a paused thread every enter makes one.
 * Its node is that of the frame below.
 */
struct fathom_frame {
	const struct fathom_region *region;	/* NULL: none; &fathom_placeholder_region in a placeholder frame */
	uintptr_t stack;		/* the thread's stack pointer where it entered; highest at the bottom */
	uint64_t enter_ticks;		/* the substrate's: when */
	struct fathom_node *node;	/* the profile's: which call path */
	uint32_t flags;			/* enum fathom_frame_flags; each enter sets them anew */
	const struct fathom_region *unrecorded;	/* of a placeholder frame: the region that it stands for */
};

/* Traces tell by addresses of frames which frame their newest record belongs to: see fathom_trace_link. */
_Static_assert(sizeof(struct fathom_frame) % 16 == 0, "frames are a multiple of 16 bytes apart");

#define FATHOM_STACK_HIGHEST UINTPTR_MAX

/* The region of all placeholder frames. No exit is one of this region, and no function's code belongs to it, so the
 * hot path takes a placeholder frame for none of its own without testing the flags. */
extern FATHOM_HIDDEN const struct fathom_region fathom_placeholder_region;

/* Whether frame is a placeholder frame. Context: hook, signal. */
static inline bool fathom_frame_is_placeholder(const struct fathom_frame *frame)
{
	return fathom_peek(&frame->flags) & FATHOM_FRAME_PLACEHOLDER;
}

/* Returns the region that frame stands for, whether the activation is recorded or not; NULL: none. Context: hook. */
static inline const struct fathom_region *fathom_frame_region(const struct fathom_frame *frame)
{
	return frame->flags & FATHOM_FRAME_PLACEHOLDER ? frame->unrecorded : frame->region;
}

/* The frames of one task: of a thread's own (the implicit one), or of an explicit one. The members are those of struct
 * fathom_location. */
struct fathom_stack {
	struct fathom_frame *root;
	struct fathom_frame *top;
	struct fathom_frame *limit;
	struct fathom_frame *end;
	uint64_t lost_depth;
	bool is_paused;
};

enum fathom_drop {		/* why events were not recorded */
	FATHOM_DROP_DEPTH,	/* no memory for a deeper stack of active regions */
	FATHOM_DROP_NODES,	/* call paths beyond FATHOM_NODES */
	FATHOM_DROP_MEMORY,	/* the kernel gave no more memory */
	FATHOM_DROP_UNBALANCED,	/* an exit without an enter */
	FATHOM_DROP_COUNT
};

/* Whose thread a location stands for. Only the first two have a life of their own: what the others do hangs
 * under the call path of another one. */
enum fathom_kind {
	FATHOM_KIND_INITIAL,	/* the thread that runs main */
	FATHOM_KIND_FOREIGN,	/* one that nobody announced */
	FATHOM_KIND_CREATED,	/* one that the program created, see thread.h */
	FATHOM_KIND_WORKER,	/* number 1 or higher of teams, see team.h */
	FATHOM_KIND_SCRATCH,	/* no thread's, for measuring the measurement */
};

/* Where the counters of a location's thread stood when they were read last, see lib/event/meter.c. */
struct fathom_meter {
	struct fathom_counters *counters;	/* of the thread that is on it now, see metric/counters.h */
	uint32_t count;			/* of strict metrics that it has, the first ones */
	uint64_t values[];		/* by id; those that it does not have: 0 */
};

struct fathom_location {
	/* What the hot path touches: one cache line, written by the owner at every event. */
	volatile uintptr_t busy;	/* 0, or inside the core: the stack pointer of the event */
	struct fathom_frame *top;	/* the innermost active region; the root's frame is the lowest */
	struct fathom_frame *limit;	/* an enter whose frame is below this is a common one. Mostly end; root while
					 * each enter is a rare one (is_paused, is_orphaned) */
	uint64_t lost_depth;		/* activations that were too deep to be recorded and are not over; if there are
					 * any, top is a FATHOM_FRAME_LOST frame */
	void *substrate_data;		/* the profile's */
	void *trace_data;
	struct fathom_meter *meter;	/* NULL: there are no strict metrics */
	char hot_ends[FATHOM_CACHE_LINE - 7 * sizeof(void *)];

	struct fathom_location *next;	/* born before this one */
	struct fathom_frame *root;	/* of the stack that top is on */
	struct fathom_frame *end;	/* one behind the last frame there is room for; top may be there only
					 * while lost_depth is not 0 */
	struct fathom_task *task;	/* the explicit task that the thread executes; NULL: its implicit task */
	struct fathom_stack implicit;	/* the implicit task's frames, while the thread executes an explicit task */
	struct fathom_team *team;	/* the team that the thread works in; NULL: none now */
	struct fathom_team *leads;	/* the innermost team that it is number 0 of, between begin and end */
	struct fathom_team *forked;	/* all teams that it has ever forked, newest last */
	struct fathom_location *outer;	/* of a logical place: the location of its thread outside the team */
	struct fathom_location *leader;	/* of a worker: the location that forked its first team */
	struct fathom_coroutine *coroutine;	/* the coroutine stack that the thread is on; NULL: the thread's own */
	struct fathom_coroutine *home;	/* frames of the thread's own stack, while it is on a coroutine stack */
	void *origin;			/* of a created thread: the call path of its creation, see thread.h */
	struct fathom_task *spare_tasks;
	struct fathom_held *held;	/* the locks that the thread holds, see locks.c */
	struct fathom_held *spare_held;	/* memory for more of these */
	void *spare_stacks;		/* memory for frames of tasks, see task.c */
	uint32_t spare_count;		/* of spare_tasks */
	uint32_t created;		/* tasks that the thread has created so far */
	uint32_t exits_off;		/* exits of disabled regions so far */
	struct fathom_arena arena;	/* memory of the core and of the substrate for this location */
	uint64_t dropped[FATHOM_DROP_COUNT];
	uint64_t birth_ticks;
	uint64_t end_ticks;		/* 0 while the thread lives */
	uint32_t id;			/* order of birth */
	uint32_t number;		/* of a worker: in its team; of other threads: from 1; initial thread: 0 */
	uint32_t level;			/* of a worker: how many teams of the leader are around its own */
	enum fathom_kind kind;
	volatile bool is_moving;	/* from one coroutine stack to another */
	bool is_spare;			/* its thread has ended; another thread may take it over */
	bool is_paused;			/* nothing is recorded on the stack of frames that top is on, see pause.h */
	bool is_orphaned;		/* there may be an orphaned frame on the implicit task's stack */
};

/* The value of busy in a location that never records: the initial location, and the locations of suspended threads and
 * of threads that are not measured. */
#define FATHOM_BUSY_FOR_EVER UINTPTR_MAX

extern FATHOM_HIDDEN FATHOM_TLS struct fathom_location *fathom_self;

/*
 * Between fathom_location_begin and fathom_location_end the location is half changed. A signal handler on this thread
 * must find busy set before any such change. The handler runs on the same processor and no other thread reads busy, so
 * a compiler fence is enough. here: the thread's stack pointer. Context: hook.
 */
static inline void fathom_location_begin(struct fathom_location *self, uintptr_t here)
{
	self->busy = here;
	atomic_signal_fence(memory_order_seq_cst);
}

/* Ends what fathom_location_begin has begun. top: the innermost frame from now on. The location's top changes last: a
 * signal handler that interrupts the change and leaves by longjmp leaves the stack of frames as it was.
 * Context: hook. */
static inline void fathom_location_end(struct fathom_location *self, struct fathom_frame *top)
{
	atomic_signal_fence(memory_order_seq_cst);
	fathom_poke(&self->top, top);
	atomic_signal_fence(memory_order_seq_cst);
	self->busy = 0;
}

/*
 * The calling thread's location is busy; finds out why. Returns a location that is not busy: one that is born now, or
 * self after a repair. NULL: the caller drops its event. here: the caller's stack pointer. Context: birth.
 */
struct fathom_location *fathom_location_wake(struct fathom_location *self, uintptr_t here);

/* Sets limit to what is_paused and is_orphaned ask for. Context: hook. */
static inline void fathom_location_set_limit(struct fathom_location *self)
{
	self->limit = self->is_paused || self->is_orphaned ? self->root : self->end;
}

/* Sets whether the stack of frames that self is on is paused. No region gets the time by that; fathom_pause_begin does
 * the same with a region that gets it. Context: hook. */
static inline void fathom_location_set_paused(struct fathom_location *self, bool on)
{
	if (on)
		self->limit = self->root;	/* first: a signal handler may leave by a jump in between */
	atomic_signal_fence(memory_order_seq_cst);
	self->is_paused = on;
	atomic_signal_fence(memory_order_seq_cst);
	fathom_location_set_limit(self);
}

/* Moves the frames to a stack of twice the size. Returns the place above the top. NULL: no memory. Context: birth. */
struct fathom_frame *fathom_location_grow(struct fathom_location *self);

/* Returns room for count frames in the location's arena, behind a frame that is the lowest of its stack. NULL: no
 * memory. Context: birth. */
struct fathom_frame *fathom_location_frames(struct fathom_location *self, size_t count);

/*
 * True if a function that was entered with the stack pointer at old cannot be active any more, now that the stack
 * pointer is at here, above old: both are on the same stack, which grows downwards. Context: birth, signal.
 */
bool fathom_location_is_stale(uintptr_t old, uintptr_t here);

/*
 * Creates a location for a thread that was announced, or for a logical place, and adds it to the list. The location has
 * no time of its own: its frames hang under another location's call path. NULL: no memory, or nothing is recorded.
 * Context: birth. Takes the lock of locations.
 */
struct fathom_location *fathom_location_create(enum fathom_kind kind, struct fathom_location *leader, uint32_t number,
					       uint32_t level);

/* Writes the name of a location ("Master thread", "OMP thread 3", nested "OMP thread 0:2", "Pthread thread 5") to text,
 * and returns text. Context: finish, signal. */
FATHOM_API const char *fathom_location_name(const struct fathom_location *location, char *text, size_t bytes);

/* Whether self is the initial location or that of ignored threads, so that the thread has none of its own; and the
 * location of ignored threads, which get none by an event. Context: birth. */
bool fathom_location_is_none(const struct fathom_location *self);
struct fathom_location *fathom_location_ignored(void);

/* Between fathom_location_hide and fathom_location_show, which gets what the first returned, the calling thread is
 * suspended: it records nothing. fathom_location_is_hidden: self is the location of suspended threads.
 * Context: birth. */
struct fathom_location *fathom_location_hide(void);
void fathom_location_show(struct fathom_location *before);
bool fathom_location_is_hidden(const struct fathom_location *self);

/* Makes self the calling thread's location until the thread ends. Context: birth. */
void fathom_location_adopt(struct fathom_location *self);

/* Returns a location whose thread has ended, for another thread to take over; with the same origin if origin is not
 * NULL. NULL: there is none. Context: birth. Takes the lock of locations. */
struct fathom_location *fathom_location_reuse(void *origin);

/* Returns the location that was born last; older ones follow by next. Context: finish, signal. */
struct fathom_location *fathom_location_newest(void);

/*
 * What the run wants to know of threads; each member may be NULL. The core calls these, so that it need not know the
 * run.
 */
struct fathom_thread_watch {
	/* The process's first location has come into being. Context: birth. Inside the lock of locations. */
	void (*first_location)(void);
	/* The calling thread begins to be measured; it records nothing during the call. Context: birth. */
	void (*thread_begins)(void);
	/* The calling thread ends, by return, pthread_exit or cancellation. location: the one that it began to be
	 * measured with. Context: birth. */
	void (*thread_ends)(struct fathom_location *location);
};

/* Copies watch. Before the first birth. Context: start. */
void fathom_location_init(const struct fathom_thread_watch *watch);

/* An event of the location self, the calling thread's, was interrupted by a signal handler that left by a jump: nobody
 * will end that event. Undoes what the event has changed half. Context: birth, signal. */
void fathom_location_repair(struct fathom_location *self);

/* Two stack pointers of one stack are never further apart than this. */
#define FATHOM_LARGEST_STACK_BYTES ((uintptr_t)64 << 20)

/* Put a location of a process that has ended into the list: one after the other, in the order they were born.
 * Context: finish. */
void fathom_location_restore(struct fathom_location *self);

/* This process is a child of fork: no thread records anything from now on. Context: birth. */
void fathom_location_forget_all(void);

/* A location of no thread, by which the core measures its own cost. NULL: no memory. Context: birth, finish. */
struct fathom_location *fathom_location_create_scratch(void);
void fathom_location_destroy_scratch(struct fathom_location *scratch);

#endif
