/*
 * kinds: the data of the kinds of bursts: which bursts are looked at, in which dimensions, and which clusters they
 * form.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_KINDS_H
#define FATHOM_TOOLS_CLUSTERS_KINDS_H

#include "clusters/axes.h"
#include "clusters/distance_curve.h"
#include "clusters/refinement_tree.h"
#include "tools/clusters/burst_metrics.h"

enum fathom_cluster_method { FATHOM_DBSCAN, FATHOM_REFINEMENT, FATHOM_KMEANS, FATHOM_XMEANS };

/* In place of the number of a cluster, for bursts that are not clustered. */
#define FATHOM_BURST_SHORT UINT32_MAX		/* shorter than the filter */
#define FATHOM_BURST_MISSING (UINT32_MAX - 1)	/* a metric was not measured */

/* What the user chose; then what was used. */
struct fathom_cluster_choice {
	enum fathom_cluster_method method;
	uint32_t means;			/* k of k-means */
	double share;			/* of the time of all bursts that the filter keeps, without least_seconds */
	double least_seconds;		/* shorter bursts are left out; negative: chosen by share */
	const char *names;		/* of metrics, separated by commas; NULL: chosen */
	uint32_t metrics[FATHOM_MOST_DIMENSIONS], metric_count;
	double eps;			/* of DBSCAN; 0: chosen */
	double eps_list[FATHOM_CURVE_CANDIDATES];	/* that were given, rising; of refinement: that are tried */
	uint32_t eps_count;
	uint32_t min_points;		/* 0: chosen */
	bool principal_axes;
	bool is_divisive;		/* of refinement: from the largest eps to the smallest */
	bool keeps_partitions;		/* of refinement: for fathom_refinement_steps_write */
	bool eps_is_chosen, min_points_is_chosen, least_is_chosen;
};

enum { FATHOM_CLUSTER_PLACES = 3 };

struct fathom_cluster_place {		/* a call path where bursts of a cluster are */
	uint32_t path;
	double seconds;
};

struct fathom_cluster_metric {		/* the values of a metric in a cluster */
	double mean, deviation, least, most;
	uint64_t count;			/* bursts with a value */
};

struct fathom_cluster {
	uint64_t count;			/* bursts */
	double seconds;
	uint32_t threads;		/* with a burst of the cluster */
	struct fathom_cluster_metric *metrics;	/* by metric */
	struct fathom_cluster_place places[FATHOM_CLUSTER_PLACES];	/* the largest ones first */
	uint32_t place_count;
	double score;			/* how alike threads are, 0 to 1; negative: unknown */
};

struct fathom_counter_estimates;
struct fathom_counter_comparison;
struct fathom_representatives;

struct fathom_clustering {
	const struct fathom_burst_data *data;
	struct fathom_burst_metrics metrics;
	struct fathom_cluster_choice choice;
	struct fathom_axis axes[FATHOM_MOST_DIMENSIONS];
	uint32_t *numbers;		/* by burst: cluster, FATHOM_NOISE, FATHOM_BURST_SHORT or _MISSING */
	uint32_t *bursts;		/* by point: burst */
	double *values;			/* [point][dimension]: scaled */
	uint32_t point_count, dimensions;
	struct fathom_cluster *clusters;	/* 0: noise; then by falling duration */
	uint32_t count;			/* without noise */
	double seconds;			/* of all bursts of the trace */
	double kept_seconds;		/* of the bursts that were clustered, noise included */
	uint64_t short_count, missing_count;
	double short_seconds, missing_seconds;
	struct fathom_refinement tree;	/* of refinement */
	uint32_t joined;		/* clusters that refinement joined with others */
	const uint32_t *processes, *process_groups;	/* the processes with bursts, and their groups from 1 */
	uint32_t process_count, process_group_count;	/* process_group_count 0: unknown */
	const struct fathom_representatives *representatives;	/* NULL: not wanted */
	const struct fathom_counter_estimates *estimates;
	const struct fathom_counter_comparison *comparison;	/* NULL: not wanted */
	double silhouette;
	double score;			/* of all clusters, weighted with their duration; negative: unknown */
	uint32_t sample_count;		/* bursts by which clusters were found; the others were put into these: see
					 * distributed_clustering.h. 0: all bursts */
	uint32_t aligned_threads;	/* whose sequences the scores are made of */
	uint32_t aligned_length;	/* bursts of each thread that were looked at; 0: all */
};

#endif
