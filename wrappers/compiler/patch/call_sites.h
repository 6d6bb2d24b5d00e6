/*
 * call_sites: where code calls the hooks, and for which functions: its own, and those that were inlined into it.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_CALL_SITES_H
#define FATHOM_WRAPPERS_COMPILER_CALL_SITES_H

#include "compiler/patch/patch_table.h"

struct fathom_site {
	struct fathom_site *next;	/* the taker's */
	const void *function;		/* the function that the call passes to the hook */
	uint8_t *at;			/* the byte that is to change: the first of the operation code */
	uint8_t was;
	uint8_t becomes;
	unsigned part;			/* bits of enum fathom_patch_parts; 0: not known yet */
	void *const *slot;		/* where it is not known: says where the call goes */
};

/* A function, or a part of one that stands elsewhere: what has an entry of its own in .eh_frame. */
struct fathom_code {
	const uint8_t *begin, *end;
};

/* The code that address is in; false: not known. Context: birth. */
bool fathom_code_find(const void *address, struct fathom_code *code);

typedef int fathom_site_taker(const struct fathom_site *site);

/* Each call in the code to take, until that does not return 0; so are those that may turn out to be one, once the
 * dynamic linker has looked up what is called. 0, what take returned, or -EILSEQ: the code cannot be read, or is too
 * long; -ENOENT: it is nobody's. Context: birth. */
int fathom_sites_find(struct fathom_code code, const struct fathom_patch_hooks *hooks, fathom_site_taker *take);

/* Look whether it is known meanwhile what part the site is. Context: birth. */
void fathom_site_learn(struct fathom_site *site, const struct fathom_patch_hooks *hooks);

#endif
