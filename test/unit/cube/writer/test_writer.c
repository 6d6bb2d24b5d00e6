/* The writer when things go wrong, and the corners of the container. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "cube/reader/reader.h"
#include "cube/writer/writer.h"
#include "model.h"

static uint32_t files_here(void)
{
	DIR *folder = opendir(".");
	uint32_t count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;	/* itself and the one above */
}

static void assert_content(const char *path, const char *content)
{
	char read_back[64] = "";
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(read(fd, read_back, sizeof(read_back) - 1), strlen(content));
	assert_string_equal(read_back, content);
	close(fd);
}

static void put_file(const char *path, const char *content)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)), strlen(content));
	close(fd);
}

#define REFUSES(change) \
	do { \
		struct fathom_cube_writer *writer_; \
		struct model model; \
		struct fathom_cube *cube = &model.cube; \
		model_random(&model, 12); \
		change; \
		assert_int_equal(fathom_cube_writer_open(&writer_, "x.cubex", cube, model_present, &model, 0), \
				 -EINVAL); \
		assert_null(writer_); \
		assert_int_equal(files_here(), 0); \
		model_free(&model); \
	} while (0)

static void definitions_that_break_the_rules_are_refused(void **state)
{
	(void)state;
	REFUSES(cube->metric_count = 0);
	REFUSES(cube->region_count = 0);
	REFUSES(cube->cnode_count = 0);
	REFUSES(cube->node_count = 0);
	REFUSES(cube->group_count = 0);
	REFUSES(cube->location_count = 0);
	REFUSES(cube->metrics[0].parent = 0);
	REFUSES(cube->metrics[0].parent = -2);
	REFUSES(cube->metrics[1].parent = 5);
	REFUSES(cube->metrics[2].uniq_name = "");
	REFUSES(cube->metrics[2].uniq_name = NULL);
	REFUSES(cube->metrics[2].type = FATHOM_CUBE_DERIVED);
	REFUSES(cube->metrics[0].type = FATHOM_CUBE_DERIVED; cube->metrics[0].expression = "1";
		cube->metrics[0].dtype = FATHOM_CUBE_DOUBLE; cube->metrics[1].parent = 0);	/* below a formula */
	REFUSES(cube->metrics[2].dtype = FATHOM_CUBE_COMPLEX);
	REFUSES(cube->metrics[2].dtype = FATHOM_CUBE_OTHER);
	REFUSES(cube->metrics[19].type = FATHOM_CUBE_INCLUSIVE);	/* of a minimum */
	REFUSES(cube->metrics[23].type = FATHOM_CUBE_INCLUSIVE);	/* of tuples */
	REFUSES(cube->metrics[0].ghost = true);				/* before ones that are not */
	REFUSES(cube->cnodes[0].parent = 0);
	REFUSES(cube->cnodes[0].parent = -7);
	REFUSES(cube->cnodes[1].parent = 1);
	REFUSES(cube->cnodes[1].parent = INT32_MAX);
	REFUSES(cube->cnodes[3].region = cube->region_count);
	REFUSES(cube->cnodes[3].parameter_count = 1; cube->cnodes[3].first_parameter = cube->parameter_count);
	REFUSES(cube->cnodes[3].parameter_count = 1; cube->cnodes[3].first_parameter = UINT32_MAX);
	REFUSES(cube->nodes[0].parent = 0);
	REFUSES(cube->groups[0].node = -1);
	REFUSES(cube->groups[0].node = (int32_t)cube->node_count);
	REFUSES(cube->groups[0].rank = -1);
	REFUSES(cube->groups[0].type = "prozess");
	REFUSES(cube->locations[0].group = -1);
	REFUSES(cube->locations[cube->location_count - 1].group++);
	REFUSES(cube->locations[0].rank = -1);
	REFUSES(cube->locations[1].rank = 0; cube->locations[1].group = cube->locations[0].group);
	REFUSES(cube->locations[0].type = "");
	/* the last group without a location */
	REFUSES(while (cube->locations[cube->location_count - 1].group == (int32_t)cube->group_count - 1)
			cube->location_count--);
}

/* Siblings again after another branch was closed: parent is not on the way to the root. */
static void trees_out_of_order_are_refused(void **state)
{
	(void)state;
	REFUSES(cube->cnode_count = 4; cube->cnodes[0].parent = -1; cube->cnodes[1].parent = 0;
		cube->cnodes[2].parent = 0; cube->cnodes[3].parent = 1);
	REFUSES(cube->metric_count = 4; cube->metrics[0].parent = -1; cube->metrics[1].parent = -1;
		cube->metrics[2].parent = 0);
}

static void an_existing_file_is_never_replaced(void **state)
{
	struct fathom_cube_writer *writer;
	struct model model;

	(void)state;
	model_random(&model, 2);
	put_file("old.cubex", "an older result");
	assert_int_equal(model_write(&model, "old.cubex"), -EEXIST);
	assert_int_equal(files_here(), 1);
	assert_content("old.cubex", "an older result");
	unlink("old.cubex");

	/* A dangling link is something, too. */
	assert_int_equal(symlink("nowhere", "old.cubex"), 0);
	assert_int_equal(model_write(&model, "old.cubex"), -EEXIST);
	unlink("old.cubex");

	/* Somebody else's unfinished file stays. */
	put_file("new.cubex.part", "unfinished");
	assert_int_equal(model_write(&model, "new.cubex"), -EEXIST);
	assert_content("new.cubex.part", "unfinished");
	unlink("new.cubex.part");

	/* The name was free at the start, but not at the end. */
	assert_int_equal(fathom_cube_writer_open(&writer, "new.cubex", &model.cube, model_present, &model, 0), 0);
	put_file("new.cubex", "faster");
	assert_int_equal(fathom_cube_writer_close(writer), -EEXIST);
	assert_int_equal(files_here(), 1);
	assert_content("new.cubex", "faster");
	unlink("new.cubex");

	assert_int_equal(model_write(&model, "no/such/folder.cubex"), -ENOENT);
	assert_int_equal(files_here(), 0);
	model_free(&model);
}

static void giving_up_leaves_nothing(void **state)
{
	struct fathom_cube_writer *writer;
	struct model model;

	(void)state;
	model_random(&model, 3);
	assert_int_equal(fathom_cube_writer_open(&writer, "x.cubex", &model.cube, model_present, &model, 0), 0);
	assert_int_equal(files_here(), 1);
	fathom_cube_writer_abandon(writer);
	assert_int_equal(files_here(), 0);
	model_free(&model);
}

static void set_largest_file(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A limit on the size of files stands in for a full disk: writes fail at any point. */
static void a_full_disk_leaves_nothing(void **state)
{
	struct model model;
	struct stat status;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	model_random(&model, 4);
	assert_int_equal(model_write(&model, "whole.cubex"), 0);
	assert_int_equal(stat("whole.cubex", &status), 0);
	unlink("whole.cubex");
	for (off_t limit = 0; limit < status.st_size; limit += 1021) {
		set_largest_file((rlim_t)limit);
		assert_int_equal(model_write(&model, "x.cubex"), -EFBIG);
		assert_int_equal(files_here(), 0);
		set_largest_file(RLIM_INFINITY);
	}
	model_free(&model);
}

/* There was room for the definitions, but by the time the values come there is none. */
static void a_disk_that_fills_up_later_leaves_nothing(void **state)
{
	struct fathom_cube_writer *writer;
	struct model model;
	double row[64] = { 0 };

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	model_random(&model, 4);
	assert_int_equal(fathom_cube_writer_open(&writer, "x.cubex", &model.cube, model_present, &model, 0), 0);
	set_largest_file(16);
	for (uint32_t c = 0; c < model.cube.cnode_count; c++) {
		if (model_present(&model, 0, c))
			fathom_cube_writer_put(writer, 0, c, 0, model.cube.location_count, row);
	}
	assert_int_equal(fathom_cube_writer_close(writer), -EFBIG);
	assert_int_equal(files_here(), 0);
	set_largest_file(RLIM_INFINITY);
	model_free(&model);
}

static void puts_outside_are_refused(void **state)
{
	struct fathom_cube_writer *writer;
	struct model model;
	double row[64] = { 0 };
	uint32_t locations;

	(void)state;
	model_random(&model, 5);
	locations = model.cube.location_count;
	assert_int_equal(fathom_cube_writer_open(&writer, "x.cubex", &model.cube, model_present, &model, 0), 0);
	assert_int_equal(fathom_cube_writer_put(writer, model.cube.metric_count, 0, 0, 1, row), -EINVAL);
	assert_int_equal(fathom_cube_writer_put(writer, 4, model.cube.cnode_count, 0, 1, row), -EINVAL);
	assert_int_equal(fathom_cube_writer_put(writer, 4, 0, 0, locations + 1, row), -EINVAL);
	assert_int_equal(fathom_cube_writer_put(writer, 4, 0, locations + 1, 0, row), -EINVAL);
	assert_int_equal(fathom_cube_writer_put(writer, 4, 0, 1, UINT32_MAX, row), -EINVAL);
	assert_int_equal(fathom_cube_writer_put(writer, 3, 0, 0, 1, row), -EINVAL);	/* has no rows */
	assert_int_equal(fathom_cube_writer_put(writer, 4, 0, 0, locations, row), 0);
	assert_int_equal(fathom_cube_writer_put(writer, 4, 0, locations, 0, row), 0);
	assert_int_equal(fathom_cube_writer_close(writer), 0);
	unlink("x.cubex");
	model_free(&model);
}

/* Make renameat2 fail as on a file system that does not know it. false: not possible here. */
static bool forbid_renameat2(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int write_twice_without_renameat2(struct model *model)
{
	struct fathom_cube_writer *writer;

	if (!forbid_renameat2())
		return 77;
	if (model_write(model, "first.cubex"))
		return 1;
	if (fathom_cube_writer_open(&writer, "second.cubex", &model->cube, model_present, model, 0))
		return 2;
	put_file("second.cubex", "faster");
	return fathom_cube_writer_close(writer) == -EEXIST ? 0 : 3;
}

static void old_file_systems_are_served_and_not_overwritten(void **state)
{
	struct fathom_cube_reader *reader;
	struct fathom_cube_error error;
	struct model model;
	int status;
	pid_t child;

	(void)state;
	model_random(&model, 7);
	child = fork();
	if (child == 0)
		_exit(write_twice_without_renameat2(&model));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77) {
		model_free(&model);
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(files_here(), 2);
	assert_content("second.cubex", "faster");
	assert_int_equal(fathom_cube_reader_open(&reader, "first.cubex", &error), 0);
	fathom_cube_reader_close(reader);
	unlink("first.cubex");
	unlink("second.cubex");
	model_free(&model);
}

static int32_t chain(uint32_t cnode)
{
	return (int32_t)cnode - 1;
}

static bool all_present(void *context, uint32_t metric, uint32_t cnode)
{
	(void)context;
	(void)metric;
	(void)cnode;
	return true;
}

/* Sizes of all members of a file, read the plain way. */
static uint32_t member_sizes(const char *path, uint64_t *sizes, uint32_t room)
{
	char header[512];
	uint32_t count = 0;
	off_t place = 0;
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	while (count < room && pread(fd, header, sizeof(header), place) == sizeof(header) && header[0]) {
		sizes[count] = strtoull(header + 124, NULL, 8);
		place += 512 + (off_t)((sizes[count] + 511) / 512 * 512);
		count++;
	}
	close(fd);
	return count;
}

/*
 * Rows of 2-byte values such that the data are 10 + 502 bytes long: a size readers
 * disagree about. The values must come back, and no member may have such a size.
 */
static void sizes_that_readers_disagree_about_are_avoided(void **state)
{
	const enum fathom_cube_dtype dtypes[] = { FATHOM_CUBE_INT16, FATHOM_CUBE_UINT16, FATHOM_CUBE_INT8,
						  FATHOM_CUBE_UINT8 };

	(void)state;
	for (int i = 0; i < 4; i++) {
		bool wide = i < 2;
		bool is_signed = i % 2 == 0;
		unsigned char bytes[2] = { 0xfe };	/* -2, or as unsigned the largest but one */
		int16_t number = -2;
		struct fathom_cube_writer *writer;
		struct fathom_cube_reader *reader;
		struct fathom_cube_error error;
		struct model model;
		uint64_t sizes[8];
		double value;

		if (wide)
			memcpy(bytes, &number, 2);
		model_shape(&model, wide ? 251 : 502, chain, 1);
		model.cube.metric_count = 1;
		model.cube.metrics[0].dtype = dtypes[i];
		assert_int_equal(fathom_cube_writer_open(&writer, "x.cubex", &model.cube, all_present, NULL, 0), 0);
		assert_int_equal(fathom_cube_writer_put(writer, 0, 250, 0, 1, bytes), 0);
		assert_int_equal(fathom_cube_writer_close(writer), 0);
		assert_int_equal(member_sizes("x.cubex", sizes, 8), 4);
		for (int k = 0; k < 4; k++)
			assert_true(sizes[k] % 512 != 0);
		assert_int_equal(fathom_cube_reader_open(&reader, "x.cubex", &error), 0);
		assert_int_equal(fathom_cube_reader_row(reader, 0, 250, &value, &error), 0);
		assert_true(value == (is_signed ? -2 : wide ? 65534 : 254));
		assert_int_equal(fathom_cube_reader_row(reader, 0, 249, &value, &error), 0);
		assert_true(value == 0);
		fathom_cube_reader_close(reader);
		unlink("x.cubex");
		model_free(&model);
	}
}

/* anchor.xml and remapping.spec of every length: none may be a multiple of 512. */
static void no_text_is_a_multiple_of_512_bytes(void **state)
{
	char name[600];

	(void)state;
	memset(name, 'x', sizeof(name));
	for (size_t length = 1; length <= 513; length++) {
		struct fathom_cube_writer *writer;
		struct model model;
		uint64_t sizes[8];

		model_shape(&model, 3, chain, 1);
		name[length] = '\0';
		model.cube.metrics[0].description = name;	/* stands in both */
		assert_int_equal(fathom_cube_writer_open(&writer, "x.cubex", &model.cube, all_present, NULL, 0), 0);
		assert_int_equal(fathom_cube_writer_close(writer), 0);
		assert_int_equal(member_sizes("x.cubex", sizes, 8), 6);
		for (int k = 0; k < 6; k++)
			assert_true(sizes[k] % 512 != 0);
		unlink("x.cubex");
		name[length] = 'x';
		model_free(&model);
	}
}

/* 9.6 GB of holes with three values in them: sizes that do not fit a tar header. */
static void members_of_8_gigabytes_and_more(void **state)
{
	const uint32_t cnodes = 20000;
	const uint32_t locations = 60000;
	struct fathom_cube_writer *writer;
	struct fathom_cube_reader *reader;
	struct fathom_cube_error error;
	struct model model;
	double *row = calloc(locations, sizeof(*row));
	double value = 2.5;
	int err;

	(void)state;
	assert_non_null(row);
	model_shape(&model, cnodes, chain, locations);
	err = fathom_cube_writer_open(&writer, "x.cubex", &model.cube, all_present, NULL, 0);
	if (err == -EFBIG || err == -ENOSPC) {
		model_free(&model);
		free(row);
		skip();		/* the file system holds no such files */
	}
	assert_int_equal(err, 0);
	assert_int_equal(fathom_cube_writer_put(writer, 0, 0, 0, 1, &value), 0);
	assert_int_equal(fathom_cube_writer_put(writer, 0, cnodes - 1, locations - 1, 1, &value), 0);
	assert_int_equal(fathom_cube_writer_put(writer, 1, cnodes - 1, locations - 1, 1, &value), 0);
	assert_int_equal(fathom_cube_writer_close(writer), 0);
	assert_int_equal(fathom_cube_reader_open(&reader, "x.cubex", &error), 0);
	for (uint32_t m = 0; m < 2; m++) {
		assert_int_equal(fathom_cube_reader_row(reader, m, cnodes - 1, row, &error), 0);
		assert_true(row[locations - 1] == value);
		assert_true(row[0] == 0);
	}
	assert_int_equal(fathom_cube_reader_row(reader, 0, 0, row, &error), 0);
	assert_true(row[0] == value);
	fathom_cube_reader_close(reader);
	unlink("x.cubex");
	free(row);
	model_free(&model);
}

static int enter(void **state)
{
	(void)state;
	return scratch_enter() ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	scratch_leave();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(definitions_that_break_the_rules_are_refused),
		cmocka_unit_test(trees_out_of_order_are_refused),
		cmocka_unit_test(an_existing_file_is_never_replaced),
		cmocka_unit_test(giving_up_leaves_nothing),
		cmocka_unit_test(a_full_disk_leaves_nothing),
		cmocka_unit_test(a_disk_that_fills_up_later_leaves_nothing),
		cmocka_unit_test(puts_outside_are_refused),
		cmocka_unit_test(old_file_systems_are_served_and_not_overwritten),
		cmocka_unit_test(sizes_that_readers_disagree_about_are_avoided),
		cmocka_unit_test(no_text_is_a_multiple_of_512_bytes),
		cmocka_unit_test(members_of_8_gigabytes_and_more),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
