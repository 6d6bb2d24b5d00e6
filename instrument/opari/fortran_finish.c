#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/word_list.h"
#include "opari/fortran_source.h"

/* The state while the two files of OPARI2 are made into one. */
struct finisher {
	struct fathom_fortran *source;
	struct fathom_words called;	/* the subroutines that OPARI2's code calls, each once */
	char *block, *own_block;	/* the name of OPARI2's common block, and the name that replaces it */
	struct fathom_buffer declared;	/* the include file with corrected declarations */
	struct fathom_buffer *result;
};

static int is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static int starts(const char *text, const char *end, const char *start)
{
	return (size_t)(end - text) >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

static const char *line_end(const char *text, const char *end)
{
	const char *found = memchr(text, '\n', (size_t)(end - text));

	return found ? found : end;
}

static const char *find(const char *text, const char *end, const char *what)
{
	return memmem(text, (size_t)(end - text), what, strlen(what));
}

/* Finds the subroutines that OPARI2's code calls. IMPLICIT NONE may require that they are declared. */
static void find_calls(struct finisher *finisher, const struct fathom_buffer *text)
{
	const char *at = text->text, *end = text->text + text->length;

	while ((at = find(at, end, "call POMP2_"))) {
		const char *name = at + strlen("call ");
		size_t length = 0, i = 0;

		while (name + length < end && is_letter(name[length]))
			length++;
		at = name + length;
		while (i < finisher->called.count && (strlen(finisher->called.list[i]) != length ||
						    memcmp(finisher->called.list[i], name, length) != 0))
			i++;
		if (i == finisher->called.count)
			fathom_words_addf(&finisher->called, "%.*s", (int)length, name);
	}
}

/* Finds the name of the common block, which contains the time. The name that replaces it is always the same for the
 * same source and object file. */
static void find_block(struct finisher *finisher, const struct fathom_buffer *include, unsigned long long unique)
{
	const char *end = include->text + include->length;
	const char *at = find(include->text, end, "common /cb");
	size_t length = 0;

	if (!at)
		return;
	at += strlen("common /");
	while (at + length < end && is_letter(at[length]))
		length++;
	finisher->block = fathom_text("%.*s", (int)length, at);
	finisher->own_block = fathom_text("fathom_%016llx", unique);
}

/* Writes a line: removes the prefix that hid the line from OPARI2, and replaces the name of the common block. */
static void put_text(const struct finisher *finisher, const char *at, const char *end, struct fathom_buffer *result)
{
	size_t length = finisher->block ? strlen(finisher->block) : 0;

	if (starts(at, end, FATHOM_FORTRAN_HIDE))
		at += strlen(FATHOM_FORTRAN_HIDE);
	while (at < end) {
		const char *begin = at;

		while (at < end && is_letter(*at))
			at++;
		if (length && (size_t)(at - begin) == length && memcmp(begin, finisher->block, length) == 0)
			fathom_buffer_puts(result, finisher->own_block);
		else
			fathom_buffer_add(result, begin, (size_t)(at - begin));
		if (at < end)
			fathom_buffer_add(result, at++, 1);
	}
}

/* Makes the declarations for each program unit. They declare all called functions as external. */
static void correct_include(struct finisher *finisher, const struct fathom_buffer *include)
{
	static const char *const functions[] = { "pomp2_lib_get_max_threads", "pomp2_test_lock",
						 "pomp2_test_nest_lock" };
	const char *at = include->text, *end = include->text + include->length;

	while (at < end) {
		const char *stop = line_end(at, end);

		if (stop > at) {
			put_text(finisher, at, stop, &finisher->declared);
			fathom_buffer_puts(&finisher->declared, "\n");
		}
		at = stop + 1;
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		fathom_buffer_addf(&finisher->declared, "      external %s\n", functions[i]);
	for (size_t i = 0; i < finisher->called.count; i++)
		fathom_buffer_addf(&finisher->declared, "      external %s\n", finisher->called.list[i]);
}

/* Returns whether a line of the directive that continues at `at` makes pomp2_if private. */
static int is_private_already(const char *at, const char *end)
{
	while (at < end) {
		const char *stop = line_end(at, end);

		if (find(at, stop, "private(pomp2_if"))
			return 1;
		if (!find(at, stop, "$omp"))
			return 0;
		at = stop + 1;
	}
	return 0;
}

/* OPARI2 stores the conditions of tasks in variables of the program unit. The threads of a region would share these
 * variables and overwrite each other's conditions. This function adds a line that makes the variables private. */
static void put_private(struct finisher *finisher, const char *line, const char *stop, const char *end)
{
	const char *clauses = find(line, stop, "firstprivate(pomp2_old_task) private(pomp2_new_task)");
	const char *rest;

	if (!clauses || is_private_already(stop + 1 < end ? stop + 1 : end, end))
		return;
	rest = clauses + strlen("firstprivate(pomp2_old_task) private(pomp2_new_task)");
	fathom_buffer_addf(finisher->result, "%.*sprivate(pomp2_if,pomp2_num_threads)%s\n", (int)(clauses - line), line,
			   find(rest, stop, "&") || finisher->source->is_fixed == 0 ? " &" : "");
}

/* OPARI2 omits the string that describes the construct in the call at the enter of combined sections, although other
 * calls have it, and the compiler reports the difference. Returns true if the line was such a call, and writes the
 * whole call. */
static int put_enter(struct finisher *finisher, const char *at, const char *end)
{
	static const char call[] = "      call POMP2_Sections_enter(opari2_region_";
	const char *number = at + strlen(call), *stop = number;

	if (!starts(at, end, call))
		return 0;
	while (stop < end && isdigit((unsigned char)*stop))
		stop++;
	if (stop + 1 != end || *stop != ')')
		return 0;
	fathom_buffer_addf(finisher->result, "%s%.*s,opari2_ctc_%.*s)\n", call, (int)(stop - number), number,
			   (int)(stop - number), number);
	return 1;
}

static void put_marker(struct finisher *finisher, const struct fathom_marker *marker)
{
	const struct fathom_name *name = fathom_names_find(&finisher->source->names, marker->file, marker->file_length);

	if (name)	/* markers of other files are from OPARI2's input file */
		fathom_buffer_addf(finisher->result, "# %lu \"%s\"%.*s\n", marker->line, name->written,
				   (int)marker->flags_length, marker->flags);
}

int fathom_fortran_finish(struct fathom_fortran *source, const struct fathom_buffer *text,
			  const struct fathom_buffer *include, unsigned long long unique,
			  struct fathom_buffer *result)
{
	struct finisher finisher = { .source = source, .result = result };
	const char *at = text->text, *end;
	int included = 0;

	/* OPARI2's last subroutine would register all constructs. It is left out, because each construct registers
	 * itself at its first use. */
	end = find(at, text->text + text->length, "      subroutine POMP2_Init_reg_");
	if (!end)
		end = text->text + text->length;
	find_calls(&finisher, text);
	find_block(&finisher, include, unique);
	correct_include(&finisher, include);
	/* The compiler takes the name of the source from the first marker. This marker has no other effect. */
	fathom_buffer_addf(result, "# 1 \"%s\"\n", source->names.list[0].written);
	while (at < end) {
		const char *stop = line_end(at, end);
		struct fathom_marker marker;

		if (starts(at, stop, "      include '") && find(at, stop, ".opari.inc'")) {
			fathom_buffer_add(result, finisher.declared.text, finisher.declared.length);
			included = 1;
		} else if (at < stop && fathom_marker_read(&marker, at, (size_t)(stop - at))) {
			put_marker(&finisher, &marker);
		} else if (put_enter(&finisher, at, stop)) {
			;
		} else if (at > text->text || at < stop) {
			put_private(&finisher, at, stop, end);
			put_text(&finisher, at, stop, result);
			fathom_buffer_puts(result, "\n");
		}
		at = stop + 1;
	}
	fathom_words_fini(&finisher.called);
	fathom_buffer_fini(&finisher.declared);
	free(finisher.block);
	free(finisher.own_block);
	return included ? 0 : -EINVAL;
}
