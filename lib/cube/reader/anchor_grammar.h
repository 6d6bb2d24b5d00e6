/*
 * anchor_grammar: the elements of anchor.xml that fathom reads, by their positions in the document.
 */
#ifndef FATHOM_CUBE_ANCHOR_GRAMMAR_H
#define FATHOM_CUBE_ANCHOR_GRAMMAR_H

enum fathom_cube_place {
	NOWHERE,	/* outside of everything */
	SKIPPED,
	CUBE,
	CUBE_ATTRIBUTE,
	METRICS,
	METRIC,
	PROGRAM,
	REGION,
	REGION_ATTRIBUTE,
	CNODE,
	PARAMETER,
	SYSTEM,
	NODE,
	GROUP,
	LOCATION,
	LOCATION_ATTRIBUTE,
	TOPOLOGIES,
	TOPOLOGY,
	DIMENSION,
	/* From here on elements that hold a text. */
	METRIC_DISP_NAME,
	METRIC_UNIQ_NAME,
	METRIC_DTYPE,
	METRIC_UNIT,
	METRIC_VAL,
	METRIC_URL,
	METRIC_DESCRIPTION,
	REGION_NAME,
	REGION_MANGLED,
	REGION_PARADIGM,
	REGION_ROLE,
	REGION_DESCRIPTION,
	NODE_NAME,
	NODE_CLASS,
	GROUP_NAME,
	GROUP_RANK,
	GROUP_TYPE,
	LOCATION_NAME,
	LOCATION_RANK,
	LOCATION_TYPE,
	COORDINATES,
};

/* Returns the kind of an element with that tag inside of parent; SKIPPED: fathom ignores it. Context: tool. */
enum fathom_cube_place fathom_cube_place_of(enum fathom_cube_place parent, const char *tag);

#endif
