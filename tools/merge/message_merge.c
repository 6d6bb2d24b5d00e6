#include "tools/merge/message_merge.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/message_records.h"

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

/* Adds the records of a rank to *file, which is opened at the first ones. 0 or -errno of *file. */
static int add_rank(FILE **file, const char *path, const struct fathom_message_records *added)
{
	if (!*file) {
		*file = fopen(path, "wx");
		if (!*file)
			return -errno;
		fprintf(*file, "fathom messages 1\nranks %" PRIu32 "\nwaiting unknown\n", added->ranks);
	}
	for (size_t i = 0; i < added->count; i++)
		print_record(*file, &added->records[i]);
	return 0;
}

int fathom_messages_merge(const char *const *profiles, size_t count, const char *merged)
{
	const char *slash = strrchr(merged, '/');
	char path[PATH_MAX];
	FILE *file = NULL;
	int err = 0;

	if (snprintf(path, sizeof(path), "%.*smessages.txt", slash ? (int)(slash - merged) + 1 : 0, merged) >=
	    (int)sizeof(path))
		return 0;
	for (size_t i = 0; i < count && !err; i++) {
		struct fathom_message_records records;

		err = fathom_message_records_try(&records, profiles[i]);
		if (err && err != -ENOENT)
			fathom_tool_error("%s: %s", records.path, records.problem);
		err = err ? 0 : add_rank(&file, path, &records);
		fathom_message_records_fini(&records);
	}
	if (file) {
		bool is_lost = ferror(file);

		is_lost |= fclose(file) != 0;
		if (is_lost) {
			unlink(path);
			err = -EIO;
		}
	}
	if (!err || err == -EEXIST)
		return 0;
	fathom_tool_error("%s: %s", path, strerror(-err));
	return err;
}
