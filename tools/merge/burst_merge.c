#include "tools/merge/burst_merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bursts/burst_format.h"
#include "tools/common/command.h"
#include "tools/common/companion_file.h"

static const char damaged[] = "damaged, or cut, or of another version or machine; it is left out";

/* --- the file of a rank ----------------------------------------------------------------------------------- */

/* Reads a whole file. NULL: it cannot be read, and errno says why. */
static char *read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rbe");
	struct stat status;
	char *data;

	if (!file)
		return NULL;
	if (fstat(fileno(file), &status) < 0 || !S_ISREG(status.st_mode)) {
		fclose(file);
		errno = EINVAL;
		return NULL;
	}
	data = fathom_tool_alloc((size_t)status.st_size / 8 + 1, 8);
	*bytes = fread(data, 1, (size_t)status.st_size, file);
	fclose(file);
	return data;
}

/* Returns whether a file is whole, and sets *end to the place of its last block and *blocks to the number of blocks
 * before it. */
static bool is_whole(const char *data, size_t bytes, size_t *end, uint32_t *blocks)
{
	const struct fathom_burst_file_head *head = (const void *)data;
	size_t place = sizeof(*head);

	if (bytes < sizeof(*head) || memcmp(head->magic, FATHOM_BURST_FILE_MAGIC, sizeof(head->magic)) != 0 ||
	    head->order != FATHOM_BURST_FILE_ORDER || head->version != FATHOM_BURST_FILE_VERSION)
		return false;
	for (*blocks = 0; bytes - place >= sizeof(struct fathom_burst_file_block); ++*blocks) {
		const struct fathom_burst_file_block *block = (const void *)(data + place);

		if (block->bytes > bytes - place - sizeof(*block) || block->bytes % 8 ||
		    block->checksum != fathom_burst_file_checksum((const void *)(block + 1), block->bytes / 8))
			return false;
		*end = place;
		place += sizeof(*block) + block->bytes;
		if (block->kind == FATHOM_BURST_BLOCK_END)
			return block->number == *blocks && place == bytes;
	}
	return false;
}

/* --- the merged file -------------------------------------------------------------------------------------- */

/* Creates the file next to merged, with its head. 0 or -errno. */
static int create_file(struct fathom_merged_bursts *bursts, const char *merged, const void *head)
{
	const char *slash = strrchr(merged, '/');

	if (snprintf(bursts->path, sizeof(bursts->path), "%.*sbursts.bin", slash ? (int)(slash - merged) + 1 : 0,
		     merged) >= (int)sizeof(bursts->path))
		return -ENAMETOOLONG;
	bursts->file = fopen(bursts->path, "wbxe");
	if (!bursts->file)
		return -errno;
	fwrite(head, sizeof(struct fathom_burst_file_head), 1, bursts->file);
	return 0;
}

int fathom_bursts_merge(struct fathom_merged_bursts *bursts, const char *profile, const char *merged)
{
	char *path = fathom_companion_path(profile, "bursts.bin"), *data = NULL;
	size_t bytes = 0, end = 0;
	uint32_t blocks = 0;
	int err = 0;

	if (!bursts->exists) {
		data = read_file(path, &bytes);
		if (!data && errno != ENOENT)
			fathom_tool_error("%s: %s", path, strerror(errno));
	}
	if (data && !is_whole(data, bytes, &end, &blocks)) {
		fathom_tool_error("%s: %s", path, damaged);
	} else if (data) {
		err = bursts->file ? 0 : create_file(bursts, merged, data);
		bursts->exists = err == -EEXIST;
		if (!err)
			fwrite(data + sizeof(struct fathom_burst_file_head), 1,
			       end - sizeof(struct fathom_burst_file_head), bursts->file);
		bursts->blocks += blocks;
	}
	free(data);
	free(path);
	if (!err || bursts->exists)
		return 0;
	fathom_tool_error("%s: %s", bursts->path, strerror(-err));
	return err;
}

int fathom_bursts_end(struct fathom_merged_bursts *bursts, int err)
{
	struct fathom_burst_file_block end = {
		.kind = FATHOM_BURST_BLOCK_END, .number = bursts->blocks,
		.checksum = fathom_burst_file_checksum(NULL, 0),
	};
	bool is_lost;

	if (!bursts->file)
		return err;
	fwrite(&end, sizeof(end), 1, bursts->file);
	is_lost = ferror(bursts->file);
	is_lost |= fclose(bursts->file) != 0;
	if (!err && is_lost) {
		err = -EIO;
		fathom_tool_error("%s: %s", bursts->path, strerror(EIO));
	}
	if (err)
		unlink(bursts->path);
	return err;
}
