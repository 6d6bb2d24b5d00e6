/*
 * field_size: the bytes that a number takes as a field of an OTF2 record (otf2/records.h).
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_FIELD_SIZE_H
#define FATHOM_TOOLS_COMMON_FIELD_SIZE_H

/* A greater number does not fit into a field. */
#define FATHOM_SCORE_LARGEST_NUMBER 0x1p64

/* Return the bytes of a field with that number, and the mean over the numbers from 0 to most. */
double fathom_score_field(double number);
double fathom_score_mean_field(double most);

#endif
