/*
 * container: reads the tar file that contains a profile. Context of all functions: tool.
 */
#ifndef FATHOM_CUBE_CONTAINER_H
#define FATHOM_CUBE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cube/reader/error_line.h"

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
	unsigned char *window;	/* the last piece that was read */
	uint64_t window_place;
	size_t window_bytes;
};

/* Opens the file, finds all members and checks that they are complete. 0 or -errno with a line in error. */
int fathom_cube_container_open(struct fathom_cube_container *container, const char *path,
			       struct fathom_cube_error *error);

/* Returns the member of that name; NULL: there is none, or it is empty. */
const struct fathom_cube_member *fathom_cube_container_find(const struct fathom_cube_container *container,
							    const char *name);

/* Reads bytes at a place of the file. Reading small consecutive pieces is fast. */
int fathom_cube_container_read(struct fathom_cube_container *container, uint64_t place, void *buffer, size_t bytes,
			       struct fathom_cube_error *error);

/* Closes the file and frees the memory. */
void fathom_cube_container_close(struct fathom_cube_container *container);

#endif
