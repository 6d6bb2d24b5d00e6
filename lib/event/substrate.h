/*
 * substrate: what takes the events: a table of functions that lib/profile (and later lib/trace)
 * fills in. The core knows no substrate by name.
 *
 * The core promises: enters and exits are balanced for each location; calls for one location come
 * from its own thread, one at a time; frames below the one given are the regions active around it.
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
struct fathom_result;
struct fathom_origin;
struct fathom_parameter;
struct fathom_sample;
struct fathom_task;
struct fathom_team;
struct fathom_parameter_value;

/*
 * How a substrate hands its memory to the thread that takes run snapshots (run/run_snapshot.h): the bytes that shall
 * be found at address later are now at memory, a multiple of 8 and aligned to 8; or all that an arena has.
 */
struct fathom_memory_copy {
	void (*put)(void *to, const void *address, const void *memory, uint64_t bytes);
	void (*put_arena)(void *to, const struct fathom_arena *arena);
	void *to;
};

struct fathom_substrate {
	/* A location is born; root is its lowest frame. 0 or -errno: it will not record. Context: birth. */
	int (*birth)(struct fathom_location *self, struct fathom_frame *root);

	/*
	 * The first stage of the chain that enters and exits of regions pass (stage.h). The chain ends an enter with
	 * fathom_location_end(self, frame), after it has put the time into frame->enter_ticks, and an exit with
	 * fathom_location_end(self, frame - 1). (The core leaves that to the chain so that the core can end with a
	 * call of it, and neither needs to save registers.) enter_at is for regions that a trace does not have, as
	 * other records say the same: FATHOM_FRAME_UNTRACED is set in the frame. Context: hook.
	 */
	void (*enter)(struct fathom_location *self, struct fathom_frame *frame);
	void (*enter_at)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	void (*exit)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);

	/*
	 * A signal handler interrupted an event of self and left by a jump, so that event will not be continued. Ends
	 * the event, or undoes what it has changed: self->top says which of the two. NULL: no event of this substrate
	 * leaves anything half changed. Called while self->busy is set; a jump may interrupt repair as well, and then
	 * it is called again. Context: signal.
	 */
	void (*repair)(struct fathom_location *self);

	/* Returns the ticks that the location by which the core measures its own cost has in the regions below its
	 * root. NULL: the substrate keeps no times. Context: birth, finish, signal. */
	uint64_t (*spent)(const struct fathom_location *scratch);

	/* enter and exit leave vector registers as they are (platform/vectors.h), where the counter is the clock. */
	bool keeps_vectors;

	/* The visit that frame has just begun continues one that was begun before (coroutine.h), and does not count.
	 * NULL: the substrate does not count visits. Context: hook. */
	void (*again)(struct fathom_frame *frame);

	/*
	 * Records of threads, teams and tasks, in addition to the regions, for traces; NULL in other substrates. Called
	 * between enters and exits, with fathom_location_begin before and fathom_location_end after. now is never
	 * smaller than in the calls before, for the same location, except in team_end (see event/team.h).
	 * Context: hook.
	 */
	void (*fork)(struct fathom_location *self, const struct fathom_team *team, uint32_t threads, uint64_t now);
	void (*team_begin)(struct fathom_location *self, const struct fathom_team *team, uint32_t number, uint64_t now);
	void (*team_end)(struct fathom_location *self, const struct fathom_team *team, uint64_t now);
	void (*join)(struct fathom_location *self, const struct fathom_team *team, uint64_t now);
	void (*task_create)(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
	/* From now on the location executes task, which begins. */
	void (*task_start)(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
	/* From now on the location executes task, which was suspended; NULL: its implicit task. */
	void (*task_switch)(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
	/* The task that the location executes ends; a task_switch follows. */
	void (*task_complete)(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
	void (*thread_create)(struct fathom_location *self, const struct fathom_origin *origin, uint64_t now);
	void (*thread_begin)(struct fathom_location *self, const struct fathom_origin *origin, uint64_t now);
	void (*thread_end)(struct fathom_location *self, uint64_t now);
	/* joined: the number of the thread that ended, see event/thread.h; 0: not known. */
	void (*thread_wait)(struct fathom_location *self, uint64_t joined, uint64_t now);
	/* A thread acquires or releases the lock with that number, which was acquired for the order-th time, see
	 * event/locks.h. Both or none. */
	void (*lock_acquire)(struct fathom_location *self, enum fathom_paradigm paradigm, uint32_t number,
			     uint32_t order, uint64_t now);
	void (*lock_release)(struct fathom_location *self, enum fathom_paradigm paradigm, uint32_t number,
			     uint32_t order, struct fathom_lock_release when);
	/* Communicators and other objects of MPI, see event.h. All or none, up to io_step. */
	uint32_t (*comm_define)(const struct fathom_comm_members *members);
	uint32_t (*comm_of_operation)(uint32_t comm, uint32_t operation, const char *call);
	void (*comm_name)(const struct fathom_communicator *comm, const char *name);
	void (*comm_create)(struct fathom_location *self, const struct fathom_communicator *comm);
	void (*comm_destroy)(struct fathom_location *self, const struct fathom_communicator *comm);
	void (*incomplete)(void);
	/* The location begins (is_on) or ends to record, by a pause. In a pause no other function is called for it. */
	void (*on_off)(struct fathom_location *self, bool is_on, uint64_t now);
	uint32_t (*object_define)(const struct fathom_object *object);
	void (*window_name)(uint32_t window, const char *name);
	void (*rma_step)(struct fathom_location *self, const struct fathom_rma_step *step);
	void (*io_step)(struct fathom_location *self, const struct fathom_io_step *step);

	/* Called now and then, between two events, while there are exits of disabled regions that are not drained. May
	 * be NULL. Context: birth. */
	void (*sampling_point)(struct fathom_location *self);

	/* For these the core has called fathom_location_begin, and will call fathom_location_end. Context: hook. */

	/* Returns the call path of the thread's implicit task, for other threads to hang under. It lives for ever. */
	void *(*origin)(struct fathom_location *self);
	/* frame is an anchor: the frames above it hang under the call path origin. No exit follows. */
	void (*hang)(struct fathom_location *self, struct fathom_frame *frame, void *origin);
	/* An explicit task begins or ends at now; frame is its lowest frame, with the region of the task. */
	void (*task_begin)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	void (*task_end)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	/* A task is suspended, or continues: called for each of its frames, from the lowest. No time counts for a
	 * suspended task. is_moved: it continues on another location than the one that suspended it. */
	void (*suspend)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	void (*resume)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved);

	/* The records of event.h, for the innermost region. Context: hook. */
	void (*send)(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer, int32_t tag,
		     uint64_t bytes, uint64_t request);
	void (*send_complete)(struct fathom_location *self, uint64_t request);
	void (*receive_begin)(struct fathom_location *self, uint64_t request);
	void (*receive_matched)(struct fathom_location *self, uint64_t request);
	void (*receive)(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
			int32_t tag, uint64_t bytes, uint64_t request);
	void (*request_cancelled)(struct fathom_location *self, uint64_t request);
	/* The request was tested, and is not complete. NULL: only traces record that. */
	void (*request_tested)(struct fathom_location *self, uint64_t request);
	void (*collective_begin)(struct fathom_location *self, uint64_t request);
	void (*collective)(struct fathom_location *self, const struct fathom_communicator *comm,
			   enum fathom_collective operation, int32_t root, uint64_t bytes_sent,
			   uint64_t bytes_received, uint64_t request);
	void (*rma)(struct fathom_location *self, uint64_t bytes_put, uint64_t bytes_got);
	void (*io)(struct fathom_location *self, uint64_t bytes_read, uint64_t bytes_written);
	/* A given metric (define/metric.h): its value, in the bits of its type. */
	void (*metric)(struct fathom_location *self, const struct fathom_metric *metric, uint64_t bits);

	/* The innermost region has a value of parameter, by which its visits are kept apart; or it is the iteration
	 * with that number of a phase. */
	void (*parameter)(struct fathom_location *self, const struct fathom_parameter *parameter,
			  const struct fathom_parameter_value *value);
	void (*iteration)(struct fathom_location *self, uint64_t number);

	/*
	 * Takes a sample of the calling thread, which is at top, the innermost frame of its location self. NULL: this
	 * substrate takes no samples. Called in the signal handler of a thread that was not inside the core, between
	 * fathom_location_begin and fathom_location_end, while all signals are blocked: it takes no lock and gets memory
	 * from its own arenas only, never from that of self. Context: signal.
	 */
	void (*sample)(struct fathom_location *self, struct fathom_frame *top, const struct fathom_sample *sample);

	/* Compares the clocks of the processes of comm, all of which call this. NULL: not needed. Context: finish. */
	void (*synchronize)(struct fathom_comm *comm);

	/*
	 * Put together what the processes of comm have and write it to where result says; the calling
	 * thread may be any. Every process calls it; 0 or -errno, the same everywhere where comm works.
	 * Context: finish, and signal where result->may_allocate is false.
	 */
	int (*finish)(struct fathom_comm *comm, const struct fathom_result *result);

	/*
	 * Copies what the substrate has in memory that is not in the arenas of locations; copied_roots is the address
	 * at which a reader of the copy begins. Runs on the thread that takes run snapshots, while all other threads go
	 * on: platform/helper.h says what it may do. NULL: there is nothing.
	 */
	void (*copy)(const struct fathom_memory_copy *copy);
	const void *copied_roots;

	/* There is a run snapshot of the process, with this path. NULL where that does not matter. Context: birth. */
	void (*note_snapshot)(const char *path);

	/* Remove what it has on disk that is no result. NULL: there is never any. Context: signal. */
	void (*discard)(void);
};

/* request of a record that belongs to none. */
#define FATHOM_NO_REQUEST UINT64_MAX

/*
 * The substrate that does what the settings ask; NULL: none. In lib/substrates.c, the one place that
 * knows which there are. The clock is chosen already. Context: start.
 */
struct fathom_settings;
const struct fathom_substrate *fathom_substrate_choose(const struct fathom_settings *settings);

#endif
