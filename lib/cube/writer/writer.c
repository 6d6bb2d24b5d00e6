/*
 * Writes a Cube file in this order: the data and the index of each metric that has rows, then remapping.spec and
 * anchor.xml, then two blocks of zeros. The callers say first which rows are present. From this follow all sizes, so
 * every offset is known before the first value is written. Values that are never written stay holes in the file.
 *
 * The length of a member must not be a multiple of 512 bytes, because readers disagree about where the next member
 * begins. The two texts are extended by a newline. Data are 10 + 4 k bytes long, which is never such a multiple, except
 * for values of one or two bytes: if these hit a multiple, the metric is stored with 32 bits for each value.
 */
#include "cube/writer/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>	/* rename; nothing of buffered output is used */
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cube/writer/anchor.h"
#include "cube/value_layout.h"
#include "cube/dtype.h"
#include "cube/writer/metric_tree.h"
#include "cube/row_order.h"
#include "cube/writer/output.h"
#include "cube/tar.h"
#include "cube/writer/validation.h"
#include "platform/arena.h"

#define BUFFER_BYTES ((size_t)256 << 10)

/* A member of this size or more has an attribute header before it, which contains the size. */
#define LARGE_MEMBER UINT64_C(0x1ffffffff)

#define DATA_MAGIC "CUBEX.DATA"
#define INDEX_MAGIC "CUBEX.INDEX"
#define DATA_HEAD_BYTES 10
#define INDEX_HEAD_BYTES 22

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

struct fathom_cube_writer {
	struct fathom_arena arena;	/* contains all memory of the writer, also this struct */
	struct fathom_cube_output output;
	struct fathom_cube_layout columns;
	enum fathom_cube_dtype *dtypes;	/* type of each metric as it is stored */
	char *path;
	char *part;			/* the name of the file until it is complete */
	uint64_t end;			/* end of the members that are laid out so far */
	int64_t mtime;
};

static uint64_t padded(uint64_t bytes)
{
	return (bytes + FATHOM_TAR_BLOCK - 1) / FATHOM_TAR_BLOCK * FATHOM_TAR_BLOCK;
}

/* Returns the bytes of a member before its content. */
static uint64_t head_bytes(uint64_t size)
{
	return size >= LARGE_MEMBER ? 3 * FATHOM_TAR_BLOCK : FATHOM_TAR_BLOCK;
}

static uint64_t data_bytes(const struct fathom_cube_writer *writer, const struct fathom_cube_metric_layout *metric)
{
	return DATA_HEAD_BYTES + (uint64_t)metric->rows.count * writer->columns.location_count * metric->stored_bytes;
}

/* Writes a number as octal digits and a NUL. */
static void octal(char *field, uint64_t number, size_t digits)
{
	while (digits) {
		field[--digits] = (char)('0' + (number & 7));
		number >>= 3;
	}
}

static void write_tar_header(struct fathom_cube_writer *writer, const char *prefix, const char *name, char type,
			     uint64_t size)
{
	struct fathom_tar_header header;
	size_t prefix_length = strlen(prefix);

	memset(&header, 0, sizeof(header));
	memcpy(header.name, prefix, prefix_length);
	memcpy(header.name + prefix_length, name, strlen(name));
	octal(header.mode, 0600, sizeof(header.mode) - 1);
	octal(header.uid, getuid() & 0x1fffff, sizeof(header.uid) - 1);
	octal(header.gid, getgid() & 0x1fffff, sizeof(header.gid) - 1);
	octal(header.size, size, sizeof(header.size) - 1);
	octal(header.mtime, writer->mtime > 0 ? (uint64_t)writer->mtime : 0, sizeof(header.mtime) - 1);
	header.type = type;
	memcpy(header.magic, "ustar", 6);
	memcpy(header.version, "00", 2);
	memcpy(header.user, "nouser", 6);
	memcpy(header.group, "users", 5);
	octal(header.checksum, fathom_tar_checksum(&header), 6);
	header.checksum[7] = ' ';
	fathom_cube_output_bytes(&writer->output, &header, sizeof(header));
}

/* Returns the digits and blanks of "NN size=N\n", where NN is the length of the whole record. */
static size_t size_record(char *record, uint64_t size)
{
	char digits[20];
	size_t count = 0;
	size_t length;

	do {
		digits[count++] = (char)('0' + size % 10);
		size /= 10;
	} while (size);
	length = sizeof("NN size=\n") - 1 + count;
	record[0] = (char)('0' + length / 10);
	record[1] = (char)('0' + length % 10);
	memcpy(record + 2, " size=", 6);
	for (size_t i = 0; i < count; i++)
		record[8 + i] = digits[count - 1 - i];
	record[length - 1] = '\n';
	return length;
}

/* Writes all headers of a member, beginning at place. */
static void write_member_head(struct fathom_cube_writer *writer, const char *name, uint64_t size, uint64_t place)
{
	fathom_cube_output_seek(&writer->output, place);
	if (size >= LARGE_MEMBER) {
		char record[FATHOM_TAR_BLOCK] = { 0 };
		size_t length = size_record(record, size);

		write_tar_header(writer, "PaxHeader/", name, 'x', length);
		fathom_cube_output_bytes(&writer->output, record, sizeof(record));
		/* The size does not fit into the field; readers take the size from the attribute header. */
		size = 0;
	}
	write_tar_header(writer, "", name, '0', size);
}

static void member_name(char *name, const struct fathom_cube *cube, uint32_t metric, const char *suffix)
{
	char digits[10];
	size_t count = 0;
	size_t length = 0;

	if (cube->metrics[metric].ghost) {
		memcpy(name, "ghost_", 6);
		length = 6;
	}
	do {
		digits[count++] = (char)('0' + metric % 10);
		metric /= 10;
	} while (metric);
	while (count)
		name[length++] = digits[--count];
	memcpy(name + length, suffix, strlen(suffix) + 1);
}

/* Asks the caller for each row of the metric whether it is present, and chooses the width of the stored values. */
static int plan_metric(struct fathom_cube_writer *writer, const struct fathom_cube *cube, uint32_t id,
		       fathom_cube_presence *present, void *context)
{
	struct fathom_cube_metric_layout *metric = &writer->columns.metrics[id];

	metric->dtype = cube->metrics[id].dtype;
	metric->inclusive = cube->metrics[id].type == FATHOM_CUBE_INCLUSIVE;
	metric->never_is_zero = fathom_cube_never_is_zero(&cube->metrics[id]);
	metric->value_bytes = fathom_cube_dtype_bytes(metric->dtype, 0);
	metric->stored_bytes = metric->value_bytes;
	writer->dtypes[id] = metric->dtype;
	if (fathom_cube_rowset_init(&metric->rows, &writer->arena, cube->cnode_count))
		return -ENOMEM;
	for (uint32_t i = 0; i < cube->cnode_count; i++) {
		if (cube->metrics[id].type != FATHOM_CUBE_DERIVED &&
		    (metric->never_is_zero || present(context, id, i)))
			fathom_cube_rowset_add(&metric->rows, fathom_cube_layout_row(&writer->columns, metric, i));
	}
	fathom_cube_rowset_seal(&metric->rows);

	if (data_bytes(writer, metric) % FATHOM_TAR_BLOCK == 0) {
		bool is_signed = metric->dtype == FATHOM_CUBE_INT8 || metric->dtype == FATHOM_CUBE_INT16;

		metric->stored_bytes = 4;
		writer->dtypes[id] = is_signed ? FATHOM_CUBE_INT32 : FATHOM_CUBE_UINT32;
	}
	return 0;
}

/* Writes the headers of a metric's two members, and the index, but not the values. */
static void write_metric_frame(struct fathom_cube_writer *writer, const struct fathom_cube *cube, uint32_t id)
{
	struct fathom_cube_metric_layout *metric = &writer->columns.metrics[id];
	struct fathom_cube_output *output = &writer->output;
	const uint32_t one = 1;		/* readers detect the byte order by this number */
	uint64_t data_size = data_bytes(writer, metric);
	uint64_t index_size = INDEX_HEAD_BYTES + (uint64_t)metric->rows.count * 4;
	char name[32];
	uint32_t row;

	if (!metric->rows.count)
		return;		/* a metric without rows has no members, and readers take its values as zero */

	member_name(name, cube, id, ".data");
	write_member_head(writer, name, data_size, writer->end);
	fathom_cube_output_bytes(output, DATA_MAGIC, DATA_HEAD_BYTES);
	metric->values = fathom_cube_output_place(output);
	writer->end += head_bytes(data_size) + padded(data_size);

	member_name(name, cube, id, ".index");
	write_member_head(writer, name, index_size, writer->end);
	fathom_cube_output_bytes(output, INDEX_MAGIC, sizeof(INDEX_MAGIC) - 1);
	fathom_cube_output_bytes(output, &one, 4);
	fathom_cube_output_bytes(output, "\0\0\1", 3);	/* version 0, format 1: a list of rows */
	fathom_cube_output_bytes(output, &metric->rows.count, 4);
	for (row = fathom_cube_rowset_next(&metric->rows, 0); row < metric->rows.limit;
	     row = fathom_cube_rowset_next(&metric->rows, row + 1))
		fathom_cube_output_bytes(output, &row, 4);
	writer->end += head_bytes(index_size) + padded(index_size);
}

typedef void text_writer(struct fathom_cube_output *output, const struct fathom_cube *cube,
			 const enum fathom_cube_dtype *dtypes);

/* Writes a text as a member. The size is known only after the text has been written, so the header is written last. */
static void write_text(struct fathom_cube_writer *writer, const char *name, text_writer *write,
		       const struct fathom_cube *cube)
{
	struct fathom_cube_output *output = &writer->output;
	uint64_t content = writer->end + FATHOM_TAR_BLOCK;
	uint64_t size;

	fathom_cube_output_seek(output, content);
	write(output, cube, writer->dtypes);
	size = fathom_cube_output_place(output) - content;
	if (size % FATHOM_TAR_BLOCK == 0) {
		fathom_cube_output_text(output, "\n");
		size++;
	}
	if (size >= LARGE_MEMBER && !output->err)
		/* Such a size needs an attribute header, for which there is no room before the text. */
		output->err = -EFBIG;
	write_member_head(writer, name, size, writer->end);
	writer->end = content + padded(size);
}

static int plan_rows(struct fathom_cube_writer *writer, const struct fathom_cube *cube, fathom_cube_presence *present,
		     void *context)
{
	struct fathom_arena scratch = { 0 };
	uint32_t *room = NULL;
	int err = 0;

	for (uint32_t i = 0; i < cube->metric_count; i++) {
		if (cube->metrics[i].type != FATHOM_CUBE_INCLUSIVE || writer->columns.wide)
			continue;
		writer->columns.wide = fathom_arena_alloc(&writer->arena,
							  cube->cnode_count * sizeof(*writer->columns.wide));
		room = fathom_arena_alloc(&scratch, cube->cnode_count * sizeof(*room));
		if (writer->columns.wide && room)
			fathom_cube_order_wide(cube->cnodes, cube->cnode_count, writer->columns.wide, room);
		else
			err = -ENOMEM;
	}
	for (uint32_t i = 0; i < cube->metric_count && !err; i++)
		err = plan_metric(writer, cube, i, present, context);
	fathom_arena_fini(&scratch);
	return err;
}

static int write_frame(struct fathom_cube_writer *writer, const struct fathom_cube *cube)
{
	int err;

	for (uint32_t i = 0; i < cube->metric_count; i++)
		write_metric_frame(writer, cube, i);
	write_text(writer, "remapping.spec", fathom_cube_remapping_write, cube);
	write_text(writer, "anchor.xml", fathom_cube_anchor_write, cube);
	err = fathom_cube_output_flush(&writer->output);
	if (err)
		return err;
	/* The two blocks at the end of the file, and the padding before them, are a hole. */
	if (ftruncate(writer->output.fd, (off_t)(writer->end + 2 * FATHOM_TAR_BLOCK)))
		return -errno;
	return 0;
}

/* Creates a writer with all its memory, but does not create the file. NULL: no memory. */
static struct fathom_cube_writer *create(const char *path, const struct fathom_cube *cube)
{
	struct fathom_arena arena = { 0 };
	struct fathom_cube_writer *writer = fathom_arena_alloc(&arena, sizeof(*writer));
	size_t length = strlen(path);

	if (!writer)
		return NULL;
	writer->columns.metrics =
		fathom_arena_alloc(&arena, cube->metric_count * sizeof(*writer->columns.metrics));
	writer->dtypes = fathom_arena_alloc(&arena, cube->metric_count * sizeof(*writer->dtypes));
	writer->output.buffer = fathom_arena_alloc(&arena, BUFFER_BYTES);
	writer->path = fathom_arena_copy(&arena, path, length);
	writer->part = fathom_arena_alloc(&arena, length + sizeof(".part"));
	if (!writer->columns.metrics || !writer->dtypes || !writer->output.buffer || !writer->path || !writer->part) {
		fathom_arena_fini(&arena);
		return NULL;
	}
	memcpy(writer->part, path, length);
	memcpy(writer->part + length, ".part", sizeof(".part"));
	writer->output.room = BUFFER_BYTES;
	writer->columns.metric_count = cube->metric_count;
	writer->columns.cnode_count = cube->cnode_count;
	writer->columns.location_count = cube->location_count;
	writer->arena = arena;
	return writer;
}

static void destroy(struct fathom_cube_writer *writer)
{
	struct fathom_arena arena = writer->arena;	/* a copy, because the arena contains the writer */

	fathom_arena_fini(&arena);
}

int fathom_cube_writer_open(struct fathom_cube_writer **result, const char *path, const struct fathom_cube *cube,
			    fathom_cube_presence *present, void *context, int64_t mtime)
{
	struct fathom_cube_writer *writer;
	int err;

	*result = NULL;
	if (!fathom_cube_valid(cube))
		return -EINVAL;
	if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return -EEXIST;
	writer = create(path, cube);
	if (!writer)
		return -ENOMEM;
	writer->mtime = mtime;
	err = plan_rows(writer, cube, present, context);
	if (err)
		goto free_writer;
	writer->output.fd = open(writer->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (writer->output.fd < 0) {
		err = -errno;
		goto free_writer;
	}
	err = write_frame(writer, cube);
	if (err)
		goto remove_file;
	*result = writer;
	return 0;

remove_file:
	close(writer->output.fd);
	unlink(writer->part);
free_writer:
	destroy(writer);
	return err;
}

int fathom_cube_writer_put(struct fathom_cube_writer *writer, uint32_t metric, uint32_t cnode, uint32_t first,
			   uint32_t count, const void *values)
{
	return fathom_cube_layout_put(&writer->columns, &writer->output, metric, cnode, first, count, values);
}

const struct fathom_cube_layout *fathom_cube_writer_columns(const struct fathom_cube_writer *writer)
{
	return &writer->columns;
}

struct fathom_cube_output *fathom_cube_writer_output(struct fathom_cube_writer *writer)
{
	return &writer->output;
}

const char *fathom_cube_writer_part(const struct fathom_cube_writer *writer)
{
	return writer->part;
}

/* Renames the complete file to its final name, unless a file of this name exists. If the file system cannot do this in
 * one step, an empty file reserves the name until the rename replaces it. */
static int publish(const struct fathom_cube_writer *writer)
{
	int fd;

	if (syscall(SYS_renameat2, AT_FDCWD, writer->part, AT_FDCWD, writer->path, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != ENOSYS && errno != EINVAL && errno != EOPNOTSUPP)
		return -errno;

	fd = open(writer->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	close(fd);
	if (rename(writer->part, writer->path)) {
		int err = -errno;

		unlink(writer->path);
		return err;
	}
	return 0;
}

int fathom_cube_writer_close(struct fathom_cube_writer *writer)
{
	int err = fathom_cube_output_flush(&writer->output);

	/* Some file systems report only at close that there was no room. */
	if (close(writer->output.fd) && !err && errno != EINTR)
		err = -errno;
	if (!err)
		err = publish(writer);
	if (err)
		unlink(writer->part);
	destroy(writer);
	return err;
}

void fathom_cube_writer_abandon(struct fathom_cube_writer *writer)
{
	close(writer->output.fd);
	unlink(writer->part);
	destroy(writer);
}
