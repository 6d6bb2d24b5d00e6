#include "bursts/burst_blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "otf2/memory.h"
#include "platform/compiler.h"

/* Notes what is wrong; the first error stays. Returns err. */
static FATHOM_PRINTF(3, 4) int fail(struct fathom_burst_blocks *blocks, int err, const char *format, ...)
{
	va_list arguments;

	if (*blocks->error)
		return err;
	va_start(arguments, format);
	vsnprintf(blocks->error, sizeof(blocks->error), format, arguments);
	va_end(arguments);
	return err;
}

/* --- definitions ------------------------------------------------------------------------------------------ */

static bool is_text(const struct fathom_burst_process *process, uint32_t place)
{
	return place < process->head->text_bytes;
}

/* Returns whether all texts and numbers in the definitions are inside of them. */
static bool has_right_definitions(const struct fathom_burst_process *process)
{
	const struct fathom_burst_file_process *head = process->head;
	bool is_right = is_text(process, head->host) && process->text[head->text_bytes - 1] == '\0';

	for (uint32_t i = 0; i < head->location_count; i++)
		is_right = is_right && is_text(process, process->locations[i].name) &&
			   process->locations[i].counter_count <= head->counter_count;
	for (uint32_t i = 0; i < head->counter_count; i++)
		is_right = is_right && is_text(process, process->counters[i].name) &&
			   is_text(process, process->counters[i].unit);
	for (uint32_t i = 0; i < head->region_count; i++) {
		const struct fathom_burst_file_region *region = &process->regions[i];

		is_right = is_right && is_text(process, region->name) && is_text(process, region->file) &&
			   is_text(process, region->paradigm) && is_text(process, region->role);
	}
	for (uint32_t i = 0; i < head->path_count; i++)
		is_right = is_right && process->paths[i].region < head->region_count &&
			   (process->paths[i].parent < i || process->paths[i].parent == FATHOM_BURST_FILE_NO_PATH);
	return is_right && head->ticks_per_second >= 1 && head->ticks_per_second <= 1e12;
}

/* Finds the parts of a block of definitions. False: its sizes do not agree with those of the block. */
static bool take_definitions(struct fathom_burst_process *process, const char *payload, uint64_t bytes)
{
	const struct fathom_burst_file_process *head = (const void *)payload;
	unsigned __int128 wanted = sizeof(*head);

	if (bytes < sizeof(*head))
		return false;
	process->head = head;
	process->locations = (const void *)(head + 1);
	process->counters = (const void *)(process->locations + head->location_count);
	process->regions = (const void *)(process->counters + head->counter_count);
	process->paths = (const void *)(process->regions + head->region_count);
	process->text = (const void *)(process->paths + head->path_count);
	wanted += (unsigned __int128)head->location_count * sizeof(*process->locations);
	wanted += (unsigned __int128)head->counter_count * sizeof(*process->counters);
	wanted += (unsigned __int128)head->region_count * sizeof(*process->regions);
	wanted += (unsigned __int128)head->path_count * sizeof(*process->paths);
	wanted += head->text_bytes;
	return wanted == bytes && head->text_bytes && has_right_definitions(process);
}

/* --- bursts ----------------------------------------------------------------------------------------------- */

static const struct fathom_burst_file_block *block_at(const struct fathom_burst_blocks *blocks, size_t place)
{
	return (const void *)(blocks->data + place);
}

static bool is_path(const struct fathom_burst_process *process, uint32_t path)
{
	return path < process->head->path_count || path == FATHOM_BURST_FILE_NO_PATH;
}

/* Returns whether a block of bursts agrees with the definitions of its process. */
static bool has_right_bursts(const struct fathom_burst_process *process, const struct fathom_burst_file_block *block)
{
	const struct fathom_burst_file_bursts *bursts = (const void *)(block + 1);
	size_t words = sizeof(struct fathom_burst_file_record) / sizeof(uint64_t);
	const uint64_t *record;

	if (block->bytes < sizeof(*bursts) || bursts->location >= process->head->location_count ||
	    bursts->counter_count != process->locations[bursts->location].counter_count)
		return false;
	words += bursts->counter_count;
	if (bursts->count > block->bytes || bursts->count * words * sizeof(uint64_t) + sizeof(*bursts) != block->bytes)
		return false;
	record = (const void *)(bursts + 1);
	for (uint64_t i = 0; i < bursts->count; i++, record += words) {
		const struct fathom_burst_file_record *burst = (const void *)record;

		if (burst->end <= burst->begin || !is_path(process, burst->before) || !is_path(process, burst->after))
			return false;
	}
	return true;
}

const struct fathom_burst_file_bursts *fathom_burst_blocks_next(const struct fathom_burst_blocks *blocks,
								const struct fathom_burst_process *process,
								size_t *place)
{
	const struct fathom_burst_file_block *block = block_at(blocks, *place);

	if (*place >= process->end_block)
		return NULL;
	*place += sizeof(*block) + block->bytes;
	return (const void *)(block + 1);
}

/* --- the file --------------------------------------------------------------------------------------------- */

static int check_head(struct fathom_burst_blocks *blocks)
{
	const struct fathom_burst_file_head *head = (const void *)blocks->data;

	if (blocks->bytes < sizeof(*head) || memcmp(head->magic, FATHOM_BURST_FILE_MAGIC, sizeof(head->magic)) != 0)
		return fail(blocks, -EINVAL, "no file of bursts");
	if (head->order == __builtin_bswap32(FATHOM_BURST_FILE_ORDER))
		return fail(blocks, -ENOTSUP, "a machine with the other byte order wrote it, and only those with its "
			    "order can read it");
	if (head->order != FATHOM_BURST_FILE_ORDER)
		return fail(blocks, -EINVAL, "damaged at byte 8");
	if (head->version != FATHOM_BURST_FILE_VERSION)
		return fail(blocks, -ENOTSUP, "its format has version %" PRIu32 "; this fathom reads version %d",
			    head->version, FATHOM_BURST_FILE_VERSION);
	return 0;
}

/* Returns whether the block at place is complete and undamaged. */
static bool is_whole(const struct fathom_burst_blocks *blocks, size_t place)
{
	const struct fathom_burst_file_block *block = block_at(blocks, place);
	size_t left = blocks->bytes - place;

	return left >= sizeof(*block) && block->bytes <= left - sizeof(*block) && block->bytes % 8 == 0 &&
	       block->checksum == fathom_burst_file_checksum((const uint64_t *)(const void *)(block + 1),
							     block->bytes / sizeof(uint64_t));
}

/* Takes the definitions of a process, whose blocks of bursts begin at first. */
static int take_process(struct fathom_burst_blocks *blocks, size_t first, size_t place)
{
	const struct fathom_burst_file_block *block = block_at(blocks, place);
	struct fathom_burst_process process = { .rank = block->number, .first_block = first, .end_block = place };
	size_t at;

	if (!take_definitions(&process, (const char *)(block + 1), block->bytes))
		return fail(blocks, -EINVAL, "damaged: the definitions of rank %" PRIu32 " at byte %zu are wrong",
			    block->number, place);
	for (at = first; at < place; at += sizeof(*block) + block_at(blocks, at)->bytes)
		if (block_at(blocks, at)->number != process.rank || !has_right_bursts(&process, block_at(blocks, at)))
			return fail(blocks, -EINVAL, "damaged: the bursts at byte %zu do not agree with the "
				    "definitions of rank %" PRIu32, at, process.rank);
	for (size_t i = 0; i < blocks->process_count; i++)
		if (blocks->processes[i].rank == process.rank)
			return fail(blocks, -EINVAL, "damaged: rank %" PRIu32 " is in it twice", process.rank);
	blocks->processes = fathom_otf2_memory_grow(blocks->processes, blocks->process_count, &blocks->process_room,
						    sizeof(process));
	blocks->processes[blocks->process_count++] = process;
	return 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct fathom_burst_process *first = a, *second = b;

	return (first->rank > second->rank) - (first->rank < second->rank);
}

static int take_blocks(struct fathom_burst_blocks *blocks)
{
	size_t place = sizeof(struct fathom_burst_file_head), first = place;
	uint32_t count = 0;
	int err = 0;

	for (; !err; count++) {
		const struct fathom_burst_file_block *block = block_at(blocks, place);

		if (place == blocks->bytes)
			return fail(blocks, -EINVAL, "cut at its end, byte %zu: more blocks should follow", place);
		if (!is_whole(blocks, place))
			return fail(blocks, -EINVAL, "damaged or cut in the block at byte %zu", place);
		if (block->kind == FATHOM_BURST_BLOCK_END)
			break;
		place += sizeof(*block) + block->bytes;
		if (block->kind == FATHOM_BURST_BLOCK_PROCESS) {
			err = take_process(blocks, first, place - sizeof(*block) - block->bytes);
			first = place;
		} else if (block->kind != FATHOM_BURST_BLOCK_BURSTS) {
			err = fail(blocks, -EINVAL, "damaged: no kind of block has the number %" PRIu32, block->kind);
		}
	}
	if (err)
		return err;
	if (first != place || block_at(blocks, place)->number != count ||
	    place + sizeof(struct fathom_burst_file_block) != blocks->bytes)
		return fail(blocks, -EINVAL, "damaged: its blocks do not agree with its last one, at byte %zu", place);
	qsort(blocks->processes, blocks->process_count, sizeof(*blocks->processes), by_rank);
	return 0;
}

int fathom_burst_blocks_open(struct fathom_burst_blocks *blocks, const char *path)
{
	struct stat status;
	void *data;
	int file, err;

	*blocks = (struct fathom_burst_blocks){ .data = NULL };
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0 || fstat(file, &status) < 0) {
		err = -errno;
		if (file >= 0)
			close(file);
		return fail(blocks, err, "%s", strerror(-err));
	}
	data = status.st_size ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
	close(file);
	if (data == MAP_FAILED)
		return fail(blocks, -EINVAL, status.st_size ? "cannot be read" : "the file is empty");
	blocks->data = data;
	blocks->bytes = (size_t)status.st_size;
	err = check_head(blocks);
	return err ? err : take_blocks(blocks);
}

void fathom_burst_blocks_close(struct fathom_burst_blocks *blocks)
{
	if (blocks->data)
		munmap((void *)blocks->data, blocks->bytes);
	free(blocks->processes);
	blocks->data = NULL;
	blocks->processes = NULL;
	blocks->process_count = 0;
}
