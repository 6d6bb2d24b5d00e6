/*
 * cluster_options: the options by which a user chooses how bursts are clustered; several commands have them.
 *
 * A wrong value ends the program with a line that names the option and the allowed values. Context of all functions:
 * tool.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_CLUSTER_OPTIONS_H
#define FATHOM_TOOLS_CLUSTERS_CLUSTER_OPTIONS_H

#include <getopt.h>

#include "tools/clusters/kinds.h"

/* The codes that getopt_long returns for these options. */
enum {
	FATHOM_CLUSTER_OPTION_METRICS = 0x20000, FATHOM_CLUSTER_OPTION_SHARE, FATHOM_CLUSTER_OPTION_LEAST,
	FATHOM_CLUSTER_OPTION_EPS, FATHOM_CLUSTER_OPTION_MIN_POINTS, FATHOM_CLUSTER_OPTION_METHOD,
};

/* The rows of these options in a table of struct option. */
#define FATHOM_CLUSTER_OPTIONS \
	{ "metrics", required_argument, NULL, FATHOM_CLUSTER_OPTION_METRICS }, \
	{ "share", required_argument, NULL, FATHOM_CLUSTER_OPTION_SHARE }, \
	{ "least", required_argument, NULL, FATHOM_CLUSTER_OPTION_LEAST }, \
	{ "eps", required_argument, NULL, FATHOM_CLUSTER_OPTION_EPS }, \
	{ "min-points", required_argument, NULL, FATHOM_CLUSTER_OPTION_MIN_POINTS }, \
	{ "method", required_argument, NULL, FATHOM_CLUSTER_OPTION_METHOD }

/* What is used if the user chooses nothing. */
#define FATHOM_CLUSTER_CHOICE_INIT { .share = 0.99, .least_seconds = -1 }

/* Takes the value of an option of FATHOM_CLUSTER_OPTIONS. Returns whether the code is that of such an option. */
bool fathom_cluster_option(struct fathom_cluster_choice *choice, int code, const char *value);

/* Refuses options that do not go together; to be called after the last one. */
void fathom_cluster_options_check(const struct fathom_cluster_choice *choice);

#endif
