#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/word_list.h"
#include "opari/c_source.h"
#include "opari/directive.h"
#include "opari/lock_names.h"
#include "opari/token.h"

/* The declarations of the functions that OPARI2's code calls. They include no header, because the header might read
 * another set of feature macros than the source needs. omp.h declares the lock functions, and OPARI2 renames these
 * declarations in the same way as the calls. On all machines for which GCC has OpenMP, long long has 64 bits. */
#define ONE(name) "void POMP2_" name "(OPARI2_Region_handle *)" NOTHROW
#define TEXT(name) "void POMP2_" name "(OPARI2_Region_handle *, const char *)" NOTHROW
#define OLD(name) "void POMP2_" name "(OPARI2_Region_handle *, POMP2_Task_handle)" NOTHROW
#define SAVE(name) "void POMP2_" name "(OPARI2_Region_handle *, POMP2_Task_handle *)" NOTHROW
#define SAVE_TEXT(name) "void POMP2_" name "(OPARI2_Region_handle *, POMP2_Task_handle *, const char *)" NOTHROW
#define CREATE(name) "void POMP2_" name "(OPARI2_Region_handle *, POMP2_Task_handle *, POMP2_Task_handle *, int, " \
	"const char *)" NOTHROW
#define NOTHROW " __attribute__((__nothrow__));\n"
static const char declarations[] =
	"typedef void *OPARI2_Region_handle;\n"
	"__extension__ typedef long long POMP2_Task_handle;\n"
	"int POMP2_Lib_get_max_threads(void)" NOTHROW
	"void POMP2_Parallel_fork(OPARI2_Region_handle *, int, int, POMP2_Task_handle *, const char *)" NOTHROW
	ONE("Parallel_begin") ONE("Parallel_end") OLD("Parallel_join")
	TEXT("For_enter") ONE("For_exit") TEXT("Sections_enter") ONE("Sections_exit")
	TEXT("Section_begin") ONE("Section_end") TEXT("Workshare_enter") ONE("Workshare_exit")
	TEXT("Single_enter") ONE("Single_exit") ONE("Single_begin") ONE("Single_end")
	TEXT("Master_begin") ONE("Master_end")
	TEXT("Critical_enter") ONE("Critical_begin") ONE("Critical_end") ONE("Critical_exit")
	TEXT("Ordered_enter") ONE("Ordered_begin") ONE("Ordered_end") ONE("Ordered_exit")
	TEXT("Atomic_enter") ONE("Atomic_exit") TEXT("Flush_enter") ONE("Flush_exit")
	SAVE_TEXT("Barrier_enter") OLD("Barrier_exit") SAVE("Implicit_barrier_enter") OLD("Implicit_barrier_exit")
	CREATE("Task_create_begin") OLD("Task_create_end") OLD("Task_begin") ONE("Task_end")
	CREATE("Untied_task_create_begin") OLD("Untied_task_create_end") OLD("Untied_task_begin") ONE("Untied_task_end")
	SAVE_TEXT("Taskwait_begin") OLD("Taskwait_end");

struct reader {
	struct fathom_c_source *source;
	const char *text;
	size_t length;
	struct fathom_edits edits;
	size_t counted;			/* offset up to which the lines have been counted */
	unsigned long line;
	const char *file;		/* absolute name of the current file */
	int is_system;			/* the file is a system header */
	size_t target_end;		/* offset of the end of code that may run on another device */
	int after_head;			/* the last token was ), else or do, so a statement must follow */
};

static unsigned long line_at(struct reader *reader, size_t at)
{
	for (; reader->counted < at; reader->counted++)
		reader->line += reader->text[reader->counted] == '\n';
	return reader->line;
}

/* Returns `# 12 "file"` as a separate line, which does not change the line numbers behind it. */
static char *marker_text(const struct reader *reader, unsigned long line)
{
	return fathom_text("\n# %lu \"%s\"%s\n", line, reader->file ? reader->file : "",
			   reader->is_system ? " 3" : "");
}

/* Returns the line number at offset `to`; line is the number at offset `from`. */
static unsigned long line_between(const struct reader *reader, size_t from, unsigned long line, size_t to)
{
	const char *at = reader->text + from, *end = reader->text + to;
	struct fathom_marker marker;

	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		const char *stop;

		at++;
		stop = memchr(at, '\n', (size_t)(end - at));
		line = stop && fathom_marker_read(&marker, at, (size_t)(stop - at)) ? marker.line - 1 : line + 1;
	}
	return line;
}

static size_t line_begin(const char *text, size_t at)
{
	while (at && text[at - 1] != '\n')
		at--;
	return at;
}

/* Returns the text behind `#pragma omp` on a line. NULL: the line is not such a directive. */
static const char *find_directive(const char *text, size_t length)
{
	static const char *const words[] = { "pragma", "omp" };
	const char *at = text + 1, *end = text + length;

	for (size_t i = 0; i < 2; i++) {
		while (at < end && isblank((unsigned char)*at))
			at++;
		if ((size_t)(end - at) < strlen(words[i]) || memcmp(at, words[i], strlen(words[i])) != 0)
			return NULL;
		at += strlen(words[i]);
	}
	return at < end && (isalnum((unsigned char)*at) || *at == '_') ? NULL : at;
}

/* --- bodies ------------------------------------------------------------------------------------------- */

static void put_braces(struct reader *reader, size_t begin, size_t end)
{
	fathom_edits_add(&reader->edits, begin, 0, "{");
	fathom_edits_add(&reader->edits, end, 0, "}");
}

/* Puts braces around lines that begin with #, each of which must remain a line. */
static void put_lines(struct reader *reader, size_t begin, size_t end, unsigned long line)
{
	char *marker = marker_text(reader, line);
	char *open = fathom_text("{%s", marker);

	begin = line_begin(reader->text, begin);
	fathom_edits_add(&reader->edits, begin, 0, open);
	fathom_edits_add(&reader->edits, end, 0, "}");
	free(open);
	free(marker);
}

/* Puts braces around a statement unless it has braces. Without them OPARI2 does not find the end of the statement. */
static void brace_body(struct reader *reader, size_t body, size_t end, unsigned long line)
{
	if (reader->text[body] == '#')
		put_lines(reader, body, end, line);
	else if (reader->text[body] != '{')
		put_braces(reader, body, end);
}

/* Returns whether a statement is a loop. Pragmas other than those of OpenMP may precede the loop. */
static int begins_loop(const struct reader *reader, size_t body)
{
	struct fathom_token token = fathom_token_next(reader->text, reader->length, body);

	while (token.kind == FATHOM_TOKEN_LINE &&
	       !find_directive(reader->text + token.begin, token.end - token.begin))
		token = fathom_token_next(reader->text, reader->length, token.end);
	return fathom_token_is(reader->text, token, "for");
}

/* Returns the offset behind the parenthesis that closes the one of the token. */
static size_t skip_head(const struct reader *reader, struct fathom_token token)
{
	int depth = 0;

	for (;;) {
		if (token.kind == FATHOM_TOKEN_MARK)
			depth += (reader->text[token.begin] == '(') - (reader->text[token.begin] == ')');
		if (depth <= 0 || token.kind == FATHOM_TOKEN_END)
			return token.end;
		token = fathom_token_next(reader->text, reader->length, token.end);
	}
}

/* Puts braces around the body of the innermost loop; the directive requires that the outer statements are loops without
 * braces. at and line are the position behind the directive. */
static void brace_loop(struct reader *reader, size_t at, unsigned long line)
{
	size_t body = at;

	for (;;) {
		struct fathom_token token = fathom_token_next(reader->text, reader->length, body);
		size_t end;

		while (token.kind == FATHOM_TOKEN_LINE)	/* #pragma GCC ivdep */
			token = fathom_token_next(reader->text, reader->length, token.end);
		if (!fathom_token_is(reader->text, token, "for"))
			return;
		token = fathom_token_next(reader->text, reader->length, token.end);
		end = fathom_token_statement(reader->text, reader->length, skip_head(reader, token), &body);
		if (!end || reader->text[body] == '{')
			return;
		if (!begins_loop(reader, body)) {
			brace_body(reader, body, end, line_between(reader, at, line, body));
			return;
		}
	}
}

/* Ends the line behind the statement of an atomic construct. The statement must not have braces, so OPARI2 takes the
 * end of the line as the end of the statement. */
static void end_line(struct reader *reader, size_t body, size_t end, unsigned long line)
{
	char *marker;

	if (reader->text[body] == '{')
		return;
	marker = marker_text(reader, line_between(reader, body, line, end));
	fathom_edits_add_first(&reader->edits, end, marker);
	free(marker);
}

/* --- directives ------------------------------------------------------------------------------------------ */

/* Returns whether a text contains the word. */
static int has_word(const char *text, const char *word, size_t length)
{
	struct fathom_token token = { .end = 0 };

	do {
		token = fathom_token_next(text, strlen(text), token.end);
		if (token.end - token.begin == length && memcmp(text + token.begin, word, length) == 0)
			return 1;
	} while (token.kind != FATHOM_TOKEN_END);
	return 0;
}

/* Adds shared clauses for the variables of the loops at `at` that are declared outside of the loops and do not occur in
 * outer. */
static void add_loop_variables(const struct reader *reader, size_t at, const char *outer, struct fathom_buffer *text)
{
	for (;;) {
		struct fathom_token token = { .kind = FATHOM_TOKEN_LINE, .end = at }, name;

		while (token.kind == FATHOM_TOKEN_LINE || fathom_token_is(reader->text, token, "{"))
			token = fathom_token_next(reader->text, reader->length, token.end);
		if (!fathom_token_is(reader->text, token, "for"))
			return;
		token = fathom_token_next(reader->text, reader->length, token.end);
		name = fathom_token_next(reader->text, reader->length, token.end);
		if (name.kind == FATHOM_TOKEN_NAME &&
		    fathom_token_is(reader->text, fathom_token_next(reader->text, reader->length, name.end), "=") &&
		    !has_word(outer, reader->text + name.begin, name.end - name.begin))
			fathom_buffer_addf(text, " shared(%.*s)", (int)(name.end - name.begin),
					   reader->text + name.begin);
		at = skip_head(reader, token);
	}
}

/* Replaces a directive by its parts. Each inner part is in braces, which are closed behind the statement. */
static void put_split(struct reader *reader, const struct fathom_directive *directive, size_t at, size_t end,
		      size_t statement_end, unsigned long line)
{
	const char *parts[] = { directive->outer, directive->middle, directive->inner };
	struct fathom_buffer text = { 0 };
	char *marker = marker_text(reader, line);

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (i && parts[i]) {
			fathom_buffer_addf(&text, "\n{%s", marker);
			fathom_edits_add(&reader->edits, statement_end, 0, "}");
		}
		if (parts[i])
			fathom_buffer_addf(&text, "#pragma omp %s", parts[i]);
		if (i == 0 && directive->is_strict)
			add_loop_variables(reader, end, directive->outer, &text);
	}
	fathom_edits_add(&reader->edits, at, end - at, text.text);
	fathom_buffer_fini(&text);
	free(marker);
}

/* Returns whether a target directive is target data. The body of target data runs on the host. */
static int is_data_only(const char *text, const char *end)
{
	struct fathom_token token = { .end = 0 };
	size_t length = (size_t)(end - text);

	for (int i = 0; i < 2; i++)
		token = fathom_token_next(text, length, token.end);
	return fathom_token_is(text, token, "data");
}

/* Puts a semicolon before a word such as "elsewhere" behind the statement. OPARI2 takes every word that begins with
 * "else" as the keyword, and the code behind the word as a part of the statement. */
static void part_from_else(struct reader *reader, size_t end)
{
	struct fathom_token next = fathom_token_next(reader->text, reader->length, end);

	while (next.kind == FATHOM_TOKEN_LINE)
		next = fathom_token_next(reader->text, reader->length, next.end);
	if (next.kind == FATHOM_TOKEN_NAME && next.end - next.begin > 4 &&
	    strncmp(reader->text + next.begin, "else", 4) == 0)
		fathom_edits_add(&reader->edits, next.begin, 0, ";");
}

/* Rewrites a directive, which is one line of the preprocessed text. */
static void see_directive(struct reader *reader, struct fathom_token token, const char *text)
{
	struct fathom_directive directive;
	unsigned long line = line_at(reader, token.begin);
	size_t body, end = 0;

	fathom_directive_read(&directive, text, (size_t)(reader->text + token.end - text));
	if (directive.name[0] && (directive.has_body || directive.is_seen))
		fathom_construct_counts_add(&reader->source->construct_counts, directive.name, line);
	if (token.begin < reader->target_end) {
		/* OPARI2's variables do not exist in code for another device. */
		fathom_edits_add(&reader->edits, (size_t)(text - reader->text) - 3, 0, FATHOM_C_HIDE);
		fathom_directive_fini(&directive);
		return;
	}
	reader->source->uses_openmp = 1;
	if (directive.has_body)
		end = fathom_token_statement(reader->text, reader->length, token.end, &body);
	if (end && reader->after_head)
		put_lines(reader, token.begin, end, line);
	if (end && directive.has_loop)
		brace_loop(reader, token.end, line);
	else if (end && strcmp(directive.name, "atomic") == 0)
		end_line(reader, body, end, line_between(reader, token.end, line, body));
	else if (end)
		brace_body(reader, body, end, line_between(reader, token.end, line, body));
	if (end)
		part_from_else(reader, end);
	if (end && strncmp(directive.name, "target", 6) == 0 && !is_data_only(text, reader->text + token.end))
		reader->target_end = end;
	if (directive.form == FATHOM_DIRECTIVE_HIDDEN) {
		fathom_edits_add(&reader->edits, (size_t)(text - reader->text) - 3, 0, FATHOM_C_HIDE);
	} else if (directive.form == FATHOM_DIRECTIVE_CHANGED) {
		char *changed = fathom_text(" %s", directive.outer);

		fathom_edits_add(&reader->edits, (size_t)(text - reader->text),
				 (size_t)(reader->text + token.end - text), changed);
		free(changed);
	} else if (directive.form == FATHOM_DIRECTIVE_SPLIT && end) {
		put_split(reader, &directive, token.begin, token.end, end, line);
	}
	fathom_directive_fini(&directive);
}

static void see_marker(struct reader *reader, struct fathom_token token, const struct fathom_marker *marker)
{
	const char *absolute = fathom_names_absolute(&reader->source->names, marker);
	size_t at = (size_t)(marker->file - reader->text);

	if (strlen(absolute) != marker->file_length || memcmp(absolute, marker->file, marker->file_length) != 0)
		fathom_edits_add(&reader->edits, at, marker->file_length, absolute);
	reader->file = absolute;
	reader->is_system = memchr(marker->flags, '3', marker->flags_length) != NULL;
	reader->line = marker->line;
	reader->counted = token.end + 1;	/* the marker has the number of the line behind it */
}

static void see_line(struct reader *reader, struct fathom_token token)
{
	const char *text = reader->text + token.begin;
	const char *directive = find_directive(text, token.end - token.begin);
	struct fathom_marker marker;

	if (directive)
		see_directive(reader, token, directive);
	else if (fathom_marker_read(&marker, text, token.end - token.begin))
		see_marker(reader, token, &marker);
}

/* --- other things ------------------------------------------------------------------------------------------ */

/* Writes 1'000 as 1000. OPARI2 would take the quote as the begin of a character. */
static void see_number(struct reader *reader, struct fathom_token token)
{
	for (size_t i = token.begin; i < token.end; i++) {
		if (reader->text[i] == '\'')
			fathom_edits_add(&reader->edits, i, 1, "");
	}
}

/* Writes a raw string as ordinary strings, one for each of its lines. */
static void see_raw(struct reader *reader, struct fathom_token token)
{
	const char *begin = reader->text + token.begin, *end = reader->text + token.end;
	const char *quote = memchr(begin, '"', token.end - token.begin);
	const char *from = memchr(quote, '(', (size_t)(end - quote));
	struct fathom_buffer text = { 0 };
	const char *to;

	if (!from || end - from < from - quote + 1)
		return;
	to = end - (from - quote) - 1;	/* the parenthesis that closes the raw string */
	fathom_buffer_addf(&text, "%.*s\"", (int)(quote - begin) - 1, begin);
	for (const char *at = from + 1; at < to; at++) {
		if (*at == '\n')
			fathom_buffer_addf(&text, "\\n\"\n%.*s\"", (int)(quote - begin) - 1, begin);
		else if (strchr("\\\"?", *at) && *at)
			fathom_buffer_addf(&text, "\\%c", *at);
		else
			fathom_buffer_add(&text, at, 1);
	}
	fathom_buffer_puts(&text, "\"");
	fathom_edits_add(&reader->edits, token.begin, token.end - token.begin, text.text);
	fathom_buffer_fini(&text);
}

/* Checks a name. OPARI2's code declares variables with some names, which would hide variables of the source. The lock
 * functions are renamed here, in calls and in the declarations of omp.h. OPARI2 itself would also change longer names
 * that contain the name of a lock function, and would not change the declarations. */
static void see_name(struct reader *reader, struct fathom_token token)
{
	static const char *const taken[] = { "pomp2_if", "pomp2_num_threads", "pomp2_old_task", "pomp2_new_task" };
	const char *text = reader->text + token.begin;
	size_t length = token.end - token.begin;

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		if (fathom_token_is(reader->text, token, taken[i]))
			reader->source->trouble = "it uses a name of OPARI2's (pomp2_...)";
	}
	if (fathom_lock_is(text, length)) {
		char *own = fathom_text("POMP2_%c", toupper((unsigned char)text[4]));

		fathom_edits_add(&reader->edits, token.begin, 5, own);
		reader->source->uses_openmp |= !reader->is_system;
		free(own);
	}
}

static void see_token(struct reader *reader, struct fathom_token token)
{
	switch (token.kind) {
	case FATHOM_TOKEN_LINE:
		see_line(reader, token);
		return;		/* a line with # does not count as the token before the next one */
	case FATHOM_TOKEN_NAME:
		see_name(reader, token);
		break;
	case FATHOM_TOKEN_NUMBER:
		see_number(reader, token);
		break;
	case FATHOM_TOKEN_RAW:
		see_raw(reader, token);
		break;
	case FATHOM_TOKEN_STRING:
	case FATHOM_TOKEN_MARK:
	case FATHOM_TOKEN_END:
		break;
	}
	reader->after_head = fathom_token_is(reader->text, token, ")") ||
			     fathom_token_is(reader->text, token, "else") ||
			     fathom_token_is(reader->text, token, "do");
}

/* Returns the length of the first lines, which name the source and the directory. The declarations are put behind
 * them. */
static size_t head_length(const char *text, size_t length)
{
	struct fathom_marker marker;
	const char *end = memchr(text, '\n', length);
	const char *next;

	if (!end || !fathom_marker_read(&marker, text, (size_t)(end - text)))
		return 0;
	next = memchr(end + 1, '\n', length - (size_t)(end + 1 - text));
	if (next && fathom_marker_read(&marker, end + 1, (size_t)(next - end - 1)) && marker.file_length > 2 &&
	    memcmp(marker.file + marker.file_length - 2, "//", 2) == 0)
		end = next;
	return (size_t)(end + 1 - text);
}

void fathom_c_source_prepare(struct fathom_c_source *source, const char *text, size_t length,
			     struct fathom_buffer *result)
{
	struct reader reader = { .source = source, .text = text, .length = length, .line = 1 };
	size_t head = head_length(text, length);
	struct fathom_token token = { .end = 0 };
	char *own = fathom_text("# 1 \"<fathom>\" 3\n%s%s%s___POMP2_INCLUDE___\n%s",
				source->is_cxx ? "extern \"C\" {\n" : "", declarations, source->is_cxx ? "}\n" : "",
				head ? "" : "# 1 \"<stdin>\"\n");

	fathom_edits_add(&reader.edits, head, 0, own);
	do {
		token = fathom_token_next(text, length, token.end);
		see_token(&reader, token);
	} while (token.kind != FATHOM_TOKEN_END);
	fathom_edits_apply(&reader.edits, text, length, result);
	fathom_edits_fini(&reader.edits);
	free(own);
}
