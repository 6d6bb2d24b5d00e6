#include "bursts/burst_regions.h"

#include <string.h>

/* Returns whether the own time of an OpenMP region is computation of the program. */
static bool is_openmp_body(unsigned role)
{
	switch (role) {
	case OTF2_REGION_ROLE_FUNCTION:
	case OTF2_REGION_ROLE_LOOP:
	case OTF2_REGION_ROLE_CODE:
	case OTF2_REGION_ROLE_PARALLEL:
	case OTF2_REGION_ROLE_SECTIONS:
	case OTF2_REGION_ROLE_SECTION:
	case OTF2_REGION_ROLE_WORKSHARE:
	case OTF2_REGION_ROLE_SINGLE_SBLOCK:
	case OTF2_REGION_ROLE_MASTER:
	case OTF2_REGION_ROLE_CRITICAL_SBLOCK:
	case OTF2_REGION_ROLE_ORDERED_SBLOCK:
	case OTF2_REGION_ROLE_TASK:
	case OTF2_REGION_ROLE_TASK_UNTIED:
		return true;
	default:
		return false;
	}
}

void fathom_burst_region_look(const struct fathom_otf2_defs *defs, const struct fathom_otf2_region *region,
			      bool *is_runtime, bool *is_boundary)
{
	bool is_file = region->role == OTF2_REGION_ROLE_FILE_IO || region->role == OTF2_REGION_ROLE_FILE_IO_METADATA;

	switch (region->paradigm) {
	case OTF2_PARADIGM_UNKNOWN:
	case OTF2_PARADIGM_USER:
	case OTF2_PARADIGM_COMPILER:
	case OTF2_PARADIGM_SAMPLING:
	case OTF2_PARADIGM_NONE:
	case OTF2_PARADIGM_KOKKOS:
		*is_runtime = *is_boundary = is_file;
		break;
	case OTF2_PARADIGM_MEASUREMENT_SYSTEM:
		*is_runtime = *is_boundary = strcmp(fathom_otf2_text(defs, region->name), "TRACE BUFFER FLUSH") == 0;
		break;
	case OTF2_PARADIGM_OPENMP:
		*is_boundary = true;
		*is_runtime = !is_openmp_body(region->role);
		break;
	default:
		*is_runtime = *is_boundary = true;
	}
}
