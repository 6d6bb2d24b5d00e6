#include "trace/stretches.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "define/metric.h"
#include "platform/clock.h"
#include "platform/lock.h"
#include "platform/log.h"
#include "trace/archive.h"
#include "trace/buffer.h"
#include "trace/comms.h"
#include "trace/cut_points.h"
#include "trace/positions.h"
#include "trace/records/metric_records.h"
#include "trace/records/record.h"
#include "trace/repeats/repeat_detector.h"
#include "trace/repeats/stretch_digest.h"
#include "trace/samples/raw_samples.h"

/* Windows in stretches. The short one finds a period of one stretch after 7 of them. */
static const struct fathom_repeat_size window_sizes[] = { { 6, 4 }, { 128, 64 } };

/* Without MPI: the least records of a stretch, and the limits for the depth at which stretches end. Main has
 * depth 1. */
enum { LEAST_RECORDS = 64, FIRST_DEPTH = 2, MOST_DEPTH = 64 };

/* Votes have larger numbers than the stretches of the time before MPI. */
#define FIRST_VOTE (UINT64_C(1) << 32)

/* The most regions that are left, and that are entered, at a gap. */
enum { FRAMES_MOST = FATHOM_STRETCH_MOST_LEFT };

/* Bits by number of stretch: it was left out. One block of bits has the numbers of this many stretches; there may be
 * 32 million stretches, and later ones stay in the trace. */
enum { BLOCK_STRETCHES = 8192, MOST_BLOCKS = 4096 };

/* The stretches that were left out in a row since the last one that stayed. */
struct gap {
	struct fathom_trace_position begin;	/* no position: the last stretch stayed in the trace */
	uint32_t left, entered;		/* number of regions, active at the begin, that were left since; and of those
					 * that are active in place of them */
	uint32_t regions[FRAMES_MOST];	/* those that were left, innermost first */
	uint64_t stretches;
	uint64_t ticks;			/* the time of all of them */
	uint64_t shortest, longest;	/* of one of them */
	uint64_t readings[FATHOM_METRIC_MOST_STRICT];	/* of counters at the begin */
};

/* The state of the process. Only the initial thread writes it; workers read number and the bits. */
static struct {
	bool is_on;
	bool has_votes;			/* MPI has begun */
	struct fathom_arena arena;
	struct fathom_repeat_detector detector;
	struct fathom_stretch_digest digest;
	struct fathom_trace_position begin;	/* of the present stretch; no position: it cannot be left out */
	uint64_t begin_ticks;
	uint64_t readings[FATHOM_METRIC_MOST_STRICT];	/* of counters at the begin of the present stretch */
	struct gap gap;
	uint64_t number;			/* of the present stretch; 0: there was none. Stored with release after
						 * the bit of the stretch before; workers load it with acquire */
	uint64_t *blocks[MOST_BLOCKS];
	uint64_t vote;				/* number of the last vote whose result this process has got */
	uint64_t left_out;			/* number of stretches left out */
	uint64_t repetitions;			/* number of stretches that this process would have left out */
} stretches;

int fathom_stretches_init(uint64_t whole_periods)
{
	stretches.is_on = whole_periods || fathom_cut_points_are_on();
	if (!whole_periods)
		return 0;
	return fathom_repeat_detector_init(&stretches.detector, &stretches.arena, window_sizes,
					   sizeof(window_sizes) / sizeof(window_sizes[0]), (uint32_t)whole_periods);
}

bool fathom_stretches_are_on(void)
{
	return stretches.is_on;
}

/* --- workers -------------------------------------------------------------------------------------- */

static bool was_left_out(uint64_t number)
{
	const uint64_t *block = fathom_peek(&stretches.blocks[number / BLOCK_STRETCHES % MOST_BLOCKS]);

	return block && number / BLOCK_STRETCHES < MOST_BLOCKS &&
	       (fathom_peek(&block[number % BLOCK_STRETCHES / 64]) >> number % 64 & 1);
}

/* Makes room for the bit of the present stretch. */
static bool has_bit(void)
{
	uint64_t index = stretches.number / BLOCK_STRETCHES;

	if (index >= MOST_BLOCKS)
		return false;
	if (!stretches.blocks[index])
		fathom_poke(&stretches.blocks[index], fathom_arena_alloc(&stretches.arena, BLOCK_STRETCHES / 8));
	return stretches.blocks[index];
}

static void set_bit(void)
{
	uint64_t *word = &stretches.blocks[stretches.number / BLOCK_STRETCHES][stretches.number % BLOCK_STRETCHES / 64];

	fathom_poke(word, *word | UINT64_C(1) << stretches.number % 64);
}

static void remove_if_left_out(struct fathom_trace *trace)
{
	if (!trace->stretch_number || !was_left_out(trace->stretch_number))
		return;
	fathom_trace_buffer_rewind(trace, &trace->stretch);
	fathom_trace_samples_forget(trace);
}

/* A worker records from now on in the stretch with this number. */
static void follow(struct fathom_trace *trace, uint64_t number)
{
	remove_if_left_out(trace);
	trace->stretch = fathom_trace_buffer_position(trace);
	trace->stretch_number = number;
}

void fathom_stretches_follow(struct fathom_trace *trace)
{
	uint64_t number = __atomic_load_n(&stretches.number, __ATOMIC_ACQUIRE);

	if (fathom_cut_points_are_on())
		fathom_cut_points_follow(trace);
	else if (stretches.is_on && trace->location->kind != FATHOM_KIND_INITIAL && number != trace->stretch_number)
		follow(trace, number);
}

void fathom_stretches_settle(struct fathom_trace *trace)
{
	/* The number of the present stretch is stored after its bit was set. */
	uint64_t number = __atomic_load_n(&stretches.number, __ATOMIC_ACQUIRE);

	if (fathom_cut_points_are_on())
		fathom_cut_points_settle(trace);
	else if (stretches.is_on && trace->stretch_number != number)
		remove_if_left_out(trace);
	trace->stretch_number = 0;
}

/* --- the vote ------------------------------------------------------------------------------------- */

/* Returns a number for the messages of a channel that is the same at the sender and at the receiver. */
static uint64_t channel(uint32_t comm, uint32_t peer, uint32_t tag, bool is_sent)
{
	const struct fathom_trace_comm *at = fathom_trace_comm_by_number(comm);
	uint64_t key = at->kind == FATHOM_TRACE_COMM_SELF ? 0 : fathom_trace_comm_members(at)->key;
	uint64_t parts[] = { is_sent ? at->rank : peer, is_sent ? peer : at->rank, tag };

	for (int i = 0; i < 3; i++) {
		key = (key ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15);
		key = (key ^ key >> 32) * UINT64_C(0xd6e8feb86659fd93);
		key ^= key >> 29;
	}
	return key;
}

void fathom_stretches_message(struct fathom_trace *trace, uint32_t comm, uint32_t peer, uint32_t tag, bool is_sent)
{
	uint64_t number = comm == UINT32_MAX ? 1 : channel(comm, peer, tag, is_sent);

	trace->in_flight += is_sent ? number : -number;
}

static void add_to_digest(void *data, const uint8_t *from, const uint8_t *end)
{
	fathom_stretch_digest_add(data, from, end);
}

/* Returns whether a stretch may begin or end here: outside of tasks and teams, without open requests, while the thread
 * is recorded. */
static bool is_boundary(const struct fathom_location *self)
{
	const struct fathom_trace *trace = self->trace_data;

	return self->kind == FATHOM_KIND_INITIAL && !self->task && !self->leads && !self->team && !self->is_paused &&
	       !self->lost_depth && !self->coroutine && !trace->is_off && !trace->requests &&
	       !(fathom_peek(&trace->state) & (FATHOM_TRACE_LOST | FATHOM_TRACE_CLOSED));
}

/* Returns whether the records of all workers in the present stretch can be removed, also if a few are added now. */
static bool workers_can_follow(void)
{
	for (const struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		if (fathom_peek(&trace->stretch_number) == stretches.number &&
		    trace->location->kind != FATHOM_KIND_INITIAL &&
		    !fathom_trace_position_is_kept(&trace->buffer, &trace->stretch))
			return false;
	return true;
}

/* Returns whether the gap has room for the regions of the stretch that ends here. */
static bool gap_has_room(void)
{
	const struct gap *gap = &stretches.gap;
	uint32_t left = gap->begin.chunk ? gap->left : 0;
	int64_t entered = (gap->begin.chunk ? gap->entered : 0) + stretches.digest.left + stretches.digest.depth;

	return left + stretches.digest.left <= FRAMES_MOST && entered <= FRAMES_MOST;
}

/* Returns whether the stretch that ends here is a repetition that this process can leave out. */
static bool is_repetition(struct fathom_location *self, uint64_t number)
{
	struct fathom_trace *trace = self->trace_data;
	uint64_t other = number << 32 | 1;	/* a number that is unequal to all others breaks the period */
	bool is_repetition;

	if (fathom_repeat_detector_skips(&stretches.detector, other))
		return false;
	if (!stretches.begin.chunk || stretches.vote + 1 != number ||
	    !fathom_trace_position_is_kept(&trace->buffer, &stretches.begin)) {
		fathom_repeat_detector_push(&stretches.detector, other);
		return false;
	}
	stretches.digest = (struct fathom_stretch_digest){ 0 };
	fathom_trace_position_read(&trace->buffer, &stretches.begin, add_to_digest, &stretches.digest);
	is_repetition = fathom_repeat_detector_push(&stretches.detector, stretches.digest.sum);
	stretches.repetitions += is_repetition;
	return is_repetition && is_boundary(self) && fathom_stretch_digest_is_closed(&stretches.digest) &&
	       gap_has_room() && has_bit() && workers_can_follow();
}

void fathom_stretches_vote(struct fathom_location *self, uint64_t number, uint64_t *words)
{
	const struct fathom_trace *trace = self->trace_data;

	if (fathom_cut_points_are_on())
		words[0] = fathom_cut_points_word(self, trace && is_boundary(self), fathom_trace_now());
	else
		words[0] = !trace || !is_repetition(self, number);
	words[1] = trace ? trace->in_flight : 0;
}

/* --- gaps ----------------------------------------------------------------------------------------- */

/* Finds the regions of the innermost frames that are in the trace, innermost first; returns their number. */
static uint32_t list_regions(const struct fathom_location *self, const struct fathom_frame *top, uint32_t *regions,
			     uint32_t most)
{
	uint32_t count = 0;

	for (const struct fathom_frame *frame = top; frame > self->root && count < most; frame--)
		if (frame->region && !fathom_frame_is_placeholder(frame) && !fathom_trace_is_untraced(frame))
			regions[count++] = frame->region->id;
	return count;
}

static uint64_t ns_of(uint64_t ticks)
{
	const uint64_t ns_per_second = 1000000000;

	return (uint64_t)((unsigned __int128)fathom_ticks_to_units(fathom_clock_scale(), ticks) * ns_per_second >> 32);
}

static void write_numbers(struct fathom_trace *trace, uint64_t now)
{
	const uint8_t types[] = { OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64 };
	const struct gap *gap = &stretches.gap;
	const uint64_t values[] = { gap->stretches, ns_of(gap->ticks), ns_of(gap->shortest), ns_of(gap->longest) };

	fathom_trace_put_metric(trace, now, fathom_trace_repeat_class(), 4, types, values);
}

static void write_region(struct fathom_location *self, enum fathom_record record, uint32_t region, uint64_t now,
			 const uint64_t *readings)
{
	struct fathom_trace *trace = self->trace_data;

	if (self->meter)
		fathom_trace_readings(self, trace, now, readings);
	FATHOM_TRACE_PUT(trace, now, record, region);
}

/* Writes the gap in place of the records behind its begin. */
static void write_gap(struct fathom_location *self, const struct fathom_frame *top, uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;
	const struct gap *gap = &stretches.gap;
	uint32_t regions[FRAMES_MOST], count = list_regions(self, top, regions, gap->entered);
	uint64_t begin = gap->begin.ticks;
	sigset_t signals;

	/* A signal handler that leaves by longjmp must not find the gap half written. */
	fathom_signals_block(&signals);
	fathom_trace_buffer_rewind(trace, &gap->begin);
	fathom_trace_samples_forget(trace);
	for (uint32_t i = 0; i < gap->left; i++)
		write_region(self, FATHOM_RECORD_LEAVE, gap->regions[i], begin, gap->readings);
	FATHOM_TRACE_PUT(trace, begin, FATHOM_RECORD_MEASUREMENT_ON_OFF, OTF2_MEASUREMENT_OFF);
	FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_MEASUREMENT_ON_OFF, OTF2_MEASUREMENT_ON);
	write_numbers(trace, now);
	for (uint32_t i = count; i-- > 0;)
		write_region(self, FATHOM_RECORD_ENTER, regions[i], now, self->meter ? self->meter->values : NULL);
	fathom_signals_restore(&signals);
}

/* Adds to the gap the regions that were left and entered in the stretch that ends now. */
static void add_regions(struct gap *gap)
{
	const struct fathom_stretch_digest *digest = &stretches.digest;

	/* The first of those that were left were entered within the gap. */
	for (uint32_t i = gap->entered; i < digest->left; i++)
		gap->regions[gap->left++] = digest->regions[i];
	if (gap->entered < digest->left)
		gap->entered = digest->left;
	gap->entered = (uint32_t)(gap->entered + digest->depth);
}

/* Leaves out the stretch that ends now; top is the innermost active frame. */
static void leave_out(struct fathom_location *self, const struct fathom_frame *top, uint64_t now)
{
	const struct fathom_trace *trace = self->trace_data;
	struct gap *gap = &stretches.gap;
	uint64_t ticks = now - stretches.begin_ticks;

	if (!gap->begin.chunk || !fathom_trace_position_is_kept(&trace->buffer, &gap->begin)) {
		*gap = (struct gap){ .begin = stretches.begin, .shortest = UINT64_MAX };
		memcpy(gap->readings, stretches.readings, sizeof(gap->readings));
	}
	gap->stretches++;
	gap->ticks += ticks;
	gap->shortest = ticks < gap->shortest ? ticks : gap->shortest;
	gap->longest = ticks > gap->longest ? ticks : gap->longest;
	add_regions(gap);
	set_bit();
	stretches.left_out++;
	write_gap(self, top, now);
}

/* Begins a stretch, if one may begin here. is_empty: no message is in flight. */
static void begin_stretch(struct fathom_location *self, uint64_t now, bool is_empty)
{
	struct fathom_trace *trace = self->trace_data;

	stretches.begin = (struct fathom_trace_position){ 0 };
	stretches.begin_ticks = now;
	if (!trace || !is_empty || !is_boundary(self) || !fathom_trace_prepare(trace))
		return;
	stretches.begin = fathom_trace_buffer_position(trace);
	if (self->meter)
		memcpy(stretches.readings, self->meter->values, self->meter->count * sizeof(self->meter->values[0]));
	__atomic_store_n(&stretches.number, stretches.number + 1, __ATOMIC_RELEASE);
}

/* Ends the stretch with this number, and begins the next one. top: the innermost active frame. */
static void end_stretch(struct fathom_location *self, const struct fathom_frame *top, uint64_t number,
			bool is_left_out, bool is_empty, uint64_t now)
{
	if (is_left_out)
		leave_out(self, top, now);
	else
		stretches.gap.begin = (struct fathom_trace_position){ 0 };
	stretches.vote = number;
	begin_stretch(self, now, is_empty);
}

void fathom_stretches_vote_result(struct fathom_location *self, uint64_t number, const uint64_t *sums)
{
	const struct fathom_trace *trace = self->trace_data;
	uint64_t now = trace ? fathom_trace_time(trace, fathom_trace_now()) : 0;

	if (!fathom_cut_points_are_on())
		end_stretch(self, self->top, number, !sums[0] && !sums[1], !sums[1], now);
	else if (!sums[1])
		fathom_cut_points_decide(self, self->top, FIRST_VOTE + number, sums[0], now);
}

/* --- without MPI ---------------------------------------------------------------------------------- */

void fathom_stretches_begin(struct fathom_trace *trace)
{
	if (stretches.is_on && !stretches.has_votes)
		trace->division_depth = FIRST_DEPTH;
}

void fathom_stretches_divide(struct fathom_location *self, const struct fathom_frame *top, uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;
	uint64_t number = stretches.vote + 1;

	if (stretches.has_votes) {
		trace->division_depth = 0;
		return;
	}
	if (top - self->root >= trace->division_depth && trace->division_depth < MOST_DEPTH) {
		trace->division_depth++;
		trace->division_events = trace->buffer.events + LEAST_RECORDS;
		return;
	}
	if (!is_boundary(self))
		return;
	now = fathom_trace_time(trace, now);
	if (fathom_cut_points_are_on()) {
		fathom_cut_points_decide(self, top, number, fathom_cut_points_word(self, true, now), now);
		stretches.vote = number;
	} else {
		end_stretch(self, top, number, is_repetition(self, number), true, now);
	}
	trace->division_events = trace->buffer.events + LEAST_RECORDS;
}

void fathom_stretches_join(struct fathom_location *self, uint64_t now)
{
	const struct fathom_trace *trace = self->trace_data;

	if (trace->buffer.events >= trace->division_events && self->top - self->root < trace->division_depth)
		fathom_stretches_divide(self, self->top, now);
}

void fathom_stretches_use_votes(void)
{
	stretches.has_votes = true;
	fathom_cut_points_use_votes();
	stretches.begin = (struct fathom_trace_position){ 0 };
	stretches.gap.begin = (struct fathom_trace_position){ 0 };
	stretches.vote = 0;
}

/* --- the end -------------------------------------------------------------------------------------- */

bool fathom_stretches_have_gaps(void)
{
	return stretches.left_out || fathom_cut_points_have_dropped();
}

void fathom_stretches_report(void)
{
	fathom_cut_points_report();
	if (!stretches.is_on || fathom_cut_points_are_on())
		return;
	if (stretches.left_out)
		fathom_log(FATHOM_LOG_INFO, "FATHOM_TRACE_REPEAT: %lu of %lu stretches are left out of the trace",
			   (unsigned long)stretches.left_out, (unsigned long)stretches.vote);
	else if (!stretches.vote && stretches.has_votes)
		fathom_log(FATHOM_LOG_SAY, "FATHOM_TRACE_REPEAT left nothing out: there was no operation, such as "
			   "MPI_Allreduce, at which all processes could decide together");
	else
		fathom_log(FATHOM_LOG_SAY, "FATHOM_TRACE_REPEAT left nothing out: %s",
			   stretches.repetitions ? "the processes did not repeat the same stretches" :
			   "no sequence of events was repeated often enough");
}
