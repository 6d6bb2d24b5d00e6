#include "tools/export/paraver_threads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "tools/common/command.h"
#include "tools/export/paraver_calls.h"

static bool is_thread(const struct fathom_paraver_threads *threads, const struct fathom_otf2_location *location)
{
	return location->type == OTF2_LOCATION_TYPE_CPU_THREAD && location->process < threads->task_count;
}

/* Gives each host a number from 1, in the order of the processes. */
static void number_nodes(struct fathom_paraver_threads *threads)
{
	uint32_t most = 0, i, *numbers;

	for (i = 0; i < threads->task_count; i++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(threads->defs, FATHOM_OTF2_PROCESS, i);

		most = process->host > most ? process->host : most;
	}
	numbers = fathom_tool_alloc((size_t)most + 1, sizeof(*numbers));
	for (i = 0; i < threads->task_count; i++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(threads->defs, FATHOM_OTF2_PROCESS, i);

		if (!numbers[process->host])
			numbers[process->host] = ++threads->node_count;
		threads->task_nodes[i] = numbers[process->host];
	}
	free(numbers);
}

void fathom_paraver_threads_init(struct fathom_paraver_threads *threads, struct fathom_otf2_defs *defs)
{
	uint32_t i, *next_cpu;

	*threads = (struct fathom_paraver_threads){ .defs = defs };
	threads->task_count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_PROCESS);
	threads->location_count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_LOCATION);
	threads->threads = fathom_tool_alloc((size_t)threads->location_count + 1, sizeof(*threads->threads));
	threads->task_threads = fathom_tool_alloc((size_t)threads->task_count + 1, sizeof(uint32_t));
	threads->task_nodes = fathom_tool_alloc((size_t)threads->task_count + 1, sizeof(uint32_t));
	number_nodes(threads);
	threads->node_cpus = fathom_tool_alloc((size_t)threads->node_count + 1, sizeof(uint32_t));
	next_cpu = fathom_tool_alloc((size_t)threads->node_count + 1, sizeof(*next_cpu));
	for (i = 0; i < threads->location_count; i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);

		if (!is_thread(threads, location))
			continue;
		threads->threads[i].task = location->process + 1;
		threads->threads[i].thread = ++threads->task_threads[location->process];
		threads->threads[i].node = threads->task_nodes[location->process];
		threads->node_cpus[threads->threads[i].node - 1]++;
	}
	for (i = 0; i < threads->node_count; i++) {
		next_cpu[i] = threads->cpu_count;
		threads->cpu_count += threads->node_cpus[i];
	}
	for (i = 0; i < threads->location_count; i++)
		if (threads->threads[i].thread)
			threads->threads[i].cpu = ++next_cpu[threads->threads[i].node - 1];
	free(next_cpu);
}

void fathom_paraver_threads_fini(struct fathom_paraver_threads *threads)
{
	free(threads->threads);
	free(threads->task_threads);
	free(threads->task_nodes);
	free(threads->node_cpus);
	*threads = (struct fathom_paraver_threads){ 0 };
}

/* --- .prv --- */

/* Writes the communicators of MPI; returns how many there are. out NULL: only counts. */
static uint32_t write_comms(const struct fathom_paraver_threads *threads, FILE *out)
{
	struct fathom_otf2_defs *defs = threads->defs;
	uint32_t count = 0;

	for (uint32_t c = 0; c < fathom_otf2_count(defs, FATHOM_OTF2_COMM); c++) {
		const struct fathom_otf2_comm *comm = fathom_otf2_at(defs, FATHOM_OTF2_COMM, c);
		uint32_t size = fathom_otf2_comm_size(defs, comm);

		if (comm->paradigm != OTF2_PARADIGM_MPI || comm->is_self || comm->is_inter || size == 0)
			continue;
		count++;
		if (!out)
			continue;
		fprintf(out, "c:1:%" PRIu32 ":%" PRIu32, c + 1, size);
		for (uint32_t m = 0; m < size; m++)
			fprintf(out, ":%" PRIu32, fathom_otf2_comm_member(defs, comm, m) + 1);
		fputc('\n', out);
	}
	return count;
}

void fathom_paraver_write_first_line(const struct fathom_paraver_threads *threads, uint64_t nanoseconds, FILE *out)
{
	const struct fathom_otf2_defs *defs = threads->defs;
	time_t begin = defs->realtime < UINT64_MAX ? (time_t)(defs->realtime / 1000000000) : 0;
	char date[64];
	struct tm tm;
	uint32_t i;

	localtime_r(&begin, &tm);
	strftime(date, sizeof(date), "%d/%m/%Y at %H:%M", &tm);
	fprintf(out, "#Paraver (%s):%" PRIu64 "_ns:%" PRIu32 "(", date, nanoseconds, threads->node_count);
	for (i = 0; i < threads->node_count; i++)
		fprintf(out, "%s%" PRIu32, i ? "," : "", threads->node_cpus[i]);
	fprintf(out, "):1:%" PRIu32 "(", threads->task_count);
	for (i = 0; i < threads->task_count; i++)
		fprintf(out, "%s%" PRIu32 ":%" PRIu32, i ? "," : "", threads->task_threads[i], threads->task_nodes[i]);
	fprintf(out, "),%" PRIu32 "\n", write_comms(threads, NULL));
	write_comms(threads, out);
}

/* --- .pcf and .row --- */

/* Writes a name without line ends. */
static void write_name(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(*name == '\n' || *name == '\r' ? ' ' : *name, out);
	fputc('\n', out);
}

void fathom_paraver_write_pcf(const struct fathom_paraver_threads *threads, FILE *out)
{
	const struct fathom_otf2_defs *defs = threads->defs;
	size_t i;

	fathom_paraver_write_header(out);
	fathom_paraver_write_calls(out);
	fprintf(out, "EVENT_TYPE\n0    %u    User function\nVALUES\n0    End\n", FATHOM_PARAVER_FUNCTION);
	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_REGION); i++) {
		const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, i);

		if (region->paradigm == OTF2_PARADIGM_MPI)
			continue;
		fprintf(out, "%zu    ", i + 1);
		write_name(out, fathom_otf2_text(defs, region->name));
	}
	fputs("\n\n", out);
	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_MEMBER); i++) {
		const struct fathom_otf2_typed *member = fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, i);

		fprintf(out, "EVENT_TYPE\n7    %zu    ", FATHOM_PARAVER_COUNTER + i);
		write_name(out, fathom_otf2_text(defs, member->name));
		fputs("\n\n", out);
	}
	fputs("GRADIENT_COLOR\n0    {0,255,2}\n1    {0,244,13}\n2    {0,232,25}\n\n\nGRADIENT_NAMES\n0    Gradient 0\n"
	      "1    Grad. 1/MPI Events\n2    Grad. 2/OMP Events\n", out);
}

void fathom_paraver_write_row(const struct fathom_paraver_threads *threads, FILE *out)
{
	const struct fathom_otf2_defs *defs = threads->defs;
	uint32_t node, i, cpu, number = 0;

	fprintf(out, "LEVEL CPU SIZE %" PRIu32 "\n", threads->cpu_count);
	for (node = 0; node < threads->node_count; node++)
		for (cpu = 0; cpu < threads->node_cpus[node]; cpu++)
			fprintf(out, "%" PRIu32 ".%" PRIu32 "\n", node + 1, cpu + 1);
	fprintf(out, "\nLEVEL NODE SIZE %" PRIu32 "\n", threads->node_count);
	for (node = 0, i = 0; node < threads->node_count; node++) {
		const struct fathom_otf2_process *process;
		const struct fathom_otf2_node *of;

		while (i < threads->task_count && threads->task_nodes[i] != node + 1)
			i++;
		process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i);
		of = process->node >= 0 ? fathom_otf2_at(defs, FATHOM_OTF2_NODE, (uint64_t)process->node) : NULL;
		write_name(out, of ? fathom_otf2_text(defs, of->name) : "node");
		i = 0;
	}
	fprintf(out, "\nLEVEL THREAD SIZE %" PRIu32 "\n", threads->cpu_count);
	for (i = 0; i < threads->task_count; i++)
		for (number = 1; number <= threads->task_threads[i]; number++)
			fprintf(out, "THREAD 1.%" PRIu32 ".%" PRIu32 "\n", i + 1, number);
}
