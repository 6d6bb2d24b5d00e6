#include "tools/common/trace/trace_region.h"

static const char *role_word(unsigned role)
{
	/* In the order of OTF2_RegionRole. */
	static const char *const words[] = {
		"unknown", "function", "wrapper", "loop", "code", "parallel", "sections", "section", "workshare",
		"single",
		"single sblock", "master", "critical", "critical sblock", "atomic", "barrier", "implicit barrier",
		"flush",
		"ordered", "ordered sblock", "task", "task create", "taskwait", "one2all", "all2one", "all2all",
		"other collective", "file io", "point2point", "rma", "data_transfer", "artificial", "thread create",
		"thread wait", "task untied", "allocate", "deallocate", "reallocate", "file io metadata",
	};

	return role < sizeof(words) / sizeof(words[0]) ? words[role] : words[0];
}

static const char *paradigm_word(unsigned paradigm)
{
	/* In the order of OTF2_Paradigm. */
	static const char *const words[] = {
		"unknown", "user", "compiler", "openmp", "mpi", "cuda", "measurement", "pthread", "hmpp", "ompss",
		"hardware", "gaspi", "upc", "shmem", "winthread", "qtthread", "acethread", "tbbthread", "openacc",
		"opencl",
		"mtapi", "sampling", "none", "hip", "kokkos",
	};

	return paradigm < sizeof(words) / sizeof(words[0]) ? words[paradigm] : words[0];
}

struct fathom_cube_region fathom_otf2_region_words(const struct fathom_otf2_archive *trace,
						   const struct fathom_otf2_region *region)
{
	return (struct fathom_cube_region){
		.name = fathom_otf2_text(&trace->defs, region->name),
		.mangled = fathom_otf2_text(&trace->defs, region->canonical),
		.file = region->file == OTF2_UNDEFINED_STRING ? "" : fathom_otf2_text(&trace->defs, region->file),
		.paradigm = paradigm_word(region->paradigm),
		.role = role_word(region->role),
		.description = "",
		.begin_line = region->begin_line ? (int32_t)region->begin_line : -1,
		.end_line = region->end_line ? (int32_t)region->end_line : -1,
	};
}
