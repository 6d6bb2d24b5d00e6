#define _GNU_SOURCE
#include "common/word_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/messages.h"

static void *must(void *memory)
{
	if (!memory)
		fathom_die(FATHOM_EXIT_FAILED, "out of memory");
	return memory;
}

/* Appends a word. The list frees it. */
static void append(struct fathom_words *words, char *word)
{
	if (words->count + 2 > words->room) {
		words->room = words->room ? 2 * words->room : 32;
		words->list = must(realloc(words->list, words->room * sizeof(*words->list)));
	}
	words->list[words->count++] = word;
	words->list[words->count] = NULL;
}

void fathom_words_add(struct fathom_words *words, const char *word)
{
	append(words, must(strdup(word)));
}

static char *format_text(const char *format, va_list values)
{
	char *text;

	if (vasprintf(&text, format, values) < 0)
		text = must(NULL);
	return text;
}

void fathom_words_addf(struct fathom_words *words, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	append(words, format_text(format, values));
	va_end(values);
}

void fathom_words_split(struct fathom_words *words, const char *text)
{
	static const char space[] = " \t\r\n";

	for (;;) {
		size_t length;

		text += strspn(text, space);
		length = strcspn(text, space);
		if (!length)
			return;
		append(words, must(strndup(text, length)));
		text += length;
	}
}

static void print_word(const char *word, FILE *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

void fathom_words_print(const struct fathom_words *words, FILE *out)
{
	for (size_t i = 0; i < words->count; i++) {
		if (i)
			fputc(' ', out);
		print_word(words->list[i], out);
	}
}

void fathom_words_show(const struct fathom_words *words)
{
	fathom_stderr_hold();
	fathom_words_print(words, stderr);
	fputc('\n', stderr);
	fflush(stderr);
	fathom_stderr_release();
}

void fathom_words_fini(struct fathom_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->list[i]);
	free(words->list);
	*words = (struct fathom_words){ 0 };
}

char *fathom_text(const char *format, ...)
{
	va_list values;
	char *text;

	va_start(values, format);
	text = format_text(format, values);
	va_end(values);
	return text;
}
