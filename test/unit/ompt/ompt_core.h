/*
 * ompt_core: takes libfathom's place in the test of wrappers/openmp/ompt: writes down what it is told, a line an event,
 * to be compared with what it must be.
 *
 * Regions are called by their construct and the line as which the test counts code addresses: AT(5) is "@5". Only
 * one thread at a time may tell something.
 */
#ifndef OMPT_CORE_H
#define OMPT_CORE_H

#include <stdbool.h>

/* A code address, of this program, which has enough of it. */
extern const char *const ompt_core_code;
#define AT(line) ((const void *)(ompt_core_code + (line) + 1))

void ompt_core_measure(bool on);

/* From now on no task is recorded: there is no memory for it. */
void ompt_core_refuse_tasks(bool refuse);

/* Count teams and tasks from 1 again, and forget what was told. */
void ompt_core_reset(void);

/* What was told since the last time. */
const char *ompt_core_told(void);
void ompt_core_forget(void);

/* That must be the lines given. */
#define TOLD(...) ompt_core_compare(__FILE__, __LINE__, (const char *const[]){ __VA_ARGS__, NULL })
#define TOLD_NOTHING() ompt_core_compare(__FILE__, __LINE__, (const char *const[]){ NULL })
void ompt_core_compare(const char *file, int line, const char *const *lines);

#endif
