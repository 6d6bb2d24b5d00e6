/*
 * pomp2_recorder: takes libfathom's place in the tests of wrappers/openmp/pomp2: keeps call paths, and holds every
 * event against the rules of event.h, team.h and task.h.
 *
 * Programs rewritten by OPARI2 are linked with it as they are. In the environment: RECORDER_DUMP: at the end,
 * print "visits path" to stderr for each call path, and what was wrong; threads hang under the path of their fork,
 * tasks under TASKS. RECORDER_CANCEL: threads and tasks may end without saying so. RECORDER_OFF: nothing is measured.
 */
#ifndef POMP2_RECORDER_H
#define POMP2_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_region;

void recorder_reset(void);
void recorder_measure(bool on);

/* Of a path as in the dump. */
uint64_t recorder_visits(const char *path);

uint64_t recorder_faults(void);

/* Regions that the calling thread is in. */
uint32_t recorder_depth(void);
uint32_t recorder_region_count(void);

/* NULL: there is none. */
const struct fathom_region *recorder_region(const char *name);

/* From now on no task is recorded: there is no memory for it. */
void recorder_refuse_tasks(bool refuse);

#endif
