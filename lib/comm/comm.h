/*
 * comm: the communication of the processes of a run while they join their measurements.
 *
 * This is a table of functions. The code that uses it (unification, builder of the system tree) does not know whether
 * MPI, a simulator or a single process implements it. The implementations are serial.c, wrappers/mpi/comm.c, and
 * simulated ranks in the tests.
 *
 * All functions of the table return 0 or -errno; after an error the communicator must not be used any more. Messages
 * between two ranks arrive in the order in which they were sent. A rank that waits yields the processor, because runs
 * with more ranks than processors must not spin. Context of all functions: finish; the serial communicator may also be
 * used in context signal.
 */
#ifndef FATHOM_COMM_COMM_H
#define FATHOM_COMM_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

/* The largest message that post sends. */
enum { FATHOM_COMM_MOST_POSTED = 1 << 16 };

struct fathom_comm_file;		/* defined by the implementation */

/* A message that this rank sends or receives in an exchange. */
struct fathom_comm_message {
	int rank;		/* the receiver or sender; negative: there is no message */
	void *data;
	size_t bytes;
};

struct fathom_comm {
	int rank;
	int size;

	/* The time that messages take is being measured: a rank that waits looks for its message more often before it
	 * sleeps. The caller sets and clears it. */
	bool is_timed;

	/* Sends bytes to a rank. Returns when the caller may change data again. */
	int (*send)(struct fathom_comm *comm, int to, const void *data, size_t bytes);

	/* Receives exactly as many bytes from a rank as the sender sent. */
	int (*receive)(struct fathom_comm *comm, int from, void *data, size_t bytes);

	/*
	 * Sends the count messages of out while it receives the count messages of in, so that ranks may send to each
	 * other. At most one message goes to a rank, and one comes from a rank. The other rank may also use send and
	 * receive.
	 */
	int (*exchange)(struct fathom_comm *comm, const struct fathom_comm_message *out,
			const struct fathom_comm_message *in,
			int count);

	/* Copies the data of the root to all ranks. */
	int (*broadcast)(struct fathom_comm *comm, int root, void *data, size_t bytes);

	/*
	 * Asynchronous messages. post sends bytes (at most FATHOM_COMM_MOST_POSTED) to another rank, copies data, and
	 * never waits for the receiver. poll takes the next message that was posted to this rank, from any sender; it
	 * fills in the sender, the data and the number of bytes. If there is no message, *from is -1; with wait, poll
	 * does not return before a message arrives. data has room for FATHOM_COMM_MOST_POSTED bytes. Messages of one
	 * sender come in the order in which it posted them; there is no order between these messages and those of the
	 * functions above. NULL in an implementation that does not have them.
	 */
	int (*post)(struct fathom_comm *comm, int to, const void *data, size_t bytes);
	int (*poll)(struct fathom_comm *comm, int *from, void *data, size_t *bytes, bool wait);

	/* Makes a communicator of all ranks with the same color, in the order of their keys, then of their ranks.
	 * -ENOMEM: all of these ranks get this error, and comm can still be used. */
	int (*split)(struct fathom_comm *comm, int color, int key, struct fathom_comm **part);

	/* Frees a communicator that split made. */
	void (*close)(struct fathom_comm *comm);

	/*
	 * Functions for an existing file that this process writes into, while other processes write other parts of it.
	 * No process waits for another one. What a process wrote is visible to all after it closed the file. comm can
	 * still be used after an error of these functions. file_close frees the file in any case.
	 */
	int (*file_open)(struct fathom_comm *comm, const char *path, struct fathom_comm_file **file);
	int (*file_write)(struct fathom_comm_file *file, const void *data, size_t bytes, uint64_t place);
	int (*file_close)(struct fathom_comm_file *file);

	void *context;		/* used by the implementation */
};

/* Returns the communicator of a single process; never NULL. Its functions for messages must not be called. */
struct fathom_comm *fathom_comm_serial(void);

/* The functions for files, implemented with plain system calls, for communicators without a better way. They allocate
 * with malloc. */
int fathom_comm_plain_open(struct fathom_comm *comm, const char *path, struct fathom_comm_file **file);
int fathom_comm_plain_write(struct fathom_comm_file *file, const void *data, size_t bytes, uint64_t place);
int fathom_comm_plain_close(struct fathom_comm_file *file);

/*
 * Computes the position of a rank in the binomial tree of the ranks 0 to size - 1. Rank 0 is the root, and a parent
 * has a lower rank than its children. *parent is -1 at the root. Fills in children, nearest first, and returns their
 * number, which is 31 at most.
 */
FATHOM_API int fathom_comm_tree(int rank, int size, int *parent, int children[32]);

#endif
