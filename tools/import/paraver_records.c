#include "tools/import/paraver_records.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

enum { MOST_THREADS = 1 << 24 };

__attribute__((format(printf, 2, 3))) static int complain(const struct fathom_paraver_file *file, const char *format,
							   ...)
{
	char text[300];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fathom_tool_error("%s:%" PRIu64 ": %s", file->path, file->line_number, text);
	return -EINVAL;
}

/* Reads a line without its end. False: the file ends. */
static bool next_line(struct fathom_paraver_file *file)
{
	ssize_t length = getline(&file->line, &file->line_room, file->stream);

	if (length < 0)
		return false;
	file->line_number++;
	while (length && (file->line[length - 1] == '\n' || file->line[length - 1] == '\r'))
		file->line[--length] = '\0';
	return true;
}

/* Takes a number and the character behind it, which must be one of stops. */
static bool take_number(char **at, uint64_t *number, const char *stops)
{
	char *end;

	if (**at < '0' || **at > '9')
		return false;
	errno = 0;
	*number = strtoull(*at, &end, 10);
	if (errno || !strchr(stops, *end))	/* strchr also finds the NUL */
		return false;
	*at = *end ? end + 1 : end;
	return true;
}

/* --- the first lines ------------------------------------------------------------------------------------ */

/* Takes "N(n1,n2,...)" of nodes, or "0". */
static bool take_nodes(struct fathom_paraver_file *file, char **at)
{
	uint64_t count, cpus;

	if (!take_number(at, &count, "(:") || count > MOST_THREADS)
		return false;
	file->node_count = count ? (uint32_t)count : 1;
	if ((*at)[-1] == ':')
		return true;
	for (uint64_t n = 0; n < count; n++)
		if (!take_number(at, &cpus, ",)") || ((*at)[-1] == ')') != (n + 1 == count))
			return false;
	return *(*at)++ == ':';
}

/* Takes "tasks(threads:node,threads:node,...)" of an application. */
static bool take_tasks(struct fathom_paraver_file *file, uint32_t application, char **at)
{
	uint64_t count, threads, node;

	if (!take_number(at, &count, "(") || count > MOST_THREADS)
		return false;
	for (uint64_t t = 0; t < count; t++) {
		if (!take_number(at, &threads, ":") || !take_number(at, &node, ",)") ||
		    threads == 0 || threads > MOST_THREADS - file->thread_count)
			return false;
		file->tasks = fathom_tool_grow(file->tasks, file->task_count, &file->task_room, sizeof(*file->tasks));
		file->tasks[file->task_count++] = (struct fathom_paraver_task){
			.application = application, .number = (uint32_t)t + 1, .first_thread = file->thread_count,
			.thread_count = (uint32_t)threads,
			.node = node && node <= file->node_count ? (uint32_t)node - 1 : 0,
		};
		file->thread_count += (uint32_t)threads;
		if (((*at)[-1] == ')') != (t + 1 == count))
			return false;
	}
	return true;
}

static bool take_header(struct fathom_paraver_file *file)
{
	char *at = strstr(file->line, "):");
	uint64_t applications;

	if (strncmp(file->line, "#Paraver ", 9) != 0 || !at)
		return false;
	at += 2;
	if (!take_number(&at, &file->duration, ":_"))
		return false;
	file->ticks_per_second = 1000000;
	if (at[-1] == '_') {
		if (strncmp(at, "ns:", 3) != 0)
			return false;
		file->ticks_per_second = 1000000000;
		at += 3;
	}
	if (!take_nodes(file, &at) || !take_number(&at, &applications, ":") || applications > MOST_THREADS)
		return false;
	for (uint32_t a = 0; a < applications; a++) {
		file->first_tasks = fathom_tool_grow(file->first_tasks, file->application_count + 1,
						     &file->application_room, sizeof(*file->first_tasks));
		file->first_tasks[file->application_count++] = (uint32_t)file->task_count;
		if (!take_tasks(file, a + 1, &at))
			return false;
		file->first_tasks[file->application_count] = (uint32_t)file->task_count;
		if (*at == ':')
			at++;
	}
	return file->thread_count > 0;
}

/* Takes "c:application:id:count:task:task...". */
static int take_comm(struct fathom_paraver_file *file)
{
	uint64_t application, id, count, task;
	struct fathom_paraver_comm *comm;
	char *at = file->line + 2;

	if (!take_number(&at, &application, ":") || !take_number(&at, &id, ":") || !take_number(&at, &count, ":") ||
	    application == 0 || application > file->application_count || count > file->task_count)
		return complain(file, "not a communicator (c:application:id:count:task:...)");
	file->comms = fathom_tool_grow(file->comms, file->comm_count, &file->comm_room, sizeof(*file->comms));
	comm = &file->comms[file->comm_count++];
	*comm = (struct fathom_paraver_comm){
		.id = id, .application = (uint32_t)application, .tasks = fathom_tool_alloc(count + 1, sizeof(uint32_t)),
	};
	while (comm->count < count) {
		uint32_t first = file->first_tasks[application - 1];

		if (!take_number(&at, &task, ":") || task == 0 || task > file->first_tasks[application] - first)
			return complain(file, "the communicator %" PRIu64 " has a member that is no task", id);
		comm->tasks[comm->count++] = first + (uint32_t)task - 1;
	}
	return 0;
}

int fathom_paraver_file_open(struct fathom_paraver_file *file, const char *path)
{
	int err = 0;

	*file = (struct fathom_paraver_file){ .path = path, .stream = fopen(path, "re") };
	if (!file->stream) {
		err = -errno;
		fathom_tool_error("%s: %s", path, strerror(-err));
		return err;
	}
	if (!next_line(file) || !take_header(file))
		err = complain(file, "not a trace of Paraver (#Paraver (dd/mm/yyyy at hh:mm):time_ns:nodes(cpus,...):"
				     "applications:tasks(threads:node,...),...)");
	while (!err) {
		off_t position = ftello(file->stream);

		file->records_at = position < 0 ? 0 : (uint64_t)position;
		file->records_line = file->line_number;
		if (!next_line(file))
			break;
		if (strncmp(file->line, "c:", 2) == 0)
			err = take_comm(file);
		else if (*file->line != '#' && *file->line && strncmp(file->line, "i:", 2) != 0)
			break;
	}
	if (err)
		fathom_paraver_file_close(file, NULL);
	else
		fathom_paraver_file_rewind(file);
	return err;
}

void fathom_paraver_file_rewind(struct fathom_paraver_file *file)
{
	fseeko(file->stream, (off_t)file->records_at, SEEK_SET);
	file->line_number = file->records_line;
}

void fathom_paraver_file_close(struct fathom_paraver_file *file, struct fathom_paraver_record *record)
{
	for (size_t c = 0; c < file->comm_count; c++)
		free(file->comms[c].tasks);
	free(file->comms);
	free(file->tasks);
	free(file->first_tasks);
	free(file->line);
	if (record)
		free(record->pairs);
	fclose(file->stream);
}

/* --- records -------------------------------------------------------------------------------------------- */

/* Takes "cpu:application:task:thread:". */
static bool take_thread(const struct fathom_paraver_file *file, char **at, uint32_t *thread)
{
	uint64_t cpu, application, task, number;
	const struct fathom_paraver_task *is;

	if (!take_number(at, &cpu, ":") || !take_number(at, &application, ":") || !take_number(at, &task, ":") ||
	    !take_number(at, &number, ":"))
		return false;
	if (application == 0 || application > file->application_count || task == 0 ||
	    task > file->first_tasks[application] - file->first_tasks[application - 1])
		return false;
	is = &file->tasks[file->first_tasks[application - 1] + task - 1];
	*thread = is->first_thread + (uint32_t)number - 1;
	return number > 0 && number <= is->thread_count;
}

static bool take_pairs(struct fathom_paraver_file *file, struct fathom_paraver_record *record, char *at)
{
	uint64_t type;

	record->pair_count = 0;
	do {
		struct fathom_paraver_pair *pair;

		record->pairs = fathom_tool_grow(record->pairs, record->pair_count, &file->pair_room,
						 sizeof(*record->pairs));
		pair = &record->pairs[record->pair_count++];
		if (!take_number(&at, &type, ":") || type > UINT32_MAX || !take_number(&at, &pair->value, ":"))
			return false;
		pair->type = (uint32_t)type;
	} while (*at);
	return true;
}

static bool take_message(const struct fathom_paraver_file *file, struct fathom_paraver_record *record, char *at)
{
	return take_number(&at, &record->time, ":") && take_number(&at, &record->end, ":") &&
	       take_thread(file, &at, &record->receiver) && take_number(&at, &record->receive_call, ":") &&
	       take_number(&at, &record->received, ":") && take_number(&at, &record->bytes, ":") &&
	       take_number(&at, &record->tag, ":");
}

int fathom_paraver_file_next(struct fathom_paraver_file *file, struct fathom_paraver_record *record)
{
	char *at;
	bool is_good;

	do {
		if (!next_line(file)) {
			if (!ferror(file->stream))
				return 0;
			complain(file, "%s", strerror(EIO));
			return -EIO;
		}
	} while (!*file->line || strchr("#ci", *file->line));
	at = file->line;
	if (!strchr("123", *at) || at[1] != ':')
		return complain(file, "not a record (1:... a state, 2:... an event, 3:... a message)");
	record->kind = (enum fathom_paraver_kind)(*at - '0');
	at += 2;
	is_good = take_thread(file, &at, &record->thread);
	if (is_good && record->kind == FATHOM_PARAVER_STATE)
		is_good = take_number(&at, &record->time, ":") && take_number(&at, &record->end, ":") &&
			  take_number(&at, &record->state, ":");
	else if (is_good && record->kind == FATHOM_PARAVER_EVENT)
		is_good = take_number(&at, &record->time, ":") && take_pairs(file, record, at);
	else if (is_good)
		is_good = take_message(file, record, at);
	if (!is_good)
		return complain(file, "a record with a wrong number, thread or end");
	return 1;
}
