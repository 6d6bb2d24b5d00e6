/*
 * score_size: the number of bytes of an OTF2 trace, predicted from the visits, messages and operations of a profile.
 *
 * Sizes follow from the fields of OTF2's records (otf2/records.h); test/tools/score.sh compares them with files.
 * lib/trace/records/record.c documents the records that fathom writes for each event. Numbers that a profile does not
 * have (tags, requests) are assumed to be below 256.
 */
#ifndef FATHOM_TOOLS_COMMON_SCORE_SIZE_H
#define FATHOM_TOOLS_COMMON_SCORE_SIZE_H

#include "tools/common/score/score_data.h"

/* The values of one call path, for all locations. */
struct fathom_score_rows {
	uint32_t count;			/* FATHOM_SCORE_VALUES, and the number of given metrics */
	double *values[FATHOM_SCORE_VALUES + FATHOM_SCORE_GIVEN];	/* as struct fathom_score_values, by location */
	int32_t metrics[FATHOM_SCORE_VALUES + FATHOM_SCORE_GIVEN];	/* -1: not in this file */
};

/* Determines the kinds of records of all call paths, before fathom_score_judge is called. 0, or -errno after an error
 * message. */
int fathom_score_prepare(struct fathom_score *score);

/* Returns the records of a call path at one location. */
struct fathom_score_cost fathom_score_judge(const struct fathom_score *score, uint32_t cnode,
					    const struct fathom_score_values *facts);

/* Returns the bytes that the file of a location has in addition to the records of its regions, if these take
 * `bytes`. */
double fathom_score_frame(double bytes);

void fathom_score_rows_init(struct fathom_score *score, struct fathom_score_rows *rows);
void fathom_score_rows_fini(struct fathom_score_rows *rows);

/* Reads the values of a call path. False: the file has none there, or *err is -errno after an error message. */
bool fathom_score_read(struct fathom_score *score, struct fathom_score_rows *rows, uint32_t cnode, int *err);
struct fathom_score_values fathom_score_values(const struct fathom_score_rows *rows, uint32_t location);

#endif
