/*
 * Source of the values in /proc: bytes read and written and context switches of a thread, and memory of the process.
 *
 * The kernel writes a text for each reading, and this file parses it: this takes ten times as long as other sources.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "metric/counter_source.h"
#include "platform/log.h"

enum { STATUS, IO, FILES };

/* The names of the lines. */
static const struct known {
	const char *name;
	int file;
	bool is_process;
	bool is_signed;
	uint64_t scale;
	const char *unit, *description;
} events[] = {
	{ "VmHWM", STATUS, true, false, 1024, "bytes",
	  "How much the largest memory use of the process so far has grown" },
	{ "VmPeak", STATUS, true, false, 1024, "bytes",
	  "How much the largest address space of the process so far has grown" },
	{ "VmRSS", STATUS, true, true, 1024, "bytes", "How much the memory use of the process has grown" },
	{ "VmData", STATUS, true, true, 1024, "bytes",
	  "How much the process's data segments have grown, touched or not" },
	{ "VmSwap", STATUS, true, true, 1024, "bytes", "How much more memory of the process is swapped out" },
	{ "voluntary_ctxt_switches", STATUS, false, false, 1, "occ",
	  "How often a thread gave up its processor to wait for something" },
	{ "nonvoluntary_ctxt_switches", STATUS, false, false, 1, "occ",
	  "How often the kernel took the processor from a thread" },
	{ "rchar", IO, false, false, 1, "bytes", "Bytes that system calls read, from files, pipes and sockets" },
	{ "wchar", IO, false, false, 1, "bytes", "Bytes that system calls wrote, to files, pipes and sockets" },
	{ "syscr", IO, false, false, 1, "occ", "How many system calls read" },
	{ "syscw", IO, false, false, 1, "occ", "How many system calls wrote" },
	{ "read_bytes", IO, false, false, 1, "bytes", "Bytes that were fetched from a disk" },
	{ "write_bytes", IO, false, false, 1, "bytes", "Bytes that are to be written to a disk" },
};
enum { EVENT_COUNT = sizeof(events) / sizeof(*events) };

static const char prefix[] = "proc::";

static int find(struct fathom_metric_event *event, struct fathom_metric_why *why)
{
	(void)why;
	if (strncmp(event->name, prefix, sizeof(prefix) - 1))
		return -ENOENT;
	for (int i = 0; i < EVENT_COUNT; i++) {
		if (strcmp(events[i].name, event->name + sizeof(prefix) - 1))
			continue;
		event->unit = events[i].unit;
		event->description = events[i].description;
		event->origin = FATHOM_METRIC_ORIGIN_OTHER;
		event->is_process = events[i].is_process;
		event->is_signed = events[i].is_signed;
		event->data[0] = (uint64_t)i;
		return 0;
	}
	return -ENOENT;
}

static void list(void (*each)(void *context, const char *name), void *context)
{
	char name[64];

	for (int i = 0; i < EVENT_COUNT; i++) {
		fathom_format(name, sizeof(name), "%s%s", prefix, events[i].name);
		each(context, name);
	}
}

static const struct known *known_of(const struct fathom_metric_reader *reader, uint32_t i)
{
	return &events[reader->events[i]->data[0]];
}

static void close_events(struct fathom_metric_reader *reader)
{
	for (int file = 0; file < FILES; file++)
		if (reader->fds[file] >= 0)
			close(reader->fds[file]);
}

static bool finds(const char *text, const char *name, uint64_t *value);

enum { TEXT_BYTES = 4096 };

/* Reads the text of a file; false: it cannot be read. */
static bool read_file(const struct fathom_metric_reader *reader, int file, char *text)
{
	long bytes = syscall(SYS_pread64, reader->fds[file], text, TEXT_BYTES - 1, 0);

	if (bytes <= 0)
		return false;
	text[bytes] = '\0';
	return true;
}

/* Opens the needed files, of this thread or of the process; each event must be in its file. */
static int open_events(struct fathom_metric_reader *reader, struct fathom_metric_why *why)
{
	static const char *const names[FILES] = { [STATUS] = "status", [IO] = "io" };
	bool is_process = reader->count && reader->events[0]->is_process;
	char path[64], text[TEXT_BYTES];
	uint64_t value;
	int err = 0;

	for (int file = 0; file < FILES; file++)
		reader->fds[file] = -1;
	for (uint32_t i = 0; !err && i < reader->count; i++) {
		int file = known_of(reader, i)->file;

		reader->failed = i;
		fathom_format(path, sizeof(path), "/proc/%s/%s", is_process ? "self" : "thread-self", names[file]);
		if (reader->fds[file] < 0) {
			reader->fds[file] = open(path, O_RDONLY | O_CLOEXEC);
			err = reader->fds[file] < 0 ? -errno : 0;
		}
		if (!err && !read_file(reader, file, text))
			err = -EIO;
		if (err)
			fathom_format(why->text, sizeof(why->text), "%s: %s", path, strerrordesc_np(-err));
		else if (!finds(text, known_of(reader, i)->name, &value)) {
			fathom_format(why->text, sizeof(why->text), "%s does not have it", path);
			err = -ENOTSUP;
		}
	}
	for (int file = 0; !err && file < FILES; file++)
		if (reader->fds[file] >= 0) {
			reader->fds[file] = fathom_metric_move_fd(reader->fds[file]);
			if (reader->fds[file] < 0) {
				err = reader->fds[file];
				fathom_format(why->text, sizeof(why->text), "too many open files");
			}
		}
	if (err)
		close_events(reader);
	return err;
}

/* Finds the number in the line that begins with name and a colon. */
static bool finds(const char *text, const char *name, uint64_t *value)
{
	size_t length = strlen(name);

	while (text && (strncmp(text, name, length) || text[length] != ':')) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	if (!text)
		return false;
	*value = 0;
	for (text += length + 1; *text == ' ' || *text == '\t'; text++)
		;
	for (; *text >= '0' && *text <= '9'; text++)
		*value = *value * 10 + (uint64_t)(*text - '0');
	return true;
}

static void read_events(struct fathom_metric_reader *reader, uint64_t *values)
{
	char text[TEXT_BYTES];
	uint64_t value;

	for (int file = 0; file < FILES; file++) {
		if (reader->fds[file] < 0 || !read_file(reader, file, text))
			continue;
		for (uint32_t i = 0; i < reader->count; i++)
			if (known_of(reader, i)->file == file && finds(text, known_of(reader, i)->name, &value))
				values[reader->events[i]->id] = value * known_of(reader, i)->scale;
	}
}

const struct fathom_metric_source fathom_metric_proc = {
	.name = "proc",
	.find = find,
	.open = open_events,
	.read = read_events,
	.close = close_events,
	.list = list,
};
