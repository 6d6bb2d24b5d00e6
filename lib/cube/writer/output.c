#include "cube/writer/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void write_all(struct fathom_cube_output *output, const char *bytes, size_t count, uint64_t place)
{
	if (output->write && count && !output->err) {
		output->err = output->write(output->context, bytes, count, place);
		return;
	}
	while (count && !output->err) {
		ssize_t done = pwrite(output->fd, bytes, count, (off_t)place);

		if (done > 0) {
			bytes += done;
			count -= (size_t)done;
			place += (uint64_t)done;
		} else if (done == 0) {
			output->err = -ENOSPC;	/* the kernel wrote nothing and gave no reason */
		} else if (errno != EINTR) {
			output->err = -errno;
		}
	}
}

int fathom_cube_output_flush(struct fathom_cube_output *output)
{
	write_all(output, output->buffer, output->filled, output->start);
	output->start += output->filled;
	output->filled = 0;
	return output->err;
}

void fathom_cube_output_seek(struct fathom_cube_output *output, uint64_t place)
{
	if (place == fathom_cube_output_place(output))
		return;
	fathom_cube_output_flush(output);
	output->start = place;
}

uint64_t fathom_cube_output_place(const struct fathom_cube_output *output)
{
	return output->start + output->filled;
}

void fathom_cube_output_bytes(struct fathom_cube_output *output, const void *bytes, size_t count)
{
	if (count > output->room - output->filled)
		fathom_cube_output_flush(output);
	if (count >= output->room) {
		write_all(output, bytes, count, output->start);
		output->start += count;
		return;
	}
	if (count)
		memcpy(output->buffer + output->filled, bytes, count);
	output->filled += count;
}

void fathom_cube_output_text(struct fathom_cube_output *output, const char *text)
{
	fathom_cube_output_bytes(output, text, strlen(text));
}

void fathom_cube_output_number(struct fathom_cube_output *output, int64_t number)
{
	char digits[20];	/* 2^63 has 19 digits, and there may be a sign */
	size_t first = sizeof(digits);
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;

	do {
		digits[--first] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (number < 0)
		digits[--first] = '-';
	fathom_cube_output_bytes(output, digits + first, sizeof(digits) - first);
}
