#include "profile/result/message_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "comm/chunked_transfer.h"
#include "event/location.h"
#include "event/result.h"
#include "platform/log.h"
#include "platform/write.h"
#include "profile/recording/callpath.h"
#include "profile/recording/partners.h"
#include "profile/result/sibling_file.h"
#include "profile/result/wait_states.h"

/* A text that grows in an arena. */
struct text {
	struct fathom_arena *arena;
	char *bytes;
	uint64_t count, room;
	bool is_lost;			/* there was no memory for a part of it */
};

/* Returns the place for that many more bytes; NULL: no memory. */
static char *reserve(struct text *text, uint64_t bytes)
{
	uint64_t room = text->room ? text->room : 4096;
	char *larger;

	if (text->count + bytes <= text->room)
		return text->bytes + text->count;
	while (room < text->count + bytes)
		room *= 2;
	larger = fathom_arena_alloc(text->arena, room);
	if (!larger) {
		text->is_lost = true;
		return NULL;
	}
	if (text->count)
		memcpy(larger, text->bytes, text->count);
	text->bytes = larger;
	text->room = room;
	return larger + text->count;
}

/* --- the lines of a rank ------------------------------------------------------------------------------ */

static bool has_traffic(const struct fathom_traffic *traffic)
{
	return traffic->messages[FATHOM_SENT] || traffic->messages[FATHOM_RECEIVED];
}

/* Adds a number of seconds. */
static void put_seconds(struct text *text, double seconds)
{
	enum { MOST = 64 };
	uint64_t nanoseconds = seconds > 0 ? (uint64_t)(seconds * 1e9 + 0.5) : 0;
	char *place = reserve(text, MOST);

	if (place)
		text->count += (uint64_t)fathom_format(place, MOST, " %lu.%09lu",
						       (unsigned long)(nanoseconds / 1000000000),
						       (unsigned long)(nanoseconds % 1000000000));
}

/* Adds the begin of a line: the word, the rank, the partner (if there is one), the traffic and the waiting. */
static void put_traffic(struct text *text, const char *word, int32_t rank, uint32_t partner,
			const struct fathom_traffic *traffic, const double waited[FATHOM_DIRECTIONS])
{
	enum { MOST = 160 };
	char *place = reserve(text, MOST);
	int length;

	if (!place)
		return;
	length = fathom_format(place, MOST, "%s %d", word, rank);
	if (partner != FATHOM_PARTNER_NONE)
		length += fathom_format(place + length, MOST - (size_t)length, " %u", partner);
	length += fathom_format(place + length, MOST - (size_t)length, " %lu %lu %lu %lu",
				(unsigned long)traffic->messages[FATHOM_SENT],
				(unsigned long)traffic->bytes[FATHOM_SENT],
				(unsigned long)traffic->messages[FATHOM_RECEIVED],
				(unsigned long)traffic->bytes[FATHOM_RECEIVED]);
	text->count += (uint64_t)length;
	put_seconds(text, waited[FATHOM_SENT]);
	put_seconds(text, waited[FATHOM_RECEIVED]);
}

static void put_partner(struct text *text, int32_t rank, const struct fathom_partner *partner)
{
	enum { MOST = 32 };
	char *place;

	put_traffic(text, "with", rank, partner->rank, &partner->traffic, partner->waited);
	place = reserve(text, MOST);
	if (place)
		text->count += (uint64_t)fathom_format(place, MOST, " %lu\n", (unsigned long)partner->missed);
}

static void put_sum(struct text *text, const char *word, int32_t rank, const struct fathom_traffic *traffic,
		    const double waited[FATHOM_DIRECTIONS])
{
	char *place;

	if (!has_traffic(traffic))
		return;
	put_traffic(text, word, rank, FATHOM_PARTNER_NONE, traffic, waited);
	place = reserve(text, 1);
	if (place) {
		*place = '\n';
		text->count++;
	}
}

/* Moves the used entries to the front of the table and sorts them by rank. The table cannot be searched any more. The
 * library function qsort may allocate, which a process that is ending by a signal must not. */
static uint32_t sort_by_rank(struct fathom_partners *partners)
{
	struct fathom_partner *list = partners->table;
	uint32_t count = 0;

	for (uint32_t i = 0; i <= partners->mask; i++)
		if (list[i].rank != FATHOM_PARTNER_NONE)
			list[count++] = list[i];
	for (uint32_t gap = count / 2; gap; gap /= 2) {		/* Shell's sort */
		for (uint32_t i = gap; i < count; i++) {
			struct fathom_partner moved = list[i];
			uint32_t at = i;

			for (; at >= gap && list[at - gap].rank > moved.rank; at -= gap)
				list[at] = list[at - gap];
			list[at] = moved;
		}
	}
	return count;
}

/* Adds up the partners of all locations. NULL: there are none, or no memory. */
static struct fathom_partners *sum_locations(struct fathom_arena *arena)
{
	struct fathom_partners *sum = NULL;

	for (struct fathom_location *location = fathom_location_newest(); location; location = location->next) {
		const struct fathom_callpaths *paths = fathom_peek(&location->substrate_data);
		const struct fathom_partners *partners =
			paths ? __atomic_load_n(&paths->partners, __ATOMIC_ACQUIRE) : NULL;

		if (partners && !fathom_partners_merge(&sum, arena, partners))
			return NULL;
	}
	return sum;
}

/* Returns how many partners a rank may have in the file. */
static uint32_t most_lines(int32_t ranks)
{
	uint32_t share = FATHOM_MESSAGE_LINES / (uint32_t)(ranks > 0 ? ranks : 1);

	return share < FATHOM_LEAST_LINES_OF_RANK ? FATHOM_LEAST_LINES_OF_RANK : share;
}

static void put_rank(struct text *text, const struct fathom_wait_states *waits, const struct fathom_result *result)
{
	static const double no_waiting[FATHOM_DIRECTIONS];
	struct fathom_partners *sum = sum_locations(text->arena);
	uint32_t count;

	if (!sum)
		return;
	if (waits->partners && !fathom_partners_merge(&sum, text->arena, waits->partners))
		return;
	if (!fathom_partners_thin(&sum, text->arena, most_lines(result->world_size)))
		return;
	count = sort_by_rank(sum);
	for (uint32_t i = 0; i < count; i++)
		if (has_traffic(&sum->table[i].traffic))
			put_partner(text, result->rank, &sum->table[i]);
	put_sum(text, "others", result->rank, &sum->others, sum->others_waited);
	put_sum(text, "unknown", result->rank, &sum->unknown, no_waiting);
}

/* --- all ranks ------------------------------------------------------------------------------------------ */

static int receive_child(struct text *text, struct fathom_comm *comm, int child)
{
	uint64_t bytes;
	char *place;
	int err = comm->receive(comm, child, &bytes, sizeof(bytes));

	if (err || !bytes)
		return err;
	place = reserve(text, bytes);
	err = fathom_chunked_receive(comm, child, place, bytes);
	if (!err && place)
		text->count += bytes;
	return err;
}

static int send_up(const struct text *text, struct fathom_comm *comm, int parent)
{
	int err = comm->send(comm, parent, &text->count, sizeof(text->count));

	return err || !text->count ? err : fathom_chunked_send(comm, parent, text->bytes, text->count);
}

static int write_file(const struct text *text, bool has_waits, const struct fathom_result *result)
{
	char path[1100], head[64];
	size_t length = (size_t)fathom_format(head, sizeof(head), "fathom messages 1\nranks %d\nwaiting %s\n",
					      result->world_size, has_waits ? "known" : "unknown");
	int fd, err;

	if (!fathom_sibling_file(result->path, "messages.txt", path, sizeof(path)))
		return -ENAMETOOLONG;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	err = fathom_write_all(fd, head, length);
	if (!err)
		err = fathom_write_all(fd, text->bytes, text->count);
	if (close(fd) && !err)
		err = -errno;
	if (err)
		unlink(path);
	return err;
}

int fathom_message_file_write(struct fathom_comm *comm, const struct fathom_wait_states *waits,
			      const struct fathom_result *result)
{
	struct fathom_arena arena = { 0 };
	struct text text = { .arena = &arena };
	int children[32], parent, count = fathom_comm_tree(comm->rank, comm->size, &parent, children);
	int err = 0, file_err;

	put_rank(&text, waits, result);
	/* The ranks below the nearest child come directly after this rank, those of the next child after them. */
	for (int i = 0; i < count && !err; i++)
		err = receive_child(&text, comm, children[i]);
	if (!err && parent >= 0) {
		err = send_up(&text, comm, parent);
	} else if (!err && text.count) {
		file_err = write_file(&text, waits->outcome == FATHOM_WAIT_STATES_FOUND, result);
		if (file_err)
			fathom_log(FATHOM_LOG_ERROR, "cannot write messages.txt: %s", strerrordesc_np(-file_err));
	}
	fathom_arena_fini(&arena);
	return err;
}
