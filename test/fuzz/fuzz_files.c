/*
 * fuzz_files: a command that reads damaged files must end in time, with status 0, 1 or 2, and must say why where it fails.
 *
 *	fuzz_files [-s] SEED RUNS DIRECTORY COMMAND [ARGUMENT...]
 *
 * Each run damages one regular file below DIRECTORY, starts COMMAND, and puts the file back. -s: the files are snapshots
 * (FATHOM_SNAPSHOT), whose sums are made right again after the damage in two of three runs; otherwise most damage would
 * only be found by the sums. The same seed gives the same damage in the same order. A file that makes COMMAND crash, hang
 * or fail without a word stays in the current directory as failed.SEED.RUN.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE		/* nftw, memmem */
#endif

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/run_snapshot.h"

enum {
	MOST_FILES = 256,
	MOST_SAID = 1 << 16,	/* bytes of stderr that are looked at */
	SECONDS = 60,		/* that a run may take: the machine may be busy, and a sanitizer slow */
};

struct file {
	char *path;
	unsigned char *bytes;
	size_t size;
};

static struct file files[MOST_FILES];
static size_t file_count;

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

/* --- random numbers (splitmix64) ------------------------------------------------------------------ */

static uint64_t state;

static uint64_t next_random(void)
{
	uint64_t x = state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* A number below bound, which is not 0. */
static size_t below(size_t bound)
{
	return (size_t)(next_random() % bound);
}

/* --- files ------------------------------------------------------------------------------------------ */

static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	while (fd >= 0 && size) {
		ssize_t written = write(fd, bytes, size);

		if (written <= 0)
			fail(path);
		bytes += written;
		size -= (size_t)written;
	}
	if (fd < 0 || close(fd))
		fail(path);
}

static int load(const char *path, const struct stat *status, int type, struct FTW *place)
{
	struct file *file = &files[file_count];
	FILE *stream;

	(void)place;
	if (type != FTW_F || !status->st_size)
		return 0;
	if (file_count == MOST_FILES) {
		fprintf(stderr, "more than %d files\n", MOST_FILES);
		exit(2);
	}
	*file = (struct file){ strdup(path), malloc((size_t)status->st_size), (size_t)status->st_size };
	stream = fopen(path, "rb");
	if (!file->path || !file->bytes || !stream || fread(file->bytes, 1, file->size, stream) != file->size)
		fail(path);
	fclose(stream);
	file_count++;
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

/* --- damage ----------------------------------------------------------------------------------------- */

/* A place in the file, preferably one that is not in the middle of zeros. */
static size_t choose_place(const struct file *file)
{
	static const unsigned char zeros[64];
	size_t place = 0;

	for (int try = 0; try < 16; try++) {
		place = below(file->size);
		if (file->size - place < sizeof(zeros) || memcmp(file->bytes + place, zeros, sizeof(zeros)))
			break;
	}
	return place;
}

static void flip_bytes(struct file *file)
{
	for (size_t count = 1 + below(16); count; count--)
		file->bytes[choose_place(file)] ^= (unsigned char)(1 + below(255));
}

static void exchange_blocks(struct file *file)
{
	size_t bytes = (size_t)8 << below(12), from, to;

	if (bytes > file->size / 2)
		bytes = file->size / 2;
	from = choose_place(file);
	to = choose_place(file);
	for (size_t i = 0; i < bytes && from + i < file->size && to + i < file->size; i++) {
		unsigned char kept = file->bytes[from + i];

		file->bytes[from + i] = file->bytes[to + i];
		file->bytes[to + i] = kept;
	}
}

/* A word of 8 bytes becomes a number that programs stumble over, or another word of the file. */
static void replace_word(struct file *file)
{
	static const uint64_t numbers[] = { 0, 1, 7, 8, 255, 0xffff, INT32_MAX, UINT32_MAX, INT64_MAX, (uint64_t)INT64_MIN,
					    UINT64_MAX, UINT64_MAX - 7, UINT64_MAX / 8, 4096, 1 << 20 };
	size_t place = choose_place(file) & ~(size_t)7, other = choose_place(file) & ~(size_t)7;
	uint64_t word;

	if (file->size < 16 || place > file->size - 8 || other > file->size - 8)
		return;
	memcpy(&word, file->bytes + (below(2) ? other : place), sizeof(word));
	switch (below(3)) {
	case 0:
		word = numbers[below(sizeof(numbers) / sizeof(numbers[0]))];
		break;
	case 1:
		word += (uint64_t)below(65) * 8 - 256;
		break;
	default:
		break;
	}
	memcpy(file->bytes + place, &word, sizeof(word));
}

static void cut(struct file *file)
{
	file->size = below(file->size);
}

static void fill_block(struct file *file)
{
	size_t place = choose_place(file), bytes = below((size_t)1 << (4 + below(12)));

	memset(file->bytes + place, below(2) ? 0 : (int)below(256), bytes < file->size - place ? bytes : file->size - place);
}

static void damage(struct file *file)
{
	for (size_t count = 1 + below(3); count && file->size; count--) {
		switch (below(8)) {
		case 0:
			cut(file);
			break;
		case 1:
			fill_block(file);
			break;
		case 2:
		case 3:
			exchange_blocks(file);
			break;
		case 4:
		case 5:
			flip_bytes(file);
			break;
		default:
			replace_word(file);
			break;
		}
	}
}

/* Makes all sums of a snapshot right, as far as its pieces can be found. */
static void correct_sums(struct file *file)
{
	struct fathom_run_snapshot_header header;

	if (file->size < sizeof(header))
		return;
	memcpy(&header, file->bytes, sizeof(header));
	for (int i = 0; i < FATHOM_RUN_SNAPSHOT_SLOTS; i++) {
		struct fathom_run_snapshot_slot *slot = &header.slots[i];
		uint64_t place = slot->offset, end = slot->offset + slot->bytes;
		struct fathom_run_snapshot_piece piece;

		slot->sum = fathom_run_snapshot_sum(0, &slot->number, 3);
		while (place < end && place < file->size && file->size - place >= sizeof(piece)) {
			uint64_t *words;

			memcpy(&piece, file->bytes + place, sizeof(piece));
			place += sizeof(piece);
			if (piece.bytes > FATHOM_RUN_SNAPSHOT_PIECE_BYTES || piece.bytes > file->size - place)
				break;
			words = malloc(piece.bytes + sizeof(*words));
			if (!words)
				fail("malloc");
			memcpy(words, file->bytes + place, piece.bytes);
			piece.sum = fathom_run_snapshot_sum(fathom_run_snapshot_sum(0, &piece.kind, 4), words,
							    piece.bytes / sizeof(*words));
			free(words);
			memcpy(file->bytes + place - sizeof(piece), &piece, sizeof(piece));
			place += piece.bytes;
		}
	}
	memcpy(file->bytes, &header, sizeof(header));
}

/* --- the command -------------------------------------------------------------------------------------- */

/* Starts the command with its stderr in said. Returns its status as waitpid has it, or -1 after SECONDS. */
static int run(char **command, int said)
{
	int status;
	pid_t child = fork();

	if (child < 0)
		fail("fork");
	if (!child) {
		int null = open("/dev/null", O_RDWR);

		alarm(SECONDS);	/* execve keeps it: the command is ended by SIGALRM */
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(said, STDERR_FILENO);
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	while (waitpid(child, &status, 0) != child)
		;
	return status;
}

/* What is wrong with the way the command ended. NULL: nothing. */
static const char *fault_of(int status, int said)
{
	static char text[MOST_SAID];
	static const char *const signs[] = { "Sanitizer", "runtime error:", "Assertion", "assertion" };
	ssize_t length = pread(said, text, sizeof(text), 0);

	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGALRM ? "it does not end" : "it crashes";
	for (size_t i = 0; length > 0 && i < sizeof(signs) / sizeof(signs[0]); i++)
		if (memmem(text, (size_t)length, signs[i], strlen(signs[i])))
			return "a check in it fails";
	if (WEXITSTATUS(status) > 2)
		return "its status is not 0, 1 or 2";
	return WEXITSTATUS(status) && length <= 0 ? "it fails without a word" : NULL;
}

static void report(const char *fault, const struct file *file, unsigned long seed, unsigned long number, int said)
{
	char name[64], text[2000];
	ssize_t length = pread(said, text, sizeof(text) - 1, 0);

	snprintf(name, sizeof(name), "failed.%lu.%lu", seed, number);
	write_file(name, file->bytes, file->size);
	text[length > 0 ? length : 0] = '\0';
	printf("seed %lu, run %lu, %s damaged: %s (%s)\n%s", seed, number, file->path, fault, name, text);
}

int main(int argc, char **argv)
{
	bool are_snapshots = argc > 1 && !strcmp(argv[1], "-s");
	unsigned long seed, runs, failures = 0, taken = 0;
	char said_name[] = "fuzz_files.XXXXXX";
	int said;

	argv += are_snapshots;
	argc -= are_snapshots;
	if (argc < 5) {
		fprintf(stderr, "usage: fuzz_files [-s] SEED RUNS DIRECTORY COMMAND [ARGUMENT...]\n");
		return 2;
	}
	seed = strtoul(argv[1], NULL, 10);
	runs = strtoul(argv[2], NULL, 10);
	if (nftw(argv[3], load, 16, FTW_PHYS) || !file_count)
		fail(argv[3]);
	qsort(files, file_count, sizeof(files[0]), by_path);
	said = mkostemp(said_name, O_APPEND | O_CLOEXEC);
	if (said < 0 || unlink(said_name))
		fail(said_name);
	for (unsigned long number = 0; number < runs; number++) {
		const struct file *whole;
		struct file damaged;
		const char *fault;
		int status;

		state = (uint64_t)seed << 32 ^ number;
		whole = &files[below(file_count)];
		damaged = *whole;
		damaged.bytes = malloc(whole->size);
		if (!damaged.bytes || ftruncate(said, 0))
			fail("fuzz_files");
		memcpy(damaged.bytes, whole->bytes, whole->size);
		damage(&damaged);
		if (are_snapshots && below(3))
			correct_sums(&damaged);
		write_file(whole->path, damaged.bytes, damaged.size);
		status = run(argv + 4, said);
		fault = fault_of(status, said);
		if (fault) {
			report(fault, &damaged, seed, number, said);
			failures++;
		}
		taken += status == 0;
		write_file(whole->path, whole->bytes, whole->size);
		free(damaged.bytes);
	}
	printf("%lu damaged files, %lu of them taken, %lu failures\n", runs, taken, failures);
	return failures != 0;
}
