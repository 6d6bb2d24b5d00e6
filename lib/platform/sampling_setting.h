/*
 * sampling_setting: parses the text of FATHOM_SAMPLING, which says what samples are taken of.
 *
 *	off
 *	200
 *	200,cycles@1M,PAPI_TOT_INS@10M
 *
 * A number is a rate: samples in a second of processor time. EVENT@PERIOD takes a sample each time that an event has
 * occurred PERIOD times. k, M and G stand for powers of 1000. Commas or blanks stand between several of them.
 */
#ifndef FATHOM_PLATFORM_SAMPLING_SETTING_H
#define FATHOM_PLATFORM_SAMPLING_SETTING_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

enum {
	FATHOM_SAMPLED_EVENTS = 4,	/* most events in addition to processor time */
	FATHOM_SAMPLED_NAME_BYTES = 64,
	FATHOM_SAMPLING_MOST = 10000,	/* samples in a second */
};

struct fathom_sampling_setting {
	uint32_t rate;			/* samples in a second of processor time; 0: none */
	uint32_t event_count;
	struct {
		char name[FATHOM_SAMPLED_NAME_BYTES];
		uint64_t period;
	} events[FATHOM_SAMPLED_EVENTS];
};

/* Fills in setting. False: the text is wrong, or names too many events. Context: start. */
FATHOM_API bool fathom_sampling_setting_read(const char *text, struct fathom_sampling_setting *setting);

#endif
