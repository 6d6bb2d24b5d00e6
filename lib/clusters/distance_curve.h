/*
 * distance_curve: the distances of points to their k-th nearest neighbours, from which eps of DBSCAN is chosen.
 *
 * In falling order these distances first fall steeply (points that are far from all others) and then slowly (points in
 * clusters). The knee of the curve between both is a good eps: the points before it become noise. Context of all
 * functions: any that may allocate memory.
 */
#ifndef FATHOM_CLUSTERS_DISTANCE_CURVE_H
#define FATHOM_CLUSTERS_DISTANCE_CURVE_H

#include "clusters/points.h"

enum {
	FATHOM_CURVE_POINTS = 50000,	/* of more points, this many are taken at equal steps */
	FATHOM_CURVE_CANDIDATES = 10,
};

struct fathom_distance_curve {
	double *distances;		/* falling */
	uint32_t count;
	uint32_t first, knee;		/* indices: where the curve begins, without its highest 0.5 %, and its knee */
};

/* Makes the curve of the distances to the k-th nearest other point, k from 1 to 256. Points with fewer neighbours than
 * k, or with none within most, are left out. 0 or -ENOMEM. */
int fathom_distance_curve_init(struct fathom_distance_curve *curve, const struct fathom_points *points, uint32_t k,
			       double most);

/* Makes the curve of given distances, which it copies. 0 or -ENOMEM. */
int fathom_distance_curve_of(struct fathom_distance_curve *curve, const double *distances, uint32_t count);
void fathom_distance_curve_fini(struct fathom_distance_curve *curve);

/* Returns the distance at the knee; 0: the curve is empty. */
double fathom_distance_curve_eps(const struct fathom_distance_curve *curve);

/* Fills in values of eps between the knee and the begin of the curve, rising, which refinement tries one after the
 * other. Returns how many there are, at most FATHOM_CURVE_CANDIDATES. */
uint32_t fathom_distance_curve_candidates(const struct fathom_distance_curve *curve,
					  double candidates[FATHOM_CURVE_CANDIDATES]);

#endif
