#include "tools/import/foreign_region.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cube/reader/activity_rules.h"
#include "tools/common/command.h"

static bool starts(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* --- what a call is ------------------------------------------------------------------------------------ */

/* The roles of MPI calls that transfer data; fathom's table of calls has the activity of the others. */
static const struct {
	const char *name;	/* without MPI_ and without I for operations that do not block */
	const char *role;
} roles[] = {
	{ "allreduce", "all2all" }, { "allgather", "all2all" }, { "alltoall", "all2all" }, { "barrier", "barrier" },
	{ "bcast", "one2all" }, { "scatter", "one2all" }, { "gather", "all2one" }, { "reduce_scatter", "all2all" },
	{ "reduce", "all2one" }, { "scan", "other collective" }, { "exscan", "other collective" },
	{ "neighbor_", "all2all" },
	{ "send", "point2point" }, { "recv", "point2point" }, { "bsend", "point2point" }, { "ssend", "point2point" },
	{ "rsend", "point2point" }, { "mrecv", "point2point" }, { "sendrecv", "point2point" },
	{ "put", "rma" }, { "get_accumulate", "rma" }, { "accumulate", "rma" },
	{ "rput", "rma" }, { "rget", "rma" }, { "raccumulate", "rma" },
	{ "fetch_and_op", "atomic" }, { "compare_and_swap", "atomic" },
};

static const char *mpi_role(const char *name)
{
	const char *call = name + strlen("MPI_");

	if (strcasecmp(call, "Get") == 0)
		return "rma";
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		size_t length = strlen(roles[i].name);

		if (strncasecmp(call, roles[i].name, length) == 0 ||
		    ((*call == 'I' || *call == 'i') && strncasecmp(call + 1, roles[i].name, length) == 0))
			return roles[i].role;
	}
	return "function";
}

void fathom_foreign_region_classify(struct fathom_cube_region *region)
{
	region->role = "function";
	if (starts(region->name, "MPI_")) {
		region->paradigm = "mpi";
		region->role = mpi_role(region->name);
	} else if (starts(region->name, "pthread_")) {
		region->paradigm = "pthread";
	} else if (starts(region->name, "!$omp ") || starts(region->name, "omp_") || starts(region->name, "OpenMP_")) {
		region->paradigm = "openmp";
		if (strstr(region->name, "barrier") || strstr(region->name, "BARRIER"))
			region->role = strstr(region->name, "mplicit") ? "implicit barrier" : "barrier";
	} else {
		region->paradigm = "compiler";
	}
	region->activity = fathom_activity_by_rules(region);
}

/* --- names of TAU -------------------------------------------------------------------------------------- */

/* Takes "[{file} {line,column}-{line,column}]", in which the second half and the columns may be missing. */
static void take_place(struct fathom_cube_region *region, char *at)
{
	char *end = strstr(at, "} {");

	if (!end)
		return;
	*end = '\0';
	region->file = at + strlen("[{");
	region->begin_line = region->end_line = (int32_t)strtol(end + strlen("} {"), &end, 10);
	end = strstr(end, "}-{");
	if (end)
		region->end_line = (int32_t)strtol(end + strlen("}-{"), NULL, 10);
	if (region->begin_line <= 0)
		region->begin_line = region->end_line = -1;
}

/* Cuts the parameters off a C function's name. Returns the beginning behind the type: "main". */
static char *strip_c(char *name)
{
	char *open = strchr(name, '('), *begin;

	if (!open || open == name)
		return name;
	*open = '\0';
	while (open > name && open[-1] == ' ')
		*--open = '\0';
	begin = strrchr(name, ' ');
	begin = begin ? begin + 1 : name;
	while (*begin == '*')
		begin++;
	return *begin ? begin : name;
}

void fathom_foreign_region_init(struct fathom_foreign_region *foreign, const char *text, size_t length)
{
	char *name, *place;

	while (length && *text == ' ') {
		text++;
		length--;
	}
	foreign->text = fathom_tool_alloc(1, length + 1);
	memcpy(foreign->text, text, length);
	name = foreign->text;
	foreign->region = (struct fathom_cube_region){
		.file = "", .description = "", .begin_line = -1, .end_line = -1,
	};
	place = strstr(name, " [{");
	if (place) {
		*place = '\0';
		take_place(&foreign->region, place + 1);
	}
	for (length = strlen(name); length && name[length - 1] == ' '; )
		name[--length] = '\0';
	if (length > 2 && strcmp(name + length - 2, " C") == 0) {
		name[length - 2] = '\0';
		name = strip_c(name);
	}
	if (starts(name, "MPI_") && strstr(name, "()"))
		*strstr(name, "()") = '\0';
	foreign->region.name = *name ? name : "?";
	fathom_foreign_region_classify(&foreign->region);
}

void fathom_foreign_region_fini(struct fathom_foreign_region *foreign)
{
	free(foreign->text);
}
