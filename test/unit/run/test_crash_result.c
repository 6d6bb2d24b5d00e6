/*
 * Crash saving without a crash: a substrate that writes one word takes the place of the profile, and nothing ends the
 * process after the result has been saved.
 */
#include "unit_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "event/result.h"
#include "event/state.h"
#include "event/substrate.h"
#include "run/crash_result.h"
#include "run/run.h"
#include "run/run_snapshot.h"

/* In memory that the process shares with its copy. */
static struct {
	int by_process, by_copy;	/* calls of finish */
	bool crashes;			/* finish ends by a fault */
	char why[64];
} *shared;

static char directory[] = "/tmp/fathom-test-crash-XXXXXX", profile[64];
static int *volatile nowhere = (int *)8;

static int finish(struct fathom_comm *comm, const struct fathom_result *result)
{
	int fd = open(result->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	const char *word = result->may_allocate ? "copy" : "process";

	(void)comm;
	if (fd < 0)
		return -errno;
	*(result->may_allocate ? &shared->by_copy : &shared->by_process) += 1;
	snprintf(shared->why, sizeof(shared->why), "%s", result->incomplete);
	if (shared->crashes)
		*nowhere = 0;
	if (write(fd, word, strlen(word)) != (ssize_t)strlen(word))
		return -EIO;
	close(fd);
	return 0;
}

static void save(enum fathom_end end)
{
	sigset_t blocked, before;

	memset(shared, 0, sizeof(shared->by_process) + sizeof(shared->by_copy));
	sigfillset(&blocked);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	errno = ENOTTY;
	fathom_crash_result_save("ended by the test", end);
	assert_int_equal(errno, ENOTTY);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static const char *profile_text(void)
{
	static char text[16];
	int fd = open(profile, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	close(fd);
	text[length > 0 ? length : 0] = '\0';
	return text;
}

static void the_profile_of_the_copy_replaces_that_of_the_process(void **state)
{
	(void)state;
	save(FATHOM_END_PERHAPS);
	assert_int_equal(shared->by_process, 1);
	assert_int_equal(shared->by_copy, 1);
	assert_string_equal(shared->why, "ended by the test");
	assert_string_equal(profile_text(), "copy");
	assert_int_equal(fathom.phase, FATHOM_PHASE_RECORDING);
}

static void after_a_fault_the_process_goes_on(void **state)
{
	(void)state;
	shared->crashes = true;
	save(FATHOM_END_PERHAPS);
	shared->crashes = false;
	assert_int_equal(shared->by_process, 1);
	assert_int_equal(shared->by_copy, 0);
	assert_int_equal(fathom.phase, FATHOM_PHASE_RECORDING);
}

static void the_last_saving_ends_the_measurement(void **state)
{
	(void)state;
	save(FATHOM_END_BY_FORCE);
	assert_string_equal(profile_text(), "copy");
	assert_int_equal(fathom.phase, FATHOM_PHASE_FINISHED);
	save(FATHOM_END_BY_FORCE);
	assert_int_equal(shared->by_process, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_profile_of_the_copy_replaces_that_of_the_process),
		cmocka_unit_test(after_a_fault_the_process_goes_on),
		cmocka_unit_test(the_last_saving_ends_the_measurement),
	};
	static struct fathom_substrate word_writer;
	int failed;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || !mkdtemp(directory))
		return 99;
	fathom_run_begin_at_least();
	fathom_run_snapshot_end();
	if (*fathom_run.identity.experiment)
		rmdir(fathom_run.identity.experiment);
	snprintf(fathom_run.identity.experiment, sizeof(fathom_run.identity.experiment), "%s", directory);
	snprintf(profile, sizeof(profile), "%s/profile.cubex", directory);
	word_writer = *fathom.substrate;
	word_writer.finish = finish;
	fathom_runtime_use(&word_writer);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (chdir(directory) == 0) {
		unlink("profile.cubex");
		unlink("settings.txt");
		unlink("MANIFEST.md");
		rmdir(directory);
	}
	return failed;
}
