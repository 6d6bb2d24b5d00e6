#include "frames/preview.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

/* The mark in the bytes of a preview that partners follow. All marks together are below 128. */
enum { HAS_PARTNERS = 8 };

/* From this number of shares on, small ones are folded in one pass before the others. */
enum { MANY_SHARES = 1024 };

/* --- exact sums ---------------------------------------------------------------------------------------- */

void fathom_tally_clear(struct fathom_tally *tally)
{
	for (uint32_t i = 0; i < tally->touched_count; i++)
		tally->ticks[tally->touched[i]] = 0;
	tally->touched_count = 0;
	tally->partner_count = 0;
	tally->marks = 0;
	memset(&tally->counts, 0, sizeof(tally->counts));
}

void fathom_tally_fini(struct fathom_tally *tally)
{
	free(tally->ticks);
	free(tally->touched);
	memset(tally, 0, sizeof(*tally));
}

void fathom_tally_add_time(struct fathom_tally *tally, uint32_t path, uint64_t ticks)
{
	size_t room = tally->path_room;

	if (!ticks)
		return;
	if (path >= room) {
		while (path >= tally->path_room)
			tally->ticks = fathom_otf2_memory_grow(tally->ticks, tally->path_room, &tally->path_room,
							       sizeof(*tally->ticks));
		memset(tally->ticks + room, 0, (tally->path_room - room) * sizeof(*tally->ticks));
	}
	if (!tally->ticks[path]) {
		tally->touched = fathom_otf2_memory_grow(tally->touched, tally->touched_count, &tally->touched_room,
							 sizeof(*tally->touched));
		tally->touched[tally->touched_count++] = path;
	}
	tally->ticks[path] += ticks;
}

void fathom_tally_add_partner(struct fathom_tally *tally, uint32_t process, uint64_t messages)
{
	const uint32_t most = sizeof(tally->partners) / sizeof(*tally->partners);
	uint32_t i;

	for (i = 0; i < tally->partner_count; i++)
		if (tally->partners[i].process == process)
			break;
	if (i == most)
		return;
	if (i == tally->partner_count)
		tally->partners[tally->partner_count++] = (struct fathom_preview_partner){ process, 0 };
	tally->partners[i].messages += messages;
}

static void add_counts(struct fathom_preview_counts *counts, const struct fathom_preview_counts *other)
{
	counts->events += other->events;
	counts->sends += other->sends;
	counts->receives += other->receives;
	counts->bytes_sent += other->bytes_sent;
	counts->bytes_received += other->bytes_received;
	counts->collectives += other->collectives;
}

void fathom_tally_add(struct fathom_tally *tally, const struct fathom_tally *other)
{
	for (uint32_t i = 0; i < other->touched_count; i++)
		fathom_tally_add_time(tally, other->touched[i], other->ticks[other->touched[i]]);
	for (uint32_t i = 0; i < other->partner_count; i++)
		fathom_tally_add_partner(tally, other->partners[i].process, other->partners[i].messages);
	add_counts(&tally->counts, &other->counts);
	tally->marks |= other->marks;
}

void fathom_tally_add_preview(struct fathom_tally *tally, const struct fathom_preview *preview)
{
	for (uint32_t i = 0; i < preview->share_count; i++)
		fathom_tally_add_time(tally, preview->shares[i].path, preview->shares[i].ticks);
	for (uint32_t i = 0; i < preview->partner_count; i++)
		fathom_tally_add_partner(tally, preview->partners[i].process, preview->partners[i].messages);
	add_counts(&tally->counts, &preview->counts);
	tally->marks |= preview->marks;
}

/* --- previews ------------------------------------------------------------------------------------------ */

/* Orders shares by time, the smallest first; of equal ones, the deepest path first. */
static int by_time(const void *a, const void *b)
{
	const struct fathom_preview_share *left = a, *right = b;

	if (left->ticks != right->ticks)
		return left->ticks < right->ticks ? -1 : 1;
	return left->path > right->path ? -1 : left->path < right->path;
}

static int by_messages(const void *a, const void *b)
{
	const struct fathom_preview_partner *left = a, *right = b;

	if (left->messages != right->messages)
		return left->messages > right->messages ? -1 : 1;
	return left->process < right->process ? -1 : left->process > right->process;
}

/* Returns the path that a share is charged to if there is no room for it. */
static uint32_t charged_path(const struct fathom_path_table *paths, uint32_t path)
{
	return paths->paths[path].depth <= 1 ? FATHOM_PATH_SEVERAL : paths->paths[path].parent;
}

/* Charges the time of the first share, which is the smallest, to its caller. Returns the new number of shares. The
 * others stay in order. */
static uint32_t fold_smallest(struct fathom_preview_share *shares, uint32_t count,
			      const struct fathom_path_table *paths)
{
	struct fathom_preview_share moved = { charged_path(paths, shares[0].path), shares[0].ticks };
	uint32_t first, at;

	for (first = 1; first < count && shares[first].path != moved.path; first++)
		;
	if (first < count) {	/* the caller has a share: both become one */
		moved.ticks += shares[first].ticks;
		memmove(shares + first, shares + first + 1, (count - first - 1) * sizeof(*shares));
		count--;
	}
	for (at = 1; at < count && by_time(&shares[at], &moved) < 0; at++)
		shares[at - 1] = shares[at];
	shares[at - 1] = moved;
	return count;
}

/* Charges shares to callers until there are at most so many. Returns the new number; the order is ascending. */
static uint32_t fold(struct fathom_preview_share *shares, uint32_t count, uint32_t most,
		     const struct fathom_path_table *paths)
{
	qsort(shares, count, sizeof(*shares), by_time);
	while (count > most) {
		if (shares[0].path == FATHOM_PATH_SEVERAL) {	/* it has no caller; the next share is charged */
			struct fathom_preview_share kept = shares[0];

			shares[0] = shares[1];
			shares[1] = kept;
		}
		count = fold_smallest(shares, count, paths);
	}
	return count;
}

/* Charges each share that is a small part of the sum to its caller, in one pass, so that few shares are left to sort.
 * Returns the new number. */
static uint32_t fold_small(struct fathom_preview_share *shares, uint32_t count, uint32_t most,
			   const struct fathom_path_table *paths)
{
	uint64_t *ticks = fathom_otf2_memory_alloc(paths->count, sizeof(*ticks)), sum = 0, least;
	uint32_t left = 0;

	for (uint32_t i = 0; i < count; i++) {
		ticks[shares[i].path] = shares[i].ticks;
		sum += shares[i].ticks;
	}
	least = sum / (8 * (uint64_t)most) + 1;
	for (uint32_t path = paths->count; path-- > FATHOM_PATH_SEVERAL + 1; ) {	/* callers have lower numbers */
		if (ticks[path] && ticks[path] < least) {
			ticks[charged_path(paths, path)] += ticks[path];
			ticks[path] = 0;
		}
	}
	for (uint32_t path = 0; path < paths->count; path++)
		if (ticks[path])
			shares[left++] = (struct fathom_preview_share){ path, ticks[path] };
	free(ticks);
	return left;
}

void fathom_preview_make(struct fathom_preview *preview, const struct fathom_tally *tally,
			 const struct fathom_path_table *paths, uint32_t most_shares)
{
	uint32_t count = tally->touched_count;
	struct fathom_preview_share *shares = fathom_otf2_memory_alloc(count, sizeof(*shares));
	struct fathom_preview_partner partners[sizeof(tally->partners) / sizeof(*tally->partners)];

	for (uint32_t i = 0; i < count; i++)
		shares[i] = (struct fathom_preview_share){ tally->touched[i], tally->ticks[tally->touched[i]] };
	if (count > MANY_SHARES)
		count = fold_small(shares, count, most_shares, paths);
	count = fold(shares, count, most_shares, paths);
	preview->share_count = count;
	for (uint32_t i = 0; i < count; i++)
		preview->shares[i] = shares[count - 1 - i];
	free(shares);
	memcpy(partners, tally->partners, tally->partner_count * sizeof(*partners));
	qsort(partners, tally->partner_count, sizeof(*partners), by_messages);
	preview->partner_count = tally->partner_count < FATHOM_PREVIEW_PARTNERS ? tally->partner_count :
				 FATHOM_PREVIEW_PARTNERS;
	memcpy(preview->partners, partners, preview->partner_count * sizeof(*partners));
	preview->counts = tally->counts;
	preview->marks = tally->marks;
}

uint32_t fathom_preview_main_path(const struct fathom_preview *preview, const struct fathom_path_table *paths,
				  uint32_t depth)
{
	struct fathom_preview_share sums[FATHOM_PREVIEW_SHARES];
	uint32_t count = 0, best = 0;

	for (uint32_t i = 0; i < preview->share_count; i++) {
		uint32_t path = fathom_path_at_depth(paths, preview->shares[i].path, depth), s;

		for (s = 0; s < count && sums[s].path != path; s++)
			;
		if (s == count)
			sums[count++] = (struct fathom_preview_share){ path, 0 };
		sums[s].ticks += preview->shares[i].ticks;
	}
	for (uint32_t s = 1; s < count; s++)
		if (sums[s].ticks > sums[best].ticks)
			best = s;
	return count ? sums[best].path : FATHOM_PATH_NOTHING;
}

/* --- as bytes ------------------------------------------------------------------------------------------ */

void fathom_preview_write(const struct fathom_preview *preview, struct fathom_byte_buffer *buffer)
{
	const struct fathom_preview_counts *counts = &preview->counts;

	fathom_byte_buffer_number(buffer, preview->end - preview->begin);
	fathom_byte_buffer_number(buffer, counts->events);
	fathom_byte_buffer_number(buffer, preview->marks | (preview->partner_count ? HAS_PARTNERS : 0));
	if (preview->marks & FATHOM_PREVIEW_SENDS) {
		fathom_byte_buffer_number(buffer, counts->sends);
		fathom_byte_buffer_number(buffer, counts->bytes_sent);
	}
	if (preview->marks & FATHOM_PREVIEW_RECEIVES) {
		fathom_byte_buffer_number(buffer, counts->receives);
		fathom_byte_buffer_number(buffer, counts->bytes_received);
	}
	if (preview->marks & FATHOM_PREVIEW_COLLECTIVES)
		fathom_byte_buffer_number(buffer, counts->collectives);
	if (preview->partner_count) {
		fathom_byte_buffer_number(buffer, preview->partner_count);
		for (uint32_t i = 0; i < preview->partner_count; i++) {
			fathom_byte_buffer_number(buffer, preview->partners[i].process);
			fathom_byte_buffer_number(buffer, preview->partners[i].messages);
		}
	}
	fathom_byte_buffer_number(buffer, preview->share_count);
	for (uint32_t i = 0; i < preview->share_count; i++) {
		fathom_byte_buffer_number(buffer, preview->shares[i].path);
		if (i)		/* the first one has the rest of the interval */
			fathom_byte_buffer_number(buffer, preview->shares[i].ticks);
	}
}

static void read_counts(struct fathom_preview *preview, struct fathom_byte_cursor *cursor)
{
	struct fathom_preview_counts *counts = &preview->counts;
	uint64_t marks;

	memset(counts, 0, sizeof(*counts));
	counts->events = fathom_byte_cursor_number(cursor);
	marks = fathom_byte_cursor_number(cursor);
	preview->marks = (uint32_t)marks & ~(uint32_t)HAS_PARTNERS;
	if (marks & FATHOM_PREVIEW_SENDS) {
		counts->sends = fathom_byte_cursor_number(cursor);
		counts->bytes_sent = fathom_byte_cursor_number(cursor);
	}
	if (marks & FATHOM_PREVIEW_RECEIVES) {
		counts->receives = fathom_byte_cursor_number(cursor);
		counts->bytes_received = fathom_byte_cursor_number(cursor);
	}
	if (marks & FATHOM_PREVIEW_COLLECTIVES)
		counts->collectives = fathom_byte_cursor_number(cursor);
	preview->partner_count = marks & HAS_PARTNERS ? (uint32_t)fathom_byte_cursor_number(cursor) : 0;
	if (preview->partner_count > FATHOM_PREVIEW_PARTNERS)
		cursor->at = NULL;
	for (uint32_t i = 0; cursor->at && i < preview->partner_count; i++) {
		preview->partners[i].process = (uint32_t)fathom_byte_cursor_number(cursor);
		preview->partners[i].messages = fathom_byte_cursor_number(cursor);
	}
}

bool fathom_preview_read(struct fathom_preview *preview, struct fathom_byte_cursor *cursor, uint32_t path_count)
{
	uint64_t rest = fathom_byte_cursor_number(cursor), count;

	preview->end = preview->begin + rest;
	read_counts(preview, cursor);
	count = fathom_byte_cursor_number(cursor);
	if (!cursor->at || count > FATHOM_PREVIEW_SHARES)
		return false;
	preview->share_count = (uint32_t)count;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t path = fathom_byte_cursor_number(cursor);

		if (path >= path_count)
			return false;
		preview->shares[i] = (struct fathom_preview_share){ (uint32_t)path, 0 };
		if (!i)
			continue;
		preview->shares[i].ticks = fathom_byte_cursor_number(cursor);
		if (preview->shares[i].ticks > rest)
			return false;
		rest -= preview->shares[i].ticks;
	}
	if (count)
		preview->shares[0].ticks = rest;
	return cursor->at;
}
