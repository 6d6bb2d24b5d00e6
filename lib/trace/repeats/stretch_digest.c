#include "trace/repeats/stretch_digest.h"

#include <string.h>

#include "otf2/records.h"

static inline uint64_t mix(uint64_t sum, uint64_t value)
{
	sum = (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return sum ^ sum >> 32;
}

/* Reads a number of a record, and moves *at behind it. */
static uint64_t take_number(const uint8_t **at)
{
	uint64_t number = 0;
	uint8_t bytes = *(*at)++;

	if (bytes == UINT8_MAX)
		return UINT64_MAX;
	memcpy(&number, *at, bytes < sizeof(number) ? bytes : sizeof(number));
	*at += bytes;
	return number;
}

/* Returns the first field of a record behind its number and its length. No fathom record of this kind is so long that
 * its length takes more than one byte. */
static const uint8_t *fields_of(const uint8_t *record)
{
	return record + (fathom_otf2_fields[*record][0] == '-' ? 1 : 2);
}

static inline void leave(struct fathom_stretch_digest *digest, uint32_t region)
{
	digest->depth--;
	if (digest->depth >= 0 || -digest->depth <= digest->left)
		return;
	if (digest->left == FATHOM_STRETCH_MOST_LEFT) {
		digest->is_excluded = true;
		return;
	}
	digest->regions[digest->left++] = region;
}

/* Adds a message, whose record begins with the fields peer and communicator. */
static void add_message(struct fathom_stretch_digest *digest, const uint8_t *record)
{
	const uint8_t *at = fields_of(record);

	digest->sum = mix(digest->sum, take_number(&at));
	digest->sum = mix(digest->sum, take_number(&at));
}

/* Adds a collective operation, whose record begins with its kind, communicator and root. */
static void add_collective(struct fathom_stretch_digest *digest, const uint8_t *record)
{
	const uint8_t *at = fields_of(record);

	digest->sum = mix(digest->sum, *at++);
	digest->sum = mix(digest->sum, take_number(&at));
	digest->sum = mix(digest->sum, take_number(&at));
}

/* Adds an enter or leave, which most records are. Returns its end. Its only field, a number of at most 4 bytes, is
 * followed by more bytes of the chunk (FATHOM_TRACE_REGION_BYTES). */
static inline const uint8_t *add_region(struct fathom_stretch_digest *digest, const uint8_t *record)
{
	uint32_t region;

	memcpy(&region, record + 2, sizeof(region));
	region &= (uint32_t)((UINT64_C(1) << 8 * record[1]) - 1);
	digest->sum = mix(digest->sum, (uint64_t)region << 8 | *record);
	digest->records++;
	if (*record == FATHOM_RECORD_ENTER)
		digest->depth++;
	else
		leave(digest, region);
	return record + 2 + record[1];
}

static void add_record(struct fathom_stretch_digest *digest, const uint8_t *record)
{
	switch (*record) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND:
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV: add_message(digest, record); break;
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE: add_collective(digest, record); break;
	case FATHOM_RECORD_THREAD_ACQUIRE_LOCK: digest->locks++; break;
	case FATHOM_RECORD_THREAD_RELEASE_LOCK: digest->locks--; break;
	case FATHOM_RECORD_MPI_ISEND_COMPLETE:
	case FATHOM_RECORD_MPI_IRECV_REQUEST:
	case FATHOM_RECORD_MPI_REQUEST_CANCELLED:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST:
	case FATHOM_RECORD_MPI_COLLECTIVE_BEGIN:
	case FATHOM_RECORD_MPI_REQUEST_TEST:
	case FATHOM_RECORD_PARAMETER_STRING:
	case FATHOM_RECORD_PARAMETER_INT:
	case FATHOM_RECORD_PARAMETER_UNSIGNED_INT:
	case FATHOM_RECORD_THREAD_FORK:
	case FATHOM_RECORD_THREAD_JOIN:
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
	case FATHOM_RECORD_THREAD_TEAM_END:
	case FATHOM_RECORD_THREAD_TASK_CREATE:
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
	case FATHOM_RECORD_THREAD_TASK_COMPLETE: break;
	default: digest->is_excluded = true; break;
	}
	digest->sum = mix(digest->sum, *record);
	digest->records++;
}

void fathom_stretch_digest_add(struct fathom_stretch_digest *digest, const uint8_t *from, const uint8_t *end)
{
	for (const uint8_t *at = from; at < end;) {
		if (*at == FATHOM_RECORD_TIME_MARK) {
			at += FATHOM_OTF2_TIME_BYTES;
			continue;
		}
		if (*at == FATHOM_RECORD_ENTER || *at == FATHOM_RECORD_LEAVE) {
			at = add_region(digest, at);
			continue;
		}
		if (*at < FATHOM_RECORD_TIME_MARK)
			return;			/* zeros after the last record */
		/* Metrics and samples depend on the machine, not on the program. */
		if (*at != FATHOM_RECORD_ATTRIBUTES_MARK && *at != FATHOM_RECORD_METRIC && *at != FATHOM_RECORD_RAW)
			add_record(digest, at);
		at = fathom_otf2_record_end(at);
	}
}

bool fathom_stretch_digest_is_closed(const struct fathom_stretch_digest *digest)
{
	return !digest->is_excluded && !digest->locks;
}
