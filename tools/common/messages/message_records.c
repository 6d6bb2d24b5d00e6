#include "tools/common/messages/message_records.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

static bool take_record(struct fathom_message_records *file, const char *line)
{
	struct fathom_message_record record = { .partner = FATHOM_MESSAGES_OTHERS };
	char word[16];
	int length = 0, start = 0;

	if (sscanf(line, "%15s %" SCNu32 "%n", word, &record.rank, &start) != 2)
		return false;
	if (strcmp(word, "with") == 0) {
		if (sscanf(line + start, " %" SCNd32 "%n", &record.partner, &length) != 1 || record.partner < 0)
			return false;
		start += length;
	} else if (strcmp(word, "unknown") == 0) {
		record.partner = FATHOM_MESSAGES_UNKNOWN;
	} else if (strcmp(word, "others") != 0) {
		return false;
	}
	length = 0;
	if (sscanf(line + start, " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %lf %lf%n",
		   &record.messages[FATHOM_MESSAGES_SENT], &record.bytes[FATHOM_MESSAGES_SENT],
		   &record.messages[FATHOM_MESSAGES_RECEIVED], &record.bytes[FATHOM_MESSAGES_RECEIVED],
		   &record.waited[FATHOM_MESSAGES_SENT], &record.waited[FATHOM_MESSAGES_RECEIVED], &length) != 6)
		return false;
	start += length;
	length = 0;
	if (record.partner >= 0) {
		if (sscanf(line + start, " %" SCNu64 "%n", &record.missed, &length) != 1)
			return false;
		start += length;
	}
	if (line[start] || record.rank >= file->ranks || record.partner >= (int64_t)file->ranks ||
	    !(record.waited[0] >= 0 && record.waited[1] >= 0))
		return false;
	file->records = fathom_tool_grow(file->records, file->count, &file->room, sizeof(*file->records));
	file->records[file->count++] = record;
	return true;
}

static bool take_line(void *context, char *line, unsigned long number)
{
	struct fathom_message_records *file = context;
	int length = 0;

	switch (number) {
	case 1:
		return strcmp(line, "fathom messages 1") == 0;
	case 2:
		return sscanf(line, "ranks %" SCNu32 "%n", &file->ranks, &length) == 1 && !line[length] &&
		       file->ranks > 0 && file->ranks <= INT32_MAX;
	case 3:
		file->has_waiting = strcmp(line, "waiting known") == 0;
		return file->has_waiting || strcmp(line, "waiting unknown") == 0;
	default:
		return take_record(file, line);
	}
}

int fathom_message_records_try(struct fathom_message_records *file, const char *result)
{
	static const struct fathom_companion_kind kind = {
		.name = "messages.txt", .content = "messages (fathom messages 1)", .lines = 3, .take_line = take_line,
	};

	*file = (struct fathom_message_records){ 0 };
	return fathom_companion_file_read(&file->text, &kind, result, file);
}

void fathom_message_records_sum(const struct fathom_message_records *file, struct fathom_message_record *sums)
{
	for (uint32_t r = 0; r < file->ranks; r++)
		sums[r] = (struct fathom_message_record){ .rank = r };
	for (size_t i = 0; i < file->count; i++) {
		const struct fathom_message_record *record = &file->records[i];
		struct fathom_message_record *sum = &sums[record->rank];

		for (int side = 0; side < FATHOM_MESSAGE_SIDES; side++) {
			sum->messages[side] += record->messages[side];
			sum->bytes[side] += record->bytes[side];
			sum->waited[side] += record->waited[side];
		}
	}
}

void fathom_message_records_fini(struct fathom_message_records *file)
{
	free(file->records);
	fathom_companion_file_fini(&file->text);
	*file = (struct fathom_message_records){ 0 };
}
