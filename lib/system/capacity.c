#include "system/capacity.h"

#include <stdlib.h>
#include <string.h>

#include "platform/log.h"

enum { WORD_BITS = 64, MOST_PROCESSORS = FATHOM_PROCESSOR_WORDS * WORD_BITS };

static uint32_t count_processors(const uint64_t *mask)
{
	uint32_t count = 0;

	for (int w = 0; w < FATHOM_PROCESSOR_WORDS; w++)
		count += (uint32_t)__builtin_popcountll(mask[w]);
	return count;
}

/* --- one node ---------------------------------------------------------------------------------------------- */

static bool is_within(const uint64_t *mask, const uint64_t *larger)
{
	for (int w = 0; w < FATHOM_PROCESSOR_WORDS; w++)
		if (mask[w] & ~larger[w])
			return false;
	return true;
}

/* Keeps in *most the shared processors with more threads on each. */
static void keep_most(struct fathom_shared *most, const struct fathom_shared *other)
{
	uint64_t left = (uint64_t)other->threads * most->millis, right = (uint64_t)most->threads * other->millis;

	if (!other->millis || (uint64_t)other->threads * 1000 <= other->millis)
		return;
	if (!most->millis || left > right || (left == right && other->threads > most->threads))
		*most = *other;
}

/* Checks the processes whose masks are within mask: they have no other processors. */
static void look_at_mask(struct fathom_shared *most, const uint64_t *mask, const struct fathom_processors *list,
			 uint32_t count)
{
	struct fathom_shared shared = { .millis = count_processors(mask) * UINT64_C(1000) };

	for (uint32_t i = 0; i < count; i++)
		if (is_within(list[i].mask, mask)) {
			shared.processes += list[i].processes;
			shared.threads += list[i].threads;
		}
	keep_most(most, &shared);
}

/* Adds up the limits of all control groups; 0: a process has no limit. */
static uint64_t look_at_groups(struct fathom_shared *most, const struct fathom_processors *list, uint32_t count)
{
	bool is_limited = true;
	uint64_t millis = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct fathom_shared shared = { .millis = list[i].group_millis };
		bool is_first = true;

		is_limited &= list[i].group != 0;
		for (uint32_t k = 0; list[i].group && k < count; k++)
			if (list[k].group == list[i].group) {
				is_first &= k >= i;
				shared.processes += list[k].processes;
				shared.threads += list[k].threads;
			}
		if (!list[i].group || !is_first)
			continue;
		millis += list[i].group_millis;
		keep_most(most, &shared);
	}
	return is_limited ? millis : 0;
}

void fathom_capacity_of(struct fathom_capacity *capacity, const struct fathom_processors *list, uint32_t count)
{
	uint64_t all[FATHOM_PROCESSOR_WORDS] = { 0 }, limit;

	memset(capacity, 0, sizeof(*capacity));
	capacity->nodes = 1;
	for (uint32_t i = 0; i < count; i++) {
		capacity->unknown_nodes |= !count_processors(list[i].mask);
		for (int w = 0; w < FATHOM_PROCESSOR_WORDS; w++)
			all[w] |= list[i].mask[w];
	}
	if (!count || capacity->unknown_nodes) {
		capacity->unknown_nodes = 1;
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		look_at_mask(&capacity->most, list[i].mask, list, count);
	look_at_mask(&capacity->most, all, list, count);
	limit = look_at_groups(&capacity->most, list, count);
	capacity->millis = count_processors(all) * UINT64_C(1000);
	if (limit && limit < capacity->millis)
		capacity->millis = limit;
	capacity->shared_nodes = capacity->most.millis != 0;
}

void fathom_capacity_add(struct fathom_capacity *capacity, const struct fathom_capacity *more)
{
	capacity->millis += more->millis;
	capacity->nodes += more->nodes;
	capacity->unknown_nodes += more->unknown_nodes;
	capacity->shared_nodes += more->shared_nodes;
	keep_most(&capacity->most, &more->most);
}

/* --- as text ---------------------------------------------------------------------------------------------------- */

static size_t put_range(char *text, size_t bytes, bool is_first, int begin, int end)
{
	const char *comma = is_first ? "" : ",";

	if (begin == end)
		return (size_t)fathom_format(text, bytes, "%s%d", comma, begin);
	return (size_t)fathom_format(text, bytes, "%s%d-%d", comma, begin, end);
}

static bool has_processor(const uint64_t *mask, int number)
{
	return number < MOST_PROCESSORS && mask[number / WORD_BITS] >> number % WORD_BITS & 1;
}

bool fathom_processors_describe(const struct fathom_processors *own, const char *host, char *text, size_t bytes)
{
	size_t length = (size_t)fathom_format(text, bytes, "host %s, cpus ", host), begin = length;

	if (!count_processors(own->mask) || strchr(host, ','))
		return false;
	for (int i = 0; i < MOST_PROCESSORS && length < bytes; i++) {
		int first = i;

		if (!has_processor(own->mask, i))
			continue;
		while (has_processor(own->mask, i + 1))
			i++;
		length += put_range(text + length, bytes - length, length == begin, first, i);
	}
	if (length < bytes)
		length += (size_t)fathom_format(text + length, bytes - length, ", threads %u", own->threads);
	if (length < bytes && own->group)
		length += (size_t)fathom_format(text + length, bytes - length, ", limit %lu of %lu",
						(unsigned long)own->group_millis, (unsigned long)own->group);
	return length < bytes;
}

/* Parses a list such as "0-3,8" and returns the text behind it. NULL: it is no such list. */
static const char *parse_mask(uint64_t *mask, const char *text)
{
	for (;; text++) {
		char *end;
		unsigned long first = strtoul(text, &end, 10), last = first;

		if (end == text || *text < '0' || *text > '9')
			return NULL;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (first > last || last >= MOST_PROCESSORS)
			return NULL;
		for (; first <= last; first++)
			mask[first / WORD_BITS] |= (uint64_t)1 << first % WORD_BITS;
		text = end;
		if (*text != ',' || text[1] == ' ')
			return text;
	}
}

/* Parses a word and the number behind it, and returns the text behind the number. NULL: the text has another form. */
static const char *parse_number(const char *text, const char *word, uint64_t *number)
{
	char *end;

	if (!text || strncmp(text, word, strlen(word)))
		return NULL;
	text += strlen(word);
	*number = strtoull(text, &end, 10);
	return end > text && *text >= '0' && *text <= '9' ? end : NULL;
}

bool fathom_processors_parse(struct fathom_processors *processors, const char *text, char *host, size_t bytes)
{
	size_t length = strcspn(text, ","), prefix = strlen("host "), cpus = strlen(", cpus ");
	const char *end;
	uint64_t threads;

	memset(processors, 0, sizeof(*processors));
	if (strncmp(text, "host ", prefix) || length - prefix >= bytes || strncmp(text + length, ", cpus ", cpus))
		return false;
	memcpy(host, text + prefix, length - prefix);
	host[length - prefix] = '\0';
	end = parse_mask(processors->mask, text + length + cpus);
	end = parse_number(end, ", threads ", &threads);
	if (!end || !threads || threads > UINT32_MAX)
		return false;
	processors->processes = 1;
	processors->threads = (uint32_t)threads;
	if (!*end)
		return true;
	end = parse_number(end, ", limit ", &processors->group_millis);
	end = parse_number(end, " of ", &processors->group);
	return end && !*end && processors->group && processors->group_millis;
}
