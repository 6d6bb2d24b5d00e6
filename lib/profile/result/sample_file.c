#include "profile/result/sample_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "event/result.h"
#include "event/sample.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "platform/write.h"
#include "comm/chunked_transfer.h"
#include "profile/process_tree/process_tree.h"
#include "profile/result/sibling_file.h"

/* --- adding up -------------------------------------------------------------------------------------------- */

/* The head of a message. Modules, lines, places with their counts, and the paths of the modules, each with a NUL,
 * follow. */
struct message {
	uint64_t bytes;		/* of what follows */
	uint32_t module_count, line_count, place_count, column_count;
	uint32_t lacks_columns, pad;
};

struct message_module {
	uint32_t id_bytes, pad;
	unsigned char id[FATHOM_BUILD_ID_BYTES];
};

struct message_line {
	uint64_t function, offset, samples, value;
	uint32_t module;
	uint16_t event, is_call;
};

/* Its counts follow. */
struct message_place {
	uint64_t function, offset, samples;
	uint32_t parent, call_path, module, is_call, column_count, pad;
};

struct message_column {
	uint64_t samples;
	uint32_t column, pad;
};

/* All that is added up. */
struct sums {
	struct fathom_sample_lines lines;
	struct fathom_sample_paths paths;
};

/* Calls visit for each line, in no particular order. */
static void for_each_line(const struct fathom_sample_lines *lines,
			  void (*visit)(void *context, struct fathom_sample_line *line), void *context)
{
	for (size_t i = 0; lines->table && i < (size_t)1 << lines->table_bits; i++)
		for (struct fathom_sample_line *line = lines->table[i]; line; line = line->chain)
			visit(context, line);
}

/* Times become units, which are the same in all processes. */
static void convert(void *context, struct fathom_sample_line *line)
{
	const struct fathom_process_tree *process = context;

	if (line->event == FATHOM_SAMPLE_TIME)
		line->value = fathom_ticks_to_units(process->scale, line->value);
}

static void pack_line(void *context, struct fathom_sample_line *line)
{
	struct message_line packed = {
		line->function, line->offset, line->samples, line->value, line->module, line->event, line->is_call,
	};
	char **place = context;

	memcpy(*place, &packed, sizeof(packed));
	*place += sizeof(packed);
}

static char *pack_place(char *to, const struct fathom_path_place *place)
{
	struct message_place packed = {
		.function = place->function, .offset = place->offset, .samples = place->samples,
		.parent = place->parent, .call_path = place->call_path, .module = place->module,
		.is_call = place->is_call,
	};
	char *head = to;

	to += sizeof(packed);
	for (const struct fathom_path_column *count = place->columns; count; count = count->next) {
		struct message_column column = { .samples = count->samples, .column = count->column };

		memcpy(to, &column, sizeof(column));
		to += sizeof(column);
		packed.column_count++;
	}
	memcpy(head, &packed, sizeof(packed));
	return to;
}

/* Sends all to the parent; nothing if there is no memory. */
static int send_up(const struct sums *sums, struct fathom_comm *comm, int parent)
{
	const struct fathom_sample_lines *lines = &sums->lines;
	struct fathom_arena scratch = { 0 };
	struct message message = {
		.module_count = lines->module_count, .line_count = lines->line_count,
		.place_count = sums->paths.count, .column_count = sums->paths.column_count,
		.lacks_columns = sums->paths.lacks_columns,
	};
	char *data, *place;
	int err;

	message.bytes = lines->module_count * sizeof(struct message_module) +
			lines->line_count * sizeof(struct message_line) +
			message.place_count * sizeof(struct message_place) +
			message.column_count * sizeof(struct message_column);
	for (uint32_t i = 0; i < lines->module_count; i++)
		message.bytes += strlen(lines->modules[i].path) + 1;
	data = place = fathom_arena_alloc(&scratch, message.bytes + 1);
	if (!data)
		memset(&message, 0, sizeof(message));
	for (uint32_t i = 0; i < message.module_count; i++) {
		struct message_module packed = { .id_bytes = lines->modules[i].id_bytes };

		memcpy(packed.id, lines->modules[i].id, packed.id_bytes);
		memcpy(place, &packed, sizeof(packed));
		place += sizeof(packed);
	}
	if (data)
		for_each_line(lines, pack_line, &place);
	for (uint32_t i = 0; i < message.place_count; i++)
		place = pack_place(place, sums->paths.list[i]);
	for (uint32_t i = 0; i < message.module_count; i++)
		place = stpcpy(place, lines->modules[i].path) + 1;
	err = comm->send(comm, parent, &message, sizeof(message));
	if (!err)
		err = fathom_chunked_send(comm, parent, data, message.bytes);
	fathom_arena_fini(&scratch);
	return err;
}

/* Adds the places of a message, which begin at data. modules: the numbers of its modules here. Without memory some are
 * lost. */
static void add_places(struct fathom_sample_paths *paths, const struct message *message, const char *data,
		       const uint32_t *modules)
{
	uint32_t *numbers = fathom_arena_alloc(paths->arena, (message->place_count + (size_t)1) * sizeof(*numbers));

	if (message->lacks_columns)
		fathom_sample_paths_drop_columns(paths);
	for (uint32_t i = 0; numbers && i < message->place_count; i++) {
		struct message_place packed;
		struct fathom_path_place key = { 0 }, *place;

		memcpy(&packed, data, sizeof(packed));
		data += sizeof(packed);
		key.function = packed.function;
		key.offset = packed.offset;
		key.parent = packed.parent ? numbers[packed.parent - 1] : FATHOM_PATH_NO_PLACE;
		key.call_path = packed.call_path;
		key.module = packed.module == FATHOM_PATH_NO_MODULE ? FATHOM_PATH_NO_MODULE : modules[packed.module];
		key.is_call = packed.is_call;
		place = fathom_sample_paths_find(paths, &key);
		numbers[i] = place ? place->number : FATHOM_PATH_NO_PLACE;
		if (place && !packed.column_count)
			place->samples += packed.samples;
		for (uint32_t c = 0; c < packed.column_count; c++) {
			struct message_column column;

			memcpy(&column, data, sizeof(column));
			data += sizeof(column);
			if (place)
				fathom_sample_paths_count_new(paths, place, column.column, column.samples);
		}
	}
}

/* Adds the places of this process, with their numbers in the profile. Without memory some are lost. */
static void add_own_places(struct fathom_sample_paths *paths, const struct fathom_sample_paths *own,
			   const struct fathom_sample_numbers *numbers)
{
	uint32_t *of_place = fathom_arena_alloc(paths->arena, (own->count + (size_t)1) * sizeof(*of_place));

	if (own->lacks_columns || !numbers->columns)
		fathom_sample_paths_drop_columns(paths);
	for (uint32_t i = 0; of_place && numbers->call_paths && i < own->count; i++) {
		struct fathom_path_place key = *own->list[i], *place;

		key.parent = key.parent ? of_place[key.parent - 1] : FATHOM_PATH_NO_PLACE;
		key.call_path = numbers->call_paths[key.call_path];
		place = fathom_sample_paths_find(paths, &key);
		of_place[i] = place ? place->number : FATHOM_PATH_NO_PLACE;
		if (!place)
			continue;
		if (paths->lacks_columns)
			place->samples += own->list[i]->samples;
		for (const struct fathom_path_column *count = own->list[i]->columns; !paths->lacks_columns && count;
		     count = count->next)
			fathom_sample_paths_count(paths, place, numbers->first_column + numbers->columns[count->column],
						  count->samples);
	}
}

/* Adds the lines of a message. Modules and paths stay in data. Without memory some are lost. */
static void add_lines(struct sums *sums, const struct message *message, const char *data)
{
	struct fathom_sample_lines *lines = &sums->lines;
	const char *packed_lines = data + message->module_count * sizeof(struct message_module);
	const char *places = packed_lines + message->line_count * sizeof(struct message_line);
	const char *path = places + message->place_count * sizeof(struct message_place) +
			   message->column_count * sizeof(struct message_column);
	uint32_t *numbers = fathom_arena_alloc(lines->arena, (message->module_count + (size_t)1) * sizeof(*numbers));

	for (uint32_t i = 0; numbers && i < message->module_count; i++, path += strlen(path) + 1) {
		const struct message_module *packed = (const void *)(data + i * sizeof(*packed));
		struct fathom_sample_module module = { path, packed->id, packed->id_bytes };

		numbers[i] = fathom_sample_lines_module(lines, &module);
	}
	for (uint32_t i = 0; numbers && i < message->line_count; i++) {
		struct message_line packed;
		struct fathom_sample_line key = { 0 }, *line;

		memcpy(&packed, packed_lines + i * sizeof(packed), sizeof(packed));
		key.function = packed.function;
		key.offset = packed.offset;
		key.module = numbers[packed.module];
		key.event = packed.event;
		key.is_call = packed.is_call;
		line = key.module == UINT32_MAX ? NULL : fathom_sample_lines_find(lines, &key);
		if (!line)
			continue;
		line->samples += packed.samples;
		line->value += packed.value;
	}
	if (numbers)
		add_places(&sums->paths, message, places, numbers);
}

static int receive_child(struct sums *sums, struct fathom_comm *comm, int child)
{
	struct message message;
	char *data;
	int err = comm->receive(comm, child, &message, sizeof(message));

	if (err || !message.bytes)
		return err;
	data = fathom_arena_alloc(sums->lines.arena, message.bytes);
	err = fathom_chunked_receive(comm, child, data, message.bytes);
	if (!err && data)
		add_lines(sums, &message, data);
	return err;
}

/* --- the file ----------------------------------------------------------------------------------------------- */

/* The order of lines in the file: by event, leaf before call, module, offset, function. */
static bool stands_before(const struct fathom_sample_line *a, const struct fathom_sample_line *b)
{
	if (a->event != b->event)
		return a->event < b->event;
	if (a->is_call != b->is_call)
		return a->is_call < b->is_call;
	if (a->module != b->module)
		return a->module < b->module;
	return a->offset != b->offset ? a->offset < b->offset : a->function < b->function;
}

/* Moves the line at place down the heap of count lines, until no line below it stands behind it. */
static void sift(struct fathom_sample_line **heap, size_t place, size_t count)
{
	struct fathom_sample_line *line = heap[place];

	for (size_t child; (child = 2 * place + 1) < count; place = child) {
		if (child + 1 < count && stands_before(heap[child], heap[child + 1]))
			child++;
		if (!stands_before(line, heap[child]))
			break;
		heap[place] = heap[child];
	}
	heap[place] = line;
}

/* Sorts by a heap: the C library's qsort may allocate, which a process that is ending by a signal must not. */
static void sort(struct fathom_sample_line **lines, size_t count)
{
	for (size_t i = count / 2; i-- > 0;)
		sift(lines, i, count);
	while (count > 1) {
		struct fathom_sample_line *last = lines[--count];

		lines[count] = lines[0];
		lines[0] = last;
		sift(lines, 0, count);
	}
}

/* What is written next. */
struct output {
	int fd, err;
	size_t filled;
	char text[8192];
};

static void flush(struct output *output)
{
	if (!output->err)
		output->err = fathom_write_all(output->fd, output->text, output->filled);
	output->filled = 0;
}

/* Returns where the next text goes; there is room for bytes. */
static char *room(struct output *output, size_t bytes)
{
	if (output->filled + bytes > sizeof(output->text))
		flush(output);
	return output->text + output->filled;
}

static void put(struct output *output, const char *text)
{
	size_t bytes = strlen(text);

	while (bytes) {
		size_t part = bytes < sizeof(output->text) ? bytes : sizeof(output->text);

		memcpy(room(output, part), text, part);
		output->filled += part;
		text += part;
		bytes -= part;
	}
}

static void put_module(struct output *output, uint32_t number, const struct fathom_sample_module *module)
{
	char text[32 + 2 * FATHOM_BUILD_ID_BYTES];
	size_t length = (size_t)fathom_format(text, sizeof(text), "module %u ", number);

	for (uint32_t i = 0; i < module->id_bytes; i++)
		length += (size_t)fathom_format(text + length, sizeof(text) - length, "%02x", module->id[i]);
	put(output, text);
	put(output, module->id_bytes ? " " : "- ");
	put(output, module->path);
	put(output, "\n");
}

static void put_line(struct output *output, const struct fathom_sample_line *line)
{
	bool is_time = line->event == FATHOM_SAMPLE_TIME;
	uint64_t whole = is_time ? line->value >> 32 : line->value;
	uint64_t billionths = is_time ? (line->value & UINT32_MAX) * 1000000000 >> 32 : 0;
	char text[160];

	fathom_format(text, sizeof(text), "%s %u %u %lx %lx %lu %lu.%09u\n", line->is_call ? "call" : "leaf",
		      (unsigned)line->event, line->module, (unsigned long)line->function, (unsigned long)line->offset,
		      (unsigned long)line->samples, (unsigned long)whole, (unsigned)billionths);
	put(output, text);
}

static void put_place(struct output *output, const struct fathom_path_place *place)
{
	char text[200];
	size_t length = (size_t)fathom_format(text, sizeof(text), "path %u %u %u %s ", place->number, place->parent,
					      place->call_path, place->is_call ? "call" : "leaf");

	if (place->module == FATHOM_PATH_NO_MODULE)
		fathom_format(text + length, sizeof(text) - length, "- 0 0 %lu", (unsigned long)place->samples);
	else
		fathom_format(text + length, sizeof(text) - length, "%u %lx %lx %lu", place->module,
			      (unsigned long)place->function, (unsigned long)place->offset,
			      (unsigned long)place->samples);
	put(output, text);
	for (const struct fathom_path_column *count = place->columns; count; count = count->next) {
		fathom_format(text, sizeof(text), " %u:%lu", count->column, (unsigned long)count->samples);
		put(output, text);
	}
	put(output, "\n");
}

static void list_line(void *context, struct fathom_sample_line *line)
{
	struct fathom_sample_line ***next = context;

	*(*next)++ = line;
}

static void put_all(struct output *output, const struct sums *sums, struct fathom_sample_line **sorted,
		    const struct fathom_sampling *sampling)
{
	const struct fathom_sample_lines *lines = &sums->lines;
	char text[320];

	put(output, "fathom samples 2\nevent 0 time seconds\n");
	for (uint32_t i = FATHOM_SAMPLE_TIME + 1; sampling && i < sampling->event_count; i++) {
		fathom_format(text, sizeof(text), "event %u %s %s\n", i, sampling->events[i].name,
			      sampling->events[i].unit);
		put(output, text);
	}
	for (uint32_t i = 0; i < lines->module_count; i++)
		put_module(output, i, &lines->modules[i]);
	for (uint32_t i = 0; i < lines->line_count; i++)
		put_line(output, sorted[i]);
	for (uint32_t i = 0; i < sums->paths.count; i++)
		put_place(output, sums->paths.list[i]);
	flush(output);
}

static int write_file(const struct sums *sums, const struct fathom_result *result)
{
	const struct fathom_sample_lines *lines = &sums->lines;
	static struct output output;	/* static, because signal handlers have small stacks */
	size_t bytes = (lines->line_count + (size_t)1) * sizeof(struct fathom_sample_line *);
	struct fathom_sample_line **sorted = fathom_arena_alloc(lines->arena, bytes), **next = sorted;
	char path[1100];

	if (!sorted)
		return -ENOMEM;
	if (!fathom_sibling_file(result->path, "samples.txt", path, sizeof(path)))
		return -ENAMETOOLONG;
	for_each_line(lines, list_line, &next);
	sort(sorted, lines->line_count);
	output = (struct output){ .fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) };
	if (output.fd < 0)
		return -errno;
	put_all(&output, sums, sorted, result->sampling);
	if (close(output.fd) && !output.err)
		output.err = -errno;
	if (output.err)
		unlink(path);
	return output.err;
}

int fathom_sample_file_write(struct fathom_comm *comm, struct fathom_process_tree *process,
			     const struct fathom_sample_numbers *numbers, const struct fathom_result *result)
{
	struct fathom_arena arena = { 0 };
	struct sums sums = { .lines = { .table = NULL } };
	int children[32], parent, count = fathom_comm_tree(comm->rank, comm->size, &parent, children);
	int err = 0, file_err;

	if (process)
		sums.lines = process->sampled.lines;
	sums.lines.arena = sums.paths.arena = &arena;
	if (process) {
		for_each_line(&sums.lines, convert, process);
		add_own_places(&sums.paths, &process->sampled.paths, numbers);
	}
	for (int i = 0; i < count && !err; i++)
		err = receive_child(&sums, comm, children[i]);
	if (!err && parent >= 0) {
		err = send_up(&sums, comm, parent);
	} else if (!err && sums.lines.line_count) {
		file_err = write_file(&sums, result);
		if (file_err)
			fathom_log(FATHOM_LOG_ERROR, "cannot write samples.txt: %s", strerrordesc_np(-file_err));
	}
	fathom_arena_fini(&arena);
	return err;
}
