#include "trace/samples/raw_samples.h"

#include <string.h>
#include <sys/auxv.h>

#include "define/region.h"
#include "event/sampled_frames.h"
#include "otf2/records.h"
#include "platform/clock.h"
#include "platform/module.h"
#include "platform/sampling_setting.h"
#include "trace/archive.h"
#include "trace/records/record.h"

enum { IS_PARTIAL = 1, HAS_OWN = 2 };	/* bits in a sample's record */

/* Bytes of a raw record without its text or frames: its time, its number, its length, its kind, and numbers. */
enum { HEAD_BYTES = FATHOM_OTF2_TIME_BYTES + 1 + 1 + 8 + 1 + 6 * FATHOM_OTF2_NUMBER_MOST_BYTES };

/* Bytes that a frame takes at most, and the additional bytes that its last number may write. */
enum { FRAME_BYTES = 2 * FATHOM_OTF2_NUMBER_MOST_BYTES };

/* --- which samples -------------------------------------------------------------------------------- */

static uint64_t most_per_second;	/* does not change after the start; 0: no samples are recorded */
static uint32_t every = 1;		/* of so many samples of processor time, one is recorded; the same */

void fathom_trace_samples_choose(uint64_t most, const char *sampling)
{
	struct fathom_sampling_setting setting;

	most_per_second = most;
	if (most && sampling && fathom_sampling_setting_read(sampling, &setting) && setting.rate > most)
		every = (uint32_t)((setting.rate + most - 1) / most);
}

uint64_t fathom_trace_most_samples(void)
{
	return most_per_second;
}

/* --- the state of a location ------------------------------------------------------------------------ */

/* A module that has a record. */
struct noted_module {
	struct noted_module *next;
	struct fathom_module_mark mark;
};

enum { MOST_EVENTS = FATHOM_SAMPLED_EVENTS + 1 };

struct fathom_trace_sampler {
	struct fathom_arena arena;	/* the sampler itself is in it */
	struct noted_module *modules;	/* newest first */
	struct fathom_module found;	/* the module that was found last */
	uint32_t events;		/* bits of the events that have a record */
	uint32_t left_out;		/* number of samples of processor time since the last one that is recorded */
	uint64_t next_ns[MOST_EVENTS];	/* by event, except for processor time: the earliest time of the next sample */
};

/* Returns the sampler of a location, made if there is none. NULL: no memory. */
static struct fathom_trace_sampler *sampler_of(struct fathom_trace *trace)
{
	struct fathom_trace_sampler *sampler = trace->sampler;
	struct fathom_arena arena = { 0 };

	if (likely(sampler))
		return sampler;
	sampler = fathom_arena_alloc(&arena, sizeof(*sampler));
	if (!sampler)
		return NULL;
	sampler->arena = arena;
	/* Threads begin at different positions, so that they do not all leave out the same phase of a program. */
	sampler->left_out = trace->id % every;
	trace->sampler = sampler;
	return sampler;
}

/* Returns whether a sample is recorded. Of the samples of processor time, each one stands for the same time, so always
 * the same number of them is left out. How often another event happens is not known, so its samples are left out by the
 * clock. */
static bool is_chosen(struct fathom_trace_sampler *sampler, uint32_t event)
{
	uint64_t interval_ns, now_ns, *next_ns;

	if (event == FATHOM_SAMPLE_TIME) {
		sampler->left_out++;
		if (sampler->left_out < every)
			return false;
		sampler->left_out = 0;
		return true;
	}
	if (event >= MOST_EVENTS)
		return false;
	interval_ns = UINT64_C(1000000000) / most_per_second;
	now_ns = fathom_clock_monotonic_ns();
	next_ns = &sampler->next_ns[event];
	if (now_ns < *next_ns)
		return false;
	*next_ns = now_ns - *next_ns < interval_ns ? *next_ns + interval_ns : now_ns + interval_ns;
	return true;
}

void fathom_trace_samples_forget(struct fathom_trace *trace)
{
	trace->sample_events = 0;
	if (!trace->sampler)
		return;
	trace->sampler->modules = NULL;
	trace->sampler->events = 0;
}

/* --- writing ---------------------------------------------------------------------------------------- */

/* Begins a raw record for which there is room. Returns the address of its fields. */
static uint8_t *begin_record(struct fathom_trace *trace, uint8_t *at, uint64_t ticks, enum fathom_raw_kind kind)
{
	at = fathom_trace_ticks(at, &trace->buffer, ticks);
	at[0] = FATHOM_RECORD_RAW;
	at[1] = FATHOM_RECORD_LONG_LENGTH;
	at[2 + sizeof(uint64_t)] = (uint8_t)kind;
	return at + 2 + sizeof(uint64_t) + 1;
}

/* Ends a record whose fields are between fields and end. */
static void end_record(struct fathom_trace *trace, uint8_t *fields, uint8_t *end, uint64_t ticks)
{
	uint64_t length = (uint64_t)(end - fields) + 1;

	memcpy(fields - 1 - sizeof(length), &length, sizeof(length));
	fathom_trace_keep(&trace->buffer, end, ticks);
}

static uint8_t *put_text(uint8_t *at, const char *text, size_t bytes)
{
	memcpy(at, text, bytes);
	return at + bytes;
}

static bool put_module(struct fathom_trace *trace, const struct fathom_module *module, uint64_t ticks)
{
	size_t bytes = strlen(module->path);
	uint8_t *at = fathom_trace_buffer_room(trace, ticks, HEAD_BYTES + bytes), *fields;

	if (!at)
		return false;
	at = fields = begin_record(trace, at, ticks, FATHOM_RAW_MODULE);
	at = fathom_trace_number(at, module->begin);
	at = fathom_trace_number(at, module->end);
	at = fathom_trace_number(at, module->bias);
	at = fathom_trace_number(at, getauxval(AT_ENTRY));
	end_record(trace, fields, put_text(at, module->path, bytes), ticks);
	return true;
}

static bool put_event(struct fathom_trace *trace, const struct fathom_sample *sample, uint64_t ticks)
{
	uint64_t period = sample->mean_period * (sample->event == FATHOM_SAMPLE_TIME ? every : 1);
	size_t bytes = strlen(sample->name);
	uint8_t *at = fathom_trace_buffer_room(trace, ticks, HEAD_BYTES + bytes), *fields;

	if (!at)
		return false;
	at = fields = begin_record(trace, at, ticks, FATHOM_RAW_EVENT);
	at = fathom_trace_number(at, sample->event);
	at = fathom_trace_number(at, period);
	end_record(trace, fields, put_text(at, sample->name, bytes), ticks);
	return true;
}

static bool put_sample(struct fathom_trace *trace, const struct fathom_sample *sample, uint32_t count, uint32_t stale,
		       uint64_t ticks)
{
	uint8_t *at = fathom_trace_buffer_room(trace, ticks, HEAD_BYTES + count * FRAME_BYTES), *fields;
	unsigned bits = (sample->is_partial ? IS_PARTIAL : 0) | (sample->has_own ? HAS_OWN : 0);

	if (!at)
		return false;
	at = fields = begin_record(trace, at, ticks, FATHOM_RAW_SAMPLE);
	at = fathom_trace_number(at, sample->event);
	at = fathom_trace_number(at, count ? bits : 0);
	at = fathom_trace_number(at, stale);
	at = fathom_trace_number(at, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct fathom_sample_frame *frame = &sample->frames[i];

		/* The distance is a shorter number than the address of the function. */
		at = fathom_trace_number(at, frame->address);
		at = fathom_trace_number(at, frame->function ? frame->address - frame->function + 1 : 0);
	}
	end_record(trace, fields, at, ticks);
	return true;
}

/* --- taking a sample ---------------------------------------------------------------------------------- */

/* Makes a record of the module of the code at address, unless there is one. The module is looked up in each sample,
 * because the program may have loaded another one at the same address. False: there is no room for the record. */
static bool note_module(struct fathom_trace *trace, uintptr_t address, uint64_t ticks)
{
	struct fathom_trace_sampler *sampler = trace->sampler;
	struct fathom_module_mark mark;
	struct noted_module *module;

	if (fathom_module_find((const void *)address, &sampler->found)) {
		sampler->found.begin = sampler->found.end = 0;
		return true;
	}
	fathom_module_mark(&sampler->found, &mark);
	for (module = sampler->modules; module; module = module->next)
		if (address - module->mark.begin < module->mark.end - module->mark.begin)
			break;
	if (module && module->mark.bias == mark.bias && module->mark.name == mark.name)
		return true;
	module = fathom_arena_alloc(&sampler->arena, sizeof(*module));
	if (!module || !put_module(trace, &sampler->found, ticks))
		return false;
	module->mark = mark;
	module->next = sampler->modules;
	sampler->modules = module;
	return true;
}

static bool note_modules(struct fathom_trace *trace, const struct fathom_sample *sample, uint32_t count, uint64_t ticks)
{
	const struct fathom_module *found = &trace->sampler->found;
	bool is_found = false;

	if (!fathom_module_find_is_lock_free())
		return true;	/* modules are looked up at the end */
	for (uint32_t i = 0; i < count; i++) {
		uintptr_t address = sample->frames[i].function ? sample->frames[i].function : sample->frames[i].address;

		if (is_found && address - found->begin < found->end - found->begin)
			continue;
		if (!note_module(trace, address, ticks))
			return false;
		is_found = found->end;
	}
	return true;
}

/* Returns how many regions above top the trace still has open: the core has not noticed yet that a jump or an exception
 * has ended them. */
static uint32_t count_stale(const struct fathom_location *self, const struct fathom_frame *top)
{
	uint32_t count = 0;

	for (const struct fathom_frame *frame = self->top; frame > top; frame--)
		count += frame->region && !(frame->flags & (FATHOM_FRAME_PLACEHOLDER | FATHOM_FRAME_UNTRACED));
	return count;
}

/* Returns how many frames of a sample are recorded. */
static uint32_t count_frames(const struct fathom_frame *top, const struct fathom_sample *sample)
{
	while ((top->flags & (FATHOM_FRAME_PLACEHOLDER | FATHOM_FRAME_LOST)) && !(top->flags & FATHOM_FRAME_BOTTOM))
		top--;
	return top->region && !fathom_region_keeps_frames(top->region) ? 0 : sample->count;
}

/* When FATHOM_TRACE_LIMIT is reached, functions are left out of the trace, and so are samples. */
void fathom_trace_sample(struct fathom_location *self, struct fathom_frame *top, const struct fathom_sample *sample)
{
	struct fathom_trace *trace = self->trace_data;
	struct fathom_trace_sampler *sampler;
	uint32_t count, bit = 1u << sample->event % 32;
	uint64_t ticks;

	if (trace->is_scratch || (fathom_peek(&trace->state) & (FATHOM_TRACE_LOST | FATHOM_TRACE_CLOSED)))
		return;
	sampler = sampler_of(trace);
	if (sampler && !is_chosen(sampler, sample->event))
		return;
	if (!sampler || (fathom_peek(&trace->state) & FATHOM_TRACE_LIMITED) || !fathom_trace_prepare(trace)) {
		trace->samples_lost++;
		return;
	}
	if (trace->buffer.events != trace->sample_events)
		trace->ticks_before_samples = trace->buffer.last_ticks;
	ticks = fathom_trace_time(trace, fathom_trace_now());
	count = count_frames(top, sample);
	if (!(sampler->events & bit) && put_event(trace, sample, ticks))
		sampler->events |= bit;
	if ((sampler->events & bit) && note_modules(trace, sample, count, ticks) &&
	    put_sample(trace, sample, count, count_stale(self, top), ticks))
		trace->samples++;
	else
		trace->samples_lost++;
	trace->sample_events = trace->buffer.events;
}

/* --- reading ------------------------------------------------------------------------------------------ */

/* Reads a number, and moves *at behind it. False: it does not end before end. */
static bool read_number(uint64_t *number, const uint8_t **at, const uint8_t *end)
{
	size_t bytes;

	*number = 0;
	if (*at >= end)
		return false;
	bytes = **at;
	if (bytes > sizeof(*number) || bytes >= (size_t)(end - *at))
		return false;
	memcpy(number, *at + 1, bytes);
	*at += 1 + bytes;
	return true;
}

bool fathom_raw_frame_read(struct fathom_sample_frame *frame, const uint8_t **at, const uint8_t *end)
{
	uint64_t address, distance;

	if (!read_number(&address, at, end) || !read_number(&distance, at, end))
		return false;
	frame->address = (uintptr_t)address;
	frame->function = (uintptr_t)(distance ? address - (distance - 1) : 0);
	return true;
}

bool fathom_raw_record_read(struct fathom_raw_record *raw, const uint8_t *record)
{
	const uint8_t *end = fathom_otf2_record_end(record), *at = record + 2 + sizeof(uint64_t);
	uint64_t bits;

	memset(raw, 0, sizeof(*raw));
	if (record[0] != FATHOM_RECORD_RAW || record[1] != FATHOM_RECORD_LONG_LENGTH || at >= end)
		return false;
	raw->kind = *at++;
	switch (raw->kind) {
	case FATHOM_RAW_MODULE:
		if (!read_number(&raw->begin, &at, end) || !read_number(&raw->end, &at, end) ||
		    !read_number(&raw->bias, &at, end) || !read_number(&raw->entry, &at, end))
			return false;
		break;
	case FATHOM_RAW_EVENT:
		if (!read_number(&raw->event, &at, end) || !read_number(&raw->period, &at, end))
			return false;
		break;
	case FATHOM_RAW_SAMPLE:
		if (!read_number(&raw->event, &at, end) || !read_number(&bits, &at, end) ||
		    !read_number(&raw->stale, &at, end) || !read_number(&raw->frame_count, &at, end))
			return false;
		raw->is_partial = bits & IS_PARTIAL;
		raw->has_own = bits & HAS_OWN;
		raw->frames = at;
		return true;
	default:
		return false;
	}
	raw->text = (const char *)at;
	raw->text_bytes = (size_t)(end - at);
	return true;
}
