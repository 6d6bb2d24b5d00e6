/*
 * raw_samples: the samples of a location, as they are while the program runs.
 *
 * OTF2 refers to a sample's place in the program by the number of a calling context, which is found when the trace is
 * completed (event_conversion.h). Until then a sample is a record of fathom's own, FATHOM_RECORD_RAW, with the
 * addresses of its machine frames. So the signal handler that takes it needs no table of contexts, and the events of a
 * killed process contain all that there is to say about its samples. There are three kinds of raw records:
 *
 *	module	a program or library that a frame of a later sample is in
 *	event	a sampled event
 *	sample
 *
 * The record of a module or event precedes the first sample that needs it. A raw record always has a long length. Its
 * fields are the kind, in one byte, and then numbers as in other records; a text at the end has no NUL.
 */
#ifndef FATHOM_TRACE_SAMPLES_RAW_SAMPLES_H
#define FATHOM_TRACE_SAMPLES_RAW_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/location.h"
#include "event/sample.h"

enum fathom_raw_kind { FATHOM_RAW_MODULE, FATHOM_RAW_EVENT, FATHOM_RAW_SAMPLE };

/* What a raw record says. Texts and frames are in the record. */
struct fathom_raw_record {
	enum fathom_raw_kind kind;
	const char *text;		/* path of the module, or name of the event; no NUL */
	size_t text_bytes;
	/* Of a module: */
	uint64_t begin, end, bias;
	uint64_t entry;			/* address of the program's first instruction */
	/* Of an event, or of the event of a sample: */
	uint64_t event;			/* number, see event/sample.h */
	uint64_t period;		/* what one sample in the trace stands for on average */
	/* Of a sample: */
	uint64_t stale;			/* number of innermost regions in the trace that are not active any more */
	uint64_t frame_count;
	const uint8_t *frames;		/* the bytes of the frames */
	bool is_partial, has_own;	/* as in struct fathom_sample */
};

/* Reads the raw record at record. False: the record is damaged. Context: finish. */
bool fathom_raw_record_read(struct fathom_raw_record *raw, const uint8_t *record);

/* Reads the next frame of a sample from the frames, innermost first; *at is moved behind it. end: the end of the
 * record. False: the record is damaged. Context: finish. */
bool fathom_raw_frame_read(struct fathom_sample_frame *frame, const uint8_t **at, const uint8_t *end);

/* Chooses which samples are recorded: at most that many in a second of a thread's processor time, of so many that are
 * taken. 0: none. Context: start. */
void fathom_trace_samples_choose(uint64_t most, const char *sampling);

/* Returns the most samples in a second of a thread's processor time; 0: the trace of this process has no samples.
 * Context: finish. */
uint64_t fathom_trace_most_samples(void);

struct fathom_trace;

/* Records of the location were removed again: modules and events get a record again before their next sample. Context:
 * hook. */
void fathom_trace_samples_forget(struct fathom_trace *trace);

/* The function sample of the substrate's table. Context: signal. */
void fathom_trace_sample(struct fathom_location *self, struct fathom_frame *top, const struct fathom_sample *sample);

#endif
