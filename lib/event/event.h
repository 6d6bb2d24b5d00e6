/*
 * event: the one door through which every event enters.
 *
 * Wrappers call these from the thread that does the thing; the core finds the thread's
 * location, keeps enters and exits balanced and hands the event to the substrate. Every
 * function here may be called at any time, from any thread, also inside a signal handler,
 * before main, after exit has begun and after fork: where nothing can be recorded, nothing is.
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
 * The calling thread begins or ends region. An exit whose enter was dropped is dropped; an
 * exit that skips active regions (longjmp, exceptions) ends those first.
 * Call them in tail position, or from the function that stays active as long as the region: where
 * the stack of the caller was is remembered, and a region whose caller's is gone counts as left
 * (longjmp, exceptions). Context: hook.
 */
FATHOM_API void fathom_event_enter(const struct fathom_region *region);
FATHOM_API void fathom_event_exit(const struct fathom_region *region);

/*
 * The same for a block that cannot be left but through its end (an OpenMP construct): it may be entered from
 * anywhere, also from a helper that returns, and lasts as long as the region around it. Left by
 * fathom_event_exit. Context: hook.
 */
FATHOM_API void fathom_event_enter_block(const struct fathom_region *region);

/* Early hooks: the same as enter and exit, of a region that was enabled a moment ago. (If it is not any more, both are
 * recorded all the same.) Context: hook. */
FATHOM_API void fathom_event_enter_early(const struct fathom_region *region);
FATHOM_API void fathom_event_exit_early(const struct fathom_region *region);

/*
 * Late hooks, which know where the function's stack began: stack is its stack pointer at its first instruction, and at
 * its last. So an exit tells by itself which enter it belongs to, and enters of a disabled region need not be reported:
 * the region that is entered was enabled a moment ago. Vector registers stay as they are if fathom_event_keeps_vectors
 * says so. Context: hook.
 */
FATHOM_API void fathom_event_enter_late(const struct fathom_region *region, uintptr_t stack);
FATHOM_API void fathom_event_exit_late(const struct fathom_region *region, uintptr_t stack);

/*
 * The exit of the function whose code is known by the address code (define/region.h), if it is the innermost one and
 * was entered with the stack pointer at stack. Mostly it is, and then no region has to be looked for. If it is not,
 * the function that was given to fathom_event_set_other_exit is called, which is to find the region. Only where the
 * processor's counter is the clock. Context: hook.
 */
FATHOM_API void fathom_event_exit_late_code(const uint8_t *code, uintptr_t stack);

/* Context: start. */
FATHOM_API void fathom_event_set_other_exit(void (*other)(const uint8_t *code, uintptr_t stack));

/* Whether the functions of late hooks leave vector registers as they are, from now on (platform/vectors.h); false
 * before anything can be recorded. Context: start. */
FATHOM_API bool fathom_event_keeps_vectors(void);

/*
 * True where the calling thread's events are recorded now: what costs effort to find out
 * (bytes of an irregular collective) need not be found out otherwise. Context: hook.
 */
FATHOM_API bool fathom_event_recording(void);

/*
 * What the program says itself.
 *
 * The innermost region of the calling thread, NULL: none. One by that name that the program began itself. Name is
 * compared as text. Context: hook.
 */
FATHOM_API const struct fathom_region *fathom_event_innermost(void);
FATHOM_API const struct fathom_region *fathom_event_find_user(const char *name, size_t length);

/* The calling thread records, or does not until it says otherwise: see event/pause.h. Context: hook. */
FATHOM_API void fathom_event_record(bool on);
FATHOM_API bool fathom_event_is_recording(void);

/* The innermost region has a parameter (define/parameter.h); it is an iteration, of that number, of a phase. Called
 * right behind its enter. Context: hook, birth where it is new. */
FATHOM_API void fathom_event_parameter(const struct fathom_parameter *parameter,
				       const struct fathom_parameter_value *value);
FATHOM_API void fathom_event_iteration(uint64_t number);

/*
 * Messages. peer is a rank in comm (of the other group for an inter-communicator), never
 * MPI_PROC_NULL. Each is called inside the region of the call that does it.
 * request: dense number of the request while it is open, unique within the process.
 * Context: hook.
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
 * A collective is over: what this process contributed and got, in bytes, as the sheet of
 * byte counts in doc/reference/metrics.md defines it. root is a rank in comm, or one of those above.
 * The pair begin/complete is for non-blocking and persistent ones. Context: hook.
 */
FATHOM_API void fathom_event_collective(const struct fathom_communicator *comm, enum fathom_collective operation,
					int32_t root, uint64_t bytes_sent, uint64_t bytes_received);
FATHOM_API void fathom_event_collective_begin(uint64_t request);
FATHOM_API void fathom_event_collective_complete(const struct fathom_communicator *comm,
						 enum fathom_collective operation, int32_t root, uint64_t bytes_sent,
						 uint64_t bytes_received, uint64_t request);

/*
 * Communicators, as far as records need them. Where fathom_event_traces says so, a wrapper asks for a number for every
 * communicator it learns of, and keeps it in struct fathom_communicator.
 */
/* Whether what happens is written down event by event. Context: hook. */
FATHOM_API bool fathom_event_traces(void);

/* The number of a new communicator. All its members call this in the same order for communicators of the same members
 * and key. Context: birth. */
FATHOM_API uint32_t fathom_event_comm_define(const struct fathom_comm_members *members);

/*
 * The number under which the starts of a persistent collective operation are recorded. MPI matches these operations
 * when they are initialised, and each process may start them in an order of its own (MPI 4.0, section 6.13). Readers of
 * a trace match collectives of one communicator in the order of their records, so each operation has a communicator of
 * its own, with the members of the one that has the number comm. operation: how many were initialised on that one so
 * far, this one included; the same at all members. call: the name of the MPI call that initialised it. Returns comm
 * where there is no memory. Context: birth.
 */
FATHOM_API uint32_t fathom_event_comm_of_operation(uint32_t comm, uint32_t operation, const char *call);

/* It is called name from now on. Context: birth. */
FATHOM_API void fathom_event_comm_name(const struct fathom_communicator *comm, const char *name);

/* It begins, or ends, to exist. Context: hook. */
FATHOM_API void fathom_event_comm_create(const struct fathom_communicator *comm);
FATHOM_API void fathom_event_comm_destroy(const struct fathom_communicator *comm);

/* Some action of MPI is not reported, such as the end of a request that no wrapper sees. Context: hook. */
FATHOM_API void fathom_event_incomplete(void);

/*
 * What one-sided communication and files are about. As with communicators, their numbers are asked for
 * only where fathom_event_traces says so, and so is everything up to fathom_event_io_step.
 */
/* The number of an object, by kind. A window or handle is always a new one, and all members of comm call this in the
 * same order; a file or list of ranks that is known keeps its number. Context: birth. */
FATHOM_API uint32_t fathom_event_object_define(const struct fathom_object *object);

/* A window has a name from now on. Context: birth. */
FATHOM_API void fathom_event_window_name(uint32_t window, const char *name);

/* Operations, locks and ALL_BEGIN count from the event before, which is the enter of their call. Context: hook. */
FATHOM_API void fathom_event_rma_step(const struct fathom_rma_step *step);

/* BEGIN counts from the event before, which is the enter of its call. Context: hook. */
FATHOM_API void fathom_event_io_step(const struct fathom_io_step *step);

/* One-sided transfer: bytes that left this process for, or came to it from, a target. Context: hook. */
FATHOM_API void fathom_event_rma(uint64_t bytes_put, uint64_t bytes_got);

/* File transfer. Context: hook. */
FATHOM_API void fathom_event_io(uint64_t bytes_read, uint64_t bytes_written);

/* The calling thread, or its process, is at that place of a topology (define/topology.h). Context: birth. */
struct fathom_topology;
FATHOM_API void fathom_event_place(const struct fathom_topology *topology, const uint32_t *at, bool is_thread);

/* The program gives a value of a metric, in the bits of its type. Context: hook. */
FATHOM_API void fathom_event_metric(const struct fathom_metric *metric, uint64_t bits);

#endif
