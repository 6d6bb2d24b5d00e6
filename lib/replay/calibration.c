#include "replay/calibration.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "replay/measured_times.h"
#include "replay/processor_slices.h"

/* The share of measurements that count if tasks shared processors: in a tenth of them, both ends had a processor. */
#define SHARE_OF_SHARED 0.1

/* Otherwise: a process is seldom interrupted while it sends or receives. */
#define SHARE_OF_MESSAGES 0.9

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* --- latency and bandwidth --- */

/* Returns the exponent of the power of two at or below a size; -1 for 0. */
static double size_class(double bytes)
{
	return bytes < 1 ? -1 : logb(bytes);
}

struct sums {			/* of a fit by least squares, weighted */
	double weight, x, y, xx, xy;
};

static void add_class(struct sums *sums, const struct fathom_message_time *times, size_t count)
{
	double bytes = 0, seconds = 0, weight;

	for (size_t i = 0; i < count; i++) {
		bytes += times[i].bytes;
		seconds += times[i].seconds;
	}
	seconds /= (double)count;
	bytes /= (double)count;
	if (seconds <= 0)
		return;
	weight = sqrt((double)count) / (seconds * seconds);
	sums->weight += weight;
	sums->x += weight * bytes;
	sums->y += weight * seconds;
	sums->xx += weight * bytes * bytes;
	sums->xy += weight * bytes * seconds;
}

/* Returns how many of count measurements are that share; at least one. */
static size_t share_of(size_t count, double share)
{
	size_t part = (size_t)((double)count * share);

	return part ? part : 1;
}

static int compare_by_class(const void *a, const void *b)
{
	const struct fathom_message_time *x = a, *y = b;
	double x_class = size_class(x->bytes), y_class = size_class(y->bytes);

	if (x_class != y_class)
		return x_class < y_class ? -1 : 1;
	return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

void fathom_calibration_fit(struct fathom_message_time *times, size_t count, double share,
			    struct fathom_network *network)
{
	struct sums sums = { 0 };
	double determinant, slope = 0, latency = 0;
	size_t begin, end;

	if (count == 0)
		return;
	qsort(times, count, sizeof(*times), compare_by_class);
	for (begin = 0; begin < count; begin = end) {
		for (end = begin; end < count && size_class(times[end].bytes) == size_class(times[begin].bytes); )
			end++;
		add_class(&sums, times + begin, share_of(end - begin, share));
	}
	determinant = sums.weight * sums.xx - sums.x * sums.x;
	if (determinant > 1e-9 * sums.weight * sums.xx)
		slope = (sums.weight * sums.xy - sums.x * sums.y) / determinant;
	if (sums.weight > 0)
		latency = (sums.y - slope * sums.x) / sums.weight;
	if (slope < 0) {	/* larger messages were not slower */
		slope = 0;
		latency = sums.y / sums.weight;
	}
	if (latency < 0) {
		latency = 0;
		slope = sums.xx > 0 ? sums.xy / sums.xx : 0;
	}
	network->latency = latency;
	network->bandwidth = slope > 0 ? 1 / slope : 0;
}

/* Returns how long the transfer of a message took on that network; negative: unknown, or it was on the other one. */
static double transfer_seconds(const struct fathom_replay_program *program,
			       const struct fathom_measured_times *measured, uint32_t message, bool inside)
{
	const struct fathom_replay_channel *channel = &program->channels[program->messages[message].channel];
	const struct fathom_measured_message *times = &measured->messages[message];

	if (!times->is_informative || times->received <= times->sent || inside !=
	    (program->tasks[channel->source].node == program->tasks[channel->destination].node))
		return -1;
	return fathom_replay_seconds(program, times->received - times->sent);
}

/* What is usual for the messages of a power of two. */
struct usual {
	double mean, most;	/* of those that count in the fit; seconds. most 0: there are none */
};

enum { SIZE_CLASSES = 66 };	/* from -1 to 64 */

/* Finds out what is usual. times: as fathom_calibration_fit has sorted them. */
static void find_usual(const struct fathom_message_time *times, size_t count, struct usual *usual)
{
	for (size_t begin = 0, end; begin < count; begin = end) {
		struct usual *of_class = &usual[(int)size_class(times[begin].bytes) + 1];
		size_t counted;

		for (end = begin; end < count && size_class(times[end].bytes) == size_class(times[begin].bytes); )
			end++;
		counted = share_of(end - begin, SHARE_OF_MESSAGES);
		for (size_t i = begin; i < begin + counted; i++)
			of_class->mean += times[i].seconds / (double)counted;
		of_class->most = times[begin + counted - 1].seconds;
	}
}

/* Sets the delays of the slowest messages of each size: what they took more than the others. It is not what they took
 * more than the model, so that the replay still shows where latency and bandwidth do not fit. */
static void set_delays(struct fathom_replay_program *program, const struct fathom_measured_times *measured, bool inside,
		       const struct fathom_message_time *times, size_t count)
{
	struct usual usual[SIZE_CLASSES] = { 0 };

	find_usual(times, count, usual);
	for (uint32_t i = 0; i < program->message_count; i++) {
		double seconds = transfer_seconds(program, measured, i, inside);
		const struct usual *of_class = &usual[(int)size_class((double)program->messages[i].bytes) + 1];

		if (seconds > of_class->most && of_class->most > 0)
			program->messages[i].delay_seconds = seconds - of_class->mean;
	}
}

/* Fits a network to the messages that it carried, and sets their delays: what is more than the network takes. Returns
 * how many counted; -1: no memory. */
static int64_t fit_messages(struct fathom_replay_program *program, const struct fathom_measured_times *measured,
			    bool inside, double share, struct fathom_network *network)
{
	struct fathom_message_time *times = malloc(((size_t)program->message_count + 1) * sizeof(*times));
	size_t count = 0;

	if (!times)
		return -1;
	for (uint32_t i = 0; i < program->message_count; i++) {
		double seconds = transfer_seconds(program, measured, i, inside);

		if (seconds >= 0)
			times[count++] = (struct fathom_message_time){ (double)program->messages[i].bytes, seconds };
	}
	fathom_calibration_fit(times, count, share == 1 ? SHARE_OF_MESSAGES : share, network);
	if (share == 1)
		set_delays(program, measured, inside, times, count);
	free(times);
	return (int64_t)count;
}

/* Sets the time in which a sender is busy: the median of the calls that only sent a message which did not wait for its
 * receive. False: no memory. */
static bool fit_send_calls(const struct fathom_replay_program *program, const struct fathom_measured_times *measured,
			   struct fathom_machine *machine)
{
	double *seconds = malloc(((size_t)program->message_count + 1) * sizeof(*seconds));
	size_t count = 0;

	if (!seconds)
		return false;
	for (uint32_t i = 0; i < program->message_count; i++) {
		const struct fathom_measured_message *message = &measured->messages[i];

		if (message->send_ticks && program->messages[i].mode != FATHOM_REPLAY_SYNCHRONOUS)
			seconds[count++] = fathom_replay_seconds(program, message->send_ticks);
	}
	qsort(seconds, count, sizeof(*seconds), compare_doubles);
	if (count)
		machine->inside.send_seconds = machine->between.send_seconds = seconds[count / 2];
	free(seconds);
	return true;
}

/* --- eager limit --- */

/* Finds the limit that explains most of the messages whose senders could have waited. */
static void find_eager_limit(const struct fathom_replay_program *program, const struct fathom_measured_times *measured,
			    struct fathom_machine *machine, struct fathom_calibration *calibration)
{
	enum { CLASSES = 65 };
	uint64_t eager[CLASSES] = { 0 }, rendezvous[CLASSES] = { 0 }, wrong, least;
	int limit, i;

	for (uint32_t m = 0; m < program->message_count; m++) {
		const struct fathom_measured_message *message = &measured->messages[m];
		uint64_t bytes = program->messages[m].bytes;
		int class = 0;

		if (program->messages[m].mode != FATHOM_REPLAY_STANDARD || !message->posted || !message->sender_ended ||
		    message->posted <= message->sent)
			continue;
		while (class < 64 && bytes >> class)
			class++;
		if (message->sender_ended < message->posted) {
			eager[class]++;
			calibration->eager_messages++;
		} else if (message->sender_waited < message->posted) {
			rendezvous[class]++;
			calibration->rendezvous_messages++;
		}
	}
	/* Classes below limit are eager. Begin with the assumption that all are. */
	for (i = 0, wrong = 0; i < CLASSES; i++)
		wrong += rendezvous[i];
	for (least = wrong, limit = CLASSES, i = CLASSES - 1; i >= 0; i--) {
		wrong = wrong - rendezvous[i] + eager[i];
		if (wrong < least) {
			least = wrong;
			limit = i;
		}
	}
	machine->eager_limit = limit == CLASSES ? UINT64_MAX : limit == 0 ? 0 : (UINT64_C(1) << (limit - 1)) - 1;
}

/* --- collective operations --- */

/* Returns the mean of that share of the values which is smallest. It is not the median, because the sum over all
 * operations should come out. Sorts the values. */
static double mean(double *values, size_t count, double share)
{
	double sum = 0;

	if (count == 0)
		return 0;
	if (share < 1) {
		qsort(values, count, sizeof(*values), compare_doubles);
		count = share_of(count, share);
	}
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

/* What the instances of an operation took. */
struct operation_times {
	double *ratios;		/* measured / model, or seconds if the model says 0 */
	size_t count, room;
	uint64_t loose, tight;	/* instances of which a member left before the last one arrived, and others */
};

static bool keep_ratio(struct operation_times *times, double ratio)
{
	if (times->count == times->room) {
		size_t room = times->room ? 2 * times->room : 16;
		double *larger = realloc(times->ratios, room * sizeof(*larger));

		if (!larger)
			return false;
		times->ratios = larger;
		times->room = room;
	}
	times->ratios[times->count++] = ratio;
	return true;
}

static enum fathom_collective_order loose_order(enum fathom_collective operation)
{
	switch (operation) {
	case FATHOM_COLLECTIVE_BCAST:
	case FATHOM_COLLECTIVE_SCATTER:
	case FATHOM_COLLECTIVE_SCATTERV:
		return FATHOM_ORDER_FROM_ROOT;
	case FATHOM_COLLECTIVE_GATHER:
	case FATHOM_COLLECTIVE_GATHERV:
	case FATHOM_COLLECTIVE_REDUCE:
		return FATHOM_ORDER_TO_ROOT;
	default:
		return FATHOM_ORDER_ALL;
	}
}

static double model_seconds(const struct fathom_replay_program *program, const struct fathom_machine *machine,
			    uint32_t instance, const struct fathom_collective_bytes *bytes)
{
	const struct fathom_replay_comm *comm = &program->comms[program->instances[instance].comm];
	const struct fathom_collective_model *model =
		&machine->collectives[program->instances[instance].operation];

	return fathom_collective_seconds(model, &machine->between, comm->nodes, comm->size, bytes) +
	       fathom_collective_seconds(model, &machine->inside, comm->largest_node, comm->size, bytes);
}

/* Compares the instances of one operation with the model. False: no memory. */
static bool compare_instances(const struct fathom_replay_program *program, const struct fathom_measured_times *measured,
			      struct fathom_machine *machine, enum fathom_collective operation,
			      struct operation_times *times)
{
	enum fathom_collective_order order = machine->collectives[operation].order;
	double tick = program->tick_seconds, model, seconds;

	for (uint32_t i = 0; i < program->instance_count; i++) {
		const struct fathom_measured_instance *instance = &measured->instances[i];
		uint64_t from, to;

		if (program->instances[i].operation != operation || program->instances[i].members < 2 ||
		    program->instances[i].members != program->comms[program->instances[i].comm].size)
			continue;
		if (order == FATHOM_ORDER_ALL) {
			from = instance->last_arrival;
			to = instance->middle_end;
		} else if (order == FATHOM_ORDER_TO_ROOT) {
			from = instance->last_arrival;
			to = instance->root_end;
		} else {
			from = instance->root_arrival;
			to = instance->waiting_end;
		}
		if (to == 0)
			continue;
		seconds = to > from ? (double)(to - from) * tick : 0;
		model = model_seconds(program, machine, i, &instance->bytes);
		if (!keep_ratio(times, model > 0 ? seconds / model : seconds))
			return false;
	}
	return true;
}

static void count_orders(const struct fathom_replay_program *program, const struct fathom_measured_times *measured,
			 enum fathom_collective operation, uint64_t *loose, uint64_t *tight)
{
	for (uint32_t i = 0; i < program->instance_count; i++) {
		if (program->instances[i].operation != operation || program->instances[i].members < 2)
			continue;
		if (measured->instances[i].first_end < measured->instances[i].last_arrival)
			++*loose;
		else
			++*tight;
	}
}

static int fit_collectives(const struct fathom_replay_program *program, const struct fathom_measured_times *measured,
			   double share, struct fathom_machine *machine, struct fathom_calibration *calibration)
{
	bool has_network = machine->between.latency > 0 || machine->inside.latency > 0;

	for (int o = 0; o < FATHOM_COLLECTIVES; o++) {
		struct fathom_collective_model *model = &machine->collectives[o];
		struct operation_times times = { 0 };

		count_orders(program, measured, (enum fathom_collective)o, &times.loose, &times.tight);
		if (times.loose > times.tight)
			model->order = loose_order((enum fathom_collective)o);
		if (!compare_instances(program, measured, machine, (enum fathom_collective)o, &times)) {
			free(times.ratios);
			return -ENOMEM;
		}
		calibration->collectives[o] = times.count;
		if (times.count) {
			if (has_network && (model->in.growth != FATHOM_PHASE_NONE ||
					    model->out.growth != FATHOM_PHASE_NONE))
				model->scale = mean(times.ratios, times.count, share);
			else
				model->fixed = mean(times.ratios, times.count, share);
		}
		free(times.ratios);
	}
	return 0;
}

int fathom_calibrate(struct fathom_replay_program *program, uint32_t processors, struct fathom_machine *machine,
		     struct fathom_calibration *calibration)
{
	struct fathom_measured_times measured;
	double share = fathom_slices_are_measured(program) ? SHARE_OF_SHARED : 1;
	int64_t inside, between;
	bool can_overlap;	/* two tasks of a node had a processor at the same time */
	int err = fathom_measured_times_init(&measured, program);

	fathom_machine_init(machine);
	*calibration = (struct fathom_calibration){ 0 };
	if (err)
		return err;
	can_overlap = !fathom_slices_are_measured(program) || processors > 1;
	inside = can_overlap ? fit_messages(program, &measured, true, share, &machine->inside) : 0;
	between = fit_messages(program, &measured, false, share, &machine->between);
	if (inside < 0 || between < 0 || !fit_send_calls(program, &measured, machine)) {
		fathom_measured_times_fini(&measured);
		return -ENOMEM;
	}
	if (inside == 0 && can_overlap)
		machine->inside = machine->between;
	else if (inside == 0)
		machine->inside.latency = machine->inside.send_seconds > 0 ? machine->inside.send_seconds : 0;
	if (between == 0)
		machine->between = machine->inside;
	calibration->inside_messages = (uint64_t)inside;
	calibration->between_messages = (uint64_t)between;
	find_eager_limit(program, &measured, machine, calibration);
	if (can_overlap)
		err = fit_collectives(program, &measured, share, machine, calibration);
	fathom_measured_times_fini(&measured);
	return err;
}
