/*
 * section_messages: the messages between ranks (--messages), which are in messages.txt next to the profile.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_MESSAGES_H
#define FATHOM_TOOLS_REPORT_SECTION_MESSAGES_H

#include "tools/common/text_layout.h"

struct fathom_report_options;

/* Prints the pairs of ranks with most bytes, and what each rank sent and received, as text or JSON. result: the path of
 * the profile. 0, or -errno after an error message. Context: tool. */
int fathom_report_messages(struct fathom_page *page, const struct fathom_report_options *options, const char *result);

#endif
