/* section_notes: the number of bytes that the program moved, and notes on missing or doubtful parts of the profile. */
#ifndef FATHOM_TOOLS_REPORT_SECTION_NOTES_H
#define FATHOM_TOOLS_REPORT_SECTION_NOTES_H

struct fathom_report;

/* Prints the bytes sent, received, read and written. */
void fathom_report_traffic(struct fathom_report *report);

/* Prints warnings, for example about dropped events, missing ranks, and a high cost of measuring. */
void fathom_report_notes(struct fathom_report *report);

#endif
