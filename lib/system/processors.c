#include "system/processors.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/arena.h"
#include "platform/log.h"
#include "system/rank_chain.h"
#include "system/system_path.h"
#include "system/text_file.h"

enum { WORD_BITS = 64 };

/* --- affinity ------------------------------------------------------------------------------------------ */

/* Adds the processors that a thread may run on; 0: the calling thread. */
static void add_thread(uint64_t *mask, pid_t thread)
{
	uint64_t words[FATHOM_PROCESSOR_WORDS];
	/* The system call, which the C library wraps, returns the bytes of the kernel's own mask. */
	long bytes = syscall(SYS_sched_getaffinity, thread, sizeof(words), words);

	for (long w = 0; w < bytes / (long)sizeof(*words); w++)
		mask[w] |= words[w];
}

/* Adds the processors of all living threads. Does not use readdir, which allocates. */
static void add_threads(uint64_t *mask, const char *root)
{
	struct entry {		/* as the kernel fills it in */
		uint64_t inode;
		int64_t offset;
		unsigned short bytes;
		unsigned char type;
		char name[];
	};
	char path[512];
	_Alignas(struct entry) char entries[2048];
	long filled;
	int fd;

	fathom_format(path, sizeof(path), "%s/proc/self/task", root);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	while ((filled = syscall(SYS_getdents64, fd, entries, sizeof(entries))) > 0)
		for (long at = 0; at < filled; at += ((const struct entry *)(const void *)(entries + at))->bytes) {
			const struct entry *entry = (const struct entry *)(const void *)(entries + at);

			if (entry->name[0] != '.')
				add_thread(mask, (pid_t)atoi(entry->name));
		}
	close(fd);
}

/* --- control groups --------------------------------------------------------------------------------------- */

/* Returns whether the list of controllers, with commas between, has "cpu". */
static bool has_cpu(const char *controllers, size_t bytes)
{
	const char *end = controllers + bytes;

	while (controllers < end) {
		size_t length = strcspn(controllers, ",:");

		if (length == 3 && !memcmp(controllers, "cpu", 3))
			return true;
		controllers += length + 1;
	}
	return false;
}

/* Returns the limit of a control group in thousandths of a processor, from its file cpu.max or the files of version
 * 1 below base. 0: no limit. */
static uint64_t read_limit(const char *root, const char *base, const char *group, bool is_version_2)
{
	char path[512], text[64], period_text[64];
	const char *period_at = period_text;
	uint64_t quota, period;
	char *end;

	fathom_format(path, sizeof(path), "%s/sys/fs/cgroup%s%s/%s", root, base, group,
		      is_version_2 ? "cpu.max" : "cpu.cfs_quota_us");
	/* "max" means no limit, and in version 1 so does -1. */
	if (!fathom_text_file_read(path, text, sizeof(text)) || text[0] < '0' || text[0] > '9')
		return 0;
	quota = strtoull(text, &end, 10);
	if (is_version_2) {
		period_at = end;
	} else {
		fathom_format(path, sizeof(path), "%s/sys/fs/cgroup%s%s/cpu.cfs_period_us", root, base, group);
		if (!fathom_text_file_read(path, period_text, sizeof(period_text)))
			return 0;
	}
	period = strtoull(period_at, NULL, 10);
	return period && quota < UINT64_MAX / 1000 ? quota * 1000 / period : 0;
}

static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash ? hash : 1;
}

/* Applies the smallest limit of a control group and the groups that contain it. Shortens group from its end. */
static void limit_by(struct fathom_processors *own, const char *root, const char *base, char *group, bool is_version_2)
{
	char *slash;

	do {
		uint64_t millis = read_limit(root, base, strcmp(group, "/") ? group : "", is_version_2);

		if (millis && (!own->group || millis < own->group_millis)) {
			own->group_millis = millis;
			own->group = hash_text(group);
		}
		slash = strrchr(group, '/');
		if (slash)
			*slash = '\0';
	} while (slash);
}

/* Finds the limit by the lines of /proc/self/cgroup: "0::/path" is of version 2, "4:cpu,cpuacct:/path" of version 1. */
static void find_limit(struct fathom_processors *own, const char *root)
{
	char path[512], text[2048], *line = text, *next;

	fathom_format(path, sizeof(path), "%s/proc/self/cgroup", root);
	if (!fathom_text_file_read(path, text, sizeof(text)))
		return;
	for (; line && *line; line = next) {
		char *controllers, *group;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		controllers = strchr(line, ':');
		group = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!group)
			continue;
		if (group == controllers + 1)
			limit_by(own, root, "", group + 1, true);
		else if (has_cpu(controllers + 1, (size_t)(group - controllers - 1)))
			limit_by(own, root, "/cpu", group + 1, false);
	}
}

void fathom_processors_find(struct fathom_processors *own, uint32_t threads, const char *root)
{
	memset(own, 0, sizeof(*own));
	own->processes = 1;
	own->threads = threads ? threads : 1;
	add_thread(own->mask, 0);
	if (own->threads > 1) {
		const cpu_set_t *at_start = fathom_system_path_processors();

		/* Threads that have ended may have run on any processor that there was at the start. */
		for (int i = 0; i < CPU_SETSIZE; i++)
			if (CPU_ISSET(i, at_start))
				own->mask[i / WORD_BITS] |= (uint64_t)1 << i % WORD_BITS;
		add_threads(own->mask, root);
	}
	find_limit(own, root);
}

/* --- all processes of a node
 * -------------------------------------------------------------------------------------------------- */

/* The processors of the processes of a node. Processes with the same mask and control group share an entry. */
struct list {
	struct fathom_arena arena;
	struct fathom_processors *items;
	uint32_t count;
	uint32_t room;
	bool is_cut;		/* entries are missing because there was no memory */
};

static void add(struct list *list, const struct fathom_processors *more)
{
	for (uint32_t i = 0; i < list->count; i++) {
		struct fathom_processors *item = &list->items[i];

		if (item->group == more->group && !memcmp(item->mask, more->mask, sizeof(item->mask))) {
			item->processes += more->processes;
			item->threads += more->threads;
			return;
		}
	}
	if (list->count == list->room) {
		uint32_t room = list->room ? list->room * 2 : 4;
		struct fathom_processors *items = fathom_arena_alloc(&list->arena, room * sizeof(*items));

		if (!items) {
			list->is_cut = true;
			return;
		}
		if (list->count)
			memcpy(items, list->items, list->count * sizeof(*items));
		list->items = items;
		list->room = room;
	}
	list->items[list->count++] = *more;
}

struct head {			/* precedes a list on the way up */
	uint32_t count;
	uint32_t is_cut;
};

static int receive_list(struct fathom_comm *comm, int32_t child, struct list *list)
{
	struct fathom_processors item;
	struct head head = { 0 };
	int err = child < 0 ? 0 : comm->receive(comm, child, &head, sizeof(head));

	list->is_cut |= head.is_cut;
	for (uint32_t i = 0; !err && i < head.count; i++) {
		err = comm->receive(comm, child, &item, sizeof(item));
		if (!err)
			add(list, &item);
	}
	return err;
}

/* Gathers the lists of the processes of a node at the root of a tree. */
static int gather(struct fathom_comm *comm, const struct fathom_tree_links *links, struct list *list)
{
	int err = receive_list(comm, links->left, list);

	if (!err)
		err = receive_list(comm, links->right, list);
	if (!err && links->parent >= 0) {
		struct head head = { list->count, list->is_cut };

		err = comm->send(comm, links->parent, &head, sizeof(head));
		for (uint32_t i = 0; !err && i < list->count; i++)
			err = comm->send(comm, links->parent, &list->items[i], sizeof(list->items[i]));
	}
	return err;
}

/* Gathers first among processes of the node with consecutive ranks, then among one process of each such row. */
static int gather_node(struct fathom_comm *comm, const char *host, struct list *list, bool *is_root)
{
	const struct fathom_name name = {
		.text = host, .bytes = (uint32_t)strlen(host), .salt = (uint32_t)comm->rank,
	};
	struct fathom_chain row = { comm->rank - 1, comm->rank + 1 < comm->size ? comm->rank + 1 : -1 }, heads;
	struct fathom_tree_links links;
	uint64_t position;
	bool is_left, is_right;
	int err = fathom_chain_match(comm, &row, &name, &is_left, &is_right);

	*is_root = false;
	if (!err)
		err = fathom_chain_cut(comm, &row, is_left, is_right, &heads, &position);
	if (!err)
		err = fathom_chain_link(comm, &row, position, &links);
	if (!err)
		err = gather(comm, &links, list);
	if (err || is_left)
		return err;
	err = fathom_chain_split(comm, &heads, &name, &position);
	if (!err)
		err = fathom_chain_link(comm, &heads, position, &links);
	if (!err)
		err = gather(comm, &links, list);
	*is_root = !err && links.parent < 0;
	return err;
}

int fathom_processors_unite(const struct fathom_processors *own, const char *host, struct fathom_comm *comm,
			    struct fathom_capacity *capacity)
{
	struct list list = { .count = 0 };
	bool is_root = true;
	int err = 0;

	memset(capacity, 0, sizeof(*capacity));
	add(&list, own);
	if (comm->size > 1)
		err = gather_node(comm, host, &list, &is_root);
	if (!err && is_root)
		fathom_capacity_of(capacity, list.items, list.is_cut ? 0 : list.count);
	fathom_arena_fini(&list.arena);
	return err;
}
