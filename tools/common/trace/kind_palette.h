/*
 * kind_palette: the colours of kinds of bursts, the same in pictures and pages. All kinds behind the tenth have one.
 */
#ifndef FATHOM_TOOLS_COMMON_TRACE_KIND_PALETTE_H
#define FATHOM_TOOLS_COMMON_TRACE_KIND_PALETTE_H

/* The colours of kinds 1 to 10, of all others, and of bursts of no kind: X(number of the kind, colour). */
#define FATHOM_KIND_COLOURS(X)                                                                                         \
	X(1, 0072b2) X(2, d55e00) X(3, 009e73) X(4, cc79a7) X(5, e69f00)                                               \
	X(6, 56b4e9) X(7, 8c6d31) X(8, 7570b3) X(9, 66a61e) X(10, e7298a)
#define FATHOM_KIND_COLOUR_OTHERS 888888
#define FATHOM_KIND_COLOUR_NONE bbbbbb

enum { FATHOM_COLOURED_KINDS = 10 };

#endif
