#include "waits/search_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static size_t ops_bytes(const struct fathom_waits_location *location)
{
	return (size_t)location->count * sizeof(struct fathom_waits_op_state);
}

/* More than this in all locations together goes to files, if there is a directory for them and the input does not say
 * another number. */
enum { MOST_MEMORY = 32 << 20, WINDOW_RECORDS = 100000 };

/* The part of the states that is in memory is a multiple of this, the size of a large page, and so is the mapping as
 * a whole if it is not small. The kernel then places the mapping at such a multiple, and maps many pages of the file
 * at one page fault. */
enum { LARGE_PAGE = 2 << 20 };

/* Returns the number of bytes that are mapped for the states of a location. */
static size_t mapped_bytes(const struct fathom_waits_location *location)
{
	size_t bytes = ops_bytes(location);

	return bytes < LARGE_PAGE ? bytes : (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

enum { POPULATE_WRITE = 23 };	/* MADV_POPULATE_WRITE, since Linux 5.14 */

/* Replaces the pages of [from, bytes) by those of a file without a name, if there can be one. Returns whether they are;
 * -ENOMEM: the pages are lost. */
static int map_file(const char *folder, char *pages, size_t from, size_t bytes)
{
	int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	int result = 0;

	if (file < 0)
		return 0;
	/* Blocks are allocated now: a full disk must not end the process later. */
	if (posix_fallocate(file, 0, (off_t)(bytes - from)) == 0)
		result = mmap(pages + from, bytes - from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
			 MAP_FAILED ? -ENOMEM : 1;
	close(file);
	return result;
}

/* Maps zeroed pages for the states of a location: in memory as far as the input allows it, the rest in a file. 0 or
 * -ENOMEM. */
static int map_states(struct fathom_waits_state *state, struct fathom_waits_location_state *location)
{
	const struct fathom_waits_input *input = state->input;
	size_t most = input->scratch_from ? input->scratch_from : MOST_MEMORY;
	size_t left = most > state->ops_bytes ? most - state->ops_bytes : 0, bytes = ops_bytes(location->location);
	char *pages = mmap(NULL, mapped_bytes(location->location), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int err;

	if (pages == MAP_FAILED)
		return -ENOMEM;
	location->ops = (struct fathom_waits_op_state *)(void *)pages;
	location->memory_bytes = bytes;
	if (input->scratch && bytes > left) {
		left -= left % LARGE_PAGE;
		err = map_file(input->scratch, pages, left, bytes);
		if (err < 0)
			return err;
		if (err)
			location->memory_bytes = left;
	}
	state->ops_bytes += location->memory_bytes;
	/* All states are used: the kernel provides the pages at once, which takes less time than a page fault for each
	 * of them. An error does not matter. */
	if (location->memory_bytes)
		syscall(SYS_madvise, pages, location->memory_bytes, POPULATE_WRITE);
	return 0;
}

static int create_location(struct fathom_waits_state *state, struct fathom_waits_location_state *location)
{
	const struct fathom_waits_location *log = location->location;
	uint64_t begin = log->begin, end = log->end;

	if (log->count && map_states(state, location))
		return -ENOMEM;
	for (uint32_t r = 0; r < log->count && !begin; r++)
		if (fathom_waits_is_operation(log, r))
			begin = log->records[r].operation.begin;
	for (uint32_t r = log->count; r > 0 && !end; r--)
		if (fathom_waits_is_operation(log, r - 1))
			end = fathom_waits_record_end(&log->records[r - 1]);
	if (end < begin)
		end = begin;
	location->begin = fathom_waits_seconds(state, location, begin);
	location->end = fathom_waits_seconds(state, location, end);
	location->seconds_per_tick = end > begin ? (location->end - location->begin) / (double)(end - begin) : 0;
	state->summary.lost += log->lost;
	return 0;
}

int fathom_waits_state_create(struct fathom_waits_state *state, struct fathom_comm *comm,
			      const struct fathom_waits_input *input)
{
	uint32_t at = 0;
	int err;

	memset(state, 0, sizeof(*state));
	state->input = input;
	state->own_host = (uint32_t)comm->rank;
	for (uint32_t p = 0; p < input->process_count; p++)
		at += input->processes[p].location_count;
	state->processes = calloc(input->process_count + 1, sizeof(*state->processes));
	state->locations = calloc((size_t)at + 1, sizeof(*state->locations));
	err = fathom_waits_mail_create(&state->mail, comm);
	if (err) {
		state->mail = NULL;
		return err;
	}
	state->recent_paths = calloc(FATHOM_WAITS_RECENT_PATHS, sizeof(*state->recent_paths));
	if (!state->processes || !state->locations || !state->recent_paths)
		return -ENOMEM;
	state->process_count = input->process_count;
	for (uint32_t p = 0; p < input->process_count; p++) {
		const struct fathom_waits_process *process = &input->processes[p];

		state->processes[p] = (struct fathom_waits_process_state){ process, state->location_count };
		if (!fathom_waits_key_add(&state->process_of_rank, fathom_waits_key(1, process->rank), p))
			return -ENOMEM;
		for (uint32_t t = 0; t < process->location_count; t++) {
			struct fathom_waits_location_state *location = &state->locations[state->location_count++];

			location->location = &process->locations[t];
			location->process = p;
			location->thread = t;
			err = create_location(state, location);
			if (err)
				return err;
		}
	}
	return 0;
}

void fathom_waits_state_destroy(struct fathom_waits_state *state)
{
	for (uint32_t l = 0; l < state->location_count; l++)
		if (state->locations[l].ops)
			munmap(state->locations[l].ops, mapped_bytes(state->locations[l].location));
	if (state->mail)
		fathom_waits_mail_destroy(state->mail);
	fathom_waits_key_fini(&state->process_of_rank);
	fathom_waits_key_fini(&state->path_table);
	free(state->recent_paths);
	free(state->paths);
	free(state->values);
	free(state->locations);
	free(state->processes);
}

uint32_t fathom_waits_window(const struct fathom_waits_state *state)
{
	return state->input->window_records ? state->input->window_records : WINDOW_RECORDS;
}

/* Gives back the memory of a location's pages that are in files. */
static void release(const struct fathom_waits_location_state *location)
{
	const struct fathom_waits_location *log = location->location;

	if (fathom_waits_has_file(location))
		madvise((char *)location->ops + location->memory_bytes, ops_bytes(log) - location->memory_bytes,
			MADV_DONTNEED);
	if (log->file_records)
		madvise((void *)log->records, (size_t)log->file_records * sizeof(*log->records), MADV_DONTNEED);
}

void fathom_waits_state_release(const struct fathom_waits_state *state)
{
	for (uint32_t l = 0; l < state->location_count; l++)
		release(&state->locations[l]);
}

void fathom_waits_process_release(const struct fathom_waits_state *state,
				  const struct fathom_waits_process_state *process)
{
	for (uint32_t t = 0; t < process->process->location_count; t++)
		release(&state->locations[process->first_location + t]);
}

void fathom_waits_release_window(const struct fathom_waits_state *state,
				 const struct fathom_waits_location_state *location, uint32_t record)
{
	if (record % fathom_waits_window(state) == 0)
		release(location);
}

uint32_t fathom_waits_host_of(const struct fathom_waits_state *state, uint32_t rank)
{
	if (rank >= state->input->world_size)
		return FATHOM_WAITS_NO_HOST;
	return state->input->host ? state->input->host(state->input->context, rank) : rank;
}

int fathom_waits_send_to(struct fathom_waits_state *state, uint32_t rank, uint32_t type, const void *head,
			 size_t head_bytes, const void *body, size_t body_bytes)
{
	uint32_t host = fathom_waits_host_of(state, rank);

	if (host == FATHOM_WAITS_NO_HOST) {
		state->summary.unhosted++;
		return 0;
	}
	return fathom_waits_mail_send(state->mail, host, type, head, head_bytes, body, body_bytes);
}

static struct fathom_waits_process_state *find_process(const struct fathom_waits_state *state, uint32_t rank)
{
	const uint64_t *found = fathom_waits_key_find(&state->process_of_rank, fathom_waits_key(1, rank));

	return found ? &state->processes[*found] : NULL;
}

struct fathom_waits_process_state *fathom_waits_process_at(const struct fathom_waits_state *state, uint32_t rank)
{
	uint32_t guess = state->process_count ? rank - state->processes[0].process->rank : 0;

	/* Mostly the ranks of a host are a sequence. */
	if (guess < state->process_count && state->processes[guess].process->rank == rank)
		return &state->processes[guess];
	return find_process(state, rank);
}

struct fathom_waits_location_state *fathom_waits_location_at(const struct fathom_waits_state *state,
							     const struct fathom_waits_op_name *name)
{
	const struct fathom_waits_process_state *process = fathom_waits_process_at(state, name->rank);
	struct fathom_waits_location_state *location;

	if (!process || name->thread >= process->process->location_count)
		return NULL;
	location = &state->locations[process->first_location + name->thread];
	return fathom_waits_is_operation(location->location, name->record) ? location : NULL;
}

int fathom_waits_name_compare(const struct fathom_waits_op_name *a, const struct fathom_waits_op_name *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->record < b->record ? -1 : a->record > b->record;
}

uint32_t fathom_waits_first_after(const struct fathom_waits_state *state,
				  const struct fathom_waits_location_state *location, double time)
{
	uint32_t low = 0, high = location->location->count, record;

	/* All operations before low are entered at the time or before, all from high on after it. */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		for (record = middle; record < high && !fathom_waits_is_operation(location->location, record);)
			record++;
		if (record == high || fathom_waits_enter(state, location, record) > time)
			high = middle;
		else
			low = record + 1;
	}
	while (low < location->location->count && !fathom_waits_is_operation(location->location, low))
		low++;
	return low;
}

uint32_t fathom_waits_posted(const struct fathom_waits_location *location, const struct fathom_waits_part *part,
			     uint32_t record)
{
	bool has_posted = part->kind == FATHOM_WAITS_RECEIVE || part->kind == FATHOM_WAITS_SEND_DONE ||
			  part->kind == FATHOM_WAITS_CANCELLED || part->kind == FATHOM_WAITS_COLLECTIVE ||
			  part->kind == FATHOM_WAITS_NEIGHBOR_IN || part->kind == FATHOM_WAITS_NEIGHBOR_OUT;
	uint32_t posted = has_posted ? part->posted : record;

	if (posted >= record || fathom_waits_record_kind(&location->records[posted]) == FATHOM_WAITS_MAP ||
	    fathom_waits_record_kind(&location->records[posted]) == FATHOM_WAITS_MAP_MORE)
		return record;
	return posted - (uint32_t)fathom_waits_record_back(&location->records[posted]);
}

uint64_t fathom_waits_begun(const struct fathom_waits_location *location, const struct fathom_waits_part *part,
			    uint32_t record)
{
	struct fathom_waits_part_walk walk = { location, record, 0 };
	const struct fathom_waits_part *next = NULL;

	if (part->posted == FATHOM_WAITS_NO_RECORD) {
		do
			next = fathom_waits_part_next(&walk);
		while (next && next != part);
		next = next ? fathom_waits_part_next(&walk) : NULL;
	}
	return next && next->kind == FATHOM_WAITS_BEGUN ? fathom_waits_begun_ticks(next) :
	       location->records[fathom_waits_posted(location, part, record)].operation.begin;
}

uint32_t fathom_waits_find_path(struct fathom_waits_state *state, uint32_t location, uint64_t call_path)
{
	struct fathom_waits_location_state *owner = &state->locations[location];
	uint64_t key = fathom_waits_key(fathom_waits_key(2, location), call_path);
	uint64_t *found = fathom_waits_key_add(&state->path_table, key, state->path_count);
	struct fathom_waits_path *path;

	if (!found) {
		state->err = -ENOMEM;
		return 0;
	}
	if (*found < state->path_count)
		return (uint32_t)*found;
	if (state->path_count == state->path_room) {
		uint32_t room = state->path_room ? 2 * state->path_room : 256;
		struct fathom_waits_path *larger = realloc(state->paths, room * sizeof(*larger));

		if (!larger) {
			fathom_waits_key_remove(&state->path_table, key);
			state->err = -ENOMEM;
			return 0;
		}
		state->paths = larger;
		state->path_room = room;
	}
	path = &state->paths[state->path_count];
	*path = (struct fathom_waits_path){ .call_path = call_path, .location = location, .next = owner->first_path };
	path->digest = call_path == FATHOM_WAITS_NO_CALL_PATH ? 0 :
		       state->input->digest(state->input->context, state->processes[owner->process].process,
					    owner->location, call_path);
	owner->first_path = ++state->path_count;
	return state->path_count - 1;
}

void fathom_waits_add(struct fathom_waits_state *state, uint32_t path, enum fathom_waits_pattern pattern, double value)
{
	struct fathom_waits_path *owner = &state->paths[path];
	struct fathom_waits_value *added;

	if (value == 0 || state->err)
		return;
	for (uint32_t v = owner->values; v; v = state->values[v - 1].next) {
		if (state->values[v - 1].pattern != (uint32_t)pattern)
			continue;
		state->values[v - 1].value += value;
		return;
	}
	if (state->value_count == state->value_room) {
		uint32_t room = state->value_room ? 2 * state->value_room : 256;
		struct fathom_waits_value *larger = realloc(state->values, room * sizeof(*larger));

		if (!larger) {
			state->err = -ENOMEM;
			return;
		}
		state->values = larger;
		state->value_room = room;
	}
	added = &state->values[state->value_count++];
	*added = (struct fathom_waits_value){ value, owner->values, (uint32_t)pattern };
	owner->values = state->value_count;
}

void fathom_waits_add_at(struct fathom_waits_state *state, const struct fathom_waits_location_state *location,
			 uint32_t record, enum fathom_waits_pattern pattern, double value)
{
	uint32_t path;

	if (value == 0)
		return;
	path = fathom_waits_path_of(state, (uint32_t)(location - state->locations),
				    location->location->records[record].operation.call_path);
	if (!state->err)
		fathom_waits_add(state, path, pattern, value);
}

void fathom_waits_give_results(const struct fathom_waits_state *state)
{
	const struct fathom_waits_input *input = state->input;

	for (uint32_t l = 0; l < state->location_count; l++) {
		const struct fathom_waits_location_state *location = &state->locations[l];

		for (uint32_t p = location->first_path; p; p = state->paths[p - 1].next) {
			if (state->paths[p - 1].call_path == FATHOM_WAITS_NO_CALL_PATH)
				continue;
			for (uint32_t v = state->paths[p - 1].values; v; v = state->values[v - 1].next)
				input->add(input->context, state->processes[location->process].process,
					   location->location, state->paths[p - 1].call_path,
					   (enum fathom_waits_pattern)state->values[v - 1].pattern,
					   state->values[v - 1].value);
		}
	}
}

bool fathom_waits_has_member(const struct fathom_waits_communicator *comm, uint32_t rank)
{
	if (!comm->ranks) {
		if (rank < comm->first || (comm->stride == 0 && rank != comm->first))
			return false;
		if (comm->stride == 0)
			return comm->count > 0;
		return (rank - comm->first) % comm->stride == 0 && (rank - comm->first) / comm->stride < comm->count;
	}
	for (uint32_t i = 0; i < comm->count; i++)
		if (comm->ranks[i] == rank)
			return true;
	return false;
}
