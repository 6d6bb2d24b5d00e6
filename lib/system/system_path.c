#include "system/system_path.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "platform/log.h"
#include "platform/pattern.h"
#include "system/text_file.h"

/* The processors that the process could use when it began; OpenMP runtimes bind threads to single ones later.
 * Written once, at the start; empty: unknown. */
static cpu_set_t processors;

void fathom_system_path_remember(void)
{
	if (sched_getaffinity(0, sizeof(processors), &processors))
		CPU_ZERO(&processors);
}

void fathom_system_path_recall(const cpu_set_t *those)
{
	processors = *those;
}

const cpu_set_t *fathom_system_path_processors(void)
{
	return &processors;
}

/* --- the path -------------------------------------------------------------------------------------- */

static void add_level(struct fathom_system_path *place, char *room, const char *class, size_t class_bytes,
		      const char *name,
		      size_t name_bytes)
{
	char *at = room + place->bytes;

	if (place->levels == FATHOM_PATH_LEVELS || class_bytes + name_bytes + 2 > FATHOM_PATH_BYTES - place->bytes)
		return;
	memcpy(at, class, class_bytes);
	at[class_bytes] = 0;
	at += class_bytes + 1;
	memcpy(at, name, name_bytes);
	at[name_bytes] = 0;
	place->bytes += (uint32_t)(class_bytes + name_bytes + 2);
	place->levels++;
}

static void add(struct fathom_system_path *place, char *room, const char *class, const char *name)
{
	add_level(place, room, class, strlen(class), name, strlen(name));
}

static void add_number(struct fathom_system_path *place, char *room, const char *class, int number)
{
	char text[16];

	fathom_format(text, sizeof(text), "%d", number);
	add(place, room, class, text);
}

/* --- from the system ---------------------------------------------------------------------------- */

static int read_socket(const char *sys, int processor)
{
	char path[256], text[32];

	fathom_format(path, sizeof(path), "%s/devices/system/cpu/cpu%d/topology/physical_package_id", sys, processor);
	return fathom_text_file_read(path, text, sizeof(text)) ? atoi(text) : -1;
}

/* Returns the socket that contains all processors of ours; -1: they are in several, or there is only one. */
static int socket_of(const char *sys, const cpu_set_t *ours)
{
	bool are_several = false;
	int socket = -1;

	for (int i = 0; i < CPU_SETSIZE; i++) {
		int next;

		if (!CPU_ISSET(i, ours))
			continue;
		next = read_socket(sys, i);
		if (next < 0 || (socket >= 0 && next != socket))
			return -1;
		socket = next;
	}
	for (int i = 0; i < CPU_SETSIZE && !are_several && socket >= 0; i++) {
		int next = read_socket(sys, i);

		if (next < 0 && !CPU_ISSET(i, ours) && i > 0)
			break;		/* there are no more */
		are_several = next >= 0 && next != socket;
	}
	return are_several ? socket : -1;
}

/* Returns whether all processors of ours are in a list in the form of the kernel: 0-3,8. */
static bool are_in(const cpu_set_t *ours, const char *list)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	while (*list >= '0' && *list <= '9') {
		char *end;
		long first = strtol(list, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;

		for (; first <= last && first < CPU_SETSIZE; first++)
			CPU_SET((size_t)first, &set);
		list = *end == ',' ? end + 1 : end;
	}
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, ours) && !CPU_ISSET(i, &set))
			return false;
	return true;
}

/* Returns the NUMA node that contains all processors of ours; -1: they are in several, or there is only one. */
static int numa_of(const char *sys, const cpu_set_t *ours)
{
	int found = -1, count = 0;

	for (int i = 0; i < 256; i++) {
		char path[256], list[1024];

		fathom_format(path, sizeof(path), "%s/devices/system/node/node%d/cpulist", sys, i);
		if (!fathom_text_file_read(path, list, sizeof(list)))
			break;
		count++;
		if (are_in(ours, list))
			found = i;
	}
	return count > 1 ? found : -1;
}

static void add_inside_node(struct fathom_system_path *place, char *room,
			    const struct fathom_system_path_source *source,
			    const char *class)
{
	const char *sys = source->sys ? source->sys : "/sys";
	const cpu_set_t *ours = source->processors ? source->processors : &processors;
	int number;

	if (!CPU_COUNT(ours))
		return;
	number = strcmp(class, "numa") ? socket_of(sys, ours) : numa_of(sys, ours);
	if (number >= 0)
		add_number(place, room, class, number);
}

static void add_machine(struct fathom_system_path *place, char *room)
{
	struct utsname name;

	add(place, room, "machine", uname(&name) ? "unknown" : name.sysname);
}

/* Adds the levels between machine and node: "s0.s4.n12" with the pattern "switch.switch.node". */
static void add_slurm(struct fathom_system_path *place, char *room)
{
	const char *address = getenv("SLURM_TOPOLOGY_ADDR"), *classes = getenv("SLURM_TOPOLOGY_ADDR_PATTERN");

	while (address && classes) {
		size_t name_bytes = strcspn(address, "."), class_bytes = strcspn(classes, ".");

		/* The last part is the node itself. */
		if (!address[name_bytes] || !classes[class_bytes])
			return;
		if (name_bytes && class_bytes)
			add_level(place, room, classes, class_bytes, address, name_bytes);
		address += name_bytes + 1;
		classes += class_bytes + 1;
	}
}

/* --- from FATHOM_SYSTEM_TREE ------------------------------------------------------------------------------ */

static bool is_class(const struct fathom_pattern_part *part, const char *class)
{
	return part->class_bytes == strlen(class) && !strncmp(part->class, class, part->class_bytes);
}

static void add_known(struct fathom_system_path *place, char *room, const struct fathom_system_path_source *source,
		      const struct fathom_pattern_part *part)
{
	if (is_class(part, "machine"))
		add_machine(place, room);
	else if (is_class(part, "socket"))
		add_inside_node(place, room, source, "socket");
	else if (is_class(part, "numa"))
		add_inside_node(place, room, source, "numa");
	else
		add(place, room, "node", source->host);
}

static void add_pattern(struct fathom_system_path *place, char *room, const struct fathom_system_path_source *source)
{
	const char *text = source->tree;
	struct fathom_pattern_part part;

	while (text && fathom_pattern_next(&text, &part)) {
		char name[256];
		size_t length;

		if (!place->levels && !is_class(&part, "machine"))	/* the machine is always the first level */
			add_machine(place, room);
		if (!part.name) {
			add_known(place, room, source, &part);
			continue;
		}
		length = fathom_pattern_expand(&part, source->host, source->rank, name, sizeof(name));
		add_level(place, room, part.class, part.class_bytes, name, length);
	}
}

void fathom_system_path_find(struct fathom_system_path *place, char room[FATHOM_PATH_BYTES],
		       const struct fathom_system_path_source *source)
{
	*place = (struct fathom_system_path){ .text = room };
	if (source->tree) {
		add_pattern(place, room, source);
	} else {
		add_machine(place, room);
		add_slurm(place, room);
		add(place, room, "node", source->host);
		add_inside_node(place, room, source, "socket");
		add_inside_node(place, room, source, "numa");
	}
	if (!place->levels)
		add_machine(place, room);
}

/* --- queries ------------------------------------------------------------------------------------------ */

/* Returns text number index: class and name of level 0, of level 1, ... */
static const char *text_at(const struct fathom_system_path *place, uint32_t index)
{
	const char *text = place->text;

	while (index--)
		text += strlen(text) + 1;
	return text;
}

const char *fathom_system_path_class(const struct fathom_system_path *place, uint32_t level)
{
	return text_at(place, 2 * level);
}

const char *fathom_system_path_name(const struct fathom_system_path *place, uint32_t level)
{
	return text_at(place, 2 * level + 1);
}

uint32_t fathom_system_path_bytes(const struct fathom_system_path *place, uint32_t level)
{
	return (uint32_t)(text_at(place, 2 * level + 2) - place->text);
}
