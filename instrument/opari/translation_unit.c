#define _GNU_SOURCE
#include "opari/translation_unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/compiler.h"
#include "common/messages.h"
#include "opari/buffer.h"

/* The names of languages: suffixes of files, or values of -x. */
struct language_name {
	const char *name;
	enum fathom_language language;
	int preprocess;
};

static const struct language_name by_suffix[] = {
	{ "c", FATHOM_LANGUAGE_C, 1 }, { "i", FATHOM_LANGUAGE_C, 0 }, { "ii", FATHOM_LANGUAGE_CXX, 0 },
	{ "cc", FATHOM_LANGUAGE_CXX, 1 }, { "cp", FATHOM_LANGUAGE_CXX, 1 }, { "cpp", FATHOM_LANGUAGE_CXX, 1 },
	{ "CPP", FATHOM_LANGUAGE_CXX, 1 }, { "cxx", FATHOM_LANGUAGE_CXX, 1 }, { "c++", FATHOM_LANGUAGE_CXX, 1 },
	{ "C", FATHOM_LANGUAGE_CXX, 1 },
	{ "f", FATHOM_LANGUAGE_FIXED, 0 }, { "for", FATHOM_LANGUAGE_FIXED, 0 }, { "ftn", FATHOM_LANGUAGE_FIXED, 0 },
	{ "F", FATHOM_LANGUAGE_FIXED, 1 }, { "FOR", FATHOM_LANGUAGE_FIXED, 1 }, { "FTN", FATHOM_LANGUAGE_FIXED, 1 },
	{ "fpp", FATHOM_LANGUAGE_FIXED, 1 }, { "FPP", FATHOM_LANGUAGE_FIXED, 1 },
	{ "f90", FATHOM_LANGUAGE_FREE, 0 }, { "f95", FATHOM_LANGUAGE_FREE, 0 }, { "f03", FATHOM_LANGUAGE_FREE, 0 },
	{ "f08", FATHOM_LANGUAGE_FREE, 0 },
	{ "F90", FATHOM_LANGUAGE_FREE, 1 }, { "F95", FATHOM_LANGUAGE_FREE, 1 }, { "F03", FATHOM_LANGUAGE_FREE, 1 },
	{ "F08", FATHOM_LANGUAGE_FREE, 1 },
};
static const struct language_name by_option[] = {
	{ "c", FATHOM_LANGUAGE_C, 1 }, { "c++", FATHOM_LANGUAGE_CXX, 1 },
	{ "cpp-output", FATHOM_LANGUAGE_C, 0 }, { "c++-cpp-output", FATHOM_LANGUAGE_CXX, 0 },
	{ "f77", FATHOM_LANGUAGE_FIXED, 0 }, { "f77-cpp-input", FATHOM_LANGUAGE_FIXED, 1 },
	{ "f95", FATHOM_LANGUAGE_FREE, 0 }, { "f95-cpp-input", FATHOM_LANGUAGE_FREE, 1 },
};

#define BY_SUFFIX (sizeof(by_suffix) / sizeof(by_suffix[0]))
#define BY_OPTION (sizeof(by_option) / sizeof(by_option[0]))

static void set_language(struct fathom_unit *unit, const char *name, const struct language_name *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(name, list[i].name) == 0) {
			unit->language = list[i].language;
			unit->preprocess = list[i].preprocess;
			return;
		}
	}
}

static const char *suffix_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');

	return dot ? dot + 1 : "";
}

static int is_fortran(const struct fathom_unit *unit)
{
	return unit->language == FATHOM_LANGUAGE_FREE || unit->language == FATHOM_LANGUAGE_FIXED;
}

/* Applies options that take precedence over the suffix; the last one takes effect. */
static void apply_flags(struct fathom_unit *unit, const struct fathom_line_words *cut)
{
	for (size_t i = 0; i < cut->words.count; i++) {
		const char *word = cut->words.list[i];

		if (cut->kinds[i] != FATHOM_WORD_FLAG || !is_fortran(unit))
			continue;
		if (strcmp(word, "-ffree-form") == 0)
			unit->language = FATHOM_LANGUAGE_FREE;
		else if (strcmp(word, "-ffixed-form") == 0)
			unit->language = FATHOM_LANGUAGE_FIXED;
		else if (strcmp(word, "-cpp") == 0)
			unit->preprocess = 1;
		else if (strcmp(word, "-nocpp") == 0)
			unit->preprocess = 0;
	}
}

struct fathom_unit *fathom_unit_list(const struct fathom_line_words *cut, const char *compiler, size_t *count)
{
	struct fathom_unit *list = calloc(cut->words.count + 1, sizeof(*list));

	if (!list)
		fathom_die(FATHOM_EXIT_FAILED, "out of memory");
	*count = 0;
	for (size_t i = 0; i < cut->words.count; i++) {
		struct fathom_unit unit = { .path = cut->words.list[i], .word = i };

		if (cut->kinds[i] != FATHOM_WORD_SOURCE)
			continue;
		if (cut->languages.list[i][0])
			set_language(&unit, cut->languages.list[i], by_option, BY_OPTION);
		else
			set_language(&unit, suffix_of(unit.path), by_suffix, BY_SUFFIX);
		/* g++ compiles C files as C++, unless -x selects C */
		if (unit.language == FATHOM_LANGUAGE_C && !cut->languages.list[i][0] &&
		    fathom_compiler_is_cxx(compiler))
			unit.language = FATHOM_LANGUAGE_CXX;
		apply_flags(&unit, cut);
		list[(*count)++] = unit;
	}
	return list;
}

/* --- a quick look ---------------------------------------------------------------------------------- */

/* The files that were searched, so that none is searched twice, and the directories that may have headers. */
struct look {
	struct fathom_words files;
	struct fathom_words folders;
	int found;
};

/* More headers than a real source includes. A source that includes more is assumed to use OpenMP. */
#define MOST_FILES 2000

static int is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns whether the text contains the word omp, except in <omp.h>, or the name of a lock function. */
static int names_openmp(const struct fathom_buffer *text)
{
	const char *at = text->text, *end = text->text + text->length;

	while ((at = memmem(at, (size_t)(end - at), "omp", 3))) {
		const char *behind = at + 3;

		if ((at == text->text || !is_letter(at[-1])) && !is_letter(*behind) && *behind != '.')
			return 1;
		if (*behind == '_' && memmem(behind, (size_t)(end - behind > 24 ? 24 : end - behind), "_lock", 5))
			return 1;
		at = behind;
	}
	return 0;
}

/* Returns whether a Fortran text contains !$omp, c$omp, *$omp or the name of a lock function. */
static int has_sentinel(const struct fathom_buffer *text)
{
	return strcasestr(text->text, "$omp") != NULL || strcasestr(text->text, "_lock") != NULL;
}

static void look_into(struct look *look, const char *path);

/* Searches a header, which is in the directory of the file that includes it, or in a directory of the user's
 * options. */
static void look_for(struct look *look, const char *file, const char *name, size_t length)
{
	const char *slash = strrchr(file, '/');
	char *path = fathom_text("%.*s%.*s", slash ? (int)(slash + 1 - file) : 0, file, (int)length, name);

	look_into(look, path);
	free(path);
	for (size_t i = 0; i < look->folders.count; i++) {
		path = fathom_text("%s/%.*s", look->folders.list[i], (int)length, name);
		look_into(look, path);
		free(path);
	}
}

static void look_at_includes(struct look *look, const char *path, const struct fathom_buffer *text)
{
	const char *at = text->text;

	while (!look->found && (at = strstr(at, "include"))) {
		const char *before = at, *quote = at + strlen("include");
		size_t length;

		while (before > text->text && isblank((unsigned char)before[-1]))
			before--;
		at = quote;
		if (before == text->text || before[-1] != '#')
			continue;
		quote += strspn(quote, " \t");
		length = strcspn(quote + (*quote != 0), *quote == '<' ? ">\n" : "\"\n");
		if (*quote == '"' || *quote == '<')
			look_for(look, path, quote + 1, length);
	}
}

static void look_into(struct look *look, const char *path)
{
	struct fathom_buffer text = { 0 };

	for (size_t i = 0; i < look->files.count; i++) {
		if (strcmp(look->files.list[i], path) == 0)
			return;
	}
	if (look->found || fathom_buffer_read(&text, path)) {
		fathom_buffer_fini(&text);
		return;
	}
	fathom_words_add(&look->files, path);
	look->found = names_openmp(&text) || look->files.count > MOST_FILES;
	if (!look->found)
		look_at_includes(look, path, &text);
	fathom_buffer_fini(&text);
}

/* Reads the options that name directories, and those that include files. */
static void read_includes(struct look *look, const struct fathom_line_words *cut)
{
	static const char *const folder[] = { "-I", "-iquote", "-isystem", "-idirafter", "--include-directory" };

	for (size_t i = 0; i < cut->words.count; i++) {
		const char *word = cut->words.list[i], *next = i + 1 < cut->words.count ? cut->words.list[i + 1] : "";

		if (cut->kinds[i] != FATHOM_WORD_FLAG)
			continue;
		for (size_t k = 0; k < sizeof(folder) / sizeof(folder[0]); k++) {
			if (strcmp(word, folder[k]) == 0)
				fathom_words_add(&look->folders, next);
			else if (strncmp(word, folder[k], strlen(folder[k])) == 0)
				fathom_words_add(&look->folders, word + strlen(folder[k]));
		}
	}
	for (size_t i = 0; i + 1 < cut->words.count; i++) {
		if (strcmp(cut->words.list[i], "-include") == 0)
			look_for(look, "", cut->words.list[i + 1], strlen(cut->words.list[i + 1]));
		if (strncmp(cut->words.list[i], "-D", 2) == 0 && strstr(cut->words.list[i], "omp"))
			look->found = 1;	/* the macro may be a part of a directive */
	}
}

int fathom_unit_may_use_openmp(const struct fathom_unit *unit, const struct fathom_line_words *cut)
{
	struct fathom_buffer text = { 0 };
	struct look look = { .found = 0 };

	if (is_fortran(unit) && !unit->preprocess) {
		look.found = fathom_buffer_read(&text, unit->path) == 0 && has_sentinel(&text);
	} else {
		read_includes(&look, cut);
		look_into(&look, unit->path);
		if (!look.found && is_fortran(unit) && fathom_buffer_read(&text, unit->path) == 0)
			look.found = has_sentinel(&text) || strstr(text.text, "include");
	}
	fathom_buffer_fini(&text);
	fathom_words_fini(&look.files);
	fathom_words_fini(&look.folders);
	return look.found;
}
