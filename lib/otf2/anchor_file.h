/*
 * anchor_file: checks the bytes of a trace's anchor file before OTF2's library opens it.
 *
 * The library allocates memory for as many properties as the file announces, which may be gigabytes if the file is
 * damaged. This check refuses damaged files first.
 *
 * An anchor (OTF2 3.0, OTF2_AnchorFile.c) is one buffer that is not cut into chunks:
 *
 *	1 byte	3, the head of a buffer		1 byte	order of bytes: B little endian, # big endian
 *	text	"OTF2"				1 byte	format of the anchor
 *	38 bytes	format and version, sizes of chunks, numbers of locations and definitions
 *	3 texts	machine, creator, description
 *	4 bytes	the number of properties; of each two texts	(from format 2 on)
 *
 * Texts end with a zero byte. The check does not read the data behind the properties.
 */
#ifndef FATHOM_OTF2_ANCHOR_FILE_H
#define FATHOM_OTF2_ANCHOR_FILE_H

#include <stddef.h>

/*
 * Checks that the file contains the properties that it announces. Returns 0, or -EINVAL with a line in error. Also
 * returns 0 for a file that the library will refuse by itself. Context: tool.
 */
int fathom_otf2_anchor_check(const char *path, char *error, size_t error_bytes);

#endif
