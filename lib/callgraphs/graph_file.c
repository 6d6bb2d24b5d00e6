#include "callgraphs/graph_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgraphs/graph_coding.h"
#include "callgraphs/graph_file_mark.h"
#include "otf2/memory.h"

enum { VERSION = 2, HEAD_BYTES = 32 };

static const char mark[] = FATHOM_GRAPH_FILE_MARK;
enum { MARK_BYTES = sizeof(mark) - 1 };

/* The head: the mark, the version, the number of coded bytes, their checksum; 8 bytes each, the lowest first. */
static void put_number(uint8_t *head, int which, uint64_t number)
{
	for (int i = 0; i < 8; i++)
		head[8 * which + i] = (uint8_t)(number >> 8 * i);
}

static uint64_t get_number(const uint8_t *head, int which)
{
	uint64_t number = 0;

	for (int i = 8; i-- > 0;)
		number = number << 8 | head[8 * which + i];
	return number;
}

/* The checksum FNV-1a with 64 bits. */
static uint64_t checksum(const uint8_t *bytes, size_t count)
{
	uint64_t sum = 0xcbf29ce484222325u;

	for (size_t i = 0; i < count; i++)
		sum = (sum ^ bytes[i]) * 0x100000001b3u;
	return sum;
}

bool fathom_graph_file_is(const char *path)
{
	char head[MARK_BYTES];
	FILE *file = fopen(path, "re");
	bool is = file && fread(head, 1, sizeof(head), file) == sizeof(head) && memcmp(head, mark, MARK_BYTES) == 0;

	if (file)
		fclose(file);
	return is;
}

static int write_all(int fd, const uint8_t *bytes, size_t count)
{
	while (count) {
		ssize_t written = write(fd, bytes, count);

		if (written < 0 && errno != EINTR)
			return -errno;
		bytes += written > 0 ? written : 0;
		count -= written > 0 ? (size_t)written : 0;
	}
	return 0;
}

int fathom_graph_file_write(const struct fathom_call_graph *graph, const char *path, uint64_t *bytes)
{
	struct fathom_coder coder;
	uint8_t head[HEAD_BYTES];
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), err;

	if (fd < 0)
		return -errno;
	fathom_coder_write_init(&coder);
	fathom_graph_code(&coder, (struct fathom_call_graph *)graph);
	fathom_coder_flush(&coder);
	memcpy(head, mark, MARK_BYTES);
	put_number(head, 1, VERSION);
	put_number(head, 2, coder.count);
	put_number(head, 3, checksum(coder.bytes, coder.count));
	err = write_all(fd, head, sizeof(head));
	if (!err)
		err = write_all(fd, coder.bytes, coder.count);
	if (close(fd) < 0 && !err)
		err = -errno;
	*bytes = HEAD_BYTES + coder.count;
	fathom_coder_free(&coder);
	if (err)
		unlink(path);
	return err;
}

static int decode(struct fathom_call_graph *graph, const uint8_t *bytes, size_t count, const char **reason)
{
	struct fathom_coder coder;

	*reason = "is no file of call graphs";
	if (count < HEAD_BYTES || memcmp(bytes, mark, MARK_BYTES) != 0)
		return -EINVAL;
	*reason = "was written by an older fathom, in a form that is not read any more; compress the trace again";
	if (get_number(bytes, 1) < VERSION)
		return -EINVAL;
	*reason = "was written by a newer fathom";
	if (get_number(bytes, 1) > VERSION)
		return -EINVAL;
	*reason = "is damaged: its length or checksum is wrong";
	if (get_number(bytes, 2) != count - HEAD_BYTES ||
	    get_number(bytes, 3) != checksum(bytes + HEAD_BYTES, count - HEAD_BYTES))
		return -EINVAL;
	*reason = "is damaged: its contents make no sense";
	fathom_coder_read_init(&coder, bytes + HEAD_BYTES, count - HEAD_BYTES);
	return fathom_graph_code(&coder, graph) ? 0 : -EINVAL;
}

int fathom_graph_file_read(struct fathom_call_graph *graph, const char *path, const char **reason)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	uint8_t *bytes = NULL;
	size_t count = 0;
	ssize_t done = 1;

	fathom_call_graph_init(graph);
	if (fd < 0 || fstat(fd, &status) < 0) {
		err = -errno;
	} else {
		bytes = fathom_otf2_memory_alloc((size_t)status.st_size + 1, 1);
		while (count < (size_t)status.st_size && done > 0) {
			done = read(fd, bytes + count, (size_t)status.st_size - count);
			count += done > 0 ? (size_t)done : 0;
		}
		if (done < 0)
			err = -errno;
	}
	*reason = strerror(-err);
	if (!err)
		err = decode(graph, bytes, count, reason);
	if (fd >= 0)
		close(fd);
	free(bytes);
	return err;
}
