/*
 * export_format: the formats that `fathom export` writes.
 *
 * A format is written from a profile or from a trace. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_EXPORT_EXPORT_FORMAT_H
#define FATHOM_TOOLS_EXPORT_EXPORT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct fathom_export_profile;

enum fathom_export_table {	/* of CSV */
	FATHOM_EXPORT_CALL_TREE,
	FATHOM_EXPORT_REGIONS,
	FATHOM_EXPORT_RANKS,
	FATHOM_EXPORT_VALUES,
	FATHOM_EXPORT_TABLES,
};

/* Write the values of one metric in integers to out. 0, or -errno after an error message. */
int fathom_export_collapsed(struct fathom_export_profile *source, FILE *out);
int fathom_export_speedscope(struct fathom_export_profile *source, FILE *out);
int fathom_export_callgrind(struct fathom_export_profile *source, FILE *out);
int fathom_export_gprof(struct fathom_export_profile *source, FILE *out);
int fathom_export_pprof(struct fathom_export_profile *source, FILE *out);

/* Writes a table as comma-separated values. metric is the index of a metric of the profile, -1: all that have values.
 * 0, or -errno after an error message. */
struct fathom_profile;
int fathom_export_csv(struct fathom_profile *profile, enum fathom_export_table table, int32_t metric, FILE *out);

/* Writes own values in PERI-XML, for each function and process. 0, or -errno after an error message. */
int fathom_export_peri_xml(struct fathom_profile *profile, uint32_t metric, FILE *out);

/* Writes a metric as profiles of TAU, one for each thread, into a new directory. 0, or -errno after an error
 * message. */
int fathom_export_tau(struct fathom_profile *profile, uint32_t metric, const char *directory);

/* Writes the events of the trace with that anchor file as JSON for Chrome and Perfetto. 0, or -errno after an error
 * message. */
int fathom_export_trace_json(const char *anchor, FILE *out);

/* Writes the events of a trace for Paraver: path, which ends in .prv, and the files with the endings .pcf and .row. 0,
 * or -errno after an error message. */
int fathom_export_paraver(const char *anchor, const char *path, bool force);

#endif
