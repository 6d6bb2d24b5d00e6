/*
 * comm: how the processes of a run talk while they put their measurements together.
 *
 * A small table of functions; the code that uses it (unification, builders) cannot tell
 * whether MPI, a simulator or nothing at all is behind it. Implementations: serial.c here,
 * wrappers/mpi/comm.c, and simulated ranks in the tests.
 *
 * All functions return 0 or -errno; after an error the communicator cannot be used any more.
 * Messages between two ranks arrive in the order sent. Waiting gives the processor away: runs
 * with more ranks than processors must not spin.
 */
#ifndef FATHOM_COMM_COMM_H
#define FATHOM_COMM_COMM_H

#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_comm_file;		/* the implementation's own */

/* One side of a message, for exchange. */
struct fathom_comm_message {
	int rank;		/* whom to, or from; negative: nobody */
	void *data;
	size_t bytes;
};

struct fathom_comm {
	int rank;
	int size;

	/* Send bytes to a rank; returns when data may be used again. */
	int (*send)(struct fathom_comm *comm, int to, const void *data, size_t bytes);

	/* Receive exactly bytes from a rank; the sender sent just as many. */
	int (*receive)(struct fathom_comm *comm, int from, void *data, size_t bytes);

	/*
	 * Send all of out while receiving all of in, count of each, so that ranks may send to each
	 * other. One to, and one from a rank at a time; the other side may use send and receive.
	 */
	int (*exchange)(struct fathom_comm *comm, const struct fathom_comm_message *out,
			const struct fathom_comm_message *in,
			int count);

	/* Everybody gets root's data. */
	int (*broadcast)(struct fathom_comm *comm, int root, void *data, size_t bytes);

	/* A communicator of all who gave the same color, in the order of key, then rank. -ENOMEM: at all of
	 * them, and the one that was to be split is as before. */
	int (*split)(struct fathom_comm *comm, int color, int key, struct fathom_comm **part);

	/* Give back what split made. */
	void (*close)(struct fathom_comm *comm);

	/*
	 * A file that is there already, for this process to write into; any number of others may have it open,
	 * too, and write elsewhere in it. Nobody waits for anybody; what is written is there for all when its file
	 * is closed. All three return 0 or -errno, and comm can be used on after an error. close frees the file in
	 * any case.
	 */
	int (*file_open)(struct fathom_comm *comm, const char *path, struct fathom_comm_file **file);
	int (*file_write)(struct fathom_comm_file *file, const void *data, size_t bytes, uint64_t place);
	int (*file_close)(struct fathom_comm_file *file);

	void *context;		/* the implementation's own */
};

/* One process alone. Never fails. Its functions for messages must not be called. */
struct fathom_comm *fathom_comm_serial(void);

/* The functions for files, by plain system calls: for implementations that have nothing better. They allocate. */
int fathom_comm_plain_open(struct fathom_comm *comm, const char *path, struct fathom_comm_file **file);
int fathom_comm_plain_write(struct fathom_comm_file *file, const void *data, size_t bytes, uint64_t place);
int fathom_comm_plain_close(struct fathom_comm_file *file);

/*
 * A binary tree over the ranks with root 0, in which a parent has a lower rank than its
 * children: the binomial tree. parent: -1 at the root. Fills children, nearest first, and
 * returns how many; never more than 31.
 */
FATHOM_API int fathom_comm_tree(int rank, int size, int *parent, int children[32]);

#endif
