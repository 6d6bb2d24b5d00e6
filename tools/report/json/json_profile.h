/*
 * json_profile: the whole profile as one JSON document; doc/man/fathom-report.1 describes its members.
 *
 * Only one record at a time is a jansson object, so memory does not grow with the document; json_profile.c writes the
 * brackets between records.
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_PROFILE_H
#define FATHOM_TOOLS_REPORT_JSON_PROFILE_H

struct fathom_report;

/* Prints the profile. 0, or -errno after an error message. */
int fathom_report_json(struct fathom_report *report);

#endif
