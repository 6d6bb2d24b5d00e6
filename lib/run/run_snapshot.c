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
#include "event/tasks.h"
#include "platform/clock.h"
#include "platform/helper.h"
#include "platform/log.h"
#include "platform/module.h"
#include "run/experiment.h"
#include "run/run.h"

enum {
	NS_PER_SECOND = 1000000000,
	FIRST_PERIOD_NS = 20000000,	/* between the first copies; then twice as long each time */
	MOST_SHARE = 200,		/* copying may take one part in so many of the time: 0.5 % */
	FIRST_ROOM_BYTES = 1 << 20,	/* for a copy, in the file */
	MOST_TRIES = 3,
};

/* A visit that has lasted longer than this must not seem to be over and still active in one copy. */
#define LONG_VISIT_NS 50000000u

/* What the helper knows. The thread that starts the helper fills it in, the helper alone uses it afterwards. */
struct copier {
	struct fathom_helper helper;
	struct fathom_run_snapshot_header header;
	int fd;
	uint64_t most_bytes;		/* that the process may write into a file: more would raise a signal */
	uint64_t period_ns;
	uint64_t number;		/* of the next copy */
	uint64_t room[FATHOM_RUN_SNAPSHOT_SLOTS];	/* bytes that a slot's part of the file may have */
	uint64_t begin_of[FATHOM_RUN_SNAPSHOT_SLOTS];	/* where that part begins */
	uint64_t file_bytes;		/* parts that slots have, end here */
	uint64_t offset, end;		/* of the copy that is being written: where the next piece goes, and may go */
	uint64_t pieces;
	int err;			/* 0, ENOSPC: the slot's part is too small, or another number: cannot write */
	struct fathom_run_snapshot_piece piece;	/* the next one, and its bytes */
	uint64_t words[FATHOM_RUN_SNAPSHOT_PIECE_BYTES / sizeof(uint64_t)];
	struct fathom_memory_copy memory_copy;	/* for the substrate */
};

static struct {
	bool is_wanted;
	char path[PATH_MAX];		/* of the file; empty: there is none */
	char made[PATH_MAX];		/* the directory that was made for it alone; empty: none was */
	struct fathom_run_snapshot_roots roots;
	struct copier *copier;		/* lives for ever, for the helper may be at work to the end */
} image;

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

/* --- what the helper does ----------------------------------------------------------------------- */

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

/* Write the piece whose bytes stand in copier->words, without the zeros at its end. */
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

/* Word by word, so that no word is half an old and half a new one. The reader finds what is now at from at address. */
FATHOM_IN_HELPER static void put_memory_at(struct copier *copier, enum fathom_run_snapshot_kind kind,
					   const void *address, const void *from, uint64_t bytes)
{
	const uint64_t *words = from;
	uintptr_t place = (uintptr_t)address;
	uint64_t count = bytes / sizeof(*words);

	while (count && !copier->err) {
		uint64_t most = FATHOM_RUN_SNAPSHOT_PIECE_BYTES / sizeof(*words), part = count < most ? count : most;

		for (uint64_t i = 0; i < part; i++)
			copier->words[i] = fathom_peek(&words[i]);
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

/* The bytes of a block that have been handed out; the arena's owner may be at work. */
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

/* Whether both ends of a location's stack of frames are in one block of its own arena, which is never given back. */
FATHOM_IN_HELPER static bool is_own_stack(const struct fathom_location *location, const struct fathom_frame *root,
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

/* A number made of the visits that were begun long before now. */
FATHOM_IN_HELPER static uint64_t long_visits(const struct fathom_location *location, uint64_t before)
{
	const struct fathom_frame *root = fathom_peek(&location->root), *top = fathom_peek(&location->top), *frame;
	uint64_t sum = 0;

	if (!is_own_stack(location, root, top))
		return 0;
	for (frame = root; frame <= top; frame++) {
		const uint64_t facts[] = { fathom_peek(&frame->enter_ticks), (uintptr_t)fathom_peek(&frame->node) };

		if ((facts[0] & ~((uint64_t)1 << 63)) > before)
			break;
		sum = sum_words(sum, facts, 2);
	}
	return sum;
}

/* A long visit that ends while its thread's memory is copied might count twice, or not at all: then, once more. */
FATHOM_IN_HELPER static void put_location(struct copier *copier, const struct fathom_location *location,
					  uint64_t long_ticks)
{
	uint64_t offset = copier->offset, pieces = copier->pieces;

	for (int try = 1; !copier->err; try++) {
		uint64_t before = fathom_clock_ticks() - long_ticks, visits = long_visits(location, before);

		copier->offset = offset;
		copier->pieces = pieces;
		put_arena(copier, &location->arena);
		if (try == MOST_TRIES || long_visits(location, before) == visits)
			return;
	}
}

/* What a tick is worth, as fathom_clock_scale finds out. */
FATHOM_IN_HELPER static uint64_t units_per_tick_q32(uint64_t ticks, uint64_t ns)
{
	const unsigned __int128 units_per_ns_q32 = ((unsigned __int128)1 << 64) / NS_PER_SECOND;
	uint64_t ticks_passed = ticks - fathom_clock.begin_ticks, ns_passed = ns - fathom_clock.begin_ns;

	if (!fathom_clock.uses_tsc || !ticks_passed || ticks < fathom_clock.begin_ticks)
		return (uint64_t)units_per_ns_q32;
	return (uint64_t)(units_per_ns_q32 * ns_passed / ticks_passed);
}

/* As processor_ns of processor_time.c. */
FATHOM_IN_HELPER static uint64_t processor_ns(clockid_t clock)
{
	struct timespec used = { 0 };

	if (syscall(SYS_clock_gettime, clock, &used))
		return 0;
	return (uint64_t)used.tv_sec * NS_PER_SECOND + (uint64_t)used.tv_nsec - fathom_run.begin_processor_ns;
}

FATHOM_IN_HELPER static void put_roots(struct copier *copier)
{
	struct fathom_run_snapshot_roots *roots = &image.roots;
	struct timespec now = { 0 };
	uint64_t ns = now_ns();

	syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
	roots->now_ticks = fathom_clock_ticks();
	roots->units_per_tick_q32 = units_per_tick_q32(roots->now_ticks, ns);
	roots->now_seconds = now.tv_sec;
	roots->processor_ns = processor_ns(CLOCK_PROCESS_CPUTIME_ID);
	roots->initial_ns = processor_ns((clockid_t)(~(unsigned)fathom.pid << 3 | 6));	/* of a thread, as scheduled */
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
 * What the memory of the threads points to is copied after that memory, so that it is complete. What the substrate has
 * beside it comes before: its events must not refer to anything that the memory of their thread does not have.
 */
FATHOM_IN_HELPER static void put_all(struct copier *copier)
{
	const struct fathom_location *location;
	uint64_t chunks, long_ticks;

	put_roots(copier);
	long_ticks = (uint64_t)(((unsigned __int128)LONG_VISIT_NS << 64) / NS_PER_SECOND /
				image.roots.units_per_tick_q32);
	if (fathom.substrate->copy)
		fathom.substrate->copy(&copier->memory_copy);
	for (location = (const void *)(uintptr_t)image.roots.newest_location; location; location = location->next)
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

/* Choose the older slot, and give it a larger part of the file if the last copy did not fit there. */
FATHOM_IN_HELPER static struct fathom_run_snapshot_slot *next_slot(struct copier *copier)
{
	uint64_t which = copier->number % FATHOM_RUN_SNAPSHOT_SLOTS;
	struct fathom_run_snapshot_slot *slot = &copier->header.slots[which];
	uint64_t other = copier->room[1 - which], room = copier->room[which];

	if (copier->err == ENOSPC || other > room) {
		if (room)	/* what it had on disk is given back */
			syscall(SYS_fallocate, copier->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				copier->begin_of[which], room);
		room = copier->err == ENOSPC ? room * 2 : other;
		copier->room[which] = room ? room : FIRST_ROOM_BYTES;
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
	/* The slot is empty until the new copy is whole. */
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

/* The slot's part of the file may be too small: then the next try has a larger one. */
FATHOM_IN_HELPER static void copy_until_it_fits(struct copier *copier)
{
	int tries = 20;

	do
		copy(copier);
	while (copier->err == ENOSPC && --tries);
}

/* Readers know by the lock, which the kernel takes back when the process ends, that it has not ended yet. */
FATHOM_IN_HELPER static int open_again(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = (int)syscall(SYS_openat, AT_FDCWD, image.path, O_RDWR | O_CLOEXEC, 0);

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

/* File systems of one machine. On others, which many processes share, a file that each of them writes to each second
 * is not for a default. */
static bool is_local(const char *directory)
{
	static const unsigned long local[] = {
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
	for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++)
		if (((unsigned long)facts.f_type & 0xffffffff) == local[i])
			return true;
	return false;
}

/* Into roots, the settings that a reader of the file needs: those of the environment. */
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
	struct fathom_run_snapshot_roots *roots = &image.roots;

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
	fathom_log(FATHOM_LOG_INFO, "FATHOM_SNAPSHOT: after SIGKILL there will be nothing of this process: %s", why);
}

/* Make the file that copies go to, open; its path stands in image.path. -1: there is none. */
static int make_file(const char *experiment)
{
	const char *setting = fathom.settings.snapshot, *name = strrchr(experiment, '/');
	char file[64];
	int fd = -1;

	*image.made = '\0';
	if (strchr(setting, '/')) {
		fathom_format(image.made, sizeof(image.made), "%s%s", setting, name ? name : "");
		if (mkdir(image.made, 0777) && errno != EEXIST) {
			say_none(strerrordesc_np(errno));
			*image.made = '\0';
			return -1;
		}
		experiment = image.made;
	} else if (!is_local(experiment)) {
		say_none("the experiment directory is not on a local file system (FATHOM_SNAPSHOT=DIRECTORY)");
		return -1;
	}
	if (fathom_run.identity.parallel)
		fathom_format(file, sizeof(file), FATHOM_RUN_SNAPSHOT_RANK, (int)fathom_run.identity.rank);
	else
		fathom_format(file, sizeof(file), FATHOM_RUN_SNAPSHOT_SERIAL);
	if ((size_t)fathom_format(image.path, sizeof(image.path), "%s/%s", experiment, file) >= sizeof(image.path))
		errno = ENAMETOOLONG;
	else
		fd = open(image.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		say_none(strerrordesc_np(errno));
		*image.path = '\0';
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
	copier->err = ENOSPC;	/* slots have no part of the file yet */
	copier->period_ns = period ? period : NS_PER_SECOND;
	copier->helper = (struct fathom_helper){ .run = run, .data = copier };
	copier->memory_copy = (struct fathom_memory_copy){ .put = put_for_substrate,
							   .put_arena = put_arena_for_substrate, .to = copier };
	if (fathom.substrate->note_snapshot)
		fathom.substrate->note_snapshot(image.path);
	/* The first copy is made here, so that there is one from the first event on. */
	copier->fd = fd;
	copy_until_it_fits(copier);
	close(fd);
	err = fathom_helper_start(&copier->helper);
	if (err) {
		say_none(strerrordesc_np(-err));
		fathom_run_snapshot_end();
		return;
	}
	image.copier = copier;
}

void fathom_run_snapshot_init(void)
{
	struct fathom_location *before;

	image.is_wanted = strcmp(fathom.settings.snapshot, "off");
	if (!image.is_wanted)
		return;
	before = fathom_location_hide();	/* the program's malloc may be called */
	fathom_experiment_note_time(fathom_run.begin_seconds);
	fathom_location_show(before);
}

void fathom_run_snapshot_begin(void)
{
	struct fathom_runtime_identity *identity = &fathom_run.identity;

	if (!image.is_wanted || image.copier || fathom_experiment_is_shared())
		return;
	/* Should that fail, it is tried again, and said, when there is a result to be written. */
	if (fathom_experiment_begin(identity->experiment, sizeof(identity->experiment), &fathom.settings,
				    fathom_run.program_path))
		*identity->experiment = '\0';
	else
		start(identity->experiment);
}

void fathom_run_snapshot_join(void)
{
	if (image.is_wanted && *fathom_run.identity.experiment)
		start(fathom_run.identity.experiment);
}

bool fathom_run_snapshot_is_active(void)
{
	return image.copier;
}

void fathom_run_snapshot_end(void)
{
	if (image.copier)
		fathom_helper_stop(&image.copier->helper);
	image.copier = NULL;
	if (*image.path)
		unlink(image.path);
	*image.path = '\0';
	if (*image.made)
		rmdir(image.made);
	*image.made = '\0';
}
