#define _GNU_SOURCE
#include "opari/fortran_source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/word_list.h"
#include "opari/directive.h"
#include "opari/lock_names.h"

/* One line of the source, without the newline. */
struct line {
	const char *begin, *end;
	const char *directive;	/* the text behind the sentinel; NULL: the line is no directive */
	int is_continued;	/* the line continues the directive of an earlier line */
	unsigned long number;
};

struct reader {
	struct fathom_fortran *source;
	struct line *lines;
	size_t count;
	const char *file;	/* absolute name of the file of the current line */
	struct fathom_buffer *result;
	int in_program;		/* the first statement has been read */
};

static int starts(const char *text, const char *end, const char *start)
{
	return (size_t)(end - text) >= strlen(start) && strncasecmp(text, start, strlen(start)) == 0;
}

static const char *skip_blank(const char *text, const char *end)
{
	while (text < end && (isblank((unsigned char)*text) || *text == '\r'))
		text++;
	return text;
}

/* Returns the text behind !$omp; in fixed form also behind c$omp and *$omp in the first column. NULL: no sentinel. */
static const char *find_sentinel(const struct line *line, int is_fixed)
{
	const char *at = is_fixed ? line->begin : skip_blank(line->begin, line->end);

	if (at >= line->end || !(*at == '!' || (is_fixed && strchr("cC*", *at))) || !starts(at + 1, line->end, "$omp"))
		return NULL;
	at += 5;
	if (is_fixed)
		return at;
	return at == line->end || isblank((unsigned char)*at) || *at == '&' || *at == '\r' ? at : NULL;
}

/* Returns the end of the text of a free-form line, without a comment and without &. Sets *goes_on to whether the line
 * ends with &. */
static const char *content_end(const struct line *line, int *goes_on)
{
	const char *end = line->begin;
	char quote = '\0';

	for (const char *at = line->directive; at < line->end; at++) {
		if (quote ? *at == quote : *at == '\'' || *at == '"')
			quote = quote ? '\0' : *at;
		else if (*at == '!' && !quote)
			break;
		if (!isspace((unsigned char)*at))
			end = at + 1;
	}
	*goes_on = end > line->directive && end[-1] == '&';
	return *goes_on ? end - 1 : end;
}

/* Finds the lines that are directives, and those that continue one. */
static void find_directives(struct reader *reader)
{
	int goes_on = 0, is_fixed = reader->source->is_fixed;

	for (size_t i = 0; i < reader->count; i++) {
		struct line *line = &reader->lines[i];

		line->directive = find_sentinel(line, is_fixed);
		if (!line->directive) {
			/* comments may be between a line and its continuation */
			const char *at = skip_blank(line->begin, line->end);

			goes_on = goes_on && (at == line->end || *at == '!');
		} else if (is_fixed) {
			/* the character in column six, which follows the sentinel, marks a continuation */
			line->is_continued = line->directive < line->end && !strchr(" 0\t\r", *line->directive);
		} else {
			line->is_continued = goes_on;
			content_end(line, &goes_on);
		}
	}
}

/* Joins the text of all lines of a directive. Sets *last to its last line. */
static void join(const struct reader *reader, size_t first, struct fathom_buffer *text, size_t *last)
{
	*last = first;
	for (size_t i = first; i < reader->count; i++) {
		const struct line *line = &reader->lines[i];
		const char *begin = line->directive;
		int goes_on;

		if (i > first && (!begin || !line->is_continued)) {
			if (begin || (line->begin < line->end && line->begin[0] != '!'))
				return;
			continue;
		}
		if (reader->source->is_fixed && begin < line->end)
			begin++;
		else if (i > first && (begin = skip_blank(begin, line->end)) < line->end && *begin == '&')
			begin++;
		if (i > first)
			fathom_buffer_puts(text, " ");
		fathom_buffer_addf(text, "%.*s", (int)(content_end(line, &goes_on) - begin), begin);
		*last = i;
	}
}

/* For `end parallel do` or `endparallel do`, returns the text behind end; otherwise NULL. */
static const char *behind_end(const char *text)
{
	text += strspn(text, " \t");
	if (strncasecmp(text, "end", 3) != 0)
		return NULL;
	return text + 3 + strspn(text + 3, " \t");
}

/* Returns the line that ends the construct of the directive on line `first`; 0: none. */
static size_t find_end(const struct reader *reader, size_t first, const char *name)
{
	int depth = 1;

	for (size_t i = first + 1; i < reader->count; i++) {
		struct fathom_directive directive;
		struct fathom_buffer text = { 0 };
		const char *ended;
		size_t last;

		if (!reader->lines[i].directive || reader->lines[i].is_continued)
			continue;
		join(reader, i, &text, &last);
		fathom_buffer_puts(&text, "");
		ended = behind_end(text.text);
		fathom_directive_read(&directive, ended ? ended : text.text, strlen(ended ? ended : text.text));
		if (strcmp(directive.name, name) == 0)
			depth += ended ? -1 : 1;
		fathom_directive_fini(&directive);
		fathom_buffer_fini(&text);
		if (!depth)
			return i;
	}
	return 0;
}

/* --- writing -------------------------------------------------------------------------------------------- */

static void put_marker(struct reader *reader, unsigned long line)
{
	fathom_buffer_addf(reader->result, "# %lu \"%s\"\n", line, reader->file);
}

/* Writes a directive on as many lines as it needs. In fixed form a line has 72 columns. A clause that does not fit into
 * one line stays too long, and the compiler reports it. */
static void put_directive(struct reader *reader, const char *text)
{
	size_t column = strlen("!$omp"), most = reader->source->is_fixed ? 70 : 120;

	fathom_buffer_puts(reader->result, "!$omp");
	while (*text) {
		size_t length = 0;
		int depth = 0;

		text += strspn(text, " \t");
		for (; text[length] && (depth || !isblank((unsigned char)text[length])); length++)
			depth += (text[length] == '(') - (text[length] == ')');
		if (column + 1 + length > most) {
			fathom_buffer_puts(reader->result, reader->source->is_fixed ? "\n!$omp&" : " &\n!$omp");
			column = 6;
		}
		fathom_buffer_addf(reader->result, " %.*s", (int)length, text);
		column += length + 1;
		text += length;
	}
	fathom_buffer_puts(reader->result, "\n");
}

/* The text that replaces the directive at the end of a construct. */
struct replaced {
	size_t line;		/* 0: none */
	char *text;
};

/* The limit for split directives that are nested in each other. */
#define SPLITS 64

struct splits {
	struct replaced list[SPLITS];
	size_t count;
};

/* Writes a directive that replaces the one on the lines up to last. */
static void put_changed(struct reader *reader, const struct fathom_directive *directive, size_t last)
{
	put_directive(reader, directive->outer);
	if (directive->middle) {
		put_marker(reader, reader->lines[last].number);
		put_directive(reader, directive->middle);
	}
	if (directive->inner) {
		put_marker(reader, reader->lines[last].number);
		put_directive(reader, directive->inner);
	}
	put_marker(reader, reader->lines[last].number + 1);
}

/* Returns the name of the inner directive without clauses, as the end directive has it. */
static char *inner_name(const struct fathom_directive *directive)
{
	struct fathom_directive inner;
	char *name;

	fathom_directive_read(&inner, directive->inner, strlen(directive->inner));
	name = fathom_text("%s", inner.name);
	fathom_directive_fini(&inner);
	return name;
}

static void note_end(struct splits *splits, const struct fathom_directive *directive, size_t line)
{
	char *inner = inner_name(directive);
	const char *outer = strncmp(directive->outer, "master", 6) == 0 ? "master" : "parallel";

	splits->list[splits->count++] = (struct replaced){
		line, fathom_text("end %s\n%s%s%send %s", inner, directive->middle ? "end " : "",
				  directive->middle ? directive->middle : "", directive->middle ? "\n" : "", outer),
	};
	free(inner);
}

/* If the line ends a construct whose directive was split, writes the ends of its parts and returns true. */
static int put_end(struct reader *reader, struct splits *splits, size_t line)
{
	for (size_t i = 0; i < splits->count; i++) {
		char *text = splits->list[i].text, *rest = text, *part;

		if (splits->list[i].line != line)
			continue;
		while ((part = strsep(&rest, "\n"))) {
			put_directive(reader, part);
			put_marker(reader, reader->lines[line].number + !rest);
		}
		free(text);
		splits->list[i] = splits->list[--splits->count];
		return 1;
	}
	return 0;
}

/* Returns the end of the next piece of a line: a string, a name, or a single character. */
static const char *skip_piece(const char *at, const char *end)
{
	const char *begin = at;

	if (*at == '\'' || *at == '"') {
		const char *quote = memchr(at + 1, *at, (size_t)(end - at - 1));

		return quote ? quote + 1 : end;
	}
	while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
		at++;
	return at > begin ? at : at + 1;
}

/* Writes a line and replaces calls of lock functions in it. OPARI2 itself would replace only one call on a line, and
 * would also change longer names that contain the name of a lock function. The new name is two characters longer, so in
 * fixed form the statement may need another line. */
static void put_line(struct reader *reader, const struct line *line)
{
	const char *at = line->begin, *edge = line->end - line->begin > 72 ? line->begin + 72 : line->end;
	int grown = 0, broken = 0;

	while (edge > at && isspace((unsigned char)edge[-1]))
		edge--;
	while (at < line->end) {
		const char *begin = at, *next;

		at = skip_piece(at, line->end);
		next = skip_blank(at, line->end);
		if (!fathom_lock_is(begin, (size_t)(at - begin)) || next == line->end || *next != '(') {
			fathom_buffer_add(reader->result, begin, (size_t)(at - begin));
			continue;
		}
		grown += 2;
		if (reader->source->is_fixed && !broken && edge - line->begin + grown > 72) {
			fathom_buffer_puts(reader->result, "\n     &");
			broken = 1;
		}
		fathom_buffer_addf(reader->result, "POMP2_%c%.*s", toupper((unsigned char)begin[4]),
				   (int)(at - begin) - 5, begin + 5);
		reader->source->uses_openmp = 1;
	}
	fathom_buffer_puts(reader->result, "\n");
	if (broken)
		put_marker(reader, line->number + 1);
}

/* Rewrites a directive that begins on a line, and returns its last line. */
static size_t see_directive(struct reader *reader, struct splits *splits, size_t first)
{
	struct fathom_directive directive;
	struct fathom_buffer text = { 0 };
	size_t last, end = 0;
	int ended;

	join(reader, first, &text, &last);
	fathom_buffer_puts(&text, "");
	ended = behind_end(text.text) != NULL;
	fathom_directive_read(&directive, text.text, text.length);
	reader->source->uses_openmp = 1;
	if (!ended && directive.name[0] && (directive.has_body || directive.is_seen))
		fathom_construct_counts_add(&reader->source->construct_counts, directive.name,
					    reader->lines[first].number);
	if (directive.form == FATHOM_DIRECTIVE_SPLIT)
		end = splits->count < SPLITS ? find_end(reader, first, directive.name) : 0;
	if (ended && put_end(reader, splits, first)) {
		last = first;
	} else if (directive.form == FATHOM_DIRECTIVE_CHANGED || end) {
		put_changed(reader, &directive, last);
		if (end)
			note_end(splits, &directive, end);
	} else {
		for (size_t i = first; i <= last; i++) {
			if (directive.form == FATHOM_DIRECTIVE_HIDDEN)
				fathom_buffer_puts(reader->result, FATHOM_FORTRAN_HIDE);
			put_line(reader, &reader->lines[i]);
		}
	}
	fathom_directive_fini(&directive);
	fathom_buffer_fini(&text);
	return last;
}

/* --- statements ------------------------------------------------------------------------------------------ */

static int is_comment(const struct reader *reader, const struct line *line)
{
	const char *at = skip_blank(line->begin, line->end);

	return at == line->end || *at == '!' || *at == '#' ||
	       (reader->source->is_fixed && strchr("cC*", line->begin[0]));
}

/* Returns whether the statement can only be the first one of a main program that has no PROGRAM statement. */
static int begins_nameless(const struct line *line)
{
	static const char *const units[] = { "program", "module", "submodule", "subroutine", "function", "block",
					     "recursive", "pure", "elemental", "impure", "non_recursive", "include",
					     "attributes" };
	const char *at = skip_blank(line->begin, line->end);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (starts(at, line->end, units[i]))
			return 0;
	}
	for (; at < line->end; at++) {
		if (starts(at, line->end, "function"))
			return 0;
	}
	return 1;
}

/* Refuses sources with variables whose names OPARI2's own variables have. */
static void see_names(struct reader *reader, const struct line *line)
{
	for (const char *at = line->begin; at < line->end;) {
		const char *begin = at;

		while (at < line->end && (isalnum((unsigned char)*at) || *at == '_'))
			at++;
		if (starts(begin, at, "pomp2_"))
			reader->source->trouble = "it uses a name of OPARI2's (pomp2_...)";
		if (at == begin)
			at++;
	}
}

static void see_line(struct reader *reader, size_t i)
{
	struct line *line = &reader->lines[i];
	struct fathom_marker marker;

	if (line->begin < line->end && fathom_marker_read(&marker, line->begin, (size_t)(line->end - line->begin))) {
		reader->file = fathom_names_absolute(&reader->source->names, &marker);
		fathom_buffer_addf(reader->result, "# %lu \"%s\"%.*s\n", marker.line, reader->file,
				   (int)marker.flags_length, marker.flags);
		return;
	}
	if (!is_comment(reader, line)) {
		if (!reader->in_program && begins_nameless(line)) {
			fathom_buffer_puts(reader->result, "      program MAIN__\n");
			put_marker(reader, line->number);
		}
		reader->in_program = 1;
		see_names(reader, line);
	}
	put_line(reader, line);
}

/* Splits the text into lines and numbers them according to its markers. */
static void read_lines(struct reader *reader, const struct fathom_buffer *text)
{
	const char *at = text->text, *end = text->text + text->length;
	unsigned long number = 1;
	size_t room = 0;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		struct fathom_marker marker;

		if (!stop)
			stop = end;
		if (reader->count == room) {
			room = room ? 2 * room : 1024;
			reader->lines = fathom_buffer_list(reader->lines, room, sizeof(*reader->lines));
		}
		reader->lines[reader->count++] = (struct line){ .begin = at, .end = stop, .number = number };
		number++;
		if (fathom_marker_read(&marker, at, (size_t)(stop - at)))
			number = marker.line;
		at = stop + 1;
	}
}

void fathom_fortran_prepare(struct fathom_fortran *source, const char *path, const struct fathom_buffer *text,
			    struct fathom_buffer *result)
{
	struct reader reader = { .source = source, .result = result };
	struct fathom_marker whole = { .line = 1, .file = path, .file_length = strlen(path), .flags = "" };
	struct splits splits = { .count = 0 };

	reader.file = fathom_names_absolute(&source->names, &whole);
	read_lines(&reader, text);
	find_directives(&reader);
	if (!reader.count || !fathom_marker_read(&whole, reader.lines[0].begin,
						  (size_t)(reader.lines[0].end - reader.lines[0].begin)))
		put_marker(&reader, 1);
	for (size_t i = 0; i < reader.count; i++) {
		if (reader.lines[i].directive && !reader.lines[i].is_continued)
			i = see_directive(&reader, &splits, i);
		else
			see_line(&reader, i);
	}
	for (size_t i = 0; i < splits.count; i++)
		free(splits.list[i].text);
	free(reader.lines);
}

void fathom_fortran_fini(struct fathom_fortran *source)
{
	fathom_names_fini(&source->names);
}
