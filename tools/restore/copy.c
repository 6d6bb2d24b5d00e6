#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/command.h"

struct file {
	const char *path;
	int fd;
	uint64_t bytes;
};

struct piece {			/* a piece of the slot that is being read */
	uint64_t address, bytes;
	char *data;
};

static bool read_at(const struct file *file, void *to, uint64_t bytes, uint64_t offset)
{
	char *place = to;

	if (offset > file->bytes || file->bytes - offset < bytes)
		return false;
	while (bytes) {
		ssize_t got = pread(file->fd, place, bytes, (off_t)offset);

		if (got <= 0)
			return false;
		place += got;
		offset += (uint64_t)got;
		bytes -= (uint64_t)got;
	}
	return true;
}

static uint64_t sum_of(const struct fathom_run_snapshot_piece *piece, const void *bytes)
{
	uint64_t sum = fathom_run_snapshot_sum(0, &piece->kind, 4);

	return fathom_run_snapshot_sum(sum, bytes, piece->bytes / sizeof(uint64_t));
}

static bool is_whole_slot(const struct fathom_run_snapshot_slot *slot)
{
	return slot->number && slot->sum == fathom_run_snapshot_sum(0, &slot->number, 3);
}

/* Reads the pieces of a slot into *pieces, and the roots into copy->roots. Returns whether there were roots. */
static bool read_slot(struct copy *copy, const struct file *file, const struct fathom_run_snapshot_slot *slot,
		      struct piece **pieces, size_t *count)
{
	uint64_t offset = slot->offset, end = slot->offset + slot->bytes, met = 0;
	struct fathom_run_snapshot_piece header;
	bool has_roots = false;
	size_t room = 0;

	copy->is_cut = true;
	copy->damaged = 0;
	if (end < offset)
		return false;
	while (offset < end && read_at(file, &header, sizeof(header), offset)) {
		char *data;

		/* Behind bytes that are no header, no further piece can be found. */
		if ((header.kind != FATHOM_RUN_SNAPSHOT_ROOTS && header.kind != FATHOM_RUN_SNAPSHOT_MEMORY &&
		     header.kind != FATHOM_RUN_SNAPSHOT_END) ||
		    header.memory_bytes > FATHOM_RUN_SNAPSHOT_PIECE_BYTES || header.memory_bytes % sizeof(uint64_t) ||
		    header.bytes > header.memory_bytes || header.bytes % sizeof(uint64_t))
			break;
		data = fathom_tool_alloc(header.memory_bytes + 1, 1);
		offset += sizeof(header);
		if (!read_at(file, data, header.bytes, offset)) {
			free(data);
			break;
		}
		offset += header.bytes;
		met++;
		if (header.sum != sum_of(&header, data)) {
			copy->damaged++;
			free(data);
			continue;
		}
		if (header.kind == FATHOM_RUN_SNAPSHOT_END) {
			copy->is_cut = header.address != met;
			free(data);
			break;
		}
		if (header.kind == FATHOM_RUN_SNAPSHOT_ROOTS) {
			has_roots = header.memory_bytes == sizeof(copy->roots);
			memcpy(&copy->roots, data, has_roots ? sizeof(copy->roots) : 0);
			free(data);
			continue;
		}
		*pieces = fathom_tool_grow(*pieces, *count, &room, sizeof(**pieces));
		(*pieces)[(*count)++] = (struct piece){ header.address, header.memory_bytes, data };
	}
	return has_roots;
}

static int by_address(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Joins neighbouring pieces to ranges. The library never writes pieces that overlap; if a damaged file has such pieces,
 * the first one is used. */
static void join_pieces(struct copy *copy, struct piece *pieces, size_t count)
{
	size_t first, next, room = 0;

	if (count)
		qsort(pieces, count, sizeof(*pieces), by_address);
	for (first = 0; first < count; first = next) {
		struct range range = { pieces[first].address, pieces[first].address, NULL };

		for (next = first; next < count && pieces[next].address <= range.end; next++)
			if (pieces[next].address == range.end && range.end + pieces[next].bytes >= range.end)
				range.end += pieces[next].bytes;
		range.bytes = fathom_tool_alloc(range.end - range.begin + 1, 1);
		range.end = range.begin;
		for (size_t i = first; i < next; i++)
			if (pieces[i].address == range.end && range.end + pieces[i].bytes >= range.end) {
				memcpy(range.bytes + (range.end - range.begin), pieces[i].data, pieces[i].bytes);
				range.end += pieces[i].bytes;
			}
		copy->ranges = fathom_tool_grow(copy->ranges, copy->range_count, &room, sizeof(range));
		copy->ranges[copy->range_count++] = range;
	}
}

static void free_pieces(struct piece *pieces, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(pieces[i].data);
	free(pieces);
}

/* Ends each text in the roots with a NUL, because a damaged file may lack the NUL. */
static void end_texts(struct fathom_run_snapshot_roots *roots)
{
	roots->program[sizeof(roots->program) - 1] = '\0';
	roots->arguments[sizeof(roots->arguments) - 1] = '\0';
	roots->host[sizeof(roots->host) - 1] = '\0';
	roots->settings[sizeof(roots->settings) - 1] = '\0';
	roots->settings[sizeof(roots->settings) - 2] = '\0';
}

static int read_slots(struct copy *copy, const struct file *file, struct fathom_run_snapshot_header *header)
{
	struct fathom_run_snapshot_slot *slots = header->slots;
	int newer = is_whole_slot(&slots[1]) && (!is_whole_slot(&slots[0]) || slots[1].number > slots[0].number);
	struct piece *pieces = NULL;
	size_t count = 0;

	/* Takes the newer copy if it is complete, otherwise the older copy if that is complete, otherwise the remains
	 * of the newer copy. */
	for (int try = 0; try < 3; try++) {
		const struct fathom_run_snapshot_slot *slot = &slots[try == 1 ? 1 - newer : newer];
		bool has_roots;

		if (!is_whole_slot(slot))
			continue;
		has_roots = read_slot(copy, file, slot, &pieces, &count);
		if (has_roots && (try == 2 || (!copy->is_cut && !copy->damaged))) {
			join_pieces(copy, pieces, count);
			free_pieces(pieces, count);
			end_texts(&copy->roots);
			return 0;
		}
		free_pieces(pieces, count);
		pieces = NULL;
		count = 0;
	}
	if (!is_whole_slot(&slots[0]) && !is_whole_slot(&slots[1]))
		fathom_tool_error("%s: no copy in it is complete: the process ended before the first one, or the file "
				  "is damaged", file->path);
	else
		fathom_tool_error("%s: damaged, nothing can be read from it", file->path);
	return -EINVAL;
}

int copy_read(struct copy *copy, const char *path)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct file file = { .path = path, .fd = open(path, O_RDONLY | O_CLOEXEC) };
	struct fathom_run_snapshot_header header;
	struct stat status;
	int err = 0;

	memset(copy, 0, sizeof(*copy));
	if (file.fd < 0 || fstat(file.fd, &status)) {
		fathom_tool_error("%s: %s", path, strerror(errno));
		if (file.fd >= 0)
			close(file.fd);
		return -ENOENT;
	}
	file.bytes = (uint64_t)status.st_size;
	copy->is_alive = fcntl(file.fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
	if (!read_at(&file, &header, sizeof(header), 0) ||
	    memcmp(header.magic, FATHOM_RUN_SNAPSHOT_MAGIC, sizeof(header.magic))) {
		fathom_tool_error("%s: not a snapshot of fathom, or cut off at its begin", path);
		err = -EINVAL;
	} else if (header.version != FATHOM_RUN_SNAPSHOT_VERSION || header.layout != fathom_run_snapshot_layout()) {
		fathom_tool_error("%s: written by another version of fathom, or damaged: use the fathom merge of that "
				  "version", path);
		err = -EINVAL;
	} else {
		err = read_slots(copy, &file, &header);
	}
	close(file.fd);
	return err;
}

void copy_free(struct copy *copy)
{
	for (size_t i = 0; i < copy->range_count; i++)
		free(copy->ranges[i].bytes);
	free(copy->ranges);
}

/* Returns the range that contains address. NULL: there is none. */
static const struct range *range_of(const struct copy *copy, uint64_t address)
{
	size_t low = 0, high = copy->range_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (copy->ranges[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == copy->range_count || address < copy->ranges[low].begin)
		return NULL;
	return &copy->ranges[low];
}

const void *copy_at(const struct copy *copy, uint64_t address, uint64_t bytes)
{
	const struct range *range = !address || address % sizeof(uint64_t) ? NULL : range_of(copy, address);

	if (!range || range->begin % sizeof(uint64_t) || range->end - address < bytes)
		return NULL;
	return range->bytes + (address - range->begin);
}

const char *copy_text(const struct copy *copy, uint64_t address)
{
	const struct range *range = address ? range_of(copy, address) : NULL;
	const char *text;

	if (!range)
		return NULL;
	text = range->bytes + (address - range->begin);
	return memchr(text, '\0', range->end - address) ? text : NULL;
}
