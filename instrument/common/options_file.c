#define _GNU_SOURCE
#include "common/options_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Returns the next word at *at and moves *at behind it; the text is changed in place. NULL: there are no more words. */
static char *cut_word(char **at)
{
	char *from = *at, *to, *word;
	char quote = '\0';

	while (isspace((unsigned char)*from))
		from++;
	if (!*from)
		return NULL;
	word = to = from;
	for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
		if (*from == '\\' && from[1])
			*to++ = *++from;
		else if (quote ? *from == quote : *from == '\'' || *from == '"')
			quote = quote ? '\0' : *from;
		else
			*to++ = *from;
	}
	*at = *from ? from + 1 : from;
	*to = '\0';
	return word;
}

int fathom_options_file_read(struct fathom_words *words, const char *path)
{
	struct stat status;
	char *text = NULL, *at, *word;
	size_t bytes = 0;
	FILE *file = fopen(path, "re");

	if (!file)
		return -errno;
	if (fstat(fileno(file), &status) ||
	    !S_ISREG(status.st_mode)) { /* a pipe can be read only once, and the compiler must read it */
		fclose(file);
		return -EINVAL;
	}
	if (getdelim(&text, &bytes, '\0', file) < 0 && ferror(file)) {
		free(text);
		fclose(file);
		return -EIO;
	}
	fclose(file);
	at = text;
	while (at && (word = cut_word(&at)))
		fathom_words_add(words, word);
	free(text);
	return 0;
}
