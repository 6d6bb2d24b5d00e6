/*
 * work_amounts: lets a program say how much work its phases do, for machines without counters of the processor. The
 * amounts are computed from the sizes of the loops and not measured: so many operations on numbers, and so many cache
 * lines that they read and write. Compile with -DCOUNT_WORK; otherwise WORK does nothing.
 */
#ifndef WORK_AMOUNTS_H
#define WORK_AMOUNTS_H

#ifdef COUNT_WORK
#include <fathom/fathom.h>

#define WORK(operations, lines) \
	do { \
		FATHOM_METRIC_UINT("operations", "", "operations on numbers", operations); \
		FATHOM_METRIC_UINT("cache_lines", "", "cache lines read and written", lines); \
	} while (0)
#else
#define WORK(operations, lines) ((void)0)
#endif

#endif
