#define _GNU_SOURCE
#include "opari/child_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/word_list.h"

extern char **environ;

static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
#define ENDING (sizeof(ending) / sizeof(ending[0]))

/* For the signal handler: the id of the child process, 0: none; and the last signal, 0: none. */
static volatile pid_t worker;
static volatile sig_atomic_t caught;

/* The temporary directory. It is removed in whatever way the command ends. */
static char *temporary;

static void hand_on(int signal)
{
	int saved = errno;

	caught = signal;
	if (worker > 0)
		kill(worker, signal);
	errno = saved;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = hand_on }, before;

	for (size_t i = 0; i < ENDING; i++) {
		if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(ending[i], &action, NULL);
	}
}

/* Copies the environment. Two variables name files to which a compiler appends dependencies. The user's own command
 * gets these variables; the other commands do not, because their dependencies must not be in the files. */
static void copy_environment(struct fathom_words *environment, int is_users)
{
	for (char **entry = environ; *entry; entry++) {
		int asks = strncmp(*entry, "DEPENDENCIES_OUTPUT=", 20) == 0 ||
			   strncmp(*entry, "SUNPRO_DEPENDENCIES=", 20) == 0;

		if (is_users || !asks)
			fathom_words_add(environment, *entry);
	}
}

int fathom_process_run(const char *path, char *const *words, const char *output)
{
	struct fathom_words environment = { 0 };
	posix_spawn_file_actions_t actions;
	int status = 0, err;
	pid_t child;

	if (caught)
		return 128 + caught;
	catch_signals();
	copy_environment(&environment, !output);
	posix_spawn_file_actions_init(&actions);
	if (output) {
		posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
		posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		posix_spawn_file_actions_adddup2(&actions, 1, 2);
	}
	/* In the new program, signals that are handled here have their default action, and ignored signals stay
	 * ignored. */
	err = posix_spawn(&child, path, &actions, NULL, words, environment.list);
	posix_spawn_file_actions_destroy(&actions);
	fathom_words_fini(&environment);
	if (err)
		return -err;
	worker = child;
	if (caught)		/* the signal came before worker was set */
		kill(child, caught);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	worker = 0;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int fathom_process_is_over(void)
{
	return caught != 0;
}

void fathom_process_end(void)
{
	if (!caught)
		return;
	fathom_process_remove();
	signal(caught, SIG_DFL);
	raise(caught);
}

static void remove_folder(const char *folder)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		char *path = fathom_text("%s/%s", folder, entry->d_name);

		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && unlink(path) &&
		    (errno == EISDIR || errno == EPERM))
			remove_folder(path);
		free(path);
	}
	if (directory)
		closedir(directory);
	rmdir(folder);
}

const char *fathom_process_folder(void)
{
	const char *place = getenv("TMPDIR");

	temporary = fathom_text("%s/fathom-XXXXXX", place && *place == '/' ? place : "/tmp");
	if (!mkdtemp(temporary)) {
		free(temporary);
		temporary = NULL;
	} else {
		atexit(fathom_process_remove);
	}
	return temporary;
}

void fathom_process_remove(void)
{
	if (temporary)
		remove_folder(temporary);
	free(temporary);
	temporary = NULL;
}
