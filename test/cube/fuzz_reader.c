/*
 * fuzz_reader: damaged profiles must not crash, hang or exhaust the reader.
 *
 *	fuzz_reader SEED COUNT [FILE...]	damage the files, and some of our own, COUNT times
 *
 * Compiled with -DFATHOM_LIBFUZZER it is a target of libFuzzer instead. The same seed gives the
 * same inputs; an input that kills the reader is left behind as fuzz_reader.input.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE		/* memfd_create */
#endif

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cube/dtype.h"
#include "cube/reader/reader.h"
#include "cube/tar.h"
#include "model.h"

#define MOST_BYTES ((size_t)4 << 20)	/* of an input */
#define MOST_CELLS ((uint64_t)1 << 22)	/* values read from one, so that it takes no time to speak of */

/* Everything a tool would ask of the file. */
static void use_reader(struct fathom_cube_reader *reader)
{
	const struct fathom_cube *cube = fathom_cube_reader_cube(reader);
	uint64_t cells = (uint64_t)cube->cnode_count * cube->location_count;
	double *values = malloc(((size_t)cube->cnode_count + cube->location_count) * sizeof(*values));
	struct fathom_cube_error error;

	for (uint32_t m = 0; values && m < cube->metric_count && cells * (m + 1) < MOST_CELLS; m++) {
		uint64_t row_bytes = (uint64_t)fathom_cube_value_bytes(&cube->metrics[m]) * cube->location_count;
		void *row = row_bytes && row_bytes < MOST_BYTES ? malloc(row_bytes) : NULL;

		for (uint32_t c = 0; c < cube->cnode_count; c++) {
			if (fathom_cube_reader_row(reader, m, c, values, &error) == 0)
				fathom_cube_reader_present(reader, m, c);
			if (row)
				fathom_cube_reader_raw_row(reader, m, c, row, &error);
		}
		if (fathom_cube_reader_sums(reader, m, values, &error) == 0) {
			fathom_cube_make_inclusive(cube, m, values);
			fathom_cube_make_exclusive(cube, m, values);
		}
		free(row);
	}
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		if (cube->cnodes[c].parent < 0 && fathom_cube_tasks(cube, c) >= (int32_t)cube->cnode_count)
			abort();
	}
	free(values);
}

/* The invariants of cube.h, which users of the reader rely on. */
static void check_model(const struct fathom_cube *cube)
{
	bool good = cube->metric_count && cube->cnode_count && cube->location_count;

	for (uint32_t i = 0; i < cube->metric_count; i++)
		good = good && cube->metrics[i].parent < (int32_t)i && cube->metrics[i].uniq_name;
	for (uint32_t i = 0; i < cube->cnode_count; i++) {
		const struct fathom_cube_cnode *cnode = &cube->cnodes[i];

		good = good && cnode->parent < (int32_t)i && cnode->region < cube->region_count;
		good = good && (uint64_t)cnode->first_parameter + cnode->parameter_count <= cube->parameter_count;
	}
	for (uint32_t i = 0; i < cube->region_count; i++)
		good = good && cube->regions[i].name && cube->regions[i].mangled && cube->regions[i].file;
	for (uint32_t i = 0; i < cube->node_count; i++)
		good = good && cube->nodes[i].parent < (int32_t)i && cube->nodes[i].class_name;
	for (uint32_t i = 0; i < cube->group_count; i++)
		good = good && cube->groups[i].node >= 0 && (uint32_t)cube->groups[i].node < cube->node_count;
	for (uint32_t i = 0; i < cube->location_count; i++)
		good = good && fathom_cube_location_group(cube, i) >= 0 &&
		       (uint32_t)fathom_cube_location_group(cube, i) < cube->group_count;
	if (!good)
		abort();
}

/* true: it could be opened. */
static bool try_input(const unsigned char *bytes, size_t size)
{
	static int fd = -1;
	struct fathom_cube_reader *reader;
	struct fathom_cube_error error = { "" };
	char path[64];
	int err;

	if (fd < 0)
		fd = memfd_create("fuzz_reader", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, bytes, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = fathom_cube_reader_open(&reader, path, &error);
	if (err) {
		/* one line, and it names the file */
		if (strncmp(error.text, path, strlen(path)) || strchr(error.text, '\n'))
			abort();
		return false;
	}
	check_model(fathom_cube_reader_cube(reader));
	use_reader(reader);
	fathom_cube_reader_close(reader);
	return true;
}

#ifdef FATHOM_LIBFUZZER

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	try_input(bytes, size);
	return 0;
}

#else

struct input {
	unsigned char *bytes;
	size_t size;
};

static uint64_t state;

static uint64_t dice(uint64_t sides)
{
	return sides ? model_mix(state++, 4711) % sides : 0;
}

/* A place in the input; half of the time near its end, where anchor.xml is, or in a header. */
static size_t somewhere(const struct input *input)
{
	switch (dice(4)) {
	case 0:
		return (size_t)(dice(input->size / 512 + 1) * 512 + dice(300)) % input->size;
	case 1:
		return input->size - 1 - (size_t)dice(input->size < 40000 ? input->size : 40000);
	default:
		return (size_t)dice(input->size);
	}
}

static void flip_bits(struct input *input)
{
	for (uint64_t i = 1 + dice(8); i; i--)
		input->bytes[somewhere(input)] ^= (unsigned char)(1 << dice(8));
}

static void set_number(struct input *input)
{
	static const uint64_t numbers[] = { 0, 1, 2, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
					    UINT64_MAX, INT64_MAX, 512, 511, 1000000 };
	uint64_t number = numbers[dice(sizeof(numbers) / sizeof(numbers[0]))];
	size_t width = (size_t)1 << dice(4);
	size_t place = somewhere(input);

	if (place + width <= input->size)
		memcpy(input->bytes + place, &number, width);
}

static void truncate_it(struct input *input)
{
	size_t size = (size_t)dice(input->size);

	input->size = dice(2) ? size + 1 : size / 512 * 512 + 512 * (size < 512);
}

/* A piece of it over another one. */
static void copy_piece(struct input *input)
{
	size_t from = somewhere(input);
	size_t to = somewhere(input);
	size_t size = (size_t)dice(dice(2) ? 64 : 2048);

	if (dice(2)) {
		from = from / 512 * 512;
		to = to / 512 * 512;
		size = size / 512 * 512 + 512;
	}
	if (from + size > input->size)
		size = input->size - from;
	if (to + size > input->size)
		size = input->size - to;
	memmove(input->bytes + to, input->bytes + from, size);
}

/* Insert or delete bytes; what is behind moves. */
static void shift(struct input *input)
{
	size_t place = somewhere(input);
	size_t size = (size_t)dice(2) ? 512 : (size_t)dice(100) + 1;

	if (dice(2) && input->size + size <= MOST_BYTES) {
		memmove(input->bytes + place + size, input->bytes + place, input->size - place);
		input->size += size;
	} else if (place + size < input->size) {
		memmove(input->bytes + place, input->bytes + place + size, input->size - place - size);
		input->size -= size;
	}
}

/* Change a digit or a letter of the text, so that it remains text. */
static void edit_text(struct input *input)
{
	static const char *const words[] = { "<cnode id=\"0\" calleeId=\"0\">", "</cnode>", "99999999999", "-1",
					     "<metric id=\"0\">", "</metric>", "HISTOGRAM(4)", "INCLUSIVE", "&amp;",
					     "<!--", "-->", "<![CDATA[", "<attr key=\"a\" value=\"b\"/>", "DOUBLE" };
	size_t place = somewhere(input);

	for (size_t i = 0; i < 2000 && place + 40 < input->size; i++, place++) {
		unsigned char *byte = &input->bytes[place];

		if (*byte >= '0' && *byte <= '9' && dice(8) == 0) {
			*byte = (unsigned char)('0' + dice(10));
			return;
		}
		if (*byte == '<' && dice(8) == 0) {
			const char *word = words[dice(sizeof(words) / sizeof(words[0]))];

			memcpy(byte, word, strlen(word));
			return;
		}
	}
}

/* Headers right again, so that what is wrong behind them is found as well. */
static void mend_checksums(struct input *input)
{
	for (size_t place = 0; place + 512 <= input->size; place += 512) {
		struct fathom_tar_header *header = (struct fathom_tar_header *)(input->bytes + place);
		char digits[16];

		if (memcmp(header->magic, "ustar", 5))
			continue;
		snprintf(digits, sizeof(digits), "%06o", fathom_tar_checksum(header) & 0777777);
		memcpy(header->checksum, digits, 7);
	}
}

static void damage(struct input *input)
{
	static void (*const ways[])(struct input *input) = { flip_bits, set_number, truncate_it, copy_piece, shift,
							     edit_text, edit_text, set_number };

	for (uint64_t i = 1 + dice(4); i && input->size; i--)
		ways[dice(sizeof(ways) / sizeof(ways[0]))](input);
	if (dice(4))
		mend_checksums(input);
}

static bool load(const char *path, struct input *input)
{
	struct stat status;
	int fd = open(path, O_RDONLY);
	bool good = fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0 && (size_t)status.st_size < MOST_BYTES;

	if (good) {
		input->size = (size_t)status.st_size;
		input->bytes = malloc(input->size);
		good = input->bytes && read(fd, input->bytes, input->size) == status.st_size;
	}
	if (fd >= 0)
		close(fd);
	return good;
}

/* The files named, and three of our own. Returns how many. */
static int load_all(char **paths, int count, struct input *inputs)
{
	for (int i = 0; i < count; i++) {
		if (!load(paths[i], &inputs[i])) {
			fprintf(stderr, "%s: cannot be read, or is larger than %zu bytes\n", paths[i], MOST_BYTES);
			exit(2);
		}
	}
	if (!scratch_enter())
		exit(2);
	for (int i = 0; i < 3; i++) {
		char path[] = "own0.cubex";
		struct model model;

		path[3] = (char)('0' + i);
		model_random(&model, (uint64_t)i + 1);
		if (model_write(&model, path) || !load(path, &inputs[count + i]))
			exit(2);
		model_free(&model);
	}
	scratch_leave();
	return count + 3;
}

static void limit_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__)
	struct rlimit limit = { (rlim_t)1 << 30, (rlim_t)1 << 30 };

	setrlimit(RLIMIT_AS, &limit);
#endif
}

static int home = -1;		/* the folder it was started in */
static struct input current;

/* Keep the input that kills us. */
static void on_death(int number)
{
	int fd = openat(home, "fuzz_reader.input", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd >= 0 && write(fd, current.bytes, current.size) >= 0)
		close(fd);
	signal(number, SIG_DFL);
	raise(number);
}

/* With sanitizers, ASAN_OPTIONS=abort_on_error=1:handle_segv=0 leads here, too. */
static void expect_death(void)
{
	const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], on_death);
}

int main(int argc, char **argv)
{
	struct input *inputs;
	unsigned long count;
	unsigned long opened = 0;
	int given;

	if (argc < 3) {
		fprintf(stderr, "usage: fuzz_reader SEED COUNT [FILE...]\n");
		return 2;
	}
	state = strtoull(argv[1], NULL, 10) << 32;
	count = strtoul(argv[2], NULL, 10);
	home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	inputs = calloc((size_t)argc, sizeof(*inputs));
	current.bytes = malloc(MOST_BYTES);
	if (!inputs || !current.bytes)
		return 2;
	given = load_all(argv + 3, argc - 3, inputs);
	limit_memory();
	expect_death();
	for (int i = 0; i < given; i++) {
		if (!try_input(inputs[i].bytes, inputs[i].size)) {
			fprintf(stderr, "input %d cannot be opened undamaged\n", i);
			return 1;
		}
	}
	for (unsigned long i = 0; i < count; i++) {
		const struct input *input = &inputs[dice((uint64_t)given)];

		memcpy(current.bytes, input->bytes, input->size);
		current.size = input->size;
		damage(&current);
		alarm(20);	/* a hang kills */
		opened += try_input(current.bytes, current.size);
	}
	alarm(0);
	printf("%lu damaged profiles read, %lu of them could be opened\n", count, opened);
	for (int i = 0; i < given; i++)
		free(inputs[i].bytes);
	free(inputs);
	free(current.bytes);
	return 0;
}

#endif
