/*
 * section_notes: how many bytes the program moved, and what is missing or doubtful in the profile.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_NOTES_H
#define FATHOM_TOOLS_REPORT_SECTION_NOTES_H

struct fathom_report;

/* Bytes sent, received, read and written. */
void fathom_report_traffic(struct fathom_report *report);

/* Warnings: dropped events, missing ranks, high cost of measuring, and the like. */
void fathom_report_notes(struct fathom_report *report);

#endif
