#include "description.h"

#include <string.h>

static const char *const type_words[FATHOM_CONSTRUCT_TYPES] = {
	[FATHOM_CONSTRUCT_ATOMIC] = "atomic",
	[FATHOM_CONSTRUCT_BARRIER] = "barrier",
	[FATHOM_CONSTRUCT_CRITICAL] = "critical",
	[FATHOM_CONSTRUCT_DO] = "do",
	[FATHOM_CONSTRUCT_FLUSH] = "flush",
	[FATHOM_CONSTRUCT_FOR] = "for",
	[FATHOM_CONSTRUCT_MASTER] = "master",
	[FATHOM_CONSTRUCT_ORDERED] = "ordered",
	[FATHOM_CONSTRUCT_PARALLEL] = "parallel",
	[FATHOM_CONSTRUCT_PARALLEL_DO] = "paralleldo",
	[FATHOM_CONSTRUCT_PARALLEL_FOR] = "parallelfor",
	[FATHOM_CONSTRUCT_PARALLEL_SECTIONS] = "parallelsections",
	[FATHOM_CONSTRUCT_PARALLEL_WORKSHARE] = "parallelworkshare",
	[FATHOM_CONSTRUCT_SECTIONS] = "sections",
	[FATHOM_CONSTRUCT_SINGLE] = "single",
	[FATHOM_CONSTRUCT_TASK] = "task",
	[FATHOM_CONSTRUCT_TASKWAIT] = "taskwait",
	[FATHOM_CONSTRUCT_USER] = "userRegion",
	[FATHOM_CONSTRUCT_WORKSHARE] = "workshare",
};

/* A place in the source: what sscl and escl say. */
struct place {
	struct fathom_words file;
	uint32_t first, last;
};

static bool words_are(struct fathom_words words, const char *text)
{
	return words.length == strlen(text) && !memcmp(words.text, text, words.length);
}

/* Returns what follows the first occurrence of text in words, and sets *rest to its length. NULL: text does not
 * occur. */
static const char *text_after(struct fathom_words words, const char *text, size_t *rest)
{
	size_t length = strlen(text);

	for (size_t i = 0; i + length <= words.length; i++) {
		if (!memcmp(words.text + i, text, length)) {
			*rest = words.length - i - length;
			return words.text + i + length;
		}
	}
	return NULL;
}

/* Takes ":<number>" off the end of words. */
static bool take_number(struct fathom_words *words, uint32_t *number)
{
	size_t begin = words->length;
	uint64_t value = 0;

	while (begin && words->text[begin - 1] >= '0' && words->text[begin - 1] <= '9')
		begin--;
	if (begin == words->length || !begin || words->text[begin - 1] != ':')
		return false;
	for (size_t i = begin; i < words->length; i++) {
		value = value * 10 + (uint64_t)(words->text[i] - '0');
		if (value > UINT32_MAX)
			return false;
	}
	*number = (uint32_t)value;
	words->length = begin - 1;
	return true;
}

/* Reads words, which must be "<file>:<first>:<last>", from the end, because the file name may contain any
 * characters. */
static bool read_place(struct place *place, struct fathom_words words)
{
	place->file = words;
	return take_number(&place->file, &place->last) && take_number(&place->file, &place->first) &&
	       place->file.length;
}

/*
 * Reads the place at the begin of words, which ends at a * or at the end of words; *rest becomes what follows. A file
 * name may contain a *, so there may be several ways to read the place: takes the way that gives this file, or the
 * first one if file is NULL. False: there is none.
 */
static bool find_place(struct place *place, struct fathom_words words, const struct fathom_words *file,
		       struct fathom_words *rest)
{
	for (size_t end = 0; end <= words.length; end++) {
		if (end < words.length && words.text[end] != '*')
			continue;
		if (!read_place(place, (struct fathom_words){ words.text, end }))
			continue;
		if (file && (place->file.length != file->length ||
			     memcmp(place->file.text, file->text, file->length)))
			continue;
		*rest = (struct fathom_words){ words.text + end, words.length - end };
		return true;
	}
	return false;
}

/* Reads where the construct opens and closes; *rest becomes what follows in the text. False: the text does not say
 * where the construct opens. */
static bool read_places(struct fathom_description *description, struct fathom_words words, struct fathom_words *rest)
{
	struct fathom_words tail = words, closing;
	struct place open, close;

	/* Nearly always both places are in the same file. If both are read with the same file name, then special
	 * characters in the name were not misread. */
	for (const char *at; (at = text_after(tail, "*escl=", &tail.length)); tail.text = at) {
		closing = (struct fathom_words){ at, tail.length };
		if (read_place(&open, (struct fathom_words){ words.text, (size_t)(at - words.text) - 6 }) &&
		    find_place(&close, closing, &open.file, rest))
			goto found;
	}
	/* The construct opens in one file and closes in another one, or the text is damaged. */
	closing.text = text_after(words, "*escl=", &closing.length);
	if (closing.text)
		words.length = (size_t)(closing.text - words.text) - 6;
	if (!find_place(&open, words, NULL, rest))
		return false;
	if (!closing.text || !find_place(&close, closing, NULL, rest))
		close = (struct place){ .first = 0 };
found:
	description->file = open.file;
	description->open_first = open.first;
	description->open_last = open.last;
	description->close_first = close.first;
	description->close_last = close.last;
	return true;
}

static void read_key(struct fathom_description *description, struct fathom_words key, struct fathom_words value)
{
	if (words_are(key, "criticalName") || words_are(key, "userRegionName"))
		description->name = value;
	else if (words_are(key, "hasUntied"))
		description->untied = words_are(value, "1");
}

static void read_keys(struct fathom_description *description, struct fathom_words words)
{
	while (words.length) {
		const char *end = memchr(words.text, '*', words.length);
		size_t length = end ? (size_t)(end - words.text) : words.length;
		const char *equals = memchr(words.text, '=', length);

		if (equals)
			read_key(description, (struct fathom_words){ words.text, (size_t)(equals - words.text) },
				 (struct fathom_words){ equals + 1, (size_t)(words.text + length - equals) - 1 });
		if (!end)
			return;
		words.text += length + 1;
		words.length -= length + 1;
	}
}

static bool read_type(struct fathom_description *description, struct fathom_words words)
{
	struct fathom_words type;
	const char *end;

	type.text = text_after(words, "regionType=", &type.length);
	if (!type.text)
		return false;
	end = memchr(type.text, '*', type.length);
	if (end)
		type.length = (size_t)(end - type.text);
	for (int i = 0; i < FATHOM_CONSTRUCT_TYPES; i++) {
		if (words_are(type, type_words[i])) {
			description->type = (enum fathom_construct_type)i;
			return true;
		}
	}
	return false;
}

bool fathom_description_read(struct fathom_description *description, const char *text, size_t length)
{
	struct fathom_words words = { text, length }, places, keys = { text, 0 };

	while (words.length && words.text[words.length - 1] == ' ')
		words.length--;
	*description = (struct fathom_description){ .name = { text, 0 } };
	if (!read_type(description, words))
		return false;
	places.text = text_after(words, "*sscl=", &places.length);
	if (!places.text || !read_places(description, places, &keys))
		return false;
	read_keys(description, keys);
	return true;
}
