/*
 * kind_colours: how pages about kinds of bursts look, and which colour each kind has in them.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_KIND_COLOURS_H
#define FATHOM_TOOLS_CLUSTERS_KIND_COLOURS_H

#include <stdint.h>

/* The style sheet of a page, as an element of its head. */
extern const char fathom_kind_style[];

/* Returns the class of the elements that have the colour of a kind: k0 for noise, then k1, k2 and so on; further kinds
 * have the class "more" together, which is grey. Context: any. */
const char *fathom_kind_class(uint32_t number);

#endif
