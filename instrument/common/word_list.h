/*
 * word_list: a growing list of strings, such as a command to be run.
 *
 * The list owns copies of its words and always ends with NULL, as exec requires. If there is no memory, the command
 * ends with a message.
 */
#ifndef FATHOM_INSTRUMENT_WORD_LIST_H
#define FATHOM_INSTRUMENT_WORD_LIST_H

#include <stddef.h>
#include <stdio.h>

struct fathom_words {
	char **list;		/* count words, then NULL; NULL itself while count is 0 */
	size_t count;
	size_t room;		/* entries allocated, the final NULL included */
};

/* Add a copy of a word at the end. A struct that is all zero is an empty list. */
void fathom_words_add(struct fathom_words *words, const char *word);
void fathom_words_addf(struct fathom_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the words of text, which white space separates. */
void fathom_words_split(struct fathom_words *words, const char *text);

/* Prints the words in quotes where needed, so that a shell reads the same words. */
void fathom_words_print(const struct fathom_words *words, FILE *out);

/* Prints the words in the same way on stderr, as one line. */
void fathom_words_show(const struct fathom_words *words);

void fathom_words_fini(struct fathom_words *words);

/* Returns a formatted string; the caller frees it. */
char *fathom_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
