#define _GNU_SOURCE
#include "opari/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/messages.h"
#include "common/word_list.h"

/* Makes room for length more bytes and the NUL. */
static void make_room(struct fathom_buffer *buffer, size_t length)
{
	if (buffer->length + length < buffer->room)
		return;
	while (buffer->length + length >= buffer->room)
		buffer->room = buffer->room ? 2 * buffer->room : 4096;
	buffer->text = realloc(buffer->text, buffer->room);
	if (!buffer->text)
		fathom_die(FATHOM_EXIT_FAILED, "out of memory");
}

void fathom_buffer_add(struct fathom_buffer *buffer, const char *text, size_t length)
{
	make_room(buffer, length);
	if (length)	/* text may be NULL if length is 0 */
		memcpy(buffer->text + buffer->length, text, length);
	buffer->length += length;
	buffer->text[buffer->length] = '\0';
}

void fathom_buffer_puts(struct fathom_buffer *buffer, const char *text)
{
	fathom_buffer_add(buffer, text, strlen(text));
}

void fathom_buffer_addf(struct fathom_buffer *buffer, const char *format, ...)
{
	va_list values;
	char *text;

	va_start(values, format);
	if (vasprintf(&text, format, values) < 0)
		fathom_die(FATHOM_EXIT_FAILED, "out of memory");
	va_end(values);
	fathom_buffer_puts(buffer, text);
	free(text);
}

void fathom_buffer_fini(struct fathom_buffer *buffer)
{
	free(buffer->text);
	*buffer = (struct fathom_buffer){ 0 };
}

int fathom_buffer_read(struct fathom_buffer *buffer, const char *path)
{
	size_t before = buffer->length;
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (file < 0)
		return -errno;
	do {
		make_room(buffer, 65536);
		got = read(file, buffer->text + buffer->length, 65536);
		if (got > 0)
			buffer->length += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (got < 0)
		buffer->length = before;
	buffer->text[buffer->length] = '\0';
	got = got < 0 ? -errno : 0;
	close(file);
	return (int)got;
}

int fathom_buffer_write(const struct fathom_buffer *buffer, const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	size_t done = 0;
	int err = 0;

	if (file < 0)
		return -errno;
	while (done < buffer->length && !err) {
		ssize_t put = write(file, buffer->text + done, buffer->length - done);

		if (put >= 0)
			done += (size_t)put;
		else if (errno != EINTR)
			err = -errno;
	}
	if (close(file) && !err)
		err = -errno;
	return err;
}

void *fathom_buffer_list(void *list, size_t count, size_t bytes)
{
	list = reallocarray(list, count, bytes);
	if (!list)
		fathom_die(FATHOM_EXIT_FAILED, "out of memory");
	return list;
}

static void add_edit(struct fathom_edits *edits, size_t at, size_t cut, const char *text, int first)
{
	if (edits->count == edits->room) {
		edits->room = edits->room ? 2 * edits->room : 64;
		edits->list = fathom_buffer_list(edits->list, edits->room, sizeof(*edits->list));
	}
	edits->count++;
	edits->list[edits->count - 1] = (struct fathom_edit){
		at, cut, fathom_text("%s", text), first ? -(long)edits->count : (long)edits->count,
	};
}

void fathom_edits_add(struct fathom_edits *edits, size_t at, size_t cut, const char *text)
{
	add_edit(edits, at, cut, text, 0);
}

void fathom_edits_add_first(struct fathom_edits *edits, size_t at, const char *text)
{
	add_edit(edits, at, 0, text, 1);
}

static int compare(const void *a, const void *b)
{
	const struct fathom_edit *one = a, *other = b;

	if (one->at != other->at)
		return one->at < other->at ? -1 : 1;
	return one->number < other->number ? -1 : one->number > other->number;
}

void fathom_edits_apply(struct fathom_edits *edits, const char *text, size_t length, struct fathom_buffer *result)
{
	size_t at = 0;

	if (edits->count)
		qsort(edits->list, edits->count, sizeof(*edits->list), compare);
	for (size_t i = 0; i < edits->count; i++) {
		const struct fathom_edit *edit = &edits->list[i];

		if (edit->at > at)
			fathom_buffer_add(result, text + at, edit->at - at);
		fathom_buffer_puts(result, edit->text);
		if (edit->at + edit->cut > at)
			at = edit->at + edit->cut;
	}
	fathom_buffer_add(result, text + at, length - at);
}

void fathom_edits_fini(struct fathom_edits *edits)
{
	for (size_t i = 0; i < edits->count; i++)
		free(edits->list[i].text);
	free(edits->list);
	*edits = (struct fathom_edits){ 0 };
}
