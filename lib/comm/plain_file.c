/*
 * plain_file: writes a part of a file that other processes write other parts of, with plain system calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "comm/comm.h"

struct fathom_comm_file {
	int fd;
};

int fathom_comm_plain_open(struct fathom_comm *comm, const char *path, struct fathom_comm_file **result)
{
	struct fathom_comm_file *file = malloc(sizeof(*file));

	(void)comm;
	if (!file)
		return -ENOMEM;
	file->fd = open(path, O_WRONLY | O_CLOEXEC);
	if (file->fd < 0) {
		int err = -errno;

		free(file);
		return err;
	}
	*result = file;
	return 0;
}

int fathom_comm_plain_write(struct fathom_comm_file *file, const void *data, size_t bytes, uint64_t place)
{
	const char *next = data;

	while (bytes) {
		ssize_t done = pwrite(file->fd, next, bytes, (off_t)place);

		if (done == 0)
			return -ENOSPC;		/* the kernel wrote nothing and gave no reason */
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		next += done;
		bytes -= (size_t)done;
		place += (uint64_t)done;
	}
	return 0;
}

int fathom_comm_plain_close(struct fathom_comm_file *file)
{
	/* Some file systems report only at close that there was no room. */
	int err = close(file->fd) && errno != EINTR ? -errno : 0;

	free(file);
	return err;
}
