#define _GNU_SOURCE
#include "driver/openmp_runtime.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/messages.h"
#include "common/word_list.h"
#include "driver/elf.h"
#include "driver/needed_libraries.h"

static const char runtime[] = "libomp.so.5";

/* The name of a setting that only GCC's runtime reads. A program that contains the name, with the NUL at its end,
 * contains a static copy of that runtime. */
static const char gnu_setting[] = "GOMP_SPINCOUNT";

static int starts(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int is_gnu_runtime(const char *path)
{
	return starts(base_name(path), "libgomp");
}

static int is_llvm_runtime(const char *path)
{
	const char *base = base_name(path);

	return starts(base, "libomp.so") || starts(base, "libomp-") || starts(base, "libomp5.so") ||
	       starts(base, "libiomp5.so");
}

/* --- the libraries of a program ---------------------------------------------------------------- */

static const char *find(const struct fathom_words *libraries, int (*is)(const char *path))
{
	for (size_t i = 0; i < libraries->count; i++)
		if (is(libraries->list[i]))
			return libraries->list[i];
	return NULL;
}

/* --- symbols ----------------------------------------------------------------------------------- */

struct wish {
	const struct fathom_elf_symbol *symbol;
};

static int grants(const struct fathom_elf_symbol *symbol, void *data)
{
	const struct wish *wish = data;

	return symbol->is_defined && strcmp(symbol->name, wish->symbol->name) == 0 &&
	       (!*wish->symbol->version || strcmp(symbol->version, wish->symbol->version) == 0);
}

struct complaint {
	const struct fathom_elf *runtime;
	char text[256];
};

/* Returns whether a function may end the program on LLVM's runtime. For scans and for conditional lastprivate
 * variables, GCC's code requests memory by these functions, which LLVM's runtime does not provide. Without these
 * constructs GCC calls other functions. */
static int may_abort(const char *name)
{
	static const char *const names[] = { "GOMP_loop_start", "GOMP_loop_ordered_start", "GOMP_loop_doacross_start",
					     "GOMP_loop_ull_start", "GOMP_loop_ull_ordered_start",
					     "GOMP_loop_ull_doacross_start", "GOMP_sections2_start" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return 1;
	return 0;
}

static int complain(const struct fathom_elf_symbol *symbol, void *data)
{
	struct complaint *complaint = data;
	struct wish wish = { symbol };

	if (symbol->is_defined || !(starts(symbol->name, "GOMP_") || starts(symbol->name, "omp_")))
		return 0;
	if (may_abort(symbol->name)) {
		snprintf(complaint->text, sizeof(complaint->text),
			 "calls %s (a scan, conditional lastprivate or task reduction), with which LLVM's OpenMP "
			 "runtime ends programs",
			 symbol->name);
		return 1;
	}
	if (fathom_elf_each_symbol(complaint->runtime, grants, &wish))
		return 0;
	snprintf(complaint->text, sizeof(complaint->text), "calls %s%s%s, which LLVM's OpenMP runtime does not have",
		 symbol->name, *symbol->version ? "@" : "", symbol->version);
	return 1;
}

/* Checks the program or library at path. Returns 0, or 1 after a message, in which the file is called `shown`. */
static int check_file(const char *shown, const char *path, const struct fathom_elf *llvm)
{
	struct complaint complaint = { .runtime = llvm };
	struct fathom_elf elf;
	int bad;

	if (fathom_elf_open(&elf, path))
		return 0;
	if (elf.at && memmem(elf.at, elf.bytes, gnu_setting, sizeof(gnu_setting)))
		snprintf(complaint.text, sizeof(complaint.text),
			 "contains GCC's OpenMP runtime (libgomp.a), which cannot be exchanged");
	else
		fathom_elf_each_symbol(&elf, complain, &complaint);
	bad = *complaint.text != '\0';
	if (bad)
		fathom_say("--omp-runtime=llvm: %s: %s", shown, complaint.text);
	fathom_elf_close(&elf);
	return bad;
}

static int check_files(const char *name, const char *path, const struct fathom_words *libraries, const char *llvm)
{
	struct fathom_elf elf;
	int bad;

	if (fathom_elf_open(&elf, llvm))
		return 0;
	bad = check_file(name, path, &elf);
	for (size_t i = 0; !bad && i < libraries->count; i++) {
		const char *library = libraries->list[i];

		if (!is_gnu_runtime(library) && !is_llvm_runtime(library))
			bad = check_file(library, library, &elf);
	}
	fathom_elf_close(&elf);
	return bad;
}

/* Checks a program that does not load GCC's runtime. */
static int check_other(const char *name, const char *path, const char *llvm)
{
	struct fathom_words libraries = { 0 };
	struct fathom_elf elf = { 0 };
	int code = FATHOM_EXIT_FAILED;

	if (fathom_needed_libraries(path, NULL, &libraries) == 0 && find(&libraries, is_llvm_runtime))
		code = 0;
	else if (llvm && fathom_elf_open(&elf, llvm) == 0 && check_file(name, path, &elf))
		;
	else
		fathom_say("--omp-runtime=llvm: %s: uses no OpenMP runtime that could be exchanged", name);
	fathom_elf_close(&elf);
	fathom_words_fini(&libraries);
	return code;
}

int fathom_openmp_runtime_check(const char *name, const char *path, char **library)
{
	struct fathom_words libraries = { 0 };
	const char *llvm;
	int code = FATHOM_EXIT_FAILED;

	*library = NULL;
	if (fathom_needed_libraries(path, runtime, &libraries)) {
		fathom_say("--omp-runtime=llvm: %s: its libraries cannot be found out", name);
		goto free_list;
	}
	llvm = find(&libraries, is_llvm_runtime);
	if (!find(&libraries, is_gnu_runtime)) {
		code = check_other(name, path, llvm);
	} else if (!llvm) {
		fathom_say("--omp-runtime=llvm: there is no %s here (Debian: libomp5)", runtime);
	} else if (!check_files(name, path, &libraries, llvm)) {
		*library = fathom_text("%s", llvm);
		code = 0;
	}
free_list:
	fathom_words_fini(&libraries);
	return code;
}
