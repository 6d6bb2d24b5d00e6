/*
 * pattern: the text of FATHOM_SYSTEM_TREE, which says where in the system a process is.
 *
 *	machine=juwels/rack=r%{r/64}/node=%h/socket
 *
 * Levels from the outside in, with / between: a class, = and a name. In names %h is the host, %r the rank,
 * %{r/64} the rank divided by 64, %{r%64} the rest of that, %% a per cent sign. Without = the system tells: of machine,
 * node, socket and numa.
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
	const char *name;	/* NULL: the system tells */
	size_t name_bytes;
};

/* The next level; *text goes on behind it, to NULL after the last. False: it is none. Context: signal. */
bool fathom_pattern_next(const char **text, struct fathom_pattern_part *part);

/* Whether all of it is right. Context: signal. */
bool fathom_pattern_is_valid(const char *text);

/* A name with what stands for something replaced; returns its length, which is cut to bytes - 1. Context: signal. */
size_t fathom_pattern_expand(const struct fathom_pattern_part *part, const char *host, uint32_t rank, char *name,
			     size_t bytes);

#endif
