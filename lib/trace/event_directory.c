#include "trace/event_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/clock.h"
#include "platform/log.h"

#define PREFIX ".fathom-trace-"

static uint64_t mix(uint64_t sum, const char *text)
{
	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * 0x100000001b3u;
	return sum;
}

/* Returns a hash of the boot of the kernel and of the PID namespace: if both are equal, a process id means the same
 * process. 0: not known. */
static uint64_t home(void)
{
	char boot[64] = "", space[64] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, boot, sizeof(boot) - 1);

	if (fd >= 0)
		close(fd);
	if (length <= 0 || readlink("/proc/self/ns/pid", space, sizeof(space) - 1) <= 0)
		return 0;
	return mix(mix(0xcbf29ce484222325u, boot), space);
}

/* Writes the beginning of the names of all directories whose process ids this process can check. */
static int write_prefix(char *prefix, size_t bytes)
{
	char host[64] = "";

	gethostname(host, sizeof(host) - 1);
	return fathom_format(prefix, bytes, PREFIX "%s-%llx-", host, (unsigned long long)home());
}

bool fathom_trace_event_directory_make(char *path, size_t bytes, const char *parent)
{
	char prefix[128];

	write_prefix(prefix, sizeof(prefix));
	if ((size_t)fathom_format(path, bytes, "%s/%s%d-%llx", parent, prefix, (int)getpid(),
				  (unsigned long long)fathom_clock_now()) >= bytes)
		return false;
	return mkdir(path, 0777) == 0;
}

static bool is_event_file(const char *name)
{
	size_t digits = strspn(name, "0123456789");

	return digits && (!strcmp(name + digits, ".evt") || !strcmp(name + digits, ".def"));
}

static void remove_events(int hidden, const char *name)
{
	int inner = openat(hidden, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *stream = inner < 0 ? NULL : fdopendir(inner);

	if (stream) {
		for (const struct dirent *entry; (entry = readdir(stream)) != NULL;)
			if (is_event_file(entry->d_name))
				unlinkat(inner, entry->d_name, 0);
		closedir(stream);
	} else if (inner >= 0) {
		close(inner);
	}
	unlinkat(hidden, name, AT_REMOVEDIR);
}

/* Returns true if the run snapshot whose path the process noted still exists: then a trace can be made of the events.
 */
static bool has_snapshot(int hidden)
{
	char path[4096];
	int file = openat(hidden, FATHOM_TRACE_SNAPSHOT_NOTE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t length = file < 0 ? -1 : read(file, path, sizeof(path) - 1);

	if (file >= 0)
		close(file);
	path[length > 0 ? length : 0] = '\0';
	return length > 0 && access(path, F_OK) == 0;
}

/* Removes only the files of a trace; a directory with other files is kept. */
static void remove_hidden(int parent, const char *name)
{
	int dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

	if (dir < 0)
		return;
	if (has_snapshot(dir)) {
		close(dir);
		return;
	}
	remove_events(dir, "events");
	remove_events(dir, "traces");
	unlinkat(dir, "traces.otf2", 0);
	unlinkat(dir, "traces.def", 0);
	unlinkat(dir, FATHOM_TRACE_SNAPSHOT_NOTE, 0);
	close(dir);
	unlinkat(parent, name, AT_REMOVEDIR);
}

void fathom_trace_event_directory_clear(const char *parent)
{
	char prefix[128];
	size_t length = (size_t)write_prefix(prefix, sizeof(prefix));
	DIR *stream = home() && length < sizeof(prefix) ? opendir(parent) : NULL;

	if (!stream)
		return;
	for (const struct dirent *entry; (entry = readdir(stream)) != NULL;) {
		long pid;

		if (strncmp(entry->d_name, prefix, length))
			continue;
		pid = strtol(entry->d_name + length, NULL, 10);
		if (pid > 0 && kill((pid_t)pid, 0) && errno == ESRCH)
			remove_hidden(dirfd(stream), entry->d_name);
	}
	closedir(stream);
}
