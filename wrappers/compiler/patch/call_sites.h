/* call_sites: finds the calls of hooks in code, and the functions for which they are called: the function of the code
 * itself, and functions that were inlined into it. */
#ifndef FATHOM_WRAPPERS_COMPILER_CALL_SITES_H
#define FATHOM_WRAPPERS_COMPILER_CALL_SITES_H

#include "compiler/patch/patch_table.h"

/* A call of a hook. */
struct fathom_site {
	struct fathom_site *next;	/* for lists of the caller */
	const void *function;		/* the function that the call passes to the hook */
	uint8_t *at;			/* address of the byte to change: the first one of the operation code */
	uint8_t was;			/* this byte with the hook */
	uint8_t becomes;		/* this byte without the hook */
	unsigned part;			/* bits of enum fathom_patch_parts; 0: not known yet */
	void *const *slot;		/* while part is not known: the slot with the address that is called */
};

/* A stretch of code that has its own entry in .eh_frame: a function, or a part of a function that the compiler has put
 * elsewhere. */
struct fathom_code {
	const uint8_t *begin, *end;
};

/* Finds the stretch of code that contains address. Returns false if it is not known. Context: birth. */
bool fathom_code_find(const void *address, struct fathom_code *code);

/* Receives a call site, which is valid during the call only. Returns 0 to continue, otherwise an error. */
typedef int fathom_site_taker(const struct fathom_site *site);

/*
 * Passes each call of a hook in the code to take, until take returns an error. Also passes calls that may be calls of
 * hooks: this is known once the dynamic linker has resolved their slot. Returns 0; the error of take; -EILSEQ: the code
 * cannot be decoded, or is too long; -ENOENT: the code belongs to no module. One thread at a time: it uses static
 * memory. Context: birth.
 */
int fathom_sites_find(struct fathom_code code, const struct fathom_patch_hooks *hooks, fathom_site_taker *take);

/* Sets the part of a site whose part is not known, if the dynamic linker has resolved its slot meanwhile. Context:
 * birth. */
void fathom_site_learn(struct fathom_site *site, const struct fathom_patch_hooks *hooks);

#endif
