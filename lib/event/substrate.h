/*
 * substrate: the part that records events, as a table of functions. lib/profile and lib/trace fill in such a table;
 * the core calls the functions and knows no substrate by name.
 *
 * The core guarantees that enters and exits are balanced for each location, that calls for one location come from its
 * own thread, one at a time, and that the frames below the given one are the active regions around it.
 */
#ifndef FATHOM_EVENT_SUBSTRATE_H
#define FATHOM_EVENT_SUBSTRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "define/metric.h"
#include "define/region.h"
#include "event/event_data.h"
#include "event/stage.h"

struct fathom_comm;
struct fathom_communicator;
struct fathom_frame;
struct fathom_location;
struct fathom_node;
struct fathom_result;
struct fathom_origin;
struct fathom_parameter;
struct fathom_sample;
struct fathom_task;
struct fathom_team;
struct fathom_parameter_value;

/*
 * The functions by which a substrate passes its memory to the thread that writes run snapshots (run/run_snapshot.h).
 * put: a reader of the snapshot shall find at address the bytes that are at memory now; bytes is a multiple of 8, and
 * memory is aligned to 8. put_arena: passes the whole content of an arena. to: their first argument.
 */
struct fathom_memory_copy {
	void (*put)(void *to, const void *address, const void *memory, uint64_t bytes);
	void (*put_arena)(void *to, const struct fathom_arena *arena);
	void *to;
	/* Of the locations whose memory will be in the copy, the one that was born last; the others follow by next. */
	const struct fathom_location *newest_location;
};

struct fathom_substrate {
	/*
	 * The first stage of the chain that these events pass: births of locations, enters and exits of regions, teams
	 * and tasks (stage.h). The chain ends an enter with
	 * fathom_location_end(self, frame), after it has stored the time in frame->enter_ticks, and an exit with
	 * fathom_location_end(self, frame - 1). (The chain does this, and not the core, so that the core's last act
	 * is the call of the chain; then neither of them needs to save registers.) enter_at is for regions that a
	 * trace does not contain, because other records say the same; the frame has the flag FATHOM_FRAME_UNTRACED.
	 */
	struct fathom_stage chain;

	/*
	 * A signal handler interrupted an event of self and left by a jump, so that event will not be continued.
	 * Completes the event or undoes what it has changed; self->top shows which of the two is right. NULL: no
	 * event of this substrate leaves anything half changed. Called while self->busy is set. A jump may interrupt
	 * repair as well, and then repair is called again. Context: signal.
	 */
	void (*repair)(struct fathom_location *self);

	/* Returns the sum of the ticks of all regions below the root of scratch, the location on which the core
	 * measures its own cost. NULL: the substrate keeps no times. Context: birth, finish, signal. */
	uint64_t (*scratch_ticks)(const struct fathom_location *scratch);

	/* True if enter and exit keep the contents of vector registers (platform/vectors.h) when the clock is the
	 * processor's counter. */
	bool keeps_vectors;

	/* The visit that frame has just begun continues an earlier visit of a coroutine (coroutine.h) and must not be
	 * counted. NULL: the substrate does not count visits. Context: hook. */
	void (*uncount_visit)(struct fathom_frame *frame);

	/*
	 * More records of threads, teams and tasks, for traces; NULL in other substrates. The core calls them between
	 * enters and exits, after fathom_location_begin and before fathom_location_end. For one location, now is never
	 * smaller than in earlier calls. Context: hook.
	 */
	void (*fork)(struct fathom_location *self, struct fathom_team *team, uint32_t threads, uint64_t now);
	void (*join)(struct fathom_location *self, struct fathom_team *team, uint64_t now);
	void (*task_create)(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
	/* From now on the location executes task, which was suspended; NULL: its implicit task. */
	void (*task_switch)(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
	void (*thread_create)(struct fathom_location *self, const struct fathom_origin *origin, uint64_t now);
	void (*thread_begin)(struct fathom_location *self, const struct fathom_origin *origin, uint64_t now);
	void (*thread_end)(struct fathom_location *self, uint64_t now);
	/* joined: the number of the thread that ended, see event/thread.h; 0: not known. */
	void (*thread_wait)(struct fathom_location *self, uint64_t joined, uint64_t now);
	/* A thread acquires or releases the lock with this number, which was acquired for the order-th time, see
	 * event/locks/locks.h. A substrate provides both functions or none. */
	void (*lock_acquire)(struct fathom_location *self, enum fathom_paradigm paradigm, uint32_t number,
			     uint32_t order, uint64_t now);
	void (*lock_release)(struct fathom_location *self, enum fathom_paradigm paradigm, uint32_t number,
			     uint32_t order, struct fathom_lock_release when);
	/*
	 * The thread has waited for a lock (is_condition: for a condition) for this long, in the innermost region.
	 * lock_blame charges such a waiting, of any threads, to the call path node of any location; a part of it may be
	 * reported late, and then self is NULL. NULL: the substrate does not record this. Context: hook; lock_blame
	 * also finish, signal.
	 */
	void (*lock_wait)(struct fathom_location *self, uint64_t ticks, bool is_condition);
	void (*lock_blame)(struct fathom_location *self, const struct fathom_node *node, uint64_t ticks,
			   bool is_condition);
	/* The explicit task that self executes has waited for this long; origin: the call path that created the task.
	 * NULL: the substrate does not record this. Context: hook. */
	void (*task_wait)(struct fathom_location *self, void *origin, uint64_t ticks);
	/* The call path node, of self, is blamed for that much idle time of other threads, in the units of idleness.h.
	 * NULL: the substrate does not record this. Context: hook; keeps vector registers. */
	void (*idle_blame)(struct fathom_location *self, struct fathom_node *node, uint64_t blame);
	/* Communicators and other objects of MPI, see event.h. A substrate provides all functions up to io_step, or
	 * none of them. */
	uint32_t (*comm_define)(const struct fathom_comm_members *members);
	uint32_t (*comm_of_operation)(uint32_t comm, uint32_t operation, const char *call);
	void (*comm_name)(const struct fathom_communicator *comm, const char *name);
	void (*comm_create)(struct fathom_location *self, const struct fathom_communicator *comm);
	void (*comm_destroy)(struct fathom_location *self, const struct fathom_communicator *comm);
	void (*incomplete)(void);
	/* The location begins (is_on) or ceases to record, because of a pause. During a pause the core calls no other
	 * function for the location. */
	void (*on_off)(struct fathom_location *self, bool is_on, uint64_t now);

	/* The program, or a signal, asks that the newest events of all locations stay in full. NULL: the substrate has
	 * all events in full, or none. Context: signal. */
	void (*keep_newest)(void);
	uint32_t (*object_define)(const struct fathom_object *object);
	void (*window_name)(uint32_t window, const char *name);
	/* A substrate may provide rma_step without the other functions. */
	void (*rma_step)(struct fathom_location *self, const struct fathom_rma_step *step);
	void (*io_step)(struct fathom_location *self, const struct fathom_io_step *step);

	/* A communicator got this number, or a number was given to one persistent collective operation on the
	 * communicator parent (see event.h). Numbers are dense and never used again. NULL: the substrate does not
	 * need the members of communicators. Context: birth. */
	void (*comm_note)(uint32_t number, const struct fathom_comm_members *members);
	void (*comm_note_operation)(uint32_t number, uint32_t parent, uint32_t operation);
	/* See fathom_event_comm_neighbors. NULL: as for comm_note. Context: birth. */
	uint32_t (*comm_note_neighbors)(uint32_t number, const struct fathom_comm_neighbors *neighbors);
	/* Returns the number of a new window, see fathom_event_window_note. NULL: as for comm_note. Context: birth. */
	uint32_t (*window_note)(uint32_t comm, uint32_t order);

	/* Called from time to time, between two events, while there are exits of disabled regions that are not
	 * drained. May be NULL. Context: birth. */
	void (*sampling_point)(struct fathom_location *self);

	/* Returns the call path of the thread's implicit task, below which the regions of other threads will appear.
	 * It is never freed. NULL: the substrate has no call paths. The core calls this function, and those up to
	 * iteration, between fathom_location_begin and fathom_location_end. Context: hook. */
	void *(*origin)(struct fathom_location *self);

	/* The records of event.h; they belong to the innermost region. A substrate provides all functions for requests
	 * and begins (send_complete, receive_begin, receive_matched, request_cancelled, collective_begin), or none of
	 * them. Context: hook. */
	void (*send)(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer, int32_t tag,
		     uint64_t bytes, uint64_t request);
	void (*send_complete)(struct fathom_location *self, uint64_t request);
	void (*receive_begin)(struct fathom_location *self, uint64_t request);
	void (*receive_matched)(struct fathom_location *self, uint64_t request);
	void (*receive)(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
			int32_t tag, uint64_t bytes, uint64_t request);
	void (*request_cancelled)(struct fathom_location *self, uint64_t request);
	/* While *follows_requests is false, the core does not call the functions for requests and begins. NULL: it
	 * always calls them. */
	const bool *follows_requests;
	/* While *matches_unrecorded is true, the substrate also gets the messages and collective operations of MPI
	 * calls that are not recorded, because the thread is paused or a filter excludes the call. Without them it
	 * could not match the recorded ones with those of other processes. Then the innermost frame is a placeholder
	 * with the flag FATHOM_FRAME_MATCH_ONLY. NULL: never. */
	const bool *matches_unrecorded;
	/* The request was tested, and is not complete. NULL in substrates other than traces. */
	void (*request_tested)(struct fathom_location *self, uint64_t request);
	void (*collective_begin)(struct fathom_location *self, uint64_t request);
	void (*collective)(struct fathom_location *self, const struct fathom_communicator *comm,
			   enum fathom_collective operation, int32_t root, uint64_t bytes_sent,
			   uint64_t bytes_received, uint64_t request);
	void (*rma)(struct fathom_location *self, uint64_t bytes_put, uint64_t bytes_got);
	void (*io)(struct fathom_location *self, uint64_t bytes_read, uint64_t bytes_written);
	/* A value of a given metric (define/metric.h), as the bits of the metric's type. */
	void (*metric)(struct fathom_location *self, const struct fathom_metric *metric, uint64_t bits);

	/* parameter: the innermost region has a value of parameter, and its visits are kept separate by value.
	 * iteration: the innermost region is the iteration with this number of a phase. */
	void (*parameter)(struct fathom_location *self, const struct fathom_parameter *parameter,
			  const struct fathom_parameter_value *value);
	void (*iteration)(struct fathom_location *self, uint64_t number);

	/*
	 * The votes of event.h: vote fills in the words of this process; vote_result gets the sums over all processes.
	 * NULL: the substrate needs no votes. Context: hook.
	 */
	void (*vote)(struct fathom_location *self, uint64_t number, uint64_t *words);
	void (*vote_result)(struct fathom_location *self, uint64_t number, const uint64_t *sums);

	/*
	 * Takes a sample of the calling thread. self is its location, and top is the innermost frame there. Called in
	 * a signal handler of a thread that was not inside the core, between fathom_location_begin and
	 * fathom_location_end, while all signals are blocked: the function takes no lock, and allocates only from
	 * arenas of its own, never from the arena of self. NULL: this substrate takes no samples. Context: signal.
	 */
	void (*sample)(struct fathom_location *self, struct fathom_frame *top, const struct fathom_sample *sample);

	/* Compares the clocks of the processes of comm, all of which call this. NULL: the substrate does not need it.
	 * Context: finish. */
	void (*synchronize)(struct fathom_comm *comm);

	/*
	 * Combines the data of all processes of comm and writes the result to the path in result. Every process calls
	 * this function, from any of its threads. 0 or -errno; all processes get the same value, as long as comm
	 * works. Context: finish, and signal where result->may_allocate is false.
	 */
	int (*finish)(struct fathom_comm *comm, const struct fathom_result *result);

	/*
	 * Copies the substrate's memory that is not in the arenas of locations; a reader of the copy begins at the
	 * address copied_roots. Runs on the thread that writes run snapshots, while all other threads continue:
	 * platform/helper.h says what the function may do. NULL: there is no such memory.
	 */
	void (*copy)(const struct fathom_memory_copy *copy);
	const void *copied_roots;

	/* A run snapshot of the process was created, with this path. NULL if the substrate does not need this.
	 * Context: birth. */
	void (*note_snapshot)(const char *path);

	/* Removes the files of the substrate that are not a result. NULL: there are never any. Context: signal. */
	void (*discard)(void);
};

/* The value of request in a record that belongs to no request. */
#define FATHOM_NO_REQUEST UINT64_MAX

/*
 * Returns the substrate that the settings ask for; NULL: none. lib/substrates.c defines the function, because that is
 * the only file that knows all substrates. The clock must have been chosen before. Context: start.
 */
struct fathom_settings;
const struct fathom_substrate *fathom_substrate_choose(const struct fathom_settings *settings);

#endif
