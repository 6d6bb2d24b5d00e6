/*
 * rotating_reader: readers that are closed and opened again, and go on counting where they were.
 */
#ifndef FATHOM_METRIC_ROTATING_READER_H
#define FATHOM_METRIC_ROTATING_READER_H

#include "metric/counter_source.h"

/* Makes a reader, which has just been opened, go on from earlier values: before[id] becomes what is to be added to what
 * the reader has counted. before lives as long as the reader is open. Context: birth, hook. */
void fathom_rotating_reader_wrap(struct fathom_metric_reader *reader, uint64_t *before);

#endif
