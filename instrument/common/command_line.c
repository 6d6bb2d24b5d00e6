#define _GNU_SOURCE
#include "common/command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/messages.h"
#include "common/options_file.h"

/* The kind of the word that follows an option. */
enum next {
	NEXT_ANY,	/* nothing special: an option or a file */
	NEXT_SKIP,	/* the value of an option that is not important to fathom */
	NEXT_OUTPUT,
	NEXT_LANGUAGE,
	NEXT_LIBRARY,
	NEXT_LINKER,
	NEXT_DEPENDENCY,
};

/* The language of the files that follow, which -x sets. */
enum language {
	LANGUAGE_BY_NAME,
	LANGUAGE_COMPILED,
	LANGUAGE_HEADER,
	LANGUAGE_ASSEMBLER,
};

struct reader {
	struct fathom_line *line;
	size_t at;		/* index of the argument that is being read, or of the options file that contains it */
	enum next next;
	enum language language;	/* set by -x */
	int depth;		/* number of nested options files */
	/* All sources so far are headers: the compiler makes a precompiled header and links nothing. */
	int only_headers;
	enum fathom_word_kind kind;		/* the kind of the word that is being read */
	char set[32];				/* the language that -x set, "" if there was no -x */
	struct fathom_line_words *cut;		/* the list that gets the words, or NULL */
};

/* More nested files than any build system uses; this ends files that include themselves. */
#define RESPONSE_DEPTH 10

/* Options whose value is the following word. */
static const struct { const char *option; enum next next; } with_value[] = {
	{ "-o", NEXT_OUTPUT }, { "--output", NEXT_OUTPUT },
	{ "-x", NEXT_LANGUAGE }, { "--language", NEXT_LANGUAGE },
	{ "-l", NEXT_LIBRARY }, { "-Xlinker", NEXT_LINKER },
	{ "-A", NEXT_SKIP }, { "-D", NEXT_SKIP }, { "-G", NEXT_SKIP }, { "-I", NEXT_SKIP }, { "-J", NEXT_SKIP },
	{ "-L", NEXT_SKIP },
	{ "-MF", NEXT_DEPENDENCY }, { "-MJ", NEXT_DEPENDENCY }, { "-MQ", NEXT_DEPENDENCY }, { "-MT", NEXT_DEPENDENCY },
	{ "-aux-info", NEXT_DEPENDENCY },
	{ "-R", NEXT_SKIP }, { "-T", NEXT_SKIP }, { "-Tbss", NEXT_SKIP }, { "-Tdata", NEXT_SKIP },
	{ "-Ttext", NEXT_SKIP },
	{ "-U", NEXT_SKIP }, { "-Xassembler", NEXT_SKIP }, { "-Xclang", NEXT_SKIP }, { "-Xpreprocessor", NEXT_SKIP },
	{ "-arch", NEXT_SKIP }, { "-dumpbase", NEXT_SKIP }, { "-dumpbase-ext", NEXT_SKIP },
	{ "-dumpdir", NEXT_SKIP }, { "-e", NEXT_SKIP }, { "-gcc-toolchain", NEXT_SKIP }, { "-h", NEXT_SKIP },
	{ "-idirafter", NEXT_SKIP }, { "-imacros", NEXT_SKIP }, { "-imultiarch", NEXT_SKIP },
	{ "-imultilib", NEXT_SKIP },
	{ "-include", NEXT_SKIP }, { "-iprefix", NEXT_SKIP }, { "-iquote", NEXT_SKIP }, { "-isysroot", NEXT_SKIP },
	{ "-isystem", NEXT_SKIP }, { "-ivfsoverlay", NEXT_SKIP }, { "-iwithprefix", NEXT_SKIP },
	{ "-iwithprefixbefore", NEXT_SKIP }, { "-mllvm", NEXT_SKIP }, { "-target", NEXT_SKIP }, { "-u", NEXT_SKIP },
	{ "-wrapper", NEXT_SKIP }, { "-z", NEXT_SKIP }, { "--define-macro", NEXT_SKIP }, { "--include", NEXT_SKIP },
	{ "--include-directory", NEXT_SKIP }, { "--library-directory", NEXT_SKIP }, { "--param", NEXT_SKIP },
	{ "--prefix", NEXT_SKIP }, { "--sysroot", NEXT_SKIP }, { "--undefine-macro", NEXT_SKIP },
};

/* Options that decide at which stage the compiler stops. Of several, the one with the later stage takes effect, as in
 * the compilers. */
static const struct { const char *option; enum fathom_stage stage; } staging[] = {
	{ "-c", FATHOM_STAGE_COMPILE }, { "--compile", FATHOM_STAGE_COMPILE },
	{ "-S", FATHOM_STAGE_COMPILE }, { "--assemble", FATHOM_STAGE_COMPILE },
	{ "-E", FATHOM_STAGE_PREPROCESS }, { "--preprocess", FATHOM_STAGE_PREPROCESS },
	{ "-M", FATHOM_STAGE_PREPROCESS }, { "--dependencies", FATHOM_STAGE_PREPROCESS },
	{ "-MM", FATHOM_STAGE_PREPROCESS }, { "--user-dependencies", FATHOM_STAGE_PREPROCESS },
	{ "-fsyntax-only", FATHOM_STAGE_PREPROCESS },
	{ "-###", FATHOM_STAGE_QUERY }, { "--version", FATHOM_STAGE_QUERY }, { "--target-help", FATHOM_STAGE_QUERY },
	{ "-dumpversion", FATHOM_STAGE_QUERY }, { "-dumpfullversion", FATHOM_STAGE_QUERY },
	{ "-dumpmachine", FATHOM_STAGE_QUERY }, { "-dumpspecs", FATHOM_STAGE_QUERY },
	{ "-cc1", FATHOM_STAGE_QUERY }, { "-cc1as", FATHOM_STAGE_QUERY },
	/* options of the MPI wrappers */
	{ "-show", FATHOM_STAGE_QUERY }, { "-compile_info", FATHOM_STAGE_QUERY },
	{ "-compile-info", FATHOM_STAGE_QUERY },
	{ "-link_info", FATHOM_STAGE_QUERY }, { "-link-info", FATHOM_STAGE_QUERY },
};

/* Beginnings of more options that only query the compiler. */
static const char *const querying[] = { "-print-", "--print-", "--help", "-showme", "--showme" };

static int starts(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int is_one_of(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(word, list[i]) == 0)
			return 1;
	}
	return 0;
}

static int is_header_suffix(const char *suffix)
{
	static const char *const known[] = { "h", "H", "hh", "hp", "hpp", "HPP", "hxx", "h++", "tcc" };

	return is_one_of(suffix, known, sizeof(known) / sizeof(known[0]));
}

static int is_source_suffix(const char *suffix)
{
	static const char *const known[] = {
		"c", "i", "m", "mi",
		"C", "cc", "cp", "cpp", "CPP", "cxx", "c++", "ii", "mm", "mii", "M", "ixx", "cppm",
		"f", "F", "for", "FOR", "ftn", "FTN", "fpp", "FPP", "fi",
		"f90", "F90", "f95", "F95", "f03", "F03", "f08", "F08", "f18", "F18",
	};

	return is_one_of(suffix, known, sizeof(known) / sizeof(known[0]));
}

int fathom_line_is_probe_name(const char *path)
{
	static const char *const names[] = { "conftest", "conftst", "cmTC_", "CMakeCCompilerId", "CMakeCXXCompilerId",
					     "CMakeFortranCompilerId" };
	static const char *const folders[] = { "CMakeFiles/CMakeTmp/", "CMakeFiles/CMakeScratch/", "meson-private/" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (starts(base_name(path), names[i]))
			return 1;
	}
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (strstr(path, folders[i]))
			return 1;
	}
	return 0;
}

int fathom_line_is_mpi_library(const char *name, size_t length)
{
	/* The whole name must match, so that -lmpir, a library for numbers, does not count as MPI. */
	static const char *const whole[] = { "mpi", "mpicxx", "mpifort", "mpigf", "mpichf90", "mpichfort", "mpichcxx",
					     "mpich", "fmpich", "pmpich" };
	static const char *const begin[] = { "mpi_", "mpich_", "mpich-" };

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		if (strlen(whole[i]) == length && memcmp(name, whole[i], length) == 0)
			return 1;
	}
	for (size_t i = 0; i < sizeof(begin) / sizeof(begin[0]); i++) {
		if (length > strlen(begin[i]) && starts(name, begin[i]))
			return 1;
	}
	return 0;
}

static int is_fortran_mpi_library(const char *name, size_t length)
{
	static const char *const begin[] = { "mpichf", "mpifort", "fmpich", "mpi_mpifh", "mpi_usempi" };

	for (size_t i = 0; i < sizeof(begin) / sizeof(begin[0]); i++) {
		if (length >= strlen(begin[i]) && starts(name, begin[i]))
			return 1;
	}
	return 0;
}

static void see_library(struct reader *reader, const char *name, size_t length)
{
	static const char *const openmp[] = { "gomp", "omp", "iomp5" };

	reader->line->has_input = 1;
	reader->only_headers = 0;
	reader->kind = FATHOM_WORD_LINKED;
	if (is_fortran_mpi_library(name, length))
		reader->line->has_mpi_fortran = 1;
	if (!reader->line->has_mpi && fathom_line_is_mpi_library(name, length)) {
		reader->line->has_mpi = 1;
		reader->line->mpi_at = reader->at;
	}
	for (size_t i = 0; i < sizeof(openmp) / sizeof(openmp[0]); i++) {
		if (strlen(openmp[i]) == length && memcmp(name, openmp[i], length) == 0)
			reader->line->has_openmp_library = 1;
	}
	reader->line->has_threads |= length == 7 && starts(name, "pthread");
}

/* Recognises a library that is given as a file: libNAME.so, libNAME.so.12, libNAME.a. */
static void see_library_file(struct reader *reader, const char *base)
{
	const char *end = strstr(base, ".so");

	if (!starts(base, "lib"))
		return;
	if (!end || (end[3] && end[3] != '.'))
		end = strstr(base, ".a");
	if (end)
		see_library(reader, base + 3, (size_t)(end - base - 3));
}

static void see_file(struct reader *reader, const char *path)
{
	struct fathom_line *line = reader->line;
	const char *dot = strrchr(base_name(path), '.');
	const char *suffix = dot ? dot + 1 : "";
	int header = reader->language == LANGUAGE_HEADER ||
		     (reader->language == LANGUAGE_BY_NAME && is_header_suffix(suffix));

	line->has_input = 1;
	reader->kind = FATHOM_WORD_LINKED;
	if (!header)
		reader->only_headers = 0;
	if (fathom_line_is_probe_name(path))
		line->is_probe = 1;
	if (header || reader->language == LANGUAGE_COMPILED ||
	    (reader->language == LANGUAGE_BY_NAME && is_source_suffix(suffix))) {
		line->has_source = 1;
		reader->kind = FATHOM_WORD_SOURCE;
	} else if (reader->language == LANGUAGE_BY_NAME) {
		see_library_file(reader, base_name(path));
	}
}

/* Reads one word for the linker. */
static void see_linker_word(struct reader *reader, const char *word, size_t length)
{
	static const struct { const char *word; size_t offset; } flags[] = {
		{ "-r", offsetof(struct fathom_line, is_relocatable) },
		{ "-i", offsetof(struct fathom_line, is_relocatable) },
		{ "--relocatable", offsetof(struct fathom_line, is_relocatable) },
		{ "-shared", offsetof(struct fathom_line, is_shared) },
		{ "-Bshareable", offsetof(struct fathom_line, is_shared) },
		{ "-R", offsetof(struct fathom_line, has_rpath) },
		{ "-rpath", offsetof(struct fathom_line, has_rpath) },
		{ "--rpath", offsetof(struct fathom_line, has_rpath) },
	};

	if (length > 2 && starts(word, "-l"))
		see_library(reader, word + 2, length - 2);
	if (starts(word, "-rpath=") || starts(word, "--rpath="))
		reader->line->has_rpath = 1;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (strlen(flags[i].word) == length && memcmp(word, flags[i].word, length) == 0)
			*(int *)((char *)reader->line + flags[i].offset) = 1;
	}
}

static void see_linker_list(struct reader *reader, const char *list)
{
	for (;;) {
		size_t length = strcspn(list, ",");

		see_linker_word(reader, list, length);
		if (!list[length])
			return;
		list += length + 1;
	}
}

static void set_language(struct reader *reader, const char *language)
{
	size_t length = strlen(language);

	reader->kind = FATHOM_WORD_LANGUAGE;
	snprintf(reader->set, sizeof(reader->set), "%s", strcmp(language, "none") == 0 ? "" : language);
	if (strcmp(language, "none") == 0)
		reader->language = LANGUAGE_BY_NAME;
	else if (starts(language, "assembler"))
		reader->language = LANGUAGE_ASSEMBLER;
	else if (length > 7 && strcmp(language + length - 7, "-header") == 0)
		reader->language = LANGUAGE_HEADER;
	else
		reader->language = LANGUAGE_COMPILED;
}

/* Returns the kind of an option and its value. */
static enum fathom_word_kind kind_of_option(enum next next)
{
	switch (next) {
	case NEXT_OUTPUT:
		return FATHOM_WORD_OUTPUT;
	case NEXT_LANGUAGE:
		return FATHOM_WORD_LANGUAGE;
	case NEXT_LIBRARY:
	case NEXT_LINKER:
		return FATHOM_WORD_LINKED;
	case NEXT_DEPENDENCY:
		return FATHOM_WORD_DEPENDENCY;
	case NEXT_ANY:
	case NEXT_SKIP:
		break;
	}
	return FATHOM_WORD_FLAG;
}

/* Reads the value of the option before it. */
static void see_value(struct reader *reader, const char *word)
{
	enum next next = reader->next;

	reader->next = NEXT_ANY;
	reader->kind = kind_of_option(next);
	if (next == NEXT_OUTPUT && fathom_line_is_probe_name(word))
		reader->line->is_probe = 1;
	else if (next == NEXT_LANGUAGE)
		set_language(reader, word);
	else if (next == NEXT_LIBRARY)
		see_library(reader, word, strlen(word));
	else if (next == NEXT_LINKER)
		see_linker_word(reader, word, strlen(word));
}

static void reach_stage(struct fathom_line *line, enum fathom_stage stage)
{
	if (line->stage < stage)
		line->stage = stage;
}

/* Recognises options of one word that decide what is linked. Returns whether word is one. */
static int see_flag(struct fathom_line *line, const char *word)
{
	static const struct { const char *word; size_t offset; } flags[] = {
		{ "-static", offsetof(struct fathom_line, is_static) },
		{ "--static", offsetof(struct fathom_line, is_static) },
		{ "-static-pie", offsetof(struct fathom_line, is_static) },
		{ "-static-libgcc", offsetof(struct fathom_line, has_unwinder) },
		{ "-shared", offsetof(struct fathom_line, is_shared) },
		{ "--shared", offsetof(struct fathom_line, is_shared) },
		{ "-r", offsetof(struct fathom_line, is_relocatable) },
		{ "-nostdlib", offsetof(struct fathom_line, is_bare) },
		{ "-nodefaultlibs", offsetof(struct fathom_line, is_bare) },
		{ "-nolibc", offsetof(struct fathom_line, is_bare) },
		{ "-ffreestanding", offsetof(struct fathom_line, is_bare) },
		{ "-mcmodel=kernel", offsetof(struct fathom_line, is_bare) },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (strcmp(word, flags[i].word) == 0) {
			*(int *)((char *)line + flags[i].offset) = 1;
			return 1;
		}
	}
	return 0;
}

/* The option that selects the word size of fathom's libraries. Objects with another word size cannot be linked with
 * them. */
#if defined(__LP64__)
#define OWN_WORDS "-m64"
#elif defined(__x86_64__)
#define OWN_WORDS "-mx32"
#else
#define OWN_WORDS "-m32"
#endif

/* Recognises options that select the word size; the last one takes effect, as in the compilers. Returns whether word is
 * one. */
static int see_words(struct fathom_line *line, const char *word)
{
	static const char *const sizes[] = { "-m64", "-mx32", "-m32", "-m16" };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (strcmp(word, sizes[i]) == 0) {
			line->other_words = strcmp(word, OWN_WORDS) == 0 ? NULL : sizes[i];
			return 1;
		}
	}
	return 0;
}

static int is_profile_use(const char *word)
{
	return strcmp(word, "-fprofile-use") == 0 || starts(word, "-fprofile-use=") ||
	       strcmp(word, "-fbranch-probabilities") == 0;
}

/* Recognises options that enable OpenMP. -fopenmp-simd does not enable the parallel constructs, so it is ignored. */
static void see_openmp(struct fathom_line *line, const char *word)
{
	if (strcmp(word, "-fopenmp") == 0 || starts(word, "-fopenmp="))
		line->has_openmp = 1;
	else if (strcmp(word, "-fno-openmp") == 0)
		line->has_openmp = 0;
	else if (strcmp(word, "-pthread") == 0 || strcmp(word, "-pthreads") == 0)
		line->has_threads = 1;
}

static void see_option(struct reader *reader, const char *word)
{
	for (size_t i = 0; i < sizeof(with_value) / sizeof(with_value[0]); i++) {
		if (strcmp(word, with_value[i].option) == 0) {
			reader->next = with_value[i].next;
			reader->kind = kind_of_option(reader->next);
			return;
		}
	}
	for (size_t i = 0; i < sizeof(staging) / sizeof(staging[0]); i++) {
		if (strcmp(word, staging[i].option) == 0) {
			reach_stage(reader->line, staging[i].stage);
			reader->kind = FATHOM_WORD_STAGE;
			return;
		}
	}
	for (size_t i = 0; i < sizeof(querying) / sizeof(querying[0]); i++) {
		if (starts(word, querying[i])) {
			reach_stage(reader->line, FATHOM_STAGE_QUERY);
			return;
		}
	}
	if (see_flag(reader->line, word) || see_words(reader->line, word))
		return;
	if (starts(word, "-Wl,")) {
		reader->kind = FATHOM_WORD_LINKED;
		see_linker_list(reader, word + 4);
	} else if (starts(word, "-Wframe-larger-than=")) {
		reader->line->limits_frame = 1;
	} else if (starts(word, "-Wstack-usage=")) {
		reader->line->limits_stack = 1;
	} else if (strcmp(word, "-pg") == 0) {
		reader->line->has_mcount = 1;
	} else if (is_profile_use(word)) {
		reader->line->uses_profile = 1;
	} else if (starts(word, "-l")) {
		see_library(reader, word + 2, strlen(word + 2));
	} else if (starts(word, "-x")) {
		set_language(reader, word + 2);
	} else if (starts(word, "--language=")) {
		set_language(reader, word + strlen("--language="));
	} else if (starts(word, "-o") || starts(word, "--output=")) {
		reader->kind = FATHOM_WORD_OUTPUT;
		if (fathom_line_is_probe_name(word + (word[1] == 'o' ? 2 : strlen("--output="))))
			reader->line->is_probe = 1;
	} else if (starts(word, "-M") || starts(word, "-Wp,-M") || starts(word, "--write-")) {
		reader->kind = FATHOM_WORD_DEPENDENCY;
	} else if (starts(word, "-save-temps") || starts(word, "--save-temps")) {
		reader->kind = FATHOM_WORD_TEMPS;
	} else {
		see_openmp(reader->line, word);
	}
}

static void see_word(struct reader *reader, const char *word);

static int see_options_file(struct reader *reader, const char *path)
{
	struct fathom_words words = { 0 };

	if (reader->depth >= RESPONSE_DEPTH || fathom_options_file_read(&words, path))
		return 0;
	reader->depth++;
	for (size_t i = 0; i < words.count; i++)
		see_word(reader, words.list[i]);
	reader->depth--;
	fathom_words_fini(&words);
	return 1;
}

static void note_word(struct reader *reader, const char *word)
{
	struct fathom_line_words *cut = reader->cut;

	if (cut->words.count == cut->room) {
		cut->room = cut->room ? 2 * cut->room : 64;
		cut->kinds = reallocarray(cut->kinds, cut->room, sizeof(*cut->kinds));
		if (!cut->kinds)
			fathom_die(FATHOM_EXIT_FAILED, "out of memory");
	}
	cut->kinds[cut->words.count] = reader->kind;
	fathom_words_add(&cut->words, word);
	fathom_words_add(&cut->languages, reader->set);
}

static void see_word(struct reader *reader, const char *word)
{
	if (word[0] == '@' && see_options_file(reader, word + 1))	/* compilers, too, expand options files first */
		return;
	reader->kind = FATHOM_WORD_FLAG;
	if (reader->next != NEXT_ANY)
		see_value(reader, word);
	else if (word[0] == '-' && word[1])
		see_option(reader, word);
	else
		see_file(reader, word);
	if (reader->cut)
		note_word(reader, word);
}

static void read_words(struct fathom_line *line, struct fathom_line_words *cut, char *const *args, size_t count)
{
	struct reader reader = { .line = line, .only_headers = 1, .cut = cut };

	*line = (struct fathom_line){ 0 };
	for (size_t i = 0; i < count; i++) {
		reader.at = i;
		see_word(&reader, args[i]);
	}
	if (line->has_input && reader.only_headers)
		reach_stage(line, FATHOM_STAGE_COMPILE);
}

void fathom_line_read(struct fathom_line *line, char *const *args, size_t count)
{
	read_words(line, NULL, args, count);
}

void fathom_line_cut(struct fathom_line_words *cut, char *const *args, size_t count)
{
	struct fathom_line line;

	*cut = (struct fathom_line_words){ 0 };
	read_words(&line, cut, args, count);
}

void fathom_line_words_fini(struct fathom_line_words *cut)
{
	fathom_words_fini(&cut->words);
	fathom_words_fini(&cut->languages);
	free(cut->kinds);
}
