#define _GNU_SOURCE
#include "driver/mpi.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command_line.h"
#include "common/compiler.h"
#include "common/word_list.h"
#include "config.h"
#include "driver/elf.h"
#include "driver/needed_libraries.h"

static const struct kind {
	const char *word, *name, *linked, *preload;
} kinds[] = {
	[FATHOM_MPI_MPICH] = { "mpich", "MPICH", "fathom-mpi", "fathom-mpi-preload" },
	[FATHOM_MPI_OPENMPI] = { "openmpi", "Open MPI", "fathom-mpi-openmpi", "fathom-mpi-openmpi" },
};

enum fathom_mpi fathom_mpi_by_word(const char *word)
{
	for (enum fathom_mpi mpi = FATHOM_MPI_MPICH; mpi <= FATHOM_MPI_OPENMPI; mpi++) {
		if (strcmp(word, kinds[mpi].word) == 0)
			return mpi;
	}
	return FATHOM_MPI_UNKNOWN;
}

const char *fathom_mpi_name(enum fathom_mpi mpi)
{
	return kinds[mpi].name;
}

const char *fathom_mpi_linked(enum fathom_mpi mpi)
{
	return kinds[mpi].linked;
}

const char *fathom_mpi_preload(enum fathom_mpi mpi)
{
	return kinds[mpi].preload;
}

enum fathom_mpi fathom_mpi_usual(const struct fathom_installation *installation)
{
	char *file = fathom_text("%s/libfathom-mpi-openmpi.so", installation->libraries);
	char *first = fathom_text("%s/libfathom-mpi.so", installation->libraries);
	char *archive = fathom_text("%s/libfathom-mpi.a", installation->libraries);
	int only_open = access(file, R_OK) == 0 && access(first, R_OK) && access(archive, R_OK);

	free(file);
	free(first);
	free(archive);
	return only_open ? FATHOM_MPI_OPENMPI : FATHOM_MPI_MPICH;
}

/* --- libraries ----------------------------------------------------------------------------------- */

static int starts_with_any(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strncmp(name, list[i], strlen(list[i])) == 0)
			return 1;
	}
	return 0;
}
#define STARTS(name, list) starts_with_any(name, list, sizeof(list) / sizeof((list)[0]))

/* Recognises an MPI by the name of a library behind "lib". Every MPI may have a library called "mpi". */
static enum fathom_mpi of_name(const char *name)
{
	static const char *const mpich[] = { "mpich", "mpicxx", "mpifort", "mpigf", "fmpich", "pmpich" };
	static const char *const open[] = { "mpi_", "open-rte", "open-pal" };

	if (STARTS(name, mpich))
		return FATHOM_MPI_MPICH;
	return STARTS(name, open) ? FATHOM_MPI_OPENMPI : FATHOM_MPI_UNKNOWN;
}

/* Returns 2 if the symbol belongs to Open MPI. Otherwise notes whether the symbol belongs to any MPI, and returns 0. */
static int see_symbol(const struct fathom_elf_symbol *symbol, void *data)
{
	int *has_mpi = data;

	if (!symbol->is_defined)
		return 0;
	*has_mpi |= strcmp(symbol->name, "PMPI_Init") == 0;
	return strcmp(symbol->name, "ompi_mpi_comm_world") == 0 ? 2 : 0;
}

/* Recognises an MPI by the symbols of its library. */
static enum fathom_mpi of_file(const char *path)
{
	enum fathom_mpi mpi = FATHOM_MPI_UNKNOWN;
	struct fathom_elf elf;
	int has_mpi = 0;

	if (fathom_elf_open(&elf, path))
		return mpi;
	if (fathom_elf_is_one(&elf)) {
		if (fathom_elf_each_symbol(&elf, see_symbol, &has_mpi) == 2)
			mpi = FATHOM_MPI_OPENMPI;
		else if (has_mpi)
			mpi = FATHOM_MPI_MPICH;
	}
	fathom_elf_close(&elf);
	return mpi;
}

/* Recognises the MPI of a library, by its name if that is enough. FATHOM_MPI_UNKNOWN: the library is not MPI. */
static enum fathom_mpi of_library(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *name = strncmp(base, "lib", 3) == 0 ? base + 3 : base;
	size_t length = strcspn(name, ".");
	enum fathom_mpi mpi = of_name(name);

	/* The wrappers of fathom, and libraries that use MPI, are not MPI themselves. */
	if (!fathom_line_is_mpi_library(name, length))
		return FATHOM_MPI_UNKNOWN;
	return mpi ? mpi : of_file(path);
}

/* Returns the MPI of lib NAME .so in the first directory that has it. */
static enum fathom_mpi of_search(const struct fathom_words *folders, const char *name)
{
	for (size_t i = 0; i < folders->count; i++) {
		char *file = fathom_text("%s/lib%s.so", folders->list[i], name);
		int there = access(file, R_OK) == 0;
		enum fathom_mpi mpi = there ? of_file(file) : FATHOM_MPI_UNKNOWN;

		free(file);
		if (there)
			return mpi;
	}
	return FATHOM_MPI_UNKNOWN;
}

/* --- lines --------------------------------------------------------------------------------------- */

/* Adds the directories in which the linker searches libraries: -L, LIBRARY_PATH, and its standard directories. */
static void add_folders(struct fathom_words *folders, char *const *args, size_t count)
{
	const char *path = getenv("LIBRARY_PATH");

	for (size_t i = 0; i < count; i++) {
		if (strncmp(args[i], "-L", 2))
			continue;
		if (args[i][2])
			fathom_words_add(folders, args[i] + 2);
		else if (i + 1 < count)
			fathom_words_add(folders, args[i + 1]);
	}
	for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
		if (strcspn(path, ":"))
			fathom_words_addf(folders, "%.*s", (int)strcspn(path, ":"), path);
	}
	fathom_words_split(folders, "/usr/local/lib/" FATHOM_PLUGIN_TARGET " /usr/local/lib /lib/" FATHOM_PLUGIN_TARGET
			   " /usr/lib/" FATHOM_PLUGIN_TARGET " /lib64 /usr/lib64 /lib /usr/lib");
}

enum fathom_mpi fathom_mpi_of_line(char *const *args, size_t count)
{
	struct fathom_words folders = { 0 };
	enum fathom_mpi mpi = FATHOM_MPI_UNKNOWN;

	add_folders(&folders, args, count);
	for (size_t i = 0; i < count && !mpi; i++) {
		const char *name = NULL;

		if (strncmp(args[i], "-l", 2) == 0)
			name = args[i][2] ? args[i] + 2 : i + 1 < count ? args[i + 1] : NULL;
		if (name && fathom_line_is_mpi_library(name, strlen(name)))
			mpi = of_name(name) ? of_name(name) : of_search(&folders, name);
		else if (!name && strstr(args[i], "lib"))
			mpi = of_library(args[i]);
	}
	fathom_words_fini(&folders);
	return mpi;
}

enum fathom_mpi fathom_mpi_of_wrapper(const char *path, const char *launched)
{
	struct fathom_words command = { 0 }, words = { 0 };
	enum fathom_mpi mpi = FATHOM_MPI_UNKNOWN;
	char answer[16384];

	fathom_words_add(&command, path);
	if (launched)
		fathom_words_add(&command, launched);
	fathom_words_add(&command, "-show");
	if (fathom_compiler_answer(command.list, answer, sizeof(answer)) == 0) {
		fathom_words_split(&words, answer);
		mpi = fathom_mpi_of_line(words.list, words.count);
	}
	fathom_words_fini(&command);
	fathom_words_fini(&words);
	return mpi;
}

/* --- processes ----------------------------------------------------------------------------------- */

enum fathom_mpi fathom_mpi_of_program(const char *path)
{
	struct fathom_words libraries = { 0 };
	enum fathom_mpi mpi = FATHOM_MPI_UNKNOWN;

	if (fathom_needed_libraries(path, NULL, &libraries) == 0) {
		for (size_t i = 0; i < libraries.count && !mpi; i++)
			mpi = of_library(libraries.list[i]);
	}
	fathom_words_fini(&libraries);
	return mpi;
}

enum fathom_mpi fathom_mpi_of_launcher(void)
{
	if (getenv("OMPI_COMM_WORLD_SIZE"))
		return FATHOM_MPI_OPENMPI;
	return getenv("PMI_SIZE") || getenv("PMI_RANK") ? FATHOM_MPI_MPICH : FATHOM_MPI_UNKNOWN;
}
