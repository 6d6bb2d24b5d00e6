/*
 * tar: the header of members of a profile's container, which the writer and the reader use.
 */
#ifndef FATHOM_CUBE_TAR_H
#define FATHOM_CUBE_TAR_H

#include <stdint.h>

#define FATHOM_TAR_BLOCK 512

struct fathom_tar_header {
	char name[100];
	char mode[8];
	char uid[8];
	char gid[8];
	char size[12];
	char mtime[12];
	char checksum[8];
	char type;		/* '0' file, 'x' an attribute header of the next member */
	char link[100];
	char magic[6];
	char version[2];
	char user[32];
	char group[32];
	char rest[183];
};

_Static_assert(sizeof(struct fathom_tar_header) == FATHOM_TAR_BLOCK, "a tar header is one block");

/* Returns the sum of all bytes of the header, with blanks in place of its checksum. Context: signal. */
uint32_t fathom_tar_checksum(const struct fathom_tar_header *header);

#endif
