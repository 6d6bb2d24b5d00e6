#include "frames/frame_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = { 'F', 'a', 't', 'h', 'o', 'm', 'F', 'x' };

enum { RECORD_HEAD_BYTES = 8 };

/* FNV-1a, in steps of eight bytes as long as there are so many. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
	const uint8_t *at = bytes;

	for (; count >= 8; count -= 8, at += 8) {
		uint64_t word;

		memcpy(&word, at, sizeof(word));
		hash = (hash ^ word) * 0x100000001b3u;
		hash ^= hash >> 29;
	}
	while (count-- > 0)
		hash = (hash ^ *at++) * 0x100000001b3u;
	return hash;
}

static uint32_t checksum(const void *bytes, size_t count)
{
	uint64_t hash = hash_bytes(0xcbf29ce484222325u, bytes, count);

	return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t head_checksum(const struct fathom_frame_head *head)
{
	struct fathom_frame_head copy = *head;

	copy.checksum = 0;
	return checksum(&copy, sizeof(copy));
}

/* --- writing ------------------------------------------------------------------------------------------- */

int fathom_frame_writer_open(struct fathom_frame_writer *writer, const char *path)
{
	static const struct fathom_frame_head no_head;
	int fd;

	/* Two commands may index one trace at a time: each has a file of its own, and the last one stays. */
	snprintf(writer->path, sizeof(writer->path), "%s.%ld", path, (long)getpid());
	fd = open(writer->path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	writer->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!writer->file)
		return -errno;
	fwrite(&no_head, sizeof(no_head), 1, writer->file);
	writer->at = sizeof(no_head);
	return 0;
}

uint64_t fathom_frame_writer_put(struct fathom_frame_writer *writer, const struct fathom_byte_buffer *buffer)
{
	uint32_t numbers[2] = { (uint32_t)buffer->count, checksum(buffer->bytes, buffer->count) };
	uint64_t offset = writer->at;

	fwrite(numbers, sizeof(numbers), 1, writer->file);
	fwrite(buffer->bytes, 1, buffer->count, writer->file);
	writer->at += sizeof(numbers) + buffer->count;
	return offset;
}

void fathom_frame_writer_abandon(struct fathom_frame_writer *writer)
{
	fclose(writer->file);
	unlink(writer->path);
}

int fathom_frame_writer_close(struct fathom_frame_writer *writer, const char *path, struct fathom_frame_head *head)
{
	int err = 0;

	memcpy(head->magic, magic, sizeof(magic));
	head->byte_order = FATHOM_FRAME_BYTE_ORDER;
	head->version = FATHOM_FRAME_VERSION;
	head->cell_events = FATHOM_FRAME_CELL_EVENTS;
	head->fan_out = FATHOM_FRAME_FAN_OUT;
	head->file_bytes = writer->at;
	head->checksum = head_checksum(head);
	rewind(writer->file);
	fwrite(head, sizeof(*head), 1, writer->file);
	if (fflush(writer->file) || ferror(writer->file))
		err = errno ? -errno : -EIO;
	if (fclose(writer->file) && !err)
		err = -errno;
	if (!err && rename(writer->path, path))
		err = -errno;
	if (err)
		unlink(writer->path);
	return err;
}

/* --- reading ------------------------------------------------------------------------------------------- */

static bool is_good(const struct fathom_frame_head *head, uint64_t file_bytes)
{
	return memcmp(head->magic, magic, sizeof(magic)) == 0 && head->byte_order == FATHOM_FRAME_BYTE_ORDER &&
	       head->version == FATHOM_FRAME_VERSION && head->cell_events == FATHOM_FRAME_CELL_EVENTS &&
	       head->fan_out == FATHOM_FRAME_FAN_OUT && head->file_bytes == file_bytes &&
	       head->checksum == head_checksum(head);
}

int fathom_frame_file_open(struct fathom_frame_file *file, const char *path)
{
	int err = 0, fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *bytes;

	*file = (struct fathom_frame_file){ .bytes = NULL };
	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) < 0)
		err = -errno;
	else if (status.st_size < (off_t)sizeof(file->head))
		err = -EILSEQ;
	if (err)
		goto close_file;
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED) {
		err = -errno;
		goto close_file;
	}
	file->bytes = bytes;
	file->count = (uint64_t)status.st_size;
	memcpy(&file->head, bytes, sizeof(file->head));
	if (!is_good(&file->head, file->count)) {
		fathom_frame_file_close(file);
		err = -EILSEQ;
	}
close_file:
	close(fd);
	return err;
}

void fathom_frame_file_close(struct fathom_frame_file *file)
{
	if (file->bytes)
		munmap((void *)file->bytes, (size_t)file->count);
	file->bytes = NULL;
}

struct fathom_byte_cursor fathom_frame_file_record(const struct fathom_frame_file *file, uint64_t offset)
{
	struct fathom_byte_cursor cursor = { NULL, NULL };
	uint32_t numbers[2];

	if (offset < sizeof(file->head) || offset > file->count || file->count - offset < RECORD_HEAD_BYTES)
		return cursor;
	memcpy(numbers, file->bytes + offset, sizeof(numbers));
	offset += RECORD_HEAD_BYTES;
	if (numbers[0] > file->count - offset || checksum(file->bytes + offset, numbers[0]) != numbers[1])
		return cursor;
	cursor.at = file->bytes + offset;
	cursor.end = cursor.at + numbers[0];
	return cursor;
}

/* --- the trace's files --------------------------------------------------------------------------------- */

static uint64_t hash_file(uint64_t hash, const char *path)
{
	struct stat status;
	uint64_t numbers[3] = { 0 };

	if (stat(path, &status) == 0) {
		numbers[0] = (uint64_t)status.st_size;
		numbers[1] = (uint64_t)status.st_mtim.tv_sec;
		numbers[2] = (uint64_t)status.st_mtim.tv_nsec;
	}
	return hash_bytes(hash, numbers, sizeof(numbers));
}

uint64_t fathom_frame_fingerprint(const struct fathom_otf2_archive *trace)
{
	uint64_t hash = hash_file(0xcbf29ce484222325u, trace->anchor);
	char path[PATH_MAX + 64];

	if (trace->source)
		return hash;
	snprintf(path, sizeof(path), "%s.def", trace->folder);
	hash = hash_file(hash, path);
	for (size_t i = 0; i < fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION); i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(&trace->defs, FATHOM_OTF2_LOCATION, i);

		snprintf(path, sizeof(path), "%s/%" PRIu64 ".evt", trace->folder, location->id);
		hash = hash_file(hash, path);
	}
	return hash;
}
