/*
 * delay_reports: what late locations learn from those that waited for them.
 *
 * A report says how long an operation waited, and how its location spent the time before. The host of the late location
 * keeps the reports about each operation, until the location comes to this operation on its way back.
 */
#ifndef FATHOM_WAITS_DELAY_REPORTS_H
#define FATHOM_WAITS_DELAY_REPORTS_H

#include "waits/search_state.h"

/* What a location did before it waited, as a message between hosts; count entries follow. */
struct fathom_waits_delay_report {
	struct fathom_waits_op_name cause;	/* the late operation */
	struct fathom_waits_op_name waiter;	/* the operation that waited for it */
	double wait;				/* the waiting in seconds */
	double cost;				/* what the waiting caused later, in seconds */
	uint32_t pattern;			/* enum fathom_waits_pattern of the waiting */
	uint32_t count;				/* of entries */
};

/* The time that the waiting location spent in a call path. */
struct fathom_waits_report_entry {
	uint64_t digest;			/* of the call path */
	double time;				/* in seconds */
};

/* A report that was received and not used. */
struct fathom_waits_kept_report {
	struct fathom_waits_kept_report *next;	/* about the same operation */
	uint32_t count;				/* of the reports in the list that begins with this one */
	struct fathom_waits_delay_report report;
	struct fathom_waits_report_entry entries[];
};

/* Reports by operation. All zero: there are none. */
struct fathom_waits_delay_reports {
	struct fathom_waits_key_table first;	/* by location and record: struct fathom_waits_kept_report * */
};

/* Keeps a copy of the report at data, with its entries; its cause is an operation of the location with this index.
 * 0 or -ENOMEM. Context: finish. */
int fathom_waits_reports_keep(struct fathom_waits_delay_reports *reports, uint32_t location, const void *data);

/* Returns how many reports about an operation are kept. Context: finish. */
uint32_t fathom_waits_reports_count(const struct fathom_waits_delay_reports *reports, uint32_t location,
				    uint32_t record);

/* Takes the reports about an operation out, in the order of the operations that waited, which does not depend on how
 * the reports arrived. *first: the first one, NULL if there are none; the caller frees the list, also after an error.
 * 0 or -ENOMEM. Context: finish. */
int fathom_waits_reports_take(struct fathom_waits_delay_reports *reports, uint32_t location, uint32_t record,
			      struct fathom_waits_kept_report **first);

/* Frees a list of reports. Context: finish. */
void fathom_waits_reports_free(struct fathom_waits_kept_report *first);

/* Frees all reports. Context: finish. */
void fathom_waits_reports_fini(struct fathom_waits_delay_reports *reports);

#endif
