/*
 * pattern: parses the text of FATHOM_SYSTEM_TREE, which gives the path of a process in the system tree.
 *
 *	machine=juwels/rack=r%{r/64}/node=%h/socket
 *
 * Levels from the outside in, with / between: a class, = and a name. In names %h is the host, %r the rank, %{r/64} the
 * rank divided by 64, %{r%64} the remainder, %% a per cent sign. machine, node, socket and numa need no name; the
 * system then provides it.
 */
#ifndef FATHOM_PLATFORM_PATTERN_H
#define FATHOM_PLATFORM_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FATHOM_PATTERN_LEVELS = 12 };	/* at most */

struct fathom_pattern_part {
	const char *class;	/* not ended by a NUL, as the name */
	size_t class_bytes;
	const char *name;	/* NULL: the system provides it */
	size_t name_bytes;
};

/* Parses the next level and moves *text behind it, to NULL after the last one. False: it is wrong. Context: signal. */
bool fathom_pattern_next(const char **text, struct fathom_pattern_part *part);

/* Returns whether the whole text is right. Context: signal. */
bool fathom_pattern_is_valid(const char *text);

/* Writes the name of a level with its per cent signs replaced; returns the length, which is bytes - 1 at most.
 * Context: signal. */
size_t fathom_pattern_expand(const struct fathom_pattern_part *part, const char *host, uint32_t rank, char *name,
			     size_t bytes);

#endif
