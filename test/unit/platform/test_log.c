/* The formatter against the C library's, and lines on stderr. */
#include "unit_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "platform/log.h"

/* Cut off on purpose, by both. */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wformat-truncation"
#endif
#pragma GCC diagnostic ignored "-Wformat-zero-length"

/* Format the same by both, with every size of buffer that matters. */
#define SAME(...) \
	do { \
		char expected_[256], got_[256]; \
		int length_ = snprintf(expected_, sizeof(expected_), __VA_ARGS__); \
		assert_int_equal(fathom_format(got_, sizeof(got_), __VA_ARGS__), length_); \
		assert_string_equal(got_, expected_); \
		for (size_t room_ = 0; room_ < (size_t)length_ + 2 && room_ < 12; room_++) { \
			char small_[16]; \
			memset(small_, '#', sizeof(small_)); \
			assert_int_equal(fathom_format(small_, room_, __VA_ARGS__), length_); \
			snprintf(expected_, room_, __VA_ARGS__); \
			if (room_) \
				assert_string_equal(small_, expected_); \
			assert_int_equal(small_[room_], '#'); \
		} \
	} while (0)

static void numbers_look_as_the_c_library_writes_them(void **state)
{
	uint64_t chance = 5;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t number = next_random(&chance) >> random_below(&chance, 64);

		SAME("%d", (int)number);
		SAME("%u", (unsigned)number);
		SAME("%ld|%lu", (long)number, (unsigned long)number);
		SAME("%lld|%llu", (long long)number, (unsigned long long)number);
		SAME("%zu", (size_t)number);
		SAME("%x %lx", (unsigned)number, (unsigned long)number);
		SAME("%03lu %5u %08x", (unsigned long)number, (unsigned)number, (unsigned)number);
		SAME("%5d|%05d|%12ld", (int)number, (int)number, (long)number);
	}
	SAME("%d %d %ld %ld", INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX);
	SAME("%u %lu", UINT32_MAX, UINT64_MAX);
}

static void texts_look_as_the_c_library_writes_them(void **state)
{
	const char *text = "abcdefgh";

	(void)state;
	SAME("no directive");
	SAME("100 %%");
	SAME("%s", "");
	SAME("<%s>", text);
	SAME("%c%c", 'x', '%');
	for (int most = 0; most < 12; most++)
		SAME("<%.*s>", most, text);
	SAME("%s %d %s %lu %s", "one", 2, "three", 4ul, "five");
}

static void a_text_without_end_is_read_as_far_as_asked(void **state)
{
	const char text[3] = { 'a', 'b', 'c' };
	char got[16];

	(void)state;
	assert_int_equal(fathom_format(got, sizeof(got), "%.*s", 3, text), 3);
	assert_string_equal(got, "abc");
}

/* Exact ties may be rounded up where the C library rounds to even. */
static void decimals_are_right_to_half_a_tenth(void **state)
{
	uint64_t chance = 6;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double value = (double)(int64_t)(next_random(&chance) >> (20 + random_below(&chance, 40))) / 1024;
		char got[64], *end;

		value = i % 2 ? value : -value;
		fathom_format(got, sizeof(got), "%.1f", value);
		assert_true(strtod(got, &end) - value <= 0.05 + 1e-3 && strtod(got, &end) - value >= -0.05 - 1e-3);
		assert_int_equal(*end, '\0');
		assert_int_equal(strchr(got, '.')[2], '\0');
	}
	SAME("%.1f %.1f %.1f %.1f", 0.0, 1.0, -1.0, 99.9);
	SAME("%.1f %.1f", 0.04, 0.96);
}

static void a_directive_cut_off_ends_the_text(void **state)
{
	/* Memory behind the format must not be read: here the end of a page would be. */
	char format[] = "abc%\0Xd";
	const char *volatile hidden = format;	/* from the compiler, which would object */
	char got[16];

	(void)state;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
	assert_int_equal(fathom_format(got, sizeof(got), hidden), 3);
#pragma GCC diagnostic pop
	assert_string_equal(got, "abc");
}

/* What fathom_log writes to stderr, which is a pipe meanwhile. */
static char said[8192];
static int pipe_ends[2], real_stderr;

static void listen(void)
{
	assert_int_equal(pipe(pipe_ends), 0);
	real_stderr = dup(STDERR_FILENO);
	dup2(pipe_ends[1], STDERR_FILENO);
	close(pipe_ends[1]);
}

static void heard(void)
{
	ssize_t length;

	dup2(real_stderr, STDERR_FILENO);
	close(real_stderr);
	length = read(pipe_ends[0], said, sizeof(said) - 1);
	close(pipe_ends[0]);
	said[length > 0 ? length : 0] = '\0';
}

static void lines_up_to_the_level_are_said(void **state)
{
	(void)state;
	listen();
	fathom_log(FATHOM_LOG_ERROR, "an error, number %d", 1);
	fathom_log(FATHOM_LOG_SAY, "a result");
	fathom_log(FATHOM_LOG_INFO, "too much");
	fathom_log_set_level(FATHOM_LOG_DEBUG);
	fathom_log(FATHOM_LOG_INFO, "some detail");
	fathom_log(FATHOM_LOG_DEBUG, "more detail");
	fathom_log_set_level(FATHOM_LOG_SAY);
	fathom_log(FATHOM_LOG_DEBUG, "too much");
	heard();
	assert_string_equal(said, "fathom: an error, number 1\nfathom: a result\nfathom: some detail\n"
				  "fathom: more detail\n");
}

static void a_line_too_long_is_cut_and_ends(void **state)
{
	static char text[4000];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	listen();
	fathom_log(FATHOM_LOG_ERROR, "%s", text);
	heard();
	assert_true(strlen(said) > 1000 && strlen(said) <= 2048);
	assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

static void errno_is_kept(void **state)
{
	int before = dup(STDERR_FILENO);

	(void)state;
	close(STDERR_FILENO);	/* so that the write fails */
	errno = ERANGE;
	fathom_log(FATHOM_LOG_ERROR, "nobody hears this");
	assert_int_equal(errno, ERANGE);
	dup2(before, STDERR_FILENO);
	close(before);
}

/* A pipe that nobody reads, and a file at its limit, cost the line and nothing else. */
static void a_failing_write_ends_nothing(void **state)
{
	const struct rlimit none = { 0, RLIM_INFINITY };
	struct rlimit limit_before;
	int before = dup(STDERR_FILENO), ends[2];
	char name[] = "/tmp/fathom-test-log.XXXXXX";
	int file = mkstemp(name);
	sigset_t pipes, pending;

	(void)state;
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	dup2(ends[1], STDERR_FILENO);
	fathom_log(FATHOM_LOG_ERROR, "nobody reads this");
	getrlimit(RLIMIT_FSIZE, &limit_before);
	dup2(file, STDERR_FILENO);
	setrlimit(RLIMIT_FSIZE, &none);
	fathom_log(FATHOM_LOG_ERROR, "this does not fit");
	setrlimit(RLIMIT_FSIZE, &limit_before);
	/* What the program has blocked and not taken yet is still there. */
	sigemptyset(&pipes);
	sigaddset(&pipes, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipes, NULL);
	raise(SIGPIPE);
	dup2(ends[1], STDERR_FILENO);
	fathom_log(FATHOM_LOG_ERROR, "nor this");
	dup2(before, STDERR_FILENO);
	sigpending(&pending);
	assert_true(sigismember(&pending, SIGPIPE));
	signal(SIGPIPE, SIG_IGN);	/* which takes it away */
	sigprocmask(SIG_UNBLOCK, &pipes, NULL);
	signal(SIGPIPE, SIG_DFL);
	close(ends[1]);
	close(before);
	close(file);
	unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_look_as_the_c_library_writes_them),
		cmocka_unit_test(texts_look_as_the_c_library_writes_them),
		cmocka_unit_test(a_text_without_end_is_read_as_far_as_asked),
		cmocka_unit_test(decimals_are_right_to_half_a_tenth),
		cmocka_unit_test(a_directive_cut_off_ends_the_text),
		cmocka_unit_test(lines_up_to_the_level_are_said),
		cmocka_unit_test(a_line_too_long_is_cut_and_ends),
		cmocka_unit_test(errno_is_kept),
		cmocka_unit_test(a_failing_write_ends_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
