/*
 * event: the functions by which wrappers and hooks report events to the core.
 *
 * A wrapper calls these functions on the thread where the event happens. The core finds the thread's location, keeps
 * enters and exits balanced, and passes the event on to the substrate. Every function of this file may be called at
 * any time and from any thread, also inside a signal handler, before main, after exit has begun, and after fork:
 * where the core cannot record the event, it drops the event.
 */
#ifndef FATHOM_EVENT_EVENT_H
#define FATHOM_EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event_data.h"
#include "platform/compiler.h"

struct fathom_region;
struct fathom_communicator;
struct fathom_parameter;
struct fathom_parameter_value;
struct fathom_metric;

/*
 * The calling thread enters or leaves region. If an enter was dropped, its exit is dropped, too. An exit that skips
 * active regions (after longjmp or an exception) ends these regions first.
 *
 * Call both functions in tail position, or from a function that stays active as long as the region. The core
 * remembers the caller's stack pointer; when the stack pointer is above this value later, the core concludes that
 * longjmp or an exception has left the region, and ends it. Context: hook.
 */
FATHOM_API void fathom_event_enter(const struct fathom_region *region);
FATHOM_API void fathom_event_exit(const struct fathom_region *region);

/* As fathom_event_exit, for the region of an MPI call. The operation logs of lib/waits need the time of the exit: see
 * the member operation_end of struct fathom_location. Context: hook. */
FATHOM_API void fathom_event_exit_operation(const struct fathom_region *region);

/*
 * As fathom_event_enter, but for a block that the program can leave only through its end (an OpenMP construct). A
 * function that returns before the block ends may call this. A block without an exit ends together with the region
 * around it. fathom_event_exit leaves the block. Context: hook.
 */
FATHOM_API void fathom_event_enter_block(const struct fathom_region *region);

/* Enter and exit for early hooks, which have just found that region is enabled. If another thread disables the region
 * at this moment, the core still records both the enter and the exit. Context: hook. */
FATHOM_API void fathom_event_enter_early(const struct fathom_region *region);
FATHOM_API void fathom_event_exit_early(const struct fathom_region *region);

/*
 * Enter and exit for late hooks. stack is the function's stack pointer at its first instruction, and has the same
 * value at its last one. By this value the core finds the enter that an exit belongs to, so a late hook need not
 * report the enters of a disabled region: at an enter, the hook has just found that region is enabled. Vector
 * registers keep their contents if fathom_event_keeps_vectors returns true. Context: hook.
 */
FATHOM_API void fathom_event_enter_late(const struct fathom_region *region, uintptr_t stack);
FATHOM_API void fathom_event_exit_late(const struct fathom_region *region, uintptr_t stack);

/*
 * The exit of the function that has the member code (define/region.h) in its region. If the innermost frame belongs
 * to this function and was entered with the stack pointer at stack, which is the common case, no lookup of the region
 * is necessary. Otherwise the function given to fathom_event_set_other_exit is called, which finds the region. Use
 * this only where the processor's counter is the clock. Context: hook.
 */
FATHOM_API void fathom_event_exit_late_code(const uint8_t *code, uintptr_t stack);

/* Sets the function that fathom_event_exit_late_code calls if the innermost frame is not the right one. Context:
 * start. */
FATHOM_API void fathom_event_set_other_exit(void (*other)(const uint8_t *code, uintptr_t stack));

/* Returns true if the functions for late hooks keep the contents of vector registers from now on
 * (platform/vectors.h); false as long as nothing can be recorded. Context: start. */
FATHOM_API bool fathom_event_keeps_vectors(void);

/*
 * Returns true if the calling thread's events are recorded now. If they are not, a wrapper can save the work of
 * computing values for them, such as the bytes of an irregular collective. Context: hook.
 */
FATHOM_API bool fathom_event_recording(void);

/*
 * For the user API: fathom_event_innermost returns the innermost region of the calling thread; NULL if there is none.
 * fathom_event_find_user returns the innermost active user region with this name; NULL if there is none. name need
 * not end with a null byte; length is its length. Context: hook.
 */
FATHOM_API const struct fathom_region *fathom_event_innermost(void);
FATHOM_API const struct fathom_region *fathom_event_find_user(const char *name, size_t length);

/* Returns whether matches returns true for the code of a function that is active on the calling thread. matches gets
 * the member code of struct fathom_region. Context: birth. */
FATHOM_API bool fathom_event_has_active(bool (*matches)(const void *code));

/* Makes the newest events of a trace with a ring stay in full; without such a trace it does nothing. Context: signal.
 */
FATHOM_API void fathom_event_keep_newest(void);

/* fathom_event_record pauses the calling thread (on is false) or ends the pause: see event/pause.h.
 * fathom_event_is_recording returns false while the thread is paused. Context: hook. */
FATHOM_API void fathom_event_record(bool on);
FATHOM_API bool fathom_event_is_recording(void);

/* The innermost region has this value of a parameter (define/parameter.h), or is the iteration with this number of a
 * phase. Called directly after the enter of the region. Context: hook; birth for a new value. */
FATHOM_API void fathom_event_parameter(const struct fathom_parameter *parameter,
				       const struct fathom_parameter_value *value);
FATHOM_API void fathom_event_iteration(uint64_t number);

/*
 * Begins an MPI call that a setting or a filter excludes. If the substrate needs the messages and operations of
 * such a call for the matching, this returns a region, which fathom_event_exit_operation leaves; in between the
 * wrapper reports the messages and operations as always. NULL: the substrate does not need them, and nothing was
 * entered. Context: hook.
 */
FATHOM_API const struct fathom_region *fathom_event_enter_unrecorded(void);

/*
 * Messages. peer is a rank in comm (in the other group, for an inter-communicator), never MPI_PROC_NULL. A wrapper
 * calls each function while the region of the MPI call is active. request: the number of an open request, dense and
 * unique within the process. Context: hook.
 */
FATHOM_API void fathom_event_send(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes);
FATHOM_API void fathom_event_receive(const struct fathom_communicator *comm, int32_t peer, int32_t tag,
				     uint64_t bytes);
FATHOM_API void fathom_event_send_begin(const struct fathom_communicator *comm, int32_t peer, int32_t tag,
					uint64_t bytes, uint64_t request);
FATHOM_API void fathom_event_send_complete(uint64_t request);
FATHOM_API void fathom_event_receive_begin(uint64_t request);
/* Begins the request of a receive whose message MPI_Mprobe has found. Unlike a receive, a probe does not hold a place
 * in the order of matching while it waits: the request begins at the time of this call, not at the enter of the MPI
 * call. Context: hook. */
FATHOM_API void fathom_event_receive_matched(uint64_t request);
/* The receive with that request is complete: the message has arrived. Context: hook. */
FATHOM_API void fathom_event_receive_complete(const struct fathom_communicator *comm, int32_t peer, int32_t tag,
					      uint64_t bytes, uint64_t request);
/* The program has cancelled the request: its message is not transferred. Context: hook. */
FATHOM_API void fathom_event_request_cancelled(uint64_t request);

/* The program has tested the request, which is not complete. Only traces record this. Context: hook. */
FATHOM_API void fathom_event_request_tested(uint64_t request);

/*
 * A collective operation is complete. bytes_sent and bytes_received are what this process contributed and got, as the
 * table of byte counts in doc/reference/metrics.md defines them. root is a rank in comm, or FATHOM_NO_ROOT,
 * FATHOM_ROOT_SELF or FATHOM_ROOT_OWN_GROUP. The functions with begin and complete in their names are for
 * non-blocking and persistent operations. Context: hook.
 */
FATHOM_API void fathom_event_collective(const struct fathom_communicator *comm, enum fathom_collective operation,
					int32_t root, uint64_t bytes_sent, uint64_t bytes_received);
FATHOM_API void fathom_event_collective_begin(uint64_t request);
FATHOM_API void fathom_event_collective_complete(const struct fathom_communicator *comm,
						 enum fathom_collective operation, int32_t root, uint64_t bytes_sent,
						 uint64_t bytes_received, uint64_t request);

/*
 * Votes: where all processes have just waited for each other, they may decide something together. Each process passes
 * its words (fathom_event_vote) to the wrapper, which adds up the words of all processes and returns the sums
 * (fathom_event_vote_result). number: number of the vote, from 1; all processes take part in all votes.
 * fathom_event_votes returns whether the substrate needs votes. Context: hook; the latter: start.
 */
enum { FATHOM_VOTE_WORDS = 2 };
FATHOM_API bool fathom_event_votes(void);
FATHOM_API void fathom_event_vote(uint64_t number, uint64_t *words);
FATHOM_API void fathom_event_vote_result(uint64_t number, const uint64_t *sums);

/* Returns true if a trace is recorded. Context: hook. */
FATHOM_API bool fathom_event_traces(void);

/*
 * Communicators. If fathom_event_knows_comms returns true, a wrapper calls fathom_event_comm_define for every new
 * communicator, and keeps the number in struct fathom_communicator. Context: hook.
 */
FATHOM_API bool fathom_event_knows_comms(void);

/* Returns the number of a new communicator. All members of a communicator call this; for several communicators with
 * the same members and key, all members call it in the same order. Context: birth. */
FATHOM_API uint32_t fathom_event_comm_define(const struct fathom_comm_members *members);

/*
 * Returns the number under which the starts of a persistent collective operation are recorded. MPI matches these
 * operations when they are initialised, and each process may start them in a different order (MPI 4.0, section 6.13).
 * Readers of a trace match the collectives of one communicator in the order of their records; therefore each
 * operation gets a communicator of its own, with the members of communicator number comm. operation: the number of
 * persistent operations that were initialised on comm so far, including this one; the same at all members. call: the
 * name of the MPI call that initialised the operation. Returns comm if there is no memory. Context: birth.
 */
FATHOM_API uint32_t fathom_event_comm_of_operation(uint32_t comm, uint32_t operation, const char *call);

/* Reports the neighbours in the communicator with this number, for the search for wait states: before its first
 * neighbourhood operation. Returns a number that names them in the events of this communicator, and of those for its
 * persistent operations; 0: events do not name them. Context: birth. */
FATHOM_API uint32_t fathom_event_comm_neighbors(uint32_t comm, const struct fathom_comm_neighbors *neighbors);

/* Returns the number of a new window for the search for wait states. comm: the number of the communicator whose members
 * share the window; order: how many windows were made on comm so far, including this one; the same at all members.
 * FATHOM_NO_OBJECT: nothing is searched, or there is no memory. Context: birth. */
FATHOM_API uint32_t fathom_event_window_note(uint32_t comm, uint32_t order);

/* The program gives comm a name. Context: birth. */
FATHOM_API void fathom_event_comm_name(const struct fathom_communicator *comm, const char *name);

/* comm begins, or ceases, to exist. Context: hook. */
FATHOM_API void fathom_event_comm_create(const struct fathom_communicator *comm);
FATHOM_API void fathom_event_comm_destroy(const struct fathom_communicator *comm);

/* An action of MPI is not reported, for instance the end of a request that no wrapper sees: the trace is incomplete.
 * Context: hook. */
FATHOM_API void fathom_event_incomplete(void);

/*
 * Windows of one-sided communication, and files. A wrapper calls the functions up to fathom_event_io_step only if
 * fathom_event_traces returns true.
 */
/* Returns the number of an object; each kind has numbers of its own. A call for a window or a handle always defines a
 * new object, and all members of comm make these calls in the same order. A file, or a list of ranks, that was
 * defined before keeps its number. Context: birth. */
FATHOM_API uint32_t fathom_event_object_define(const struct fathom_object *object);

/* The program gives a window a name. Context: birth. */
FATHOM_API void fathom_event_window_name(uint32_t window, const char *name);

/* Reports a step of one-sided communication. Operations, locks and FATHOM_RMA_ALL_BEGIN get the time of the previous
 * event, which is the enter of the MPI call. Context: hook. */
FATHOM_API void fathom_event_rma_step(const struct fathom_rma_step *step);

/* Reports a step of file access. FATHOM_IO_BEGIN gets the time of the previous event, which is the enter of the MPI
 * call. Context: hook. */
FATHOM_API void fathom_event_io_step(const struct fathom_io_step *step);

/* A one-sided transfer: bytes that this process sent to a target, or got from one. Context: hook. */
FATHOM_API void fathom_event_rma(uint64_t bytes_put, uint64_t bytes_got);

/* A transfer of bytes from or to a file. Context: hook. */
FATHOM_API void fathom_event_io(uint64_t bytes_read, uint64_t bytes_written);

/* The calling thread (is_thread), or its process, has the coordinates at in a topology (define/topology.h). Context:
 * birth. */
struct fathom_topology;
FATHOM_API void fathom_event_place(const struct fathom_topology *topology, const uint32_t *at, bool is_thread);

/* The program reports a value of a metric, as the bits of the metric's type. Context: hook. */
FATHOM_API void fathom_event_metric(const struct fathom_metric *metric, uint64_t bits);

#endif
