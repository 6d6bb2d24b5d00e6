/*
 * whatif_options: the command line of `fathom whatif`. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_WHATIF_WHATIF_OPTIONS_H
#define FATHOM_TOOLS_WHATIF_WHATIF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/machine.h"
#include "tools/clusters/kinds.h"
#include "tools/common/text_layout.h"
#include "tools/whatif/speed_rules.h"

struct fathom_changed_network {		/* negative: not changed */
	double latency, bandwidth;
};

struct fathom_changed_speed {		/* of the processors of one rank */
	uint32_t rank;
	double ratio;
};

struct fathom_changed_collective {
	int operation;			/* -1: all */
	enum fathom_phase_growth in, out;
};

struct fathom_whatif_options {
	const char *target;
	const char *output;		/* directory of the predicted trace; NULL: none */
	const char *dimemas;		/* trace of Dimemas to write; NULL: none */
	const char *machine;		/* configuration of Dimemas to read; NULL: none */
	struct fathom_changed_network all, inside;
	int64_t buses, links, tasks_a_node, cpus;	/* -1: not changed */
	int64_t processors;		/* of a node of the measured run; -1: as the trace says */
	double slice;			/* seconds; negative: not changed */
	double eager;			/* bytes; negative: not changed */
	double cpu_ratio;		/* 1: not changed */
	struct fathom_changed_speed *speeds;
	size_t speed_count, speed_room;
	struct fathom_changed_collective *collectives;
	size_t collective_count, collective_room;
	struct fathom_speed_rules rules;
	struct fathom_cluster_choice kinds;	/* how the kinds of bursts are found */
	bool half_duplex;		/* links carry messages in one direction at a time */
	bool ideal, balance, json;
	double sweep_from, sweep_to;	/* bandwidths; 0: no sweep */
	int64_t top;			/* lines of the list of waits */
	int width;
	enum fathom_colour colour;
};

/* Reads the command line. A wrong one ends the program with a line. */
void fathom_whatif_options_read(struct fathom_whatif_options *options, int argc, char **argv);
void fathom_whatif_options_fini(struct fathom_whatif_options *options);

/* Returns whether a path is named like a trace of Dimemas. */
bool fathom_whatif_is_dimemas(const char *path);

/* Returns whether the options ask for another machine or program than the measured one. */
bool fathom_whatif_options_change(const struct fathom_whatif_options *options);

/* Returns whether they ask for something that only a trace can answer. */
bool fathom_whatif_options_need_trace(const struct fathom_whatif_options *options);

/* Changes the machine as the options say. */
void fathom_whatif_options_apply(const struct fathom_whatif_options *options, struct fathom_machine *machine);

#endif
