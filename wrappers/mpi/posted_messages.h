/*
 * posted_messages: the functions post and poll of struct fathom_comm (lib/comm), implemented with MPI.
 *
 * Messages to one receiver are joined: post copies a message into a buffer for its receiver. The buffer is sent when it
 * is full, and when this rank may be about to wait while other ranks wait for what is in the buffers: when poll finds
 * no message, and before all other communication.
 */
#ifndef FATHOM_MPI_POSTED_MESSAGES_H
#define FATHOM_MPI_POSTED_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "mpi/mpi_library.h"

struct fathom_mpi_posted;

/* Returns the state for messages on the communicator mpi with this tag, on which no other messages are sent; size is
 * the number of ranks. NULL: no memory. Context: finish. */
struct fathom_mpi_posted *fathom_mpi_posted_create(MPI_Comm mpi, int tag, int size);

/* The functions of the table; from is a rank in mpi. Context: finish. */
int fathom_mpi_posted_send(struct fathom_mpi_posted *posted, int to, const void *data, size_t bytes);
int fathom_mpi_posted_poll(struct fathom_mpi_posted *posted, int *from, void *data, size_t *bytes, bool wait);

/* Sends what is still in the buffers. Called before this rank waits for something other than a posted message. 0 or
 * -errno. posted may be NULL. Context: finish. */
int fathom_mpi_posted_flush(struct fathom_mpi_posted *posted);

/* Waits until everything that was sent has arrived, and frees the state. NULL is allowed. Context: finish. */
void fathom_mpi_posted_destroy(struct fathom_mpi_posted *posted);

#endif
