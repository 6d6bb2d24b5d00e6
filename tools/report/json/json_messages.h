/*
 * json_messages: the messages between ranks as a JSON document (--messages --json).
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_MESSAGES_H
#define FATHOM_TOOLS_REPORT_JSON_MESSAGES_H

#include "cube/cube.h"
#include "tools/common/messages/message_records.h"

/* Prints the document; rank -1: of all ranks. cube: the profile of the run, which has the grids of its ranks. Context:
 * tool. */
void fathom_report_json_messages(const struct fathom_message_records *file, int64_t rank,
				 const struct fathom_cube *cube);

#endif
