/*
 * rank_values: the values of a call path by rank, and which ranks stand out. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_RANK_VALUES_H
#define FATHOM_TOOLS_REPORT_RANK_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_profile;

struct fathom_rank_values {
	uint32_t count;		/* of processes */
	double *values;		/* by process, in the order of the file */
	int64_t *ranks;
	int32_t *nodes;		/* by process: the node of the system tree */
	double sum, most, least;
};

/* Reads the own values of a call path, added up over the threads of each process. 0, or -errno after an error message;
 * then there is nothing to free. */
int fathom_rank_values_read(struct fathom_rank_values *values, struct fathom_profile *profile, uint32_t metric,
			    uint32_t cnode);
void fathom_rank_values_fini(struct fathom_rank_values *values);

/* Writes the ranks whose values are at least limit: "0,2-7", shortened by "..." if it is long. Returns their number. */
uint32_t fathom_rank_values_list(const struct fathom_rank_values *values, double limit, char *text, size_t bytes);

/* Returns whether all ranks whose values are at least limit are on one node, while there are others on other nodes. */
bool fathom_rank_values_on_one_node(const struct fathom_rank_values *values, double limit);

#endif
