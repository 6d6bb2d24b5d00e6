#include "tools/merge/message_merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/messages/message_records.h"

static void print_record(FILE *file, const struct fathom_message_record *record)
{
	if (record->partner >= 0)
		fprintf(file, "with %" PRIu32 " %" PRId32, record->rank, record->partner);
	else
		fprintf(file, "%s %" PRIu32, record->partner == FATHOM_MESSAGES_OTHERS ? "others" : "unknown",
			record->rank);
	for (int side = 0; side < FATHOM_MESSAGE_SIDES; side++)
		fprintf(file, " %" PRIu64 " %" PRIu64, record->messages[side], record->bytes[side]);
	fprintf(file, " %.9f %.9f", record->waited[FATHOM_MESSAGES_SENT], record->waited[FATHOM_MESSAGES_RECEIVED]);
	if (record->partner >= 0)
		fprintf(file, " %" PRIu64, record->missed);
	putc('\n', file);
}

/* Creates the file next to merged, with its head. 0 or -errno. */
static int create_file(struct fathom_merged_messages *messages, const char *merged, uint32_t ranks)
{
	const char *slash = strrchr(merged, '/');

	if (snprintf(messages->path, sizeof(messages->path), "%.*smessages.txt",
		     slash ? (int)(slash - merged) + 1 : 0, merged) >= (int)sizeof(messages->path))
		return -ENAMETOOLONG;
	messages->file = fopen(messages->path, "wx");
	if (!messages->file)
		return -errno;
	fprintf(messages->file, "fathom messages 1\nranks %" PRIu32 "\nwaiting unknown\n", ranks);
	return 0;
}

/* Adds the records; creates the file first if there is none. 0 or -errno. */
static int add_records(struct fathom_merged_messages *messages, const char *merged,
		       const struct fathom_message_records *added)
{
	int err = messages->file ? 0 : create_file(messages, merged, added->ranks);

	for (size_t i = 0; !err && i < added->count; i++)
		print_record(messages->file, &added->records[i]);
	return err;
}

int fathom_messages_merge(struct fathom_merged_messages *messages, const char *profile, const char *merged)
{
	struct fathom_message_records records;
	int err;

	if (messages->exists)
		return 0;
	err = fathom_message_records_try(&records, profile);
	if (err && err != -ENOENT)
		fathom_tool_error("%s: %s", records.text.path, records.text.problem);
	err = err ? 0 : add_records(messages, merged, &records);
	fathom_message_records_fini(&records);
	messages->exists = err == -EEXIST;
	if (!err || messages->exists)
		return 0;
	fathom_tool_error("%s: %s", messages->path, strerror(-err));
	return err;
}

int fathom_messages_end(struct fathom_merged_messages *messages, int err)
{
	bool is_lost;

	if (!messages->file)
		return err;
	is_lost = ferror(messages->file);
	is_lost |= fclose(messages->file) != 0;
	if (!err && is_lost) {
		err = -EIO;
		fathom_tool_error("%s: %s", messages->path, strerror(EIO));
	}
	if (err)
		unlink(messages->path);
	return err;
}
