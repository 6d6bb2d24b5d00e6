#define _GNU_SOURCE
#include "opari/rewrite.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "opari/buffer.h"
#include "opari/c_source.h"
#include "opari/fortran_source.h"
#include "opari/child_process.h"

/* Returns whether an option has no meaning, or causes harm, if only the preprocessor runs. */
static int is_wrong_for_preprocessor(const char *word)
{
	return strcmp(word, "-P") == 0 || strcmp(word, "-fpreprocessed") == 0;
}

/* Returns the text behind ERROR in the output of OPARI2, and the position in the source. */
static char *reason_of(const char *log)
{
	struct fathom_buffer text = { 0 };
	const char *error, *end, *near;
	char *reason;

	if (fathom_buffer_read(&text, log) || !text.length) {
		fathom_buffer_fini(&text);
		return fathom_text("OPARI2 gives no reason");
	}
	error = strcasestr(text.text, "error: ");
	error = error ? error + 7 : text.text;
	end = strchrnul(error, '\n');
	/* OPARI2 writes: near "OpenMP: for" construct at FILE:LINE. */
	near = *end ? end + 1 + strspn(end + 1, " ") : end;
	if (strncmp(near, "near ", 5) != 0)
		near = "";
	reason = fathom_text("OPARI2: %.*s%s%.*s", (int)(end - error), error, *near ? " " : "",
			     (int)strcspn(near, "\n"), near);
	fathom_buffer_fini(&text);
	return reason;
}

static int run(struct fathom_rewrite *rewrite, const char *program, struct fathom_words *command, const char *log)
{
	int code;

	if (rewrite->verbose)
		fathom_words_show(command);
	code = fathom_process_run(program, command->list, log);
	fathom_words_fini(command);
	return code;
}

/* Preprocesses the source. 0, or rewrite->trouble is set. */
static int preprocess(struct fathom_rewrite *rewrite, const struct fathom_unit *unit, const char *language,
		      struct fathom_buffer *text)
{
	struct fathom_words command = { 0 };
	char *output = fathom_text("%s/plain", rewrite->folder), *log = fathom_text("%s/log", rewrite->folder);
	int code = 0;

	for (size_t i = 0; i < rewrite->front->count; i++)
		fathom_words_add(&command, rewrite->front->list[i]);
	for (size_t i = 0; i < rewrite->flags->count; i++) {
		if (!is_wrong_for_preprocessor(rewrite->flags->list[i]))
			fathom_words_add(&command, rewrite->flags->list[i]);
	}
	fathom_words_add(&command, "-E");
	fathom_words_add(&command, "-o");
	fathom_words_add(&command, output);
	fathom_words_add(&command, "-x");
	fathom_words_add(&command, language);
	fathom_words_add(&command, unit->path);
	code = run(rewrite, rewrite->compiler, &command, log);
	if (!code && fathom_buffer_read(text, output))
		code = 1;
	if (code)
		rewrite->trouble = fathom_text("it cannot be preprocessed apart");
	free(output);
	free(log);
	return code;
}

/* Runs OPARI2, which reads in and writes out and in.opari.inc. 0, or rewrite->trouble is set. */
static int run_opari(struct fathom_rewrite *rewrite, const char *const *options, const char *in, const char *out)
{
	struct fathom_words command = { 0 };
	char *log = fathom_text("%s/log", rewrite->folder);
	int code;

	fathom_words_add(&command, rewrite->opari);
	fathom_words_add(&command, "--omp-task-untied=keep");
	fathom_words_add(&command, "--omp-tpd");
	fathom_words_add(&command, "--omp-tpd-mangling=gnu");
	/* Not measured are constructs that take less time than measuring them, locks, which were replaced before, and
	 * OPARI2's own directives. */
	fathom_words_addf(&command, "--disable=omp:locks%s+pomp", rewrite->atomic ? "" : ",atomic,flush");
	fathom_words_add(&command, "--preprocessed");
	for (size_t i = 0; options[i]; i++)
		fathom_words_add(&command, options[i]);
	fathom_words_add(&command, in);
	fathom_words_add(&command, out);
	code = run(rewrite, rewrite->opari, &command, log);
	if (code == 127 || code < 0)
		rewrite->trouble = fathom_text("%s: %s", rewrite->opari, strerror(code < 0 ? -code : ENOENT));
	else if (code > 128)
		rewrite->trouble = fathom_text("OPARI2 was ended by signal %d", code - 128);
	else if (code)
		rewrite->trouble = reason_of(log);
	free(log);
	return code;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Returns folder/BASE.suffix, where BASE is from the name of the source, because the object file contains the name. */
static char *own_file(const struct fathom_rewrite *rewrite, const struct fathom_unit *unit, const char *suffix)
{
	const char *base = base_name(unit->path), *dot = strrchr(base, '.');

	return fathom_text("%s/%.*s.%s", rewrite->folder, dot ? (int)(dot - base) : (int)strlen(base), base, suffix);
}

static int write_text(struct fathom_rewrite *rewrite, const struct fathom_buffer *text, const char *path)
{
	int err = fathom_buffer_write(text, path);

	if (err)
		rewrite->trouble = fathom_text("%s: %s", path, strerror(-err));
	return err;
}

/* The two files that OPARI2 writes. */
struct transformed {
	struct fathom_buffer text, include;
};

/* Runs OPARI2 on a prepared source. options: OPARI2's options for the language; suffix: that of its files. 0, or
 * rewrite->trouble is set. */
static int transform(struct fathom_rewrite *rewrite, const struct fathom_buffer *prepared, const char *const *options,
		     const char *suffix, struct transformed *transformed)
{
	char *in = fathom_text("%s/in.%s", rewrite->folder, suffix);
	char *out = fathom_text("%s/out.%s", rewrite->folder, suffix);
	char *include = fathom_text("%s.opari.inc", in);
	int err = write_text(rewrite, prepared, in);

	if (!err)
		err = run_opari(rewrite, options, in, out);
	if (!err && (fathom_buffer_read(&transformed->text, out) ||
		     fathom_buffer_read(&transformed->include, include))) {
		rewrite->trouble = fathom_text("OPARI2 wrote nothing");
		err = 1;
	}
	free(in);
	free(out);
	free(include);
	return err;
}

/* Writes the finished text. err: not 0 if the text could not be finished; then this function sets rewrite->trouble. */
static void put_result(struct fathom_rewrite *rewrite, const struct fathom_unit *unit, const char *suffix, int err,
		       const struct fathom_buffer *text)
{
	char *path = own_file(rewrite, unit, suffix);

	if (err)
		rewrite->trouble = fathom_text("OPARI2 found no place for its declarations");
	else if (write_text(rewrite, text, path) == 0)
		rewrite->result = fathom_text("%s", path);
	free(path);
}

static void transform_c(struct fathom_rewrite *rewrite, const struct fathom_unit *unit, struct fathom_c_source *source,
			const struct fathom_buffer *prepared)
{
	const char *const options[] = { source->is_cxx ? "--c++" : "--c", NULL };
	struct transformed transformed = { 0 };
	struct fathom_buffer result = { 0 };

	if (transform(rewrite, prepared, options, source->is_cxx ? "cc" : "c", &transformed) == 0) {
		int err = fathom_c_source_finish(source, &transformed.text, &transformed.include, &result);

		put_result(rewrite, unit, source->is_cxx ? "ii" : "i", err, &result);
	}
	fathom_buffer_fini(&transformed.text);
	fathom_buffer_fini(&transformed.include);
	fathom_buffer_fini(&result);
}

static void rewrite_c(struct fathom_rewrite *rewrite, const struct fathom_unit *unit)
{
	struct fathom_c_source source = { .is_cxx = unit->language == FATHOM_LANGUAGE_CXX };
	struct fathom_buffer text = { 0 }, prepared = { 0 };

	rewrite->language = source.is_cxx ? "c++-cpp-output" : "cpp-output";
	if (!unit->preprocess) {
		if (fathom_buffer_read(&text, unit->path))
			rewrite->trouble = fathom_text("it cannot be read");
	} else {
		preprocess(rewrite, unit, source.is_cxx ? "c++" : "c", &text);
	}
	if (!rewrite->trouble)
		fathom_c_source_prepare(&source, text.text, text.length, &prepared);
	if (source.uses_openmp) {
		rewrite->lost = fathom_construct_counts_text(&source.construct_counts);
		if (source.trouble)
			rewrite->trouble = fathom_text("%s", source.trouble);
		else
			transform_c(rewrite, unit, &source, &prepared);
	}
	fathom_c_source_fini(&source);
	fathom_buffer_fini(&text);
	fathom_buffer_fini(&prepared);
}

/* --- Fortran ------------------------------------------------------------------------------------------- */

/* Returns the FNV-1a hash of the two names, which differs for all objects of a program. */
static unsigned long long number_of(const char *source, const char *object)
{
	unsigned long long number = 14695981039346656037u;

	for (const char *at = source; *at; at++)
		number = (number ^ (unsigned char)*at) * 1099511628211u;
	for (const char *at = object; *at; at++)
		number = (number ^ (unsigned char)*at) * 1099511628211u;
	return number;
}

static void transform_fortran(struct fathom_rewrite *rewrite, const struct fathom_unit *unit,
			      struct fathom_fortran *source, const struct fathom_buffer *prepared)
{
	const char *const options[] = { source->is_fixed ? "--f77" : "--f90",
					source->is_fixed ? "--fix-form" : "--free-form", NULL };
	const char *suffix = source->is_fixed ? "f" : "f90";
	char *whole = fathom_names_resolve(unit->path, strlen(unit->path));
	char *object = fathom_names_resolve(rewrite->object, strlen(rewrite->object));
	struct transformed transformed = { 0 };
	struct fathom_buffer result = { 0 };

	if (transform(rewrite, prepared, options, suffix, &transformed) == 0) {
		int err = fathom_fortran_finish(source, &transformed.text, &transformed.include,
						number_of(whole, object), &result);

		put_result(rewrite, unit, suffix, err, &result);
	}
	fathom_buffer_fini(&transformed.text);
	fathom_buffer_fini(&transformed.include);
	fathom_buffer_fini(&result);
	free(whole);
	free(object);
}

static void rewrite_fortran(struct fathom_rewrite *rewrite, const struct fathom_unit *unit)
{
	struct fathom_fortran source = { .is_fixed = unit->language == FATHOM_LANGUAGE_FIXED };
	struct fathom_buffer text = { 0 }, prepared = { 0 };

	rewrite->language = source.is_fixed ? "f77" : "f95";
	if (!unit->preprocess) {
		if (fathom_buffer_read(&text, unit->path))
			rewrite->trouble = fathom_text("it cannot be read");
	} else {
		preprocess(rewrite, unit, source.is_fixed ? "f77-cpp-input" : "f95-cpp-input", &text);
	}
	if (!rewrite->trouble)
		fathom_fortran_prepare(&source, unit->path, &text, &prepared);
	if (source.uses_openmp) {
		rewrite->lost = fathom_construct_counts_text(&source.construct_counts);
		if (source.trouble)
			rewrite->trouble = fathom_text("%s", source.trouble);
		else
			transform_fortran(rewrite, unit, &source, &prepared);
	}
	fathom_fortran_fini(&source);
	fathom_buffer_fini(&text);
	fathom_buffer_fini(&prepared);
}

void fathom_rewrite_run(struct fathom_rewrite *rewrite, const struct fathom_unit *unit)
{
	switch (unit->language) {
	case FATHOM_LANGUAGE_C:
	case FATHOM_LANGUAGE_CXX:
		rewrite_c(rewrite, unit);
		break;
	case FATHOM_LANGUAGE_FREE:
	case FATHOM_LANGUAGE_FIXED:
		rewrite_fortran(rewrite, unit);
		break;
	case FATHOM_LANGUAGE_OTHER:
		break;
	}
}

void fathom_rewrite_fini(struct fathom_rewrite *rewrite)
{
	free(rewrite->result);
	free(rewrite->trouble);
	free(rewrite->lost);
}
