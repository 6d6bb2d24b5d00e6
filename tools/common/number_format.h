/*
 * number_format: numbers for people, with their unit, in four digits at most: "1.234 s", "12.3 ms".
 *
 * Each function writes into text and returns it.
 */
#ifndef FATHOM_TOOLS_COMMON_NUMBER_FORMAT_H
#define FATHOM_TOOLS_COMMON_NUMBER_FORMAT_H

#include <stdbool.h>

enum { FATHOM_NUMBER_BYTES = 32 };

const char *fathom_number_seconds(char text[FATHOM_NUMBER_BYTES], double seconds);

/* Returns whether fathom_number_seconds has written microseconds ("12.3 us") so far. */
bool fathom_number_has_microseconds(void);

const char *fathom_number_count(char text[FATHOM_NUMBER_BYTES], double count);
const char *fathom_number_bytes(char text[FATHOM_NUMBER_BYTES], double bytes);
const char *fathom_number_percent(char text[FATHOM_NUMBER_BYTES], double part, double whole);

/* Writes a value of a metric with that unit. */
const char *fathom_number_with_unit(char text[FATHOM_NUMBER_BYTES], double value, const char *unit);

#endif
