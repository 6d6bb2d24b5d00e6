#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/word_list.h"
#include "opari/c_source.h"

/* The macros of OPARI2's include file, by number: their names and their values. */
struct macros {
	struct fathom_words names, values;
};

static int starts(const char *text, const char *end, const char *start)
{
	return (size_t)(end - text) >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

static const char *line_end(const char *text, const char *end)
{
	const char *found = memchr(text, '\n', (size_t)(end - text));

	return found ? found : end;
}

/* Reads a line "#define NAME VALUE". */
static void take_macro(struct macros *macros, const char *line, const char *end)
{
	const char *name = line + strlen("#define ");
	const char *blank = memchr(name, ' ', (size_t)(end - name));

	if (!blank)
		return;
	fathom_words_addf(&macros->names, "%.*s", (int)(blank - name), name);
	fathom_words_addf(&macros->values, "%.*s", (int)(end - blank - 1), blank + 1);
}

/* Reads the declarations in the include file. The function behind them, which would register all constructs, is left
 * out: each construct registers itself at its first use. The name of that function contains the time, so code with it
 * would differ in each build. */
static void take_include(struct macros *macros, const struct fathom_buffer *include, int is_cxx,
			 struct fathom_buffer *declared)
{
	const char *at = include->text, *end = include->text + include->length;

	while (at < end) {
		const char *stop = line_end(at, end);

		if (starts(at, stop, "#define "))
			take_macro(macros, at, stop);
		else if (starts(at, stop, "extern int64_t "))
			/* g++ cannot copy thread_local variables that another file defines into a task, but can copy
			 * __thread variables */
			fathom_buffer_addf(declared, "extern %sPOMP2_Task_handle %.*s\n",
					   is_cxx ? "\"C\" __thread " : "", (int)(stop - at) - 15, at + 15);
		else if (starts(at, stop, "static OPARI2_Region_handle ") ||
			 starts(at, stop, "#pragma omp threadprivate"))
			fathom_buffer_addf(declared, "%.*s\n", (int)(stop - at), at);
		at = stop + 1;
	}
}

/* Writes a line marker with the name of the file as the compiler wrote it. A marker of the compiler says whether the
 * file is a system header. A marker of OPARI2, which contains the word line, does not say so, and the last known value
 * holds. */
static void put_marker(struct fathom_c_source *source, const struct fathom_marker *marker, int is_opari,
		       struct fathom_buffer *result)
{
	struct fathom_name *name = fathom_names_find(&source->names, marker->file, marker->file_length);

	fathom_buffer_addf(result, "# %lu \"%.*s\"", marker->line,
			   (int)(name ? strlen(name->written) : marker->file_length),
			   name ? name->written : marker->file);
	if (!is_opari)
		fathom_buffer_add(result, marker->flags, marker->flags_length);
	else if (name && name->is_system)
		fathom_buffer_puts(result, " 3");
	if (name && !is_opari)
		name->is_system = memchr(marker->flags, '3', marker->flags_length) != NULL;
}

static const char *find_macro(const struct macros *macros, const char *name, size_t length)
{
	for (size_t i = 0; i < macros->names.count; i++) {
		if (strlen(macros->names.list[i]) == length && memcmp(macros->names.list[i], name, length) == 0)
			return macros->values.list[i];
	}
	return NULL;
}

static int is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Writes a line of code: replaces macros by their values, and removes the prefix that hid words from OPARI2. */
static void put_code(const struct macros *macros, const char *at, const char *end, struct fathom_buffer *result)
{
	static const char call[] = "  int pomp2_num_threads = omp_get_max_threads();";
	size_t hide = strlen(FATHOM_C_HIDE);

	if (starts(at, end, call)) {
		/* The source may declare omp_get_max_threads in any way, so the code calls another function. */
		fathom_buffer_puts(result, "  int pomp2_num_threads = POMP2_Lib_get_max_threads();");
		at += strlen(call);
	}
	while (at < end) {
		const char *begin = at, *value;

		while (at < end && is_letter(*at))
			at++;
		value = starts(begin, at, "opari2_ctc_") || starts(begin, at, "POMP2_DLIST_")
				? find_macro(macros, begin, (size_t)(at - begin)) : NULL;
		if (value) {
			fathom_buffer_puts(result, value);
		} else if (at > begin) {
			const char *hidden;

			while ((hidden = memmem(begin, (size_t)(at - begin), FATHOM_C_HIDE, hide))) {
				fathom_buffer_add(result, begin, (size_t)(hidden - begin));
				begin = hidden + hide;
			}
			fathom_buffer_add(result, begin, (size_t)(at - begin));
		}
		for (begin = at; at < end && !is_letter(*at);)
			at++;
		fathom_buffer_add(result, begin, (size_t)(at - begin));
	}
}

int fathom_c_source_finish(struct fathom_c_source *source, const struct fathom_buffer *text,
			const struct fathom_buffer *include, struct fathom_buffer *result)
{
	struct fathom_buffer declared = { 0 };
	struct macros macros = { 0 };
	const char *at = text->text, *end = text->text + text->length;
	int included = 0;

	take_include(&macros, include, source->is_cxx, &declared);
	while (at < end) {
		const char *stop = line_end(at, end);
		struct fathom_marker marker;

		if (!included && starts(at, stop, "#include \"")) {
			fathom_buffer_add(result, declared.text, declared.length);
			included = 1;
		} else if (*at == '#' && fathom_marker_read(&marker, at, (size_t)(stop - at))) {
			put_marker(source, &marker, starts(at, stop, "#line"), result);
		} else {
			put_code(&macros, at, stop, result);
		}
		fathom_buffer_puts(result, "\n");
		at = stop + 1;
	}
	fathom_words_fini(&macros.names);
	fathom_words_fini(&macros.values);
	fathom_buffer_fini(&declared);
	return included ? 0 : -EINVAL;
}

void fathom_c_source_fini(struct fathom_c_source *source)
{
	fathom_names_fini(&source->names);
}
