/*
 * container: the tar file around a profile, as it is read.
 */
#ifndef FATHOM_CUBE_CONTAINER_H
#define FATHOM_CUBE_CONTAINER_H

#include <stddef.h>

#include "cube/reader.h"

struct fathom_cube_member {
	char name[101];		/* as in the header, at most 100 bytes */
	uint64_t place;		/* in the file, of its first byte */
	uint64_t size;
};

struct fathom_cube_container {
	int fd;
	char *path;		/* for error lines */
	uint64_t size;		/* of the file */
	struct fathom_cube_member *members;	/* sorted by name, no name twice */
	uint32_t count;
	uint32_t room;
	unsigned char *window;	/* the piece of the file read last */
	uint64_t window_place;
	size_t window_bytes;
};

/* Find all members and check that they are whole. 0 or -errno with a line in error. */
int fathom_cube_container_open(struct fathom_cube_container *container, const char *path,
			       struct fathom_cube_error *error);

/* NULL: there is none of that name, or it is empty. */
const struct fathom_cube_member *fathom_cube_container_find(const struct fathom_cube_container *container,
							    const char *name);

/* Read bytes at place of the file. Small pieces one behind the other are cheap. */
int fathom_cube_container_read(struct fathom_cube_container *container, uint64_t place, void *buffer, size_t bytes,
			       struct fathom_cube_error *error);

void fathom_cube_container_close(struct fathom_cube_container *container);

#endif
