/*
 * metric_curves: the counters of a trace, and the number of its samples, over time. Context of all functions: tool.
 *
 * Of each row and counter, at most 16384 values are kept: when there are more, every second one is dropped. What a
 * growing counter grew between two values that are kept stays exact.
 */
#ifndef FATHOM_TOOLS_COMMON_METRIC_CURVES_H
#define FATHOM_TOOLS_COMMON_METRIC_CURVES_H

#include "frames/metric_values.h"
#include "otf2/archive_reader.h"

struct fathom_curve_point {
	uint64_t time;			/* in ticks of the global clock */
	double value;
};

struct fathom_curve_row {
	struct fathom_curve_point *points;	/* in the order of time */
	size_t count, room;
	uint32_t stride, skipped;	/* every stride-th value is kept; so many were dropped since the last one */
};

struct fathom_metric_curve {
	const char *name, *unit;
	bool is_rate;			/* the value grows: the curve shows its growth in a second */
	bool counts_samples;		/* the value is the number of samples so far */
	struct fathom_curve_row *rows;
};

struct fathom_metric_curves {
	struct fathom_metric_curve *curves;
	size_t count, room;
	int32_t *numbers;		/* by index of a metric member: its curve; -1: none yet */
	int32_t samples;		/* the curve of samples; -1: none yet */
	uint32_t row_count;
	struct fathom_metric_values *values;	/* by row: the present values */
};

void fathom_metric_curves_init(struct fathom_metric_curves *curves, const struct fathom_otf2_defs *defs,
			       uint32_t row_count);
void fathom_metric_curves_fini(struct fathom_metric_curves *curves);

/* Takes an event of a row. The names of curves live as long as the definitions. */
void fathom_metric_curves_take(struct fathom_metric_curves *curves, const struct fathom_otf2_defs *defs,
			       const struct fathom_otf2_event *event, uint32_t row);

/* Adds a value of a row. The values of a counter are added in the order of time. */
void fathom_metric_curves_add(struct fathom_metric_curves *curves, const struct fathom_otf2_defs *defs, uint32_t row,
			      const struct fathom_metric_value *value);

/* Sets values to the curve of a row in [from, to), in so many columns: the mean growth in a second, or the last value;
 * NAN where the row has none. Returns whether there is any. */
bool fathom_metric_curve_draw(const struct fathom_metric_curve *curve, uint32_t row, uint64_t from, uint64_t to,
			      uint32_t columns, double ticks_a_second, double *values);

#endif
