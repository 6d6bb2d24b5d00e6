#include "tools/analyze/operation_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/common/command.h"

/* A log of up to this many records stays in memory: 160 KiB. Of a larger one, about as many are in memory at a time. */
enum { RECORDS_IN_MEMORY = 4096, FIRST_ROOM = 64 };

static _Noreturn void end_without_file(const char *folder)
{
	fathom_tool_error("%s: no temporary file for the operations of a location: %s (TMPDIR names another directory)",
			  folder, strerror(errno));
	exit(FATHOM_TOOL_FAILURE);
}

const char *fathom_operation_log_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

static int open_temporary(void)
{
	const char *folder = fathom_operation_log_folder();
	char path[4096];
	int file;

	if (snprintf(path, sizeof(path), "%s/fathom-analyze.XXXXXX", folder) >= (int)sizeof(path))
		errno = ENAMETOOLONG;
	else if ((file = mkstemp(path)) >= 0) {
		unlink(path);
		return file;
	}
	end_without_file(folder);
}

/* Moves a log into a file, or makes the file of a log larger. posix_fallocate reports a full disk here; otherwise a
 * later access to the mapping would end the program by a signal. */
static void grow_file(struct fathom_operation_log *log, size_t room)
{
	size_t bytes = room * sizeof(*log->records);
	int file = log->file ? log->file - 1 : open_temporary();
	void *mapping;

	errno = posix_fallocate(file, 0, (off_t)bytes);
	if (errno)
		end_without_file(fathom_operation_log_folder());
	if (log->file)
		mapping = mremap(log->records, log->room * sizeof(*log->records), bytes, MREMAP_MAYMOVE);
	else
		mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (mapping == MAP_FAILED)
		fathom_tool_out_of_memory(bytes);
	if (!log->file) {
		memcpy(mapping, log->records, log->count * sizeof(*log->records));
		free(log->records);
	}
	log->records = mapping;
	log->room = room;
	log->file = file + 1;
}

static void make_room(struct fathom_operation_log *log)
{
	size_t room = log->room ? log->room * 2 : FIRST_ROOM;
	struct fathom_waits_record *records;

	if (log->count < log->room)
		return;
	if (room > RECORDS_IN_MEMORY) {
		grow_file(log, room);
		return;
	}
	records = realloc(log->records, room * sizeof(*records));
	if (!records)
		fathom_tool_out_of_memory(room * sizeof(*records));
	log->records = records;
	log->room = room;
}

void fathom_operation_log_fini(struct fathom_operation_log *log)
{
	if (log->file) {
		munmap(log->records, log->room * sizeof(*log->records));
		close(log->file - 1);
	} else {
		free(log->records);
	}
	*log = (struct fathom_operation_log){ 0 };
}

/* Returns a new record at the end; NULL: no record can have the next number. */
static struct fathom_waits_record *append(struct fathom_operation_log *log, uint64_t end_and_kind)
{
	struct fathom_waits_record *record;

	if (log->count == FATHOM_WAITS_NO_RECORD - 1)
		return NULL;
	make_room(log);
	if (log->file && log->count % RECORDS_IN_MEMORY == 0)
		madvise(log->records, log->count * sizeof(*log->records), MADV_DONTNEED);
	record = &log->records[log->count++];
	*record = (struct fathom_waits_record){ .end_and_kind = end_and_kind };
	return record;
}

uint32_t fathom_operation_log_begin(struct fathom_operation_log *log, uint64_t call_path, uint64_t begin,
				    const struct fathom_waits_part *part)
{
	struct fathom_waits_record *record = append(log, fathom_waits_end_of(begin));

	if (!record) {
		log->lost++;
		return FATHOM_WAITS_NO_RECORD;
	}
	record->operation.call_path = call_path;
	record->operation.begin = begin;
	record->operation.part = *part;
	return log->count - 1;
}

void fathom_operation_log_part(struct fathom_operation_log *log, uint32_t operation,
			       const struct fathom_waits_part *part)
{
	struct fathom_waits_record *last = &log->records[log->count - 1];

	if (log->count - 1 != operation && fathom_waits_record_fill(last) == 1) {
		last->more[1] = *part;
		last->end_and_kind = fathom_waits_fill_of(FATHOM_WAITS_OPERATION_MORE, 2, log->count - 1 - operation);
		return;
	}
	last = append(log, fathom_waits_fill_of(FATHOM_WAITS_OPERATION_MORE, 1, log->count - operation));
	if (last)
		last->more[0] = *part;
	else
		log->lost++;
}

void fathom_operation_log_end(struct fathom_operation_log *log, uint32_t operation, uint64_t end)
{
	log->records[operation].end_and_kind = fathom_waits_end_of(end);
}

void fathom_operation_log_map(struct fathom_operation_log *log, const struct fathom_waits_map_entry *entries,
			      uint32_t count)
{
	uint32_t first = log->count, i;

	for (i = 0; i < count; i += 2) {
		uint32_t here = count - i < 2 ? 1 : 2;
		struct fathom_waits_record *record =
			append(log, fathom_waits_fill_of(i == 0 ? FATHOM_WAITS_MAP : FATHOM_WAITS_MAP_MORE, here,
							 log->count - first));

		if (record)
			memcpy(record->entries, entries + i, here * sizeof(*entries));
	}
}
