#define _GNU_SOURCE
#include "driver/needed_libraries.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/elf.h"

static int starts(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Returns the dynamic linker that the program requests. NULL: fathom does not know how to get a list of the libraries
 * from this dynamic linker, or there is none. */
static char *linker_of(const char *path)
{
	struct fathom_elf elf;
	const ElfW(Ehdr) *header;
	char *linker = NULL;

	if (fathom_elf_open(&elf, path))
		return NULL;
	header = fathom_elf_is_one(&elf) ? fathom_elf_header(&elf) : NULL;
	for (unsigned i = 0; header && i < header->e_phnum; i++) {
		const ElfW(Phdr) *segment = fathom_elf_segment(&elf, header, i);
		const char *text = NULL;

		if (segment && segment->p_type == PT_INTERP)
			text = fathom_elf_text(&elf, segment->p_offset);
		if (text && (starts(base_name(text), "ld-linux") || starts(base_name(text), "ld64.so")))
			linker = fathom_text("%s", text);
	}
	fathom_elf_close(&elf);
	return linker;
}

/* Reads the paths in the list that the dynamic linker prints: "\tNAME => PATH (ADDRESS)", "\tPATH (ADDRESS)". */
static void read_list(FILE *list, struct fathom_words *libraries)
{
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, list) >= 0) {
		char *arrow = strstr(line, " => "), *end = strrchr(line, '(');
		char *path = arrow ? arrow + 4 : line + strspn(line, "\t ");

		if (!end || end <= path || *path != '/')
			continue;
		end[-1] = '\0';
		fathom_words_add(libraries, path);
	}
	free(line);
}

int fathom_needed_libraries(const char *path, const char *preload, struct fathom_words *libraries)
{
	const char *before = getenv("LD_PRELOAD");
	char *linker = linker_of(path);
	int pipes[2], status = -1;
	FILE *list;
	pid_t child;

	if (!linker)
		return -ENOEXEC;
	if (pipe(pipes)) {
		free(linker);
		return -errno;
	}
	child = fork();
	if (child == 0) {
		if (preload)
			setenv("LD_PRELOAD", before && *before ? fathom_text("%s:%s", preload, before) : preload, 1);
		dup2(pipes[1], STDOUT_FILENO);
		close(pipes[0]);
		close(pipes[1]);
		if (!freopen("/dev/null", "w", stderr))
			_exit(127);
		execl(linker, linker, "--list", path, (char *)NULL);
		_exit(127);
	}
	close(pipes[1]);
	list = child > 0 ? fdopen(pipes[0], "r") : NULL;
	if (list) {
		read_list(list, libraries);
		fclose(list);
	} else {
		close(pipes[0]);
	}
	if (child > 0)
		waitpid(child, &status, 0);
	free(linker);
	return status == 0 && libraries->count ? 0 : -ENOEXEC;
}
