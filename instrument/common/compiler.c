#define _GNU_SOURCE
#include "common/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/word_list.h"
#include "config.h"

extern char **environ;

/* --- names --------------------------------------------------------------------------------- */

/* Finds the part of a compiler's base name that identifies the tool: without the prefix of a cross compiler, without
 * the version, and without the suffix by which distributions distinguish MPI libraries. bytes is the room in tool. */
static void find_tool(char *tool, size_t bytes, const char *base)
{
	size_t length = strlen(base);
	const char *suffix, *dash;

	suffix = strstr(base, ".mpich");
	if (!suffix)
		suffix = strstr(base, ".openmpi");
	if (suffix)
		length = (size_t)(suffix - base);

	/* -12, -12.2 */
	for (size_t i = length; i && strchr("0123456789.-", base[i - 1]); i--) {
		if (base[i - 1] == '-')
			length = i - 1;
	}
	dash = memrchr(base, '-', length);
	if (dash) {
		length -= (size_t)(dash + 1 - base);
		base = dash + 1;
	}
	snprintf(tool, bytes, "%.*s", (int)length, base);
}

static int is_tool(const char *base, const char *const *list, size_t count)
{
	char tool[32];

	find_tool(tool, sizeof(tool), base);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(tool, list[i]) == 0)
			return 1;
	}
	return 0;
}
#define IS_TOOL(base, list) is_tool(base, list, sizeof(list) / sizeof((list)[0]))

int fathom_compiler_is_mpi_wrapper(const char *base)
{
	static const char *const wrappers[] = { "mpicc", "mpicxx", "mpic++", "mpiCC", "mpif77", "mpif90", "mpifort",
						"mpigcc", "mpigxx" };

	return IS_TOOL(base, wrappers);
}

int fathom_compiler_is_fortran(const char *base)
{
	static const char *const fortran[] = { "gfortran", "f77", "f95", "mpif77", "mpif90", "mpifort" };

	return IS_TOOL(base, fortran);
}

int fathom_compiler_is_cxx(const char *base)
{
	static const char *const cxx[] = { "g++", "c++", "clang++", "mpicxx", "mpic++", "mpiCC", "mpigxx" };

	return IS_TOOL(base, cxx);
}

int fathom_compiler_is_name(const char *base)
{
	static const char *const compilers[] = { "gcc", "g++", "gfortran", "cc", "c++", "c89", "c99", "clang",
						 "clang++", "f77", "f95" };

	return IS_TOOL(base, compilers) || fathom_compiler_is_mpi_wrapper(base);
}

int fathom_compiler_is_launcher(const char *base)
{
	static const char *const launchers[] = { "ccache", "sccache", "distcc", "icecc" };

	return IS_TOOL(base, launchers);
}

/* --- questions --------------------------------------------------------------------------------- */

int fathom_compiler_answer(char *const *command, char *answer, size_t bytes)
{
	struct fathom_words environment = { 0 };
	posix_spawn_file_actions_t actions;
	size_t length = 0;
	int ends[2], status, err;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	for (char **entry = environ; *entry; entry++) {
		if (strncmp(*entry, "LC_", 3) && strncmp(*entry, "LANG", 4))
			fathom_words_add(&environment, *entry);
	}
	fathom_words_add(&environment, "LC_ALL=C");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
	err = posix_spawn(&child, command[0], &actions, NULL, command, environment.list);
	posix_spawn_file_actions_destroy(&actions);
	fathom_words_fini(&environment);
	close(ends[1]);

	while (!err && length < bytes - 1) {
		ssize_t got = read(ends[0], answer + length, bytes - 1 - length);

		if (got <= 0)
			break;
		length += (size_t)got;
	}
	answer[length] = '\0';
	close(ends[0]);
	if (!err)
		waitpid(child, &status, 0);
	return -err;
}

/* Finds the word behind a label that begins a line of text. */
static void find_word(char *word, size_t bytes, const char *text, const char *label)
{
	const char *at = text;

	word[0] = '\0';
	while (at && strncmp(at, label, strlen(label)) != 0) {
		at = strchr(at, '\n');
		if (at)
			at++;
	}
	if (at) {
		at += strlen(label);
		snprintf(word, bytes, "%.*s", (int)strcspn(at, " \t\r\n"), at);
	}
}

void fathom_compiler_ask(struct fathom_compiler *compiler, const char *path, const char *launched)
{
	char answer[65536];	/* -### prints about 6 kB */
	struct fathom_words command = { 0 };
	int err;

	*compiler = (struct fathom_compiler){ .family = FATHOM_FAMILY_OTHER };
	/* With -### every compiler and MPI wrapper prints the commands that it would execute, but executes none. */
	fathom_words_add(&command, path);
	if (launched)
		fathom_words_add(&command, launched);
	fathom_words_split(&command, "-### -E -x c /dev/null");
	err = fathom_compiler_answer(command.list, answer, sizeof(answer));
	fathom_words_fini(&command);
	if (err)
		return;

	if (strstr(answer, "clang version "))
		compiler->family = FATHOM_FAMILY_CLANG;
	find_word(compiler->version, sizeof(compiler->version), answer, "gcc version ");
	find_word(compiler->target, sizeof(compiler->target), answer, "Target: ");
	if (compiler->version[0] && compiler->family == FATHOM_FAMILY_OTHER)
		compiler->family = FATHOM_FAMILY_GCC;
}

int fathom_compiler_fits_plugin(const struct fathom_compiler *compiler)
{
	return compiler->family == FATHOM_FAMILY_GCC && strcmp(compiler->version, FATHOM_PLUGIN_VERSION) == 0 &&
	       strcmp(compiler->target, FATHOM_PLUGIN_TARGET) == 0;
}
