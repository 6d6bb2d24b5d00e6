/*
 * Source of the energy that packages, cores and memory of the whole machine take, from the kernel's powercap interface.
 *
 * A domain has a name with the number of its package, "energy::0-package", "energy::0-dram", because several packages
 * have zones of the same name. Counters wrap around at a number that the kernel provides.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "metric/counter_source.h"
#include "platform/log.h"

static const char prefix[] = "energy::", zones[] = "/sys/class/powercap";

/* Reads the first line of a file of a zone. 0 or -errno. */
static int read_line(const char *zone, const char *file, char *line, size_t bytes)
{
	char path[320];
	ssize_t length;
	int fd;

	fathom_format(path, sizeof(path), "%s/%s/%s", zones, zone, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	length = read(fd, line, bytes - 1);
	close(fd);
	if (length <= 0)
		return -EIO;
	line[length] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

/* Returns the name of a zone. Directories of zones are called "intel-rapl:0", and those of zones within them
 * "intel-rapl:0:2"; their names are "package-0", "dram". */
static bool name_of_zone(const char *zone, char *name, size_t bytes)
{
	const char *place = strchr(zone, ':');
	char line[64];

	if (!place || strncmp(zone, "intel-rapl", 10) || strncmp(zone, "intel-rapl-mmio", 15) == 0 ||
	    read_line(zone, "name", line, sizeof(line)))
		return false;
	if (!strncmp(line, "package", 7))
		line[7] = '\0';
	fathom_format(name, bytes, "%s%.*s-%s", prefix, (int)strcspn(place + 1, ":"), place + 1, line);
	return true;
}

static void list(void (*each)(void *context, const char *name), void *context)
{
	DIR *stream = opendir(zones);
	struct dirent *entry;
	char name[128];

	while (stream && (entry = readdir(stream)) != NULL)
		if (name_of_zone(entry->d_name, name, sizeof(name)))
			each(context, name);
	if (stream)
		closedir(stream);
}

static bool is_domain(const char *name)
{
	static const char *const domains[] = { "package", "core", "uncore", "dram", "psys" };
	const char *at = name + strspn(name, "0123456789");

	if (at == name || *at != '-')
		return false;
	for (size_t i = 0; i < sizeof(domains) / sizeof(*domains); i++)
		if (!strcmp(at + 1, domains[i]))
			return true;
	return false;
}

static int find(struct fathom_metric_event *event, struct fathom_metric_why *why)
{
	DIR *stream;
	struct dirent *entry;
	char name[128], line[64];

	if (strncmp(event->name, prefix, sizeof(prefix) - 1) || !is_domain(event->name + sizeof(prefix) - 1))
		return -ENOENT;
	event->unit = "10^-6 J";
	event->description = "Energy that this part of the machine used, also for other programs";
	event->origin = FATHOM_METRIC_ORIGIN_OTHER;
	event->is_process = true;
	*event->texts = '\0';
	stream = opendir(zones);
	while (stream && !*event->texts && (entry = readdir(stream)) != NULL)
		if (name_of_zone(entry->d_name, name, sizeof(name)) && !strcmp(name, event->name))
			fathom_format(event->texts, sizeof(event->texts), "%s", entry->d_name);
	if (stream)
		closedir(stream);
	if (!*event->texts) {
		fathom_format(why->text, sizeof(why->text), stream ? "%s has no such zone" :
			      "this kernel reports no energy: there is no %s", zones);
		return -ENOTSUP;
	}
	if (!read_line(event->texts, "max_energy_range_uj", line, sizeof(line)))
		event->data[0] = strtoull(line, NULL, 10);
	return 0;
}

static void close_events(struct fathom_metric_reader *reader)
{
	for (uint32_t i = 0; i < reader->count; i++)
		if (reader->fds[i] >= 0)
			close(reader->fds[i]);
}

static int open_events(struct fathom_metric_reader *reader, struct fathom_metric_why *why)
{
	char path[320];
	int err = 0;

	for (uint32_t i = 0; i < reader->count; i++)
		reader->fds[i] = -1;
	for (uint32_t i = 0; !err && i < reader->count; i++) {
		fathom_format(path, sizeof(path), "%s/%s/energy_uj", zones, reader->events[i]->texts);
		reader->failed = i;
		reader->fds[i] = open(path, O_RDONLY | O_CLOEXEC);
		err = reader->fds[i] < 0 ? -errno : 0;
		if (!err) {
			reader->fds[i] = fathom_metric_move_fd(reader->fds[i]);
			err = reader->fds[i] < 0 ? reader->fds[i] : 0;
		}
		if (err)
			fathom_format(why->text, sizeof(why->text), "%s: %s%s", path, strerrordesc_np(-err),
				      err == -EACCES ? " (only root may read it, unless the file's mode is changed)" :
						       "");
	}
	if (err)
		close_events(reader);
	return err;
}

/* Reads the counters. values has the previous reading, from which a counter that wrapped around continues. */
static void read_events(struct fathom_metric_reader *reader, uint64_t *values)
{
	for (uint32_t i = 0; i < reader->count; i++) {
		uint64_t *value = &values[reader->events[i]->id], range = reader->events[i]->data[0];
		char text[32];
		long bytes = syscall(SYS_pread64, reader->fds[i], text, sizeof(text) - 1, 0);
		uint64_t now = 0;

		if (bytes <= 0)
			continue;
		text[bytes] = '\0';
		for (const char *digit = text; *digit >= '0' && *digit <= '9'; digit++)
			now = now * 10 + (uint64_t)(*digit - '0');
		if (range) {
			uint64_t rounds = *value / (range + 1);

			now += rounds * (range + 1);
			now += now < *value ? range + 1 : 0;
		}
		*value = now;
	}
}

const struct fathom_metric_source fathom_metric_energy = {
	.name = "energy",
	.find = find,
	.open = open_events,
	.read = read_events,
	.close = close_events,
	.list = list,
};
