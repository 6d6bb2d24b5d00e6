#include "trace/clocks/message_times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Number of times that are stored of each kind. When they are full, every second one is dropped. */
enum { SAMPLES = 64 };

enum { SLOT_BITS = 11, SLOTS = 1 << SLOT_BITS, MOST_KINDS = SLOTS / 2 };

struct kind {
	struct fathom_message_kind key;
	uint64_t count;			/* number of messages of the kind so far */
	uint32_t shift;			/* each 2^shift-th message is kept */
	uint32_t kept;
	uint64_t times[SAMPLES];
};

struct fathom_message_times {
	uint32_t count;
	struct kind *last;		/* the kind that was used last: programs repeat themselves */
	struct kind *slots[SLOTS];
};

/* --- while the program runs ---------------------------------------------------------------------- */

static bool is_same(const struct fathom_message_kind *a, const struct fathom_message_kind *b)
{
	return a->comm == b->comm && a->peer == b->peer && a->tag == b->tag && a->is_send == b->is_send;
}

/* Returns the record of a kind, made if it is new. NULL: there is no memory, or there are too many kinds. */
static struct kind *find(struct fathom_message_times *arrivals, struct fathom_arena *arena,
			 const struct fathom_message_kind *key)
{
	uint64_t hash = ((uint64_t)key->comm << 33 ^ (uint64_t)(uint32_t)key->peer << 1 ^ key->is_send) *
			UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)(uint32_t)key->tag * UINT64_C(0xc2b2ae3d27d4eb4f);
	uint32_t at = (uint32_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
	struct kind *kind;

	for (; arrivals->slots[at]; at = (at + 1) % SLOTS)
		if (is_same(&arrivals->slots[at]->key, key))
			return arrivals->slots[at];
	kind = arrivals->count < MOST_KINDS ? fathom_arena_alloc(arena, sizeof(*kind)) : NULL;
	if (!kind)
		return NULL;
	kind->key = *key;
	arrivals->count++;
	arrivals->slots[at] = kind;
	return kind;
}

static void halve(struct kind *kind)
{
	kind->kept /= 2;
	kind->shift++;
	for (uint32_t i = 0; i < kind->kept; i++)
		kind->times[i] = kind->times[2 * i];
}

void fathom_message_times_add(struct fathom_message_times **arrivals, struct fathom_arena *arena,
			      const struct fathom_message_kind *key, uint64_t ticks)
{
	struct kind *kind;

	if (unlikely(!*arrivals))
		*arrivals = fathom_arena_alloc(arena, sizeof(**arrivals));
	if (unlikely(!*arrivals))
		return;
	kind = (*arrivals)->last;
	if (!kind || !is_same(&kind->key, key))
		kind = find(*arrivals, arena, key);
	if (!kind)
		return;
	(*arrivals)->last = kind;
	if (unlikely(kind->kept == SAMPLES) && !(kind->count & (((uint64_t)1 << kind->shift) - 1)))
		halve(kind);
	if (!(kind->count & (((uint64_t)1 << kind->shift) - 1)))
		kind->times[kind->kept++] = ticks;
	kind->count++;
}

/* --- after the run ------------------------------------------------------------------------------- */

/* A kind in a list that is sent: this head, then its times. */
struct head {
	uint64_t name;
	uint64_t count;
	uint32_t to;
	uint32_t kept;
};

struct list {
	char *data;
	uint64_t bytes, room;
};

/* Makes room for that many more bytes. False: no memory; then some kinds are not compared. */
static bool make_room(struct list *list, uint64_t bytes)
{
	uint64_t room = 2 * (list->bytes + bytes);
	char *data;

	if (list->bytes + bytes <= list->room)
		return true;
	data = realloc(list->data, room);
	if (!data)
		return false;
	list->data = data;
	list->room = room;
	return true;
}

static void append(struct list *list, const void *data, uint64_t bytes)
{
	if (!make_room(list, bytes))
		return;
	memcpy(list->data + list->bytes, data, bytes);
	list->bytes += bytes;
}

static uint64_t whole_bytes(const struct head *head)
{
	return sizeof(*head) + head->kept * sizeof(uint64_t);
}

static struct head head_at(const char *at)
{
	struct head head;

	memcpy(&head, at, sizeof(head));
	return head;
}

/* Appends the kinds of this process that are sends, or those that are receives. */
static void collect(const struct fathom_message_times_source *source, bool sends, struct list *list)
{
	for (uint32_t i = 0; i < source->count; i++) {
		for (int s = 0; source->all[i] && s < SLOTS; s++) {
			const struct kind *kind = source->all[i]->slots[s];
			struct { struct head head; uint64_t times[SAMPLES]; } one;

			if (!kind || kind->key.is_send != sends)
				continue;
			one.head = (struct head){ .count = kind->count, .kept = kind->kept };
			if (!source->meaning(source->context, &kind->key, &one.head.name, &one.head.to))
				continue;
			for (uint32_t t = 0; t < kind->kept; t++)
				one.times[t] = source->correct(source->context, kind->times[t]);
			append(list, &one, whole_bytes(&one.head));
		}
	}
}

static int give(struct fathom_comm *comm, int to, const struct list *list)
{
	int err = comm->send(comm, to, &list->bytes, sizeof(list->bytes));

	return err || !list->bytes ? err : comm->send(comm, to, list->data, list->bytes);
}

/* Receives a list and appends it. Without memory it is received and dropped. */
static int take(struct fathom_comm *comm, int from, struct list *list)
{
	uint64_t bytes;
	int err = comm->receive(comm, from, &bytes, sizeof(bytes));
	void *data;

	if (err || !bytes)
		return err;
	if (make_room(list, bytes)) {
		err = comm->receive(comm, from, list->data + list->bytes, bytes);
		list->bytes += bytes;
		return err;
	}
	data = malloc(bytes);
	err = data ? comm->receive(comm, from, data, bytes) : -ENOMEM;
	free(data);
	return err;
}

/* Exchanges lists with another process. The process with the lower rank sends first, so that the two lists are not
 * sent at the same time. */
static int exchange(struct fathom_comm *comm, int with, const struct list *out, struct list *in)
{
	int err = comm->rank < with ? give(comm, with, out) : take(comm, with, in);

	if (!err)
		err = comm->rank < with ? take(comm, with, in) : give(comm, with, out);
	return err;
}

/* Moves the kinds for ranks whose bit differs from this rank's bit from list to out. */
static void part_by(struct list *list, struct list *out, uint32_t rank, uint32_t mask, uint32_t bit)
{
	uint64_t left = 0;

	for (uint64_t at = 0; at < list->bytes;) {
		struct head head = head_at(list->data + at);
		uint64_t bytes = whole_bytes(&head);

		if (((head.to & mask) ^ rank) & bit) {
			append(out, list->data + at, bytes);
		} else {
			memmove(list->data + left, list->data + at, bytes);
			left += bytes;
		}
		at += bytes;
	}
	list->bytes = left;
}

/* Sends every kind in list to its rank. The first 2^n ranks pass the kinds on, by the bits of the number of that
 * rank. Each other rank is represented by the one of these whose number differs from its own only in the highest bit.
 */
static int route(struct fathom_comm *comm, struct list *list)
{
	uint32_t rank = (uint32_t)comm->rank, size = (uint32_t)comm->size, high = 1;
	struct list out = { NULL, 0, 0 };
	int err = 0;

	while (high * 2 <= size)
		high *= 2;
	if (rank >= high) {
		err = give(comm, (int)(rank - high), list);
		list->bytes = 0;
		return err ? err : take(comm, (int)(rank - high), list);
	}
	if (rank + high < size)
		err = take(comm, (int)(rank + high), list);
	for (uint32_t bit = 1; !err && bit < high; bit *= 2) {
		out.bytes = 0;
		part_by(list, &out, rank, high - 1, bit);
		err = exchange(comm, (int)(rank ^ bit), &out, list);
	}
	if (!err && rank + high < size) {
		out.bytes = 0;
		part_by(list, &out, rank, UINT32_MAX, high);
		err = give(comm, (int)(rank + high), &out);
	}
	free(out.data);
	return err;
}

static int by_name(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	uint64_t one = head_at(*x).name, other = head_at(*y).name;

	return one < other ? -1 : one > other;
}

/* Returns the addresses of all kinds in the list, sorted by their names. NULL: there is no memory, or the list is
 * empty. */
static const char **index_of(const struct list *list, uint64_t *count)
{
	const char **index;

	*count = 0;
	for (uint64_t at = 0; at < list->bytes; ++*count) {
		struct head head = head_at(list->data + at);

		at += whole_bytes(&head);
	}
	index = *count ? malloc(*count * sizeof(*index)) : NULL;
	if (!index) {
		*count = 0;
		return NULL;
	}
	*count = 0;
	for (uint64_t at = 0; at < list->bytes;) {
		struct head head = head_at(list->data + at);

		index[(*count)++] = list->data + at;
		at += whole_bytes(&head);
	}
	qsort(index, *count, sizeof(*index), by_name);
	return index;
}

/* Returns true if no other kind in the list has the same name. Where several threads of a process send or receive
 * messages of one kind, it is not known which of them was the n-th. */
static bool is_alone(const char *const *index, uint64_t count, uint64_t i)
{
	return (i == 0 || by_name(&index[i], &index[i - 1])) && (i + 1 == count || by_name(&index[i], &index[i + 1]));
}

static void compare_times(const char *sent, const char *received, struct fathom_message_times_result *result)
{
	struct head head = head_at(sent);

	for (uint32_t i = 0; i < head.kept; i++) {
		uint64_t from, to;

		memcpy(&from, sent + sizeof(head) + i * sizeof(from), sizeof(from));
		memcpy(&to, received + sizeof(head) + i * sizeof(to), sizeof(to));
		result->checked++;
		if (to >= from)
			continue;
		result->early++;
		if (from - to > result->most_ticks)
			result->most_ticks = from - to;
	}
}

static void compare(const struct list *sends, const struct list *receives, struct fathom_message_times_result *result)
{
	uint64_t sent_count, received_count, r = 0;
	const char **sent = index_of(sends, &sent_count), **received = index_of(receives, &received_count);

	for (uint64_t s = 0; s < sent_count; s++) {
		while (r < received_count && by_name(&received[r], &sent[s]) < 0)
			r++;
		if (r == received_count || by_name(&received[r], &sent[s]) || !is_alone(sent, sent_count, s) ||
		    !is_alone(received, received_count, r) || head_at(sent[s]).count != head_at(received[r]).count)
			continue;
		compare_times(sent[s], received[r], result);
	}
	free(sent);
	free(received);
}

/* Adds up the results of all processes at rank 0. */
static int add_up(struct fathom_comm *comm, struct fathom_message_times_result *result)
{
	int parent, children[32], count = fathom_comm_tree(comm->rank, comm->size, &parent, children), err = 0;
	struct fathom_message_times_result other;

	for (int c = 0; !err && c < count; c++) {
		err = comm->receive(comm, children[c], &other, sizeof(other));
		if (err)
			return err;
		result->checked += other.checked;
		result->early += other.early;
		if (other.most_ticks > result->most_ticks)
			result->most_ticks = other.most_ticks;
	}
	return parent < 0 ? err : comm->send(comm, parent, result, sizeof(*result));
}

int fathom_message_times_check(struct fathom_comm *comm, const struct fathom_message_times_source *source,
			       struct fathom_message_times_result *result)
{
	struct list sends = { NULL, 0, 0 }, receives = { NULL, 0, 0 };
	int err;

	memset(result, 0, sizeof(*result));
	collect(source, true, &sends);
	collect(source, false, &receives);
	err = route(comm, &sends);
	if (!err)
		compare(&sends, &receives, result);
	free(sends.data);
	free(receives.data);
	return err ? err : add_up(comm, result);
}
