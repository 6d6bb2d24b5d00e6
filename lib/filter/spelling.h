/*
 * spelling: changes names of regions in a profile that other programs cannot process.
 *
 * cube_canonize searches each name for a letter or digit, and aborts if there is none; with -p it searches the last
 * word before the first parenthesis. A name without one is written with the first of these changes that helps; all
 * other names stay unchanged:
 *
 *	fill<Box<int> >(int)		fill<Box<int>>(int)		no blank between closing brackets
 *	void (*make<int>(int))(int)	void(*make<int>(int))(int)	nor before the parenthesis
 *	(anonymous namespace)::run()	{anonymous namespace}::run()	braces
 *	* *				region:*_*			a word before it, and '_' for blanks
 *
 * A name with characters beyond ASCII for which none of the first three changes helps stays unchanged: cube_canonize
 * finds no letters in it, but people can read it.
 *
 * Filters accept both spellings. All code is in this header, because lib/filter and lib/cube have no library in common.
 * Context of all functions: signal.
 */
#ifndef FATHOM_FILTER_SPELLING_H
#define FATHOM_FILTER_SPELLING_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct fathom_spelling {
	const char *before;	/* text in front of the name */
	bool is_changed;	/* the other members are valid only if this is set */
	bool joins;		/* "> >" becomes ">>" */
	bool has_braces;	/* parentheses at open and close become braces */
	size_t blanks, open;	/* blanks between these two positions are left out */
	size_t close;
};

/* Returns whether cube_canonize finds a letter or digit in the word that ends at end. */
static inline bool fathom_spelling_has_word(const char *name, size_t end, bool joins)
{
	for (size_t at = end; at--;) {
		if ((name[at] >= 'a' && name[at] <= 'z') || (name[at] >= 'A' && name[at] <= 'Z') ||
		    (name[at] >= '0' && name[at] <= '9'))
			return true;
		if (name[at] == ' ' && !(joins && at && name[at - 1] == '>' && name[at + 1] == '>'))
			return false;
	}
	return false;
}

/* Returns the position of the parenthesis that closes the one at open; the end of the name if there is none. */
static inline size_t fathom_spelling_close(const char *name, size_t open)
{
	size_t depth = 0, at;

	for (at = open; name[at]; at++) {
		if (name[at] == '(')
			depth++;
		else if (name[at] == ')' && --depth == 0)
			break;
	}
	return at;
}

/* Returns the changes for a name. */
static inline struct fathom_spelling fathom_spelling_of(const char *name)
{
	const struct fathom_spelling unchanged = { .before = "" };
	struct fathom_spelling spelling = unchanged;
	size_t open = strcspn(name, "("), blanks = open, next;

	if (!*name || fathom_spelling_has_word(name, open, false))
		return spelling;
	spelling.is_changed = true;
	spelling.joins = true;
	if (fathom_spelling_has_word(name, open, true))
		return spelling;
	while (blanks && name[blanks - 1] == ' ')
		blanks--;
	spelling.open = open;
	spelling.blanks = blanks;
	if (fathom_spelling_has_word(name, blanks, true))
		return spelling;
	spelling.blanks = open;
	if (name[open]) {
		spelling.has_braces = true;
		spelling.close = fathom_spelling_close(name, open);
		next = spelling.close + strcspn(name + spelling.close, "(");
		if (fathom_spelling_has_word(name, next, true))
			return spelling;
	}
	for (const char *at = name; *at; at++)
		if ((unsigned char)*at >= 0x80)
			return unchanged;
	spelling.before = "region:";
	return spelling;
}

/* Returns the character that replaces the one at a position of the name; '\0': none. */
static inline char fathom_spelling_at(const struct fathom_spelling *spelling, const char *name, size_t at)
{
	if (!spelling->is_changed)
		return name[at];
	if (spelling->has_braces && (at == spelling->open || at == spelling->close))
		return at == spelling->open ? '{' : name[at] ? '}' : '\0';
	if (name[at] != ' ')
		return name[at];
	if (spelling->joins && at && name[at - 1] == '>' && name[at + 1] == '>')
		return '\0';
	if (at >= spelling->blanks && at < spelling->open)
		return '\0';
	return *spelling->before ? '_' : ' ';
}

#endif
