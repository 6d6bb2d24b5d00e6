/*
 * ring_setting: parses the text of FATHOM_TRACE_RING, which says which events of a thread are its newest ones.
 *
 *	off
 *	8M		those that fit into 8 MB
 *	10s		those of the last 10 s, as far as they fit into the largest ring
 */
#ifndef FATHOM_PLATFORM_RING_SETTING_H
#define FATHOM_PLATFORM_RING_SETTING_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

enum {
	FATHOM_RING_LEAST_BYTES = 1000000,
	FATHOM_RING_MOST_BYTES = 16 << 20,
	FATHOM_RING_MOST_SECONDS = 3600,
	FATHOM_RING_TEXT_BYTES = 32,	/* room for any text that is allowed */
};

struct fathom_ring_setting {
	uint64_t bytes;			/* memory of a ring; 0: there is none */
	uint64_t length_ns;		/* the time of its events; 0: any */
};

/* Fills in setting. False: the text is wrong. Context: start. */
FATHOM_API bool fathom_ring_setting_read(const char *text, struct fathom_ring_setting *setting);

#endif
