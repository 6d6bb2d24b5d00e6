#include "replay/dimemas_config.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double megabyte = 1 << 20;

/* --- writing --- */

/* Returns how many tasks the node with most tasks has. */
static uint32_t largest_node(const struct fathom_replay_program *program)
{
	uint32_t most = 0;

	for (uint32_t node = 0; node < program->node_count; node++) {
		uint32_t count = 0;

		for (uint32_t t = 0; t < program->task_count; t++)
			count += program->tasks[t].node == node;
		most = count > most ? count : most;
	}
	return most;
}

/* The numbers of links as the file has them: if just one of them is 0, the other one is the number of half-duplex
 * links. */
struct link_fields {
	uint32_t in, out;
};

/* Returns the fields of a network. If only one direction has a limit, the other one gets a link for each task, because
 * 0 would have another meaning. */
static struct link_fields link_fields_of(const struct fathom_network *network, uint32_t tasks)
{
	struct link_fields fields = { network->in_links, network->out_links };

	if (network->is_half_duplex)
		return (struct link_fields){ network->in_links, 0 };
	if (fields.in && !fields.out)
		fields.out = tasks;
	else if (fields.out && !fields.in)
		fields.in = tasks;
	return fields;
}

static void set_links(struct fathom_network *network, double in, double out)
{
	network->in_links = (uint32_t)in;
	network->out_links = (uint32_t)out;
	network->is_half_duplex = (in > 0) != (out > 0);
	if (network->is_half_duplex)
		network->in_links = network->out_links = (uint32_t)(in > 0 ? in : out);
}

void fathom_dimemas_config_write(const struct fathom_machine *machine, const struct fathom_replay_program *program,
				 FILE *out)
{
	const struct fathom_network *between = &machine->between, *inside = &machine->inside;
	uint32_t cpus = machine->cpus ? machine->cpus : largest_node(program);
	struct link_fields outer = link_fields_of(between, program->task_count);
	struct link_fields inner = link_fields_of(inside, program->task_count);

	fprintf(out, "\"environment information\" {\"fathom\", 0, \"\", %" PRIu32 ", %.9g, %" PRIu32 ", 3};;\n",
		program->node_count, between->bandwidth / megabyte, between->buses);
	for (uint32_t node = 0; node < program->node_count; node++)
		fprintf(out, "\"node information\" {0, \"\", %" PRIu32 ", %.9g, %.9g, %.9g, %" PRIu32 ", %" PRIu32 ", %"
			PRIu32 ", %.9g, %" PRIu32 ", %" PRIu32 ", 0};;\n", cpus, machine->cpu_ratio, inside->latency,
			inside->bandwidth / megabyte, inside->buses, inner.in, inner.out, between->latency, outer.in,
			outer.out);
	fprintf(out, "\"mapping information\" {\"\", %" PRIu32 ", [%" PRIu32 "] {", program->task_count,
		program->task_count);
	for (uint32_t t = 0; t < program->task_count; t++)
		fprintf(out, "%s%" PRIu32, t ? "," : "", program->tasks[t].node);
	fputs("}};;\n", out);
	fputs("\"configuration files\" {\"\", \"\", \"\", \"\"};;\n", out);
}

/* --- reading --- */

/* Returns what follows the first '{' of a line that begins with that title; NULL: the line has another title. */
static const char *fields_of(const char *line, const char *title)
{
	const char *brace;

	line += strspn(line, " \t");
	if (strncmp(line, title, strlen(title)) != 0)
		return NULL;
	brace = strchr(line, '{');
	return brace ? brace + 1 : NULL;
}

/* Reads fields that commas separate; texts in quotes count as 0. Returns how many there are up to the closing brace;
 * -1: one is no number. */
static int read_fields(const char *text, double *fields, int most)
{
	int count = 0;
	char *end;

	while (count < most) {
		text += strspn(text, " \t");
		if (*text == '"') {
			text = strchr(text + 1, '"');
			if (!text)
				return -1;
			fields[count++] = 0;
			text++;
		} else {
			fields[count++] = strtod(text, &end);
			if (end == text)
				return -1;
			text = end;
		}
		text += strspn(text, " \t");
		if (*text != ',')
			return *text == '}' ? count : -1;
		text++;
	}
	return count;
}

static bool is_count(double field)
{
	return field >= 0 && field < UINT32_MAX && field == floor(field);
}

static bool is_amount(double field)
{
	return isfinite(field) && field >= 0;
}

static bool read_environment(struct fathom_machine *machine, const char *text)
{
	static const enum fathom_phase_growth growths[] = {
		FATHOM_PHASE_NONE, FATHOM_PHASE_CONSTANT, FATHOM_PHASE_LINEAR, FATHOM_PHASE_LOGARITHMIC,
	};
	double n[7];

	if (read_fields(text, n, 7) != 7 || !is_amount(n[4]) || !is_count(n[5]) || !is_count(n[6]) || n[6] > 3)
		return false;
	machine->between.bandwidth = n[4] * megabyte;
	machine->between.buses = (uint32_t)n[5];
	/* Logarithmic growth is that of fathom's table, which has other growths for some operations. */
	for (int o = 0; n[6] != 3 && o < FATHOM_COLLECTIVES; o++)
		machine->collectives[o].in.growth = machine->collectives[o].out.growth = growths[(int)n[6]];
	return true;
}

static bool read_node(struct fathom_machine *machine, const char *text)
{
	double n[13];

	if (read_fields(text, n, 13) != 13)
		return false;
	for (int i = 2; i < 12; i++)
		if (i == 2 || (i > 5 && i != 9) ? !is_count(n[i]) : !is_amount(n[i]))
			return false;
	machine->cpus = (uint32_t)n[2];
	machine->cpu_ratio = n[3];
	machine->inside.latency = n[4];
	machine->inside.bandwidth = n[5] * megabyte;
	machine->inside.buses = (uint32_t)n[6];
	set_links(&machine->inside, n[7], n[8]);
	machine->between.latency = n[9];
	set_links(&machine->between, n[10], n[11]);
	return true;
}

/* Reads "name", TASKS, [TASKS] {NODE, NODE, ...}. */
static bool read_mapping(struct fathom_replay_program *program, const char *text)
{
	const char *list = strchr(text, '{');
	char *end;

	if (!list)
		return false;
	list++;
	for (uint32_t t = 0; t < program->task_count; t++) {
		unsigned long node = strtoul(list, &end, 10);

		if (end == list || node >= program->task_count + 1UL)
			return false;
		end += strspn(end, " \t");
		if (*end != (t + 1 < program->task_count ? ',' : '}'))
			return false;
		program->tasks[t].node = (uint32_t)node;
		list = end + 1;
	}
	return true;
}

int fathom_dimemas_config_read(struct fathom_machine *machine, struct fathom_replay_program *program, FILE *in,
			       char *error, size_t error_bytes)
{
	unsigned long number = 0, nodes = 0, environments = 0;
	bool is_good = true;
	size_t room = 0;
	char *line = NULL;

	fathom_machine_init(machine);
	while (is_good && getline(&line, &room, in) >= 0) {
		const char *fields;

		number++;
		if ((fields = fields_of(line, "\"environment information\"")) != NULL) {
			is_good = read_environment(machine, fields);
			environments++;
		} else if ((fields = fields_of(line, "\"node information\"")) != NULL) {
			is_good = read_node(machine, fields);
			nodes++;
		} else if ((fields = fields_of(line, "\"mapping information\"")) != NULL) {
			is_good = read_mapping(program, fields);
		}
	}
	free(line);
	if (!is_good) {
		snprintf(error, error_bytes, "line %lu: not as the configuration of a machine for %" PRIu32 " tasks",
			 number, program->task_count);
		return -EINVAL;
	}
	if (!nodes || !environments) {
		snprintf(error, error_bytes, "has no line \"%s information\", so it describes no machine",
			 nodes ? "environment" : "node");
		return -EINVAL;
	}
	return fathom_replay_program_count_nodes(program);
}
