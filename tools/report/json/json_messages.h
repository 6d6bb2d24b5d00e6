/*
 * json_messages: the messages between ranks as a JSON document (--messages --json).
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_MESSAGES_H
#define FATHOM_TOOLS_REPORT_JSON_MESSAGES_H

#include "tools/common/messages/message_records.h"

/* Prints the document; rank -1: of all ranks. Context: tool. */
void fathom_report_json_messages(const struct fathom_message_records *file, int64_t rank);

#endif
