#define _GNU_SOURCE
#include "driver/openmp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/messages.h"
#include "config.h"
#include "opari/buffer.h"
#include "opari/child_process.h"
#include "opari/rewrite.h"
#include "opari/translation_unit.h"

/* The state while one command is executed. */
struct work {
	const struct fathom_openmp *openmp;
	struct fathom_line_words cut;
	struct fathom_unit *units;	/* the sources that may use OpenMP */
	size_t count;
	struct fathom_words flags;	/* the user's options that also apply to the rewritten source */
	char *opari;
	const char *folder;
	char **objects;			/* for each unit: the new object to link, or NULL */
};

/* --- what there is to do ------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void find_units(struct work *work)
{
	size_t all, kept = 0;

	work->units = fathom_unit_list(&work->cut, work->openmp->name, &all);
	for (size_t i = 0; i < all; i++) {
		if (strcmp(work->units[i].path, "-") == 0)
			fathom_say("standard input: OpenMP in it will not be measured; compile a file instead");
		else if (work->units[i].language != FATHOM_LANGUAGE_OTHER &&
			 fathom_unit_may_use_openmp(&work->units[i], &work->cut))
			work->units[kept++] = work->units[i];
	}
	work->count = kept;
}

static int starts(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* Returns whether a word that fathom adds is also needed for preprocessing, because the source may include
 * fathom/fathom.h. */
static int is_for_preprocessor(const char *word)
{
	return strncmp(word, "-D", 2) == 0 || strncmp(word, "-I", 2) == 0 || strncmp(word, "-idirafter", 10) == 0;
}

/* Collects the user's options that also apply to the rewritten source. */
static void find_flags(struct work *work)
{
	const struct fathom_words *added = work->openmp->added;

	for (size_t i = 0; i < added->count; i++)
		if (is_for_preprocessor(added->list[i]))
			fathom_words_add(&work->flags, added->list[i]);
	for (size_t i = 0; i < work->cut.words.count; i++) {
		if (work->cut.kinds[i] == FATHOM_WORD_FLAG)
			fathom_words_add(&work->flags, work->cut.words.list[i]);
	}
}

/* Finds opari2 in PATH, or at its place when fathom was built. NULL: it is not there. */
static char *find_opari(const struct fathom_installation *installation)
{
	char *path = fathom_installation_search(installation, "opari2");

	if (!path && access(FATHOM_OPARI2, X_OK) == 0)
		path = fathom_text("%s", FATHOM_OPARI2);
	return path;
}

/* Returns the value of the last -o, as the compiler does. NULL: there is none. */
static const char *find_output(const struct work *work)
{
	const char *output = NULL;

	for (size_t i = 0; i < work->cut.words.count; i++) {
		const char *word = work->cut.words.list[i];

		if (work->cut.kinds[i] != FATHOM_WORD_OUTPUT)
			continue;
		if ((strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0) && i + 1 < work->cut.words.count)
			output = work->cut.words.list[++i];
		else if (starts(word, "--output="))
			output = word + strlen("--output=");
		else if (starts(word, "-o"))
			output = word + 2;
	}
	return output;
}

/* Returns the program that the first command linked. */
static const char *program_of(const struct work *work)
{
	const char *output = find_output(work);

	return output ? output : "a.out";
}

static int has_word(const struct work *work, const char *word)
{
	for (size_t i = 0; i < work->cut.words.count; i++) {
		if (work->cut.kinds[i] == FATHOM_WORD_STAGE && strcmp(work->cut.words.list[i], word) == 0)
			return 1;
	}
	return 0;
}

static int makes_assembler(const struct work *work)
{
	return has_word(work, "-S") || has_word(work, "--assemble");
}

/* Returns the length of a path without the suffix of its last part. */
static int stem_length(const char *path)
{
	const char *dot = strrchr(base_name(path), '.');

	return dot ? (int)(dot - path) : (int)strlen(path);
}

/* Returns the file that the first command made of a unit. */
static char *object_of(const struct work *work, const struct fathom_unit *unit)
{
	const char *output = find_output(work), *base = base_name(unit->path);

	if (output)
		return fathom_text("%s", output);
	return fathom_text("%.*s.%s", stem_length(base), base, makes_assembler(work) ? "s" : "o");
}

static int is_regular(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* --- one unit ------------------------------------------------------------------------------------------ */

/* Prints a message that says what will not be measured. */
static void say_lost(const struct fathom_unit *unit, const char *trouble, const char *lost)
{
	fathom_say("%s: OpenMP in it will not be measured%s%s: %s", unit->path, lost ? ", that is " : "",
		   lost ? lost : "", trouble);
}

/* Returns whether an option would turn a warning about OPARI2's code into an error, or would make the compiler read the
 * text in another way. */
static int is_wrong_for_rewritten(const char *flag)
{
	return starts(flag, "-Werror") || starts(flag, "-pedantic-errors") || starts(flag, "--pedantic-errors") ||
	       starts(flag, "-finput-charset=") || starts(flag, "-Wfatal-errors");
}

static int is_fortran(const struct fathom_unit *unit)
{
	return unit->language == FATHOM_LANGUAGE_FREE || unit->language == FATHOM_LANGUAGE_FIXED;
}

static void compose_unit(const struct work *work, const struct fathom_rewrite *rewrite, const struct fathom_unit *unit,
			 const char *object, struct fathom_words *command)
{
	const struct fathom_openmp *openmp = work->openmp;

	for (size_t i = 0; i < openmp->front->count; i++)
		fathom_words_add(command, openmp->front->list[i]);
	for (size_t i = 0; i < openmp->added->count; i++)
		fathom_words_add(command, openmp->added->list[i]);
	/* INCLUDE searches the directory of the source, then those of the user's options. */
	if (is_fortran(unit))
		fathom_words_addf(command, "-I%s%.*s", unit->path[0] == '/' ? "" : "./",
				  (int)(base_name(unit->path) - unit->path), unit->path);
	for (size_t i = 0; i < work->flags.count; i++) {
		const char *flag = work->flags.list[i];

		if (is_fortran(unit) && starts(flag, "-J"))
			fathom_words_addf(command, "-I%s", flag + 2);
		else if (!is_wrong_for_rewritten(flag))
			fathom_words_add(command, flag);
	}
	fathom_words_add(command, "-w");
	if (is_fortran(unit)) {
		/* The modules that the first command wrote must stay, because they were made from the original
		 * source. */
		fathom_words_addf(command, "-J%s", rewrite->folder);
		/* Otherwise the object file would contain the name of the temporary directory. */
		fathom_words_add(command, "-gno-record-gcc-switches");
		fathom_words_add(command, "-nocpp");
		fathom_words_add(command, "-fpreprocessed");
		if (unit->language == FATHOM_LANGUAGE_FREE)	/* else lines may have 132 columns, as in Fortran 90 */
			fathom_words_add(command, "-ffree-line-length-none");
	}
	fathom_words_add(command, makes_assembler(work) ? "-S" : "-c");
	if (openmp->stage == FATHOM_STAGE_LINK && openmp->is_gcc) {
		/* Other output files get the names that they have if one command compiles and links. */
		const char *output = find_output(work);

		fathom_words_add(command, "-dumpdir");
		fathom_words_addf(command, "%s-", output ? output : "a");
		fathom_words_add(command, "-dumpbase");
		fathom_words_add(command, base_name(unit->path));
		fathom_words_add(command, "-dumpbase-ext");
		fathom_words_add(command, base_name(unit->path) + stem_length(base_name(unit->path)));
	}
	fathom_words_add(command, "-o");
	fathom_words_add(command, object);
	fathom_words_add(command, "-x");
	fathom_words_add(command, rewrite->language);
	fathom_words_add(command, rewrite->result);
}

/* Returns the first error message of a compiler. */
static char *first_error(const char *log)
{
	struct fathom_buffer text = { 0 };
	const char *error = NULL;
	char *reason;

	if (fathom_buffer_read(&text, log) == 0)
		error = strstr(text.text, "rror: ");
	reason = error ? fathom_text("%.*s", (int)strcspn(error + 6, "\n"), error + 6) : fathom_text("no reason given");
	fathom_buffer_fini(&text);
	return reason;
}

/* Compiles the rewritten unit. Returns 0, or the exit code of the compiler and sets rewrite->trouble. */
static int compile_unit(const struct work *work, struct fathom_rewrite *rewrite, const struct fathom_unit *unit,
			const char *object)
{
	struct fathom_words command = { 0 };
	char *log = fathom_text("%s/log", rewrite->folder);
	int code;

	compose_unit(work, rewrite, unit, object, &command);
	if (work->openmp->options->verbose)
		fathom_words_show(&command);
	code = fathom_process_run(work->openmp->path, command.list, log);
	if (code) {
		char *reason = first_error(log);

		rewrite->trouble = fathom_text("rewritten by OPARI2 it does not compile: %s", reason);
		free(reason);
	}
	fathom_words_fini(&command);
	free(log);
	return code;
}

/* Keeps the rewritten source for the user, in the folder of the compiler's other temporary files. */
static void keep_rewritten(const struct work *work, const struct fathom_rewrite *rewrite, const char *object,
			   const struct fathom_unit *unit)
{
	const char *suffix = strrchr(rewrite->result, '.'), *stem_of = object;
	struct fathom_buffer text = { 0 };
	int keep = work->openmp->options->keep;
	char *path;

	for (size_t i = 0; i < work->cut.words.count; i++) {
		if (work->cut.kinds[i] == FATHOM_WORD_TEMPS)
			keep = 1;
	}
	if (!keep)
		return;
	if (work->openmp->stage == FATHOM_STAGE_LINK)
		stem_of = base_name(unit->path);
	path = fathom_text("%.*s.opari%s", stem_length(stem_of), stem_of, suffix);
	if (fathom_buffer_read(&text, rewrite->result) || fathom_buffer_write(&text, path))
		fathom_say("%s: cannot be written: %s", path, strerror(errno));
	fathom_buffer_fini(&text);
	free(path);
}

/* Replaces the object file of the first command by the new code. If anything goes wrong, the file stays. */
static int replace_object(const struct work *work, struct fathom_rewrite *rewrite, const struct fathom_unit *unit,
			  const char *object)
{
	struct fathom_buffer plain = { 0 };
	int code;

	if (fathom_buffer_read(&plain, object)) {
		rewrite->trouble = fathom_text("%s: %s", object, strerror(errno));
		return 1;
	}
	code = compile_unit(work, rewrite, unit, object);
	if (code && fathom_buffer_write(&plain, object))
		fathom_die(FATHOM_EXIT_FAILED, "%s: %s", object, strerror(errno));
	fathom_buffer_fini(&plain);
	return code;
}

/* Returns the object file to link instead of the unit, or NULL. */
static char *do_unit(const struct work *work, const struct fathom_unit *unit, size_t number)
{
	const struct fathom_openmp *openmp = work->openmp;
	int links = openmp->stage == FATHOM_STAGE_LINK, code = 1;
	char *folder = fathom_text("%s/%zu", work->folder, number);
	const char *base = base_name(unit->path);
	char *object = links ? fathom_text("%s/%.*s.o", folder, stem_length(base), base) : object_of(work, unit);
	struct fathom_rewrite rewrite = {
		.compiler = openmp->path, .front = openmp->front, .flags = &work->flags, .opari = work->opari,
		.folder = folder, .object = links ? program_of(work) : object,
		.atomic = openmp->options->openmp_atomic, .verbose = openmp->options->verbose,
	};

	if (mkdir(folder, 0700))
		rewrite.trouble = fathom_text("%s: %s", folder, strerror(errno));
	else if (links || is_regular(object))
		fathom_rewrite_run(&rewrite, unit);
	if (rewrite.result) {
		keep_rewritten(work, &rewrite, object, unit);
		code = (links ? compile_unit : replace_object)(work, &rewrite, unit, object);
	}
	if (rewrite.trouble && !fathom_process_is_over())
		say_lost(unit, rewrite.trouble, rewrite.lost);
	if (code || !links) {
		free(object);
		object = NULL;
	}
	fathom_rewrite_fini(&rewrite);
	free(folder);
	return object;
}

/* --- all of them ---------------------------------------------------------------------------------------- */

/* Makes the list of the user's words for the second link: object files in place of sources, and a temporary program as
 * output. */
static void words_to_link(const struct work *work, struct fathom_words *words, const char *program)
{
	for (size_t i = 0, unit = 0; i < work->cut.words.count; i++) {
		const char *language = work->cut.languages.list[i], *word = work->cut.words.list[i];

		switch (work->cut.kinds[i]) {
		case FATHOM_WORD_OUTPUT:
		case FATHOM_WORD_LANGUAGE:
		case FATHOM_WORD_DEPENDENCY:
		case FATHOM_WORD_TEMPS:
			continue;
		case FATHOM_WORD_SOURCE:
			while (unit < work->count && work->units[unit].word < i)
				unit++;
			if (unit < work->count && work->units[unit].word == i && work->objects[unit]) {
				fathom_words_add(words, work->objects[unit]);
			} else {
				if (language[0]) {
					fathom_words_add(words, "-x");
					fathom_words_add(words, language);
				}
				fathom_words_add(words, word);
				if (language[0]) {
					fathom_words_add(words, "-x");
					fathom_words_add(words, "none");
				}
			}
			break;
		case FATHOM_WORD_FLAG:
		case FATHOM_WORD_LINKED:
		case FATHOM_WORD_STAGE:
			fathom_words_add(words, word);
			break;
		}
	}
	fathom_words_add(words, "-o");
	fathom_words_add(words, program);
}

/* Links once more. The program replaces that of the first command only if the link succeeds. */
static void link_again(const struct work *work)
{
	const char *output = program_of(work);
	char *program = fathom_text("%s/program", work->folder), *log = fathom_text("%s/log", work->folder);
	struct fathom_words words = { 0 }, command = { 0 };
	struct fathom_buffer code = { 0 };
	int failed;

	words_to_link(work, &words, program);
	work->openmp->compose(work->openmp->build, &command, words.list, words.count);
	if (work->openmp->options->verbose)
		fathom_words_show(&command);
	failed = fathom_process_run(work->openmp->path, command.list, log);
	if (failed && fathom_process_is_over()) {
		;	/* the user has stopped the command and needs no reason */
	} else if (failed) {
		char *reason = first_error(log);

		fathom_say("%s: OpenMP in it will not be measured: rewritten by OPARI2 it cannot be linked: %s", output,
			   reason);
		free(reason);
	} else if (fathom_buffer_read(&code, program) || fathom_buffer_write(&code, output)) {
		fathom_die(FATHOM_EXIT_FAILED, "%s: %s", output, strerror(errno));
	}
	fathom_buffer_fini(&code);
	fathom_words_fini(&words);
	fathom_words_fini(&command);
	free(program);
	free(log);
}

static void do_units(struct work *work)
{
	int links = work->openmp->stage == FATHOM_STAGE_LINK, made = 0;

	if (links && !is_regular(program_of(work)))
		return;
	work->objects = calloc(work->count, sizeof(*work->objects));
	if (!work->objects)
		fathom_die(FATHOM_EXIT_FAILED, "out of memory");
	for (size_t i = 0; i < work->count && !fathom_process_is_over(); i++) {
		work->objects[i] = do_unit(work, &work->units[i], i);
		made |= work->objects[i] != NULL;
	}
	if (made && !fathom_process_is_over())
		link_again(work);
	for (size_t i = 0; i < work->count; i++)
		free(work->objects[i]);
	free(work->objects);
}

/* Finds the units to rewrite and opari2. Returns 0 if either is missing. */
static int prepare(struct work *work)
{
	find_units(work);
	if (!work->count)
		return 0;
	work->opari = find_opari(work->openmp->installation);
	if (!work->opari) {
		fathom_say("%s: OpenMP in %s will not be measured: opari2 is not installed", work->openmp->name,
			   work->count == 1 ? work->units[0].path : "these sources");
		return 0;
	}
	work->folder = fathom_process_folder();
	if (!work->folder) {
		fathom_say("%s: OpenMP will not be measured: no temporary directory: %s", work->openmp->name,
			   strerror(errno));
		return 0;
	}
	return 1;
}

int fathom_openmp_build(const struct fathom_openmp *openmp, char *const *args, size_t count)
{
	struct work work = { .openmp = openmp };
	int code = -1;

	fathom_line_cut(&work.cut, args, count);
	find_flags(&work);
	if (prepare(&work)) {
		if (openmp->options->verbose)
			fathom_words_show(openmp->plain);
		code = fathom_process_run(openmp->path, openmp->plain->list, NULL);
		if (code == 0)
			do_units(&work);
		fathom_process_end();
		fathom_process_remove();
	}
	fathom_line_words_fini(&work.cut);
	fathom_words_fini(&work.flags);
	free(work.units);
	free(work.opari);
	return code < 0 ? -1 : code;
}
