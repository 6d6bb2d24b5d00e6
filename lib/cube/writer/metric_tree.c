#include "cube/writer/metric_tree.h"

#include <stddef.h>
#include <string.h>

#include "cube/dtype.h"
#include "cube/writer/output.h"
#include "cube/writer/xml.h"

/* Writes a unique name. Formulas and tools accept only these characters in it. */
static void write_uniq_name(struct fathom_cube_output *output, const char *name)
{
	fathom_cube_output_text(output, "<uniq_name>");
	for (; *name; name++) {
		bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
			     (*name >= '0' && *name <= '9') || *name == ':' || *name == '_' || *name == '=';

		fathom_cube_output_bytes(output, plain ? name : "_", 1);
	}
	fathom_cube_output_text(output, "</uniq_name>\n");
}

static void write_texts(struct fathom_cube_output *output, const struct fathom_cube_metric *metric,
			enum fathom_cube_dtype dtype)
{
	fathom_xml_element(output, "disp_name", fathom_xml_either(metric->disp_name, metric->uniq_name));
	write_uniq_name(output, metric->uniq_name);
	fathom_xml_element(output, "dtype", fathom_cube_dtype_name(dtype));
	fathom_xml_element(output, "uom", metric->unit);
	if (metric->is_void)
		fathom_xml_element(output, "val", "VOID");
	fathom_xml_element(output, "url", metric->url);
	fathom_xml_element(output, "descr", metric->description);
}

void fathom_cube_metrics_write(struct fathom_cube_output *output, const struct fathom_cube *cube,
			       const enum fathom_cube_dtype *dtypes)
{
	int64_t open = -1;

	fathom_cube_output_text(output, "<metrics>\n");
	for (uint32_t i = 0; i < cube->metric_count; i++) {
		const struct fathom_cube_metric *metric = &cube->metrics[i];

		if (metric->type == FATHOM_CUBE_DERIVED)
			continue;
		for (; open != metric->parent; open = cube->metrics[open].parent)
			fathom_cube_output_text(output, "</metric>\n");
		fathom_xml_number_attribute(output, "<metric id=", i);
		fathom_cube_output_text(output, metric->type == FATHOM_CUBE_INCLUSIVE ? " type=\"INCLUSIVE\"" :
											" type=\"EXCLUSIVE\"");
		fathom_cube_output_text(output, metric->ghost ? " viztype=\"GHOST\">\n" : ">\n");
		write_texts(output, metric, dtypes[i]);
		open = i;
	}
	for (; open != -1; open = cube->metrics[open].parent)
		fathom_cube_output_text(output, "</metric>\n");
	fathom_cube_output_text(output, "</metrics>\n");
}

/* --- remapping specification ----------------------------------------------------------------------- */

static bool has(const struct fathom_cube *cube, const char *name)
{
	for (uint32_t i = 0; i < cube->metric_count; i++)
		if (strcmp(cube->metrics[i].uniq_name, name) == 0)
			return true;
	return false;
}

/* Metrics that cube_remap2 with its option -s needs. The program computes how long threads were idle and how evenly
 * work was distributed, and adds its results to these metrics; it crashes if one of them is not defined. The program
 * fixes the names. */
static const struct {
	const char *uniq_name;
	const char *disp_name;
	const char *description;
	unsigned depth;		/* 0: a root */
	bool needs_openmp;
} scalasca_metrics[] = {
	{ "omp_idle_threads", "Idle threads", "Time of threads outside of parallel regions", 0, true },
	{ "omp_limited_parallelism", "Limited parallelism", "Time that threads of a team had nothing to do", 1, true },
	{ "imbalance", "Computational imbalance", "Difference of computation to the average", 0, false },
	{ "imbalance_above", "Overload", "Computation above the average", 1, false },
	{ "imbalance_above_single", "Single participant", "Computation of one alone", 2, false },
	{ "imbalance_below", "Underload", "Computation below the average", 1, false },
	{ "imbalance_below_bypass", "Non-participation", "Average computation where others were", 2, false },
	{ "imbalance_below_singularity", "Singularity", "Average computation where one other was", 3, false },
};

static void specify_scalasca_metrics(struct fathom_cube_output *output, const struct fathom_cube *cube)
{
	unsigned open = 0;
	bool has_openmp = has(cube, "omp_time");

	for (size_t i = 0; i < sizeof(scalasca_metrics) / sizeof(*scalasca_metrics); i++) {
		struct fathom_cube_metric metric = {
			.uniq_name = scalasca_metrics[i].uniq_name,
			.disp_name = scalasca_metrics[i].disp_name,
			.description = scalasca_metrics[i].description,
			.unit = "sec",
		};
		unsigned depth = scalasca_metrics[i].depth;

		if (has(cube, metric.uniq_name) || (scalasca_metrics[i].needs_openmp && !has_openmp))
			continue;
		for (; open > depth; open--)
			fathom_cube_output_text(output, "</metric>\n");
		fathom_cube_output_text(output, "<metric>\n");
		write_texts(output, &metric, FATHOM_CUBE_DOUBLE);
		open++;
	}
	for (; open; open--)
		fathom_cube_output_text(output, "</metric>\n");
}

static void specify_formula(struct fathom_cube_output *output, const struct fathom_cube_metric *metric)
{
	/* Not convertible: if values of a ratio were stored, readers would add them up. */
	fathom_cube_output_text(output, "<metric type=\"POSTDERIVED\" convertible=\"false\">\n");
	write_texts(output, metric, FATHOM_CUBE_DOUBLE);
	fathom_xml_element(output, "cubepl", metric->expression);
	fathom_cube_output_text(output, "</metric>\n");
}

/* Returns the parent of a metric in the specification. Ghost metrics follow all others there, and a ghost whose parent
 * is no ghost is a root. */
static int64_t specified_parent(const struct fathom_cube *cube, int64_t metric)
{
	int64_t parent = cube->metrics[metric].parent;

	return parent >= 0 && cube->metrics[parent].ghost == cube->metrics[metric].ghost ? parent : -1;
}

static void specify_stored(struct fathom_cube_output *output, const struct fathom_cube *cube,
			   const enum fathom_cube_dtype *dtypes, bool ghosts)
{
	int64_t open = -1;

	for (uint32_t i = 0; i < cube->metric_count; i++) {
		const struct fathom_cube_metric *metric = &cube->metrics[i];
		/* cube_remap2 -s adds to the time of single call paths, so the metric time must be exclusive in its
		 * file. */
		bool is_inclusive = metric->type == FATHOM_CUBE_INCLUSIVE && strcmp(metric->uniq_name, "time") != 0;

		if (metric->type == FATHOM_CUBE_DERIVED || metric->ghost != ghosts)
			continue;
		for (; open != specified_parent(cube, i); open = specified_parent(cube, open))
			fathom_cube_output_text(output, "</metric>\n");
		fathom_cube_output_text(output, is_inclusive ? "<metric type=\"INCLUSIVE\"" :
							       "<metric type=\"EXCLUSIVE\"");
		fathom_cube_output_text(output, ghosts ? " viztype=\"GHOST\">\n" : ">\n");
		write_texts(output, metric, dtypes[i]);
		open = i;
	}
	for (; open != -1; open = specified_parent(cube, open))
		fathom_cube_output_text(output, "</metric>\n");
}

void fathom_cube_remapping_write(struct fathom_cube_output *output, const struct fathom_cube *cube,
				 const enum fathom_cube_dtype *dtypes)
{
	fathom_cube_output_text(output, "<metrics>\n");
	specify_stored(output, cube, dtypes, false);
	specify_scalasca_metrics(output, cube);
	for (uint32_t i = 0; i < cube->metric_count; i++)
		if (cube->metrics[i].type == FATHOM_CUBE_DERIVED)
			specify_formula(output, &cube->metrics[i]);
	specify_stored(output, cube, dtypes, true);
	fathom_cube_output_text(output, "</metrics>\n");
}
