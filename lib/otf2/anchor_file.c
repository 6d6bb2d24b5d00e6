#include "otf2/anchor_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "otf2/memory.h"

enum { HEAD_BYTES = 2, FIXED_BYTES = 38, LARGEST = 64 << 20 };

/* Returns the contents of the file. NULL: they cannot be read; the caller lets the library report the reason. */
static unsigned char *read_all(const char *path, size_t *bytes)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char *data = NULL;
	struct stat status;

	*bytes = 0;
	if (file < 0)
		return NULL;
	if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 && status.st_size <= LARGEST) {
		data = fathom_otf2_memory_alloc((size_t)status.st_size, 1);
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

/* Returns the offset behind the text that begins at place. 0: the text does not end within the file. */
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

/* Returns the offset of the number of properties. 0: the file has none, or does not have the form described above. */
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

int fathom_otf2_anchor_check(const char *path, char *error, size_t error_bytes)
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
	snprintf(error, error_bytes,
		 "%s: damaged: it announces %" PRIu32 " properties and has room for at most %" PRIu32, path, count,
		 found);
	return -EINVAL;
}
