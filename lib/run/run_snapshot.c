#include "run/run_snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "config.h"
#include "define/metric.h"
#include "define/parameter.h"
#include "define/region.h"
#include "define/topology.h"
#include "event/location.h"
#include "event/state.h"
#include "event/substrate.h"
#include "event/teams/tasks.h"
#include "platform/clock.h"
#include "platform/helper.h"
#include "platform/log.h"
#include "platform/module.h"
#include "run/experiment.h"
#include "run/run.h"

enum {
	NS_PER_SECOND = 1000000000,
	FIRST_PERIOD_NS = 20000000,	/* between the first two copies; the next periods are twice as long each */
	MOST_SHARE = 200,		/* copying may take one part in 200 of the time: 0.5 % */
	FIRST_ROOM_BYTES = 1 << 20,	/* bytes of the file that a slot has at first */
	FIRST_TRACE_ROOM_BYTES = 8 << 20,	/* the same with a trace: its events fit at once */
	MOST_TRIES = 3,			/* how often the memory of one location is copied, see put_location */
};

/* Visits that have lasted longer than this are long visits: put_location makes sure that a copy counts them once. */
#define LONG_VISIT_NS 50000000u

/* The state of the helper. The thread that starts the helper fills it in; afterwards only the helper uses it. */
struct copier {
	struct fathom_helper helper;
	struct fathom_run_snapshot_header header;
	int fd;
	uint64_t most_bytes;		/* limit for the size of a file; a longer file would raise SIGXFSZ */
	uint64_t period_ns;		/* between two copies, after the first, shorter periods */
	uint64_t number;		/* number of the next copy */
	uint64_t room[FATHOM_RUN_SNAPSHOT_SLOTS];	/* size of each slot's part of the file, in bytes */
	uint64_t begin_of[FATHOM_RUN_SNAPSHOT_SLOTS];	/* offset of that part */
	uint64_t file_bytes;		/* end of the part that ends last */
	uint64_t offset, end;		/* offset of the next piece, and end of the part that the pieces go to */
	uint64_t pieces;		/* how many pieces the present copy has so far */
	int err;			/* errno of the present copy; 0: none; ENOSPC: the slot's part is too small */
	struct fathom_run_snapshot_piece piece;	/* header of the next piece; the array words has its bytes */
	uint64_t words[FATHOM_RUN_SNAPSHOT_PIECE_BYTES / sizeof(uint64_t)];
	struct fathom_memory_copy memory_copy;	/* passed to the substrate */
};

static struct {
	bool is_wanted;
	char path[PATH_MAX];		/* of the file; empty: there is no file */
	char made_dir[PATH_MAX];	/* directory that was made only for the file; empty: there is none */
	struct fathom_run_snapshot_roots roots;
	struct copier *copier;		/* never freed, because the helper may use it until the process ends */
} snapshot;

uint64_t fathom_run_snapshot_layout(void)
{
	const uint64_t facts[] = {
		FATHOM_RUN_SNAPSHOT_VERSION, sizeof(struct fathom_run_snapshot_roots), sizeof(struct fathom_region),
		offsetof(struct fathom_region, role), sizeof(struct fathom_metric), sizeof(struct fathom_location),
		offsetof(struct fathom_location, arena), offsetof(struct fathom_location, kind),
		sizeof(struct fathom_frame), sizeof(struct fathom_team), offsetof(struct fathom_team, outer_leads),
		sizeof(struct fathom_module_note), sizeof(struct fathom_meter), sizeof(struct fathom_parameter),
		sizeof(struct fathom_topology), sizeof(struct fathom_position), FATHOM_ROLE_COUNT,
		FATHOM_PARADIGM_COUNT, FATHOM_DROP_COUNT,
	};
	uint64_t sum = fathom_run_snapshot_sum(0, facts, sizeof(facts) / sizeof(*facts));

	for (const char *version = PACKAGE_VERSION; *version; version++)
		sum = (sum ^ (unsigned char)*version) * 0x100000001b3u;
	return sum;
}

/* --- copying, on the helper ----------------------------------------------------------------------- */

FATHOM_IN_HELPER static uint64_t now_ns(void)
{
	struct timespec now = { 0 };

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

FATHOM_IN_HELPER static uint64_t sum_words(uint64_t sum, const uint64_t *words, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum;
}

FATHOM_IN_HELPER static void write_all(struct copier *copier, const void *from, uint64_t bytes, uint64_t offset)
{
	const char *place = from;

	if (offset + bytes > copier->most_bytes)
		copier->err = EFBIG;
	while (bytes && !copier->err) {
		long written = syscall(SYS_pwrite64, copier->fd, place, bytes, offset);

		if (written <= 0) {
			copier->err = EIO;
			return;
		}
		place += written;
		offset += (uint64_t)written;
		bytes -= (uint64_t)written;
	}
}

/* Writes the piece whose bytes are in copier->words, without the zeros at its end. */
FATHOM_IN_HELPER static void put_piece(struct copier *copier, uint64_t kind, uint64_t address, uint64_t memory_bytes)
{
	uint64_t bytes = memory_bytes, all;

	while (bytes && !copier->words[bytes / sizeof(uint64_t) - 1])
		bytes -= sizeof(uint64_t);
	all = sizeof(copier->piece) + bytes;

	copier->pieces++;
	copier->piece.kind = kind;
	copier->piece.address = kind == FATHOM_RUN_SNAPSHOT_END ? copier->pieces : address;
	copier->piece.bytes = bytes;
	copier->piece.memory_bytes = memory_bytes;
	copier->piece.sum = sum_words(sum_words(0, &copier->piece.kind, 4), copier->words, bytes / sizeof(uint64_t));
	if (copier->end - copier->offset < all)
		copier->err = ENOSPC;
	write_all(copier, &copier->piece, all, copier->offset);
	copier->offset += all;
}

/* Reads word by word, so that no word is half an old and half a new one. */
FATHOM_IN_HELPER FATHOM_COPIES_CHANGING_MEMORY static void copy_words(uint64_t *to, const uint64_t *from,
								      uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		to[i] = fathom_peek(&from[i]);
}

/* Writes pieces with the bytes at from; in the file their address is address. */
FATHOM_IN_HELPER static void put_memory_at(struct copier *copier, enum fathom_run_snapshot_kind kind,
					   const void *address, const void *from, uint64_t bytes)
{
	const uint64_t *words = from;
	uintptr_t place = (uintptr_t)address;
	uint64_t count = bytes / sizeof(*words);

	while (count && !copier->err) {
		uint64_t most = FATHOM_RUN_SNAPSHOT_PIECE_BYTES / sizeof(*words), part = count < most ? count : most;

		copy_words(copier->words, words, part);
		put_piece(copier, kind, place, part * sizeof(*words));
		place += part * sizeof(*words);
		words += part;
		count -= part;
	}
}

FATHOM_IN_HELPER static void put_memory(struct copier *copier, enum fathom_run_snapshot_kind kind, const void *from,
					uint64_t bytes)
{
	put_memory_at(copier, kind, from, from, bytes);
}

/* Returns how many bytes of a block the arena has handed out. The owner of the arena may allocate meanwhile. */
FATHOM_IN_HELPER static uint64_t used_bytes(const struct fathom_arena *arena, const struct fathom_arena_block *block,
					    bool is_newest)
{
	const char *next = fathom_peek(&arena->next), *begin = (const char *)block;

	if (!is_newest || next < begin || next > begin + block->bytes)
		return block->bytes;
	return ((uint64_t)(next - begin) + 7) & ~(uint64_t)7;
}

FATHOM_IN_HELPER static void put_arena(struct copier *copier, const struct fathom_arena *arena)
{
	/* Pairs with the release in add_block() of platform/arena.c. */
	const struct fathom_arena_block *newest = __atomic_load_n(&arena->newest, __ATOMIC_ACQUIRE), *block;

	for (block = newest; block; block = block->older)
		put_memory(copier, FATHOM_RUN_SNAPSHOT_MEMORY, block, used_bytes(arena, block, block == newest));
}

/* The functions of struct fathom_memory_copy. */
FATHOM_IN_HELPER static void put_for_substrate(void *to, const void *address, const void *memory, uint64_t bytes)
{
	put_memory_at(to, FATHOM_RUN_SNAPSHOT_MEMORY, address, memory, bytes);
}

FATHOM_IN_HELPER static void put_arena_for_substrate(void *to, const struct fathom_arena *arena)
{
	put_arena(to, arena);
}

/* Returns whether a location's stack of frames lies in one block of the location's own arena, which is never
 * unmapped. */
FATHOM_IN_HELPER static bool is_in_own_arena(const struct fathom_location *location, const struct fathom_frame *root,
					  const struct fathom_frame *top)
{
	const struct fathom_arena_block *block = __atomic_load_n(&location->arena.newest, __ATOMIC_ACQUIRE);

	for (; block; block = block->older) {
		const char *begin = (const char *)block, *end = begin + block->bytes;

		if ((const char *)root >= begin && (const char *)root < end)
			return top >= root && (const char *)(top + 1) <= end;
	}
	return false;
}

/*
 * Returns a hash of the active visits that began before the time before, in ticks. The top is read before the root:
 * fathom_location_grow stores the root first, so the top of a larger stack is never taken together with the root of the
 * smaller one. If the thread just switches between the stacks of two tasks, root and top may still belong to different
 * stacks. The hash is then of other words in the block, and the copy is made once more.
 */
FATHOM_IN_HELPER static uint64_t long_visits(const struct fathom_location *location, uint64_t before)
{
	/* Both pair with the releases in fathom_location_grow() of event/location.c. */
	const struct fathom_frame *top = __atomic_load_n(&location->top, __ATOMIC_ACQUIRE);
	const struct fathom_frame *root = __atomic_load_n(&location->root, __ATOMIC_ACQUIRE), *frame;
	uint64_t sum = 0;

	if (!is_in_own_arena(location, root, top))
		return 0;
	for (frame = root; frame <= top; frame++) {
		const uint64_t facts[] = { fathom_peek(&frame->enter_ticks), (uintptr_t)fathom_peek(&frame->node) };

		if ((facts[0] & ~((uint64_t)1 << 63)) > before)
			break;
		sum = sum_words(sum, facts, 2);
	}
	return sum;
}

/* Copies the memory of a location. If a long visit ends meanwhile, the copy might count it twice or not at all; then
 * the memory is copied anew. */
FATHOM_IN_HELPER static void put_location(struct copier *copier, const struct fathom_location *location,
					  uint64_t long_ticks)
{
	uint64_t offset = copier->offset, pieces = copier->pieces;

	for (int attempt = 1; !copier->err; attempt++) {
		uint64_t before = fathom_clock_ticks() - long_ticks, visits = long_visits(location, before);

		copier->offset = offset;
		copier->pieces = pieces;
		put_arena(copier, &location->arena);
		if (attempt == MOST_TRIES || long_visits(location, before) == visits)
			return;
	}
}

/* Returns the clock's scale as fathom_clock_scale does, which the helper may not call. */
FATHOM_IN_HELPER static uint64_t units_per_tick_q32(uint64_t ticks, uint64_t ns)
{
	const unsigned __int128 units_per_ns_q32 = ((unsigned __int128)1 << 64) / NS_PER_SECOND;
	uint64_t ticks_passed = ticks - fathom_clock.begin_ticks, ns_passed = ns - fathom_clock.begin_ns;

	if (!fathom_clock.uses_tsc || !ticks_passed || ticks < fathom_clock.begin_ticks)
		return (uint64_t)units_per_ns_q32;
	return (uint64_t)(units_per_ns_q32 * ns_passed / ticks_passed);
}

/* Does the same as processor_ns of processor_time.c, which the helper may not call. */
FATHOM_IN_HELPER static uint64_t processor_ns(clockid_t clock)
{
	struct timespec used = { 0 };

	if (syscall(SYS_clock_gettime, clock, &used))
		return 0;
	return (uint64_t)used.tv_sec * NS_PER_SECOND + (uint64_t)used.tv_nsec - fathom_run.begin_processor_ns;
}

/*
 * Returns CLOCK_MONOTONIC in ns, and sets *ticks to the time in ticks at the same moment. The reading with the shortest
 * time between the two outer readings of the ticks is taken: in the others, the helper may have lost its processor.
 */
FATHOM_IN_HELPER static uint64_t read_both_clocks(uint64_t *ticks)
{
	enum { READINGS = 5 };
	uint64_t shortest = UINT64_MAX, ns = 0;

	for (int i = 0; i < READINGS; i++) {
		uint64_t before = fathom_clock_ticks(), now = now_ns(), after = fathom_clock_ticks();

		if (after - before < shortest) {
			shortest = after - before;
			*ticks = before + (after - before) / 2;
			ns = now;
		}
	}
	return ns;
}

FATHOM_IN_HELPER static void put_roots(struct copier *copier)
{
	struct fathom_run_snapshot_roots *roots = &snapshot.roots;
	struct timespec now = { 0 };
	uint64_t ns = read_both_clocks(&roots->now_ticks);

	syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
	roots->units_per_tick_q32 = units_per_tick_q32(roots->now_ticks, ns);
	roots->now_seconds = now.tv_sec;
	roots->processor_ns = processor_ns(CLOCK_PROCESS_CPUTIME_ID);
	roots->initial_ns = processor_ns((clockid_t)(~(unsigned)fathom.pid << 3 | 6));	/* the clock of the initial
											 * thread */
	roots->newest_location = (uintptr_t)fathom_location_newest();
	roots->region_count = fathom_region_count();
	roots->metric_count = fathom_metric_count();
	roots->parameter_count = fathom_parameter_count();
	roots->topology_count = fathom_topology_count();
	roots->newest_position = (uintptr_t)fathom_topology_positions();
	roots->modules = (uintptr_t)fathom_module_notes();
	put_memory(copier, FATHOM_RUN_SNAPSHOT_ROOTS, roots, sizeof(*roots));
}

/*
 * The order is important, because the program continues. Definitions are copied after the memory of the locations, so
 * that all definitions that this memory points to are in the copy. For the same reason the memory of the locations is
 * copied after the events, which only the substrate can find.
 */
FATHOM_IN_HELPER static void put_all(struct copier *copier)
{
	const struct fathom_location *location;
	uint64_t chunks, long_ticks;

	put_roots(copier);
	long_ticks = (uint64_t)(((unsigned __int128)LONG_VISIT_NS << 64) / NS_PER_SECOND /
				snapshot.roots.units_per_tick_q32);
	copier->memory_copy.newest_location = (const void *)(uintptr_t)snapshot.roots.newest_location;
	if (fathom.substrate->copy)
		fathom.substrate->copy(&copier->memory_copy);
	for (location = (const void *)(uintptr_t)snapshot.roots.newest_location; location; location = location->next)
		put_location(copier, location, long_ticks);
	chunks = (fathom_region_count() + FATHOM_REGION_CHUNK - 1) / FATHOM_REGION_CHUNK;
	put_memory(copier, FATHOM_RUN_SNAPSHOT_MEMORY, fathom_region_chunks(), chunks * sizeof(void *));
	put_arena(copier, fathom_region_arena());
	put_memory(copier, FATHOM_RUN_SNAPSHOT_MEMORY, fathom_metric_by_id(0),
		   fathom_metric_count() * sizeof(struct fathom_metric));
	put_arena(copier, fathom_metric_arena());
	put_memory(copier, FATHOM_RUN_SNAPSHOT_MEMORY, fathom_parameter_by_id(0),
		   fathom_parameter_count() * sizeof(struct fathom_parameter));
	put_arena(copier, fathom_parameter_arena());
	put_memory(copier, FATHOM_RUN_SNAPSHOT_MEMORY, fathom_topology_by_id(0),
		   fathom_topology_count() * sizeof(struct fathom_topology));
	put_arena(copier, fathom_topology_arena());
	put_arena(copier, fathom_module_arena());
	put_piece(copier, FATHOM_RUN_SNAPSHOT_END, 0, 0);
}

/* Returns the size of a slot's first part of the file. Only bytes that are written take disk space. */
FATHOM_IN_HELPER static uint64_t first_room(void)
{
	return fathom.substrate->copy ? FIRST_TRACE_ROOM_BYTES : FIRST_ROOM_BYTES;
}

/* Chooses the slot with the older copy. If the last copy did not fit, the slot gets a larger part of the file. */
FATHOM_IN_HELPER static struct fathom_run_snapshot_slot *next_slot(struct copier *copier)
{
	uint64_t which = copier->number % FATHOM_RUN_SNAPSHOT_SLOTS;
	struct fathom_run_snapshot_slot *slot = &copier->header.slots[which];
	uint64_t other = copier->room[1 - which], room = copier->room[which];

	if (copier->err == ENOSPC || other > room) {
		if (room)	/* gives back the disk space of the old part */
			syscall(SYS_fallocate, copier->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				copier->begin_of[which], room);
		room = copier->err == ENOSPC ? room * 2 : other;
		copier->room[which] = room ? room : first_room();
		copier->begin_of[which] = copier->file_bytes;
		copier->file_bytes += copier->room[which];
	}
	copier->offset = copier->begin_of[which];
	copier->end = copier->offset + copier->room[which];
	copier->pieces = 0;
	copier->err = 0;
	return slot;
}

FATHOM_IN_HELPER static void copy(struct copier *copier)
{
	struct fathom_run_snapshot_slot *slot = next_slot(copier);
	struct rlimit limit = { .rlim_cur = 0 };
	uint64_t begin = copier->offset;

	syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit);
	copier->most_bytes = limit.rlim_cur;
	/* Marks the slot as empty until the new copy is whole. */
	slot->number = 0;
	slot->sum = sum_words(0, &slot->number, 3);
	write_all(copier, &copier->header, sizeof(copier->header), 0);
	put_all(copier);
	if (copier->err)
		return;
	slot->number = copier->number++;
	slot->offset = begin;
	slot->bytes = copier->offset - begin;
	slot->sum = sum_words(0, &slot->number, 3);
	write_all(copier, &copier->header, sizeof(copier->header), 0);
}

/* Makes a copy. As long as the slot's part of the file is too small, it tries again with a larger part. */
FATHOM_IN_HELPER static void copy_until_it_fits(struct copier *copier)
{
	int tries = 20;

	do
		copy(copier);
	while (copier->err == ENOSPC && --tries);
}

/* Opens the file with a lock on it. The kernel releases the lock when the process ends; until then readers of the file
 * know by the lock that the process is alive. */
FATHOM_IN_HELPER static int open_again(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = (int)syscall(SYS_openat, AT_FDCWD, snapshot.path, O_RDWR | O_CLOEXEC, 0);

	if (fd >= 0)
		syscall(SYS_fcntl, fd, F_OFD_SETLK, &lock);
	return fd;
}

FATHOM_IN_HELPER static void run(struct fathom_helper *helper)
{
	struct copier *copier = helper->data;
	uint64_t period = FIRST_PERIOD_NS, pause, took;

	copier->fd = open_again();
	if (copier->fd < 0 || fathom_helper_sleep(helper, period))
		return;
	do {
		uint64_t begin = now_ns();

		copy_until_it_fits(copier);
		took = now_ns() - begin;
		pause = period > took ? period - took : 0;
		if (pause < took * MOST_SHARE)
			pause = took * MOST_SHARE;
		period = period * 2 < copier->period_ns ? period * 2 : copier->period_ns;
	} while (!fathom_helper_sleep(helper, pause));
}

/* --- start and end ------------------------------------------------------------------------------ */

/* Returns whether the directory is on a file system of this host alone. On a file system that many hosts share, each of
 * many processes would write to it each second; that must not be the default. */
static bool is_local(const char *directory)
{
	static const unsigned long local_types[] = {
		0xef53,		/* ext2, ext3, ext4 */
		0x58465342,	/* XFS */
		0x9123683e,	/* Btrfs */
		0x01021994,	/* tmpfs */
		0x858458f6,	/* ramfs */
		0x2fc12fc1,	/* ZFS */
		0xf2f52010,	/* F2FS */
		0x794c7630,	/* overlayfs */
		0xca451a4e,	/* bcachefs */
		0x3153464a,	/* JFS */
	};
	struct statfs facts;

	if (statfs(directory, &facts))
		return false;
	for (size_t i = 0; i < sizeof(local_types) / sizeof(*local_types); i++)
		if (((unsigned long)facts.f_type & 0xffffffff) == local_types[i])
			return true;
	return false;
}

/* Writes the settings, which a reader of the file needs, to text: the variables FATHOM_... of the environment. */
static void note_settings(char *text, size_t bytes)
{
	size_t length = 0;

	for (char **variable = environ; *variable; variable++) {
		size_t more = strlen(*variable) + 1;

		if (strncmp(*variable, "FATHOM_", 7) || length + more + 1 > bytes)
			continue;
		memcpy(text + length, *variable, more);
		length += more;
	}
	text[length] = '\0';
}

static void note_roots(void)
{
	struct fathom_run_snapshot_roots *roots = &snapshot.roots;

	memset(roots, 0, sizeof(*roots));
	roots->begin_ticks = fathom.begin_ticks;
	roots->begin_seconds = fathom_run.begin_seconds;
	roots->pid = (uint64_t)fathom.pid;
	roots->rank = fathom_run.identity.rank;
	roots->size = fathom_run.identity.size;
	roots->is_parallel = fathom_run.identity.parallel;
	syscall(SYS_sched_getaffinity, 0, sizeof(roots->processors), roots->processors);
	roots->region_chunks = (uintptr_t)fathom_region_chunks();
	roots->metrics = (uintptr_t)fathom_metric_by_id(0);
	roots->metric_groups = fathom_metric_group_count();
	roots->parameters = (uintptr_t)fathom_parameter_by_id(0);
	roots->topologies = (uintptr_t)fathom_topology_by_id(0);
	roots->mode = fathom.settings.mode;
	roots->trace = fathom.substrate->copy ? (uintptr_t)fathom.substrate->copied_roots : 0;
	fathom_format(roots->program, sizeof(roots->program), "%s", fathom_run.program_path);
	fathom_format(roots->arguments, sizeof(roots->arguments), "%s", fathom_run.arguments);
	fathom_format(roots->host, sizeof(roots->host), "%s", fathom_run.host);
	note_settings(roots->settings, sizeof(roots->settings));
}

static void say_none(const char *why)
{
	fathom_log(FATHOM_LOG_INFO, "FATHOM_SNAPSHOT: no snapshot of this process, no result after SIGKILL: %s", why);
}

/* Makes the file, writes its path to snapshot.path and returns its descriptor; -1, after a message, if it cannot be
 * made. */
static int make_file(const char *experiment)
{
	const char *setting = fathom.settings.snapshot, *name = strrchr(experiment, '/');
	char file[64];
	int fd = -1;

	*snapshot.made_dir = '\0';
	if (strchr(setting, '/')) {
		fathom_format(snapshot.made_dir, sizeof(snapshot.made_dir), "%s%s", setting, name ? name : "");
		if (mkdir(snapshot.made_dir, 0777) && errno != EEXIST) {
			say_none(strerrordesc_np(errno));
			*snapshot.made_dir = '\0';
			return -1;
		}
		experiment = snapshot.made_dir;
	} else if (!is_local(experiment)) {
		say_none("the experiment directory is not on a local file system (FATHOM_SNAPSHOT=DIRECTORY)");
		return -1;
	}
	if (fathom_run.identity.parallel)
		fathom_format(file, sizeof(file), FATHOM_RUN_SNAPSHOT_RANK, (int)fathom_run.identity.rank);
	else
		fathom_format(file, sizeof(file), FATHOM_RUN_SNAPSHOT_SERIAL);
	if ((size_t)fathom_format(snapshot.path, sizeof(snapshot.path), "%s/%s", experiment, file) >=
	    sizeof(snapshot.path))
		errno = ENAMETOOLONG;
	else
		fd = open(snapshot.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		say_none(strerrordesc_np(errno));
		*snapshot.path = '\0';
	}
	return fd;
}

static void start(const char *experiment)
{
	uint64_t period = fathom_setting_period(fathom.settings.snapshot);
	struct fathom_arena arena = { 0 };
	struct copier *copier;
	int fd = make_file(experiment), err;

	if (fd < 0)
		return;
	copier = fathom_arena_alloc(&arena, sizeof(*copier));
	if (!copier) {
		close(fd);
		fathom_run_snapshot_end();
		return;
	}
	note_roots();
	memcpy(copier->header.magic, FATHOM_RUN_SNAPSHOT_MAGIC, sizeof(copier->header.magic));
	copier->header.version = FATHOM_RUN_SNAPSHOT_VERSION;
	copier->header.layout = fathom_run_snapshot_layout();
	copier->number = 1;
	copier->file_bytes = FATHOM_RUN_SNAPSHOT_HEADER_BYTES;
	copier->err = ENOSPC;	/* the slots have no part of the file yet */
	copier->period_ns = period ? period : NS_PER_SECOND;
	copier->helper = (struct fathom_helper){ .run = run, .data = copier };
	copier->memory_copy = (struct fathom_memory_copy){ .put = put_for_substrate,
							   .put_arena = put_arena_for_substrate, .to = copier };
	if (fathom.substrate->note_snapshot)
		fathom.substrate->note_snapshot(snapshot.path);
	/* The calling thread makes the first copy itself, so that there is one from the first event on. */
	copier->fd = fd;
	copy_until_it_fits(copier);
	close(fd);
	err = fathom_helper_start(&copier->helper);
	if (err) {
		say_none(strerrordesc_np(-err));
		fathom_run_snapshot_end();
		return;
	}
	snapshot.copier = copier;
}

void fathom_run_snapshot_init(void)
{
	struct fathom_location *before;

	snapshot.is_wanted = strcmp(fathom.settings.snapshot, "off");
	if (!snapshot.is_wanted)
		return;
	before = fathom_location_suspend();	/* localtime_r may call the program's malloc */
	fathom_experiment_note_time(fathom_run.begin_seconds);
	fathom_location_resume(before);
}

void fathom_run_snapshot_begin(void)
{
	struct fathom_runtime_identity *identity = &fathom_run.identity;

	if (!snapshot.is_wanted || snapshot.copier || fathom_experiment_is_shared())
		return;
	/* After an error, the directory is tried again, with a message, when the result is written. */
	if (fathom_experiment_begin(identity->experiment, sizeof(identity->experiment), &fathom.settings,
				    fathom_run.program_path))
		*identity->experiment = '\0';
	else
		start(identity->experiment);
}

void fathom_run_snapshot_join(void)
{
	if (snapshot.is_wanted && *fathom_run.identity.experiment)
		start(fathom_run.identity.experiment);
}

bool fathom_run_snapshot_is_active(void)
{
	return snapshot.copier;
}

void fathom_run_snapshot_end(void)
{
	if (snapshot.copier)
		fathom_helper_stop(&snapshot.copier->helper);
	snapshot.copier = NULL;
	if (*snapshot.path)
		unlink(snapshot.path);
	*snapshot.path = '\0';
	if (*snapshot.made_dir)
		rmdir(snapshot.made_dir);
	*snapshot.made_dir = '\0';
}
