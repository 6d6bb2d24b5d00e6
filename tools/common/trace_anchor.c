/*
 * The bytes of an anchor file, looked at before OTF2's library opens it. The library takes the number of properties as
 * it stands there: for a damaged file it allocates and frees gigabytes. Declared in trace_archive.h.
 *
 * An anchor (OTF2 3.0, OTF2_AnchorFile.c) is one buffer that is not cut into chunks:
 *
 *	1 byte	3, the head of a buffer		1 byte	order of bytes: B little endian, # big endian
 *	text	"OTF2"				1 byte	format of the anchor
 *	38 bytes	format and version, sizes of chunks, numbers of locations and definitions
 *	3 texts	machine, creator, description
 *	4 bytes	the number of properties; of each two texts	(from format 2 on)
 *
 * Texts end with a zero byte. What follows is left to the library.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/trace_archive.h"

enum { HEAD_BYTES = 2, FIXED_BYTES = 38, LARGEST = 64 << 20 };

/* The whole file, or NULL: then the library may say why it cannot be read. */
static unsigned char *read_all(const char *path, size_t *bytes)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char *data = NULL;
	struct stat status;

	*bytes = 0;
	if (file < 0)
		return NULL;
	if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 && status.st_size <= LARGEST) {
		data = fathom_tool_alloc((size_t)status.st_size, 1);
		while (*bytes < (size_t)status.st_size) {
			ssize_t done = read(file, data + *bytes, (size_t)status.st_size - *bytes);

			if (done <= 0)
				break;
			*bytes += (size_t)done;
		}
	}
	close(file);
	return data;
}

/* The place behind the text that begins at place; 0: it does not end within the file. */
static size_t behind_text(const unsigned char *data, size_t bytes, size_t place)
{
	const unsigned char *end = place < bytes ? memchr(data + place, '\0', bytes - place) : NULL;

	return end ? (size_t)(end - data) + 1 : 0;
}

static uint32_t number_at(const unsigned char *data, bool is_big)
{
	uint32_t number = 0;

	for (int i = 0; i < 4; i++)
		number = number << 8 | data[is_big ? i : 3 - i];
	return number;
}

/* Where the number of properties stands; 0: this file has none, or is no anchor as described above. */
static size_t find_property_count(const unsigned char *data, size_t bytes)
{
	size_t place;

	if (bytes < HEAD_BYTES || data[0] != 3 || (data[1] != 'B' && data[1] != '#'))
		return 0;
	place = behind_text(data, bytes, HEAD_BYTES);
	if (!place || strcmp((const char *)data + HEAD_BYTES, "OTF2") != 0 || place >= bytes || data[place] < 2)
		return 0;
	place += 1 + FIXED_BYTES;
	for (int text = 0; place && text < 3; text++)
		place = behind_text(data, bytes, place);
	return place && place + 4 <= bytes ? place : 0;
}

int fathom_trace_check_anchor(const char *path)
{
	size_t bytes, place;
	unsigned char *data = read_all(path, &bytes);
	uint32_t count = 0, found = 0;

	place = data ? find_property_count(data, bytes) : 0;
	if (place) {
		count = number_at(data + place, data[1] == '#');
		place += 4;
		while (found < count && place) {
			place = behind_text(data, bytes, place);
			if (place)
				place = behind_text(data, bytes, place);
			found += place != 0;
		}
	}
	free(data);
	if (found == count)
		return 0;
	fathom_tool_say("%s: damaged: it announces %" PRIu32 " properties and has room for at most %" PRIu32, path,
			count, found);
	return -EINVAL;
}
