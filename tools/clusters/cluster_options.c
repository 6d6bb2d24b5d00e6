#include "tools/clusters/cluster_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"

/* Returns a positive number; unit is what stands behind it. */
static double positive_number(const char *option, const char *text, const char **unit, const char *allowed)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || !isfinite(value) || value <= 0)
		fathom_tool_usage_error("%s %s: %s", option, text, allowed);
	*unit = end;
	return value;
}

static double time_of(const char *text)
{
	static const struct { const char *unit; double seconds; } units[] = {
		{ "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 },
	};
	static const char allowed[] = "a time such as 20us, 1ms or 0.5s";
	const char *unit;
	double value = positive_number("--least", text, &unit, allowed);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(unit, units[i].unit) == 0)
			return value * units[i].seconds;
	fathom_tool_usage_error("--least %s: %s", text, allowed);
}

static void set_share(struct fathom_cluster_choice *choice, const char *text)
{
	static const char allowed[] = "a number of per cent up to 100";
	const char *unit;

	choice->share = positive_number("--share", text, &unit, allowed) / 100;
	if (choice->share > 1 || (*unit && strcmp(unit, "%") != 0))
		fathom_tool_usage_error("--share %s: %s", text, allowed);
}

static void set_eps(struct fathom_cluster_choice *choice, const char *text)
{
	static const char allowed[] = "a number greater than 0, or for refinement several that rise: 0.02,0.06";
	const char *rest = text;

	for (choice->eps_count = 0; ; rest++) {
		double eps = positive_number("--eps", rest, &rest, allowed);

		if (choice->eps_count == FATHOM_CURVE_CANDIDATES || (*rest && *rest != ',') ||
		    (choice->eps_count && eps <= choice->eps_list[choice->eps_count - 1]))
			fathom_tool_usage_error("--eps %s: %s", text, allowed);
		choice->eps_list[choice->eps_count++] = eps;
		if (!*rest)
			return;
	}
}

static void set_method(struct fathom_cluster_choice *choice, const char *text)
{
	choice->is_divisive = strcmp(text, "refinement:divisive") == 0;
	if (strcmp(text, "dbscan") == 0) {
		choice->method = FATHOM_DBSCAN;
	} else if (strcmp(text, "refinement") == 0 || choice->is_divisive) {
		choice->method = FATHOM_REFINEMENT;
	} else if (strcmp(text, "xmeans") == 0) {
		choice->method = FATHOM_XMEANS;
	} else if (strncmp(text, "kmeans:", 7) == 0) {
		choice->method = FATHOM_KMEANS;
		choice->means = (uint32_t)fathom_argument_number("--method kmeans:", text + 7, 1, 1000);
	} else {
		fathom_tool_usage_error("--method %s: dbscan, refinement, refinement:divisive, kmeans:K such as "
					"kmeans:5, or xmeans", text);
	}
}

bool fathom_cluster_option(struct fathom_cluster_choice *choice, int code, const char *value)
{
	switch (code) {
	case FATHOM_CLUSTER_OPTION_METRICS: choice->names = value; break;
	case FATHOM_CLUSTER_OPTION_SHARE: set_share(choice, value); break;
	case FATHOM_CLUSTER_OPTION_LEAST: choice->least_seconds = time_of(value); break;
	case FATHOM_CLUSTER_OPTION_EPS: set_eps(choice, value); break;
	case FATHOM_CLUSTER_OPTION_MIN_POINTS:
		choice->min_points = (uint32_t)fathom_argument_number("--min-points", value, 1, INT32_MAX);
		break;
	case FATHOM_CLUSTER_OPTION_METHOD: set_method(choice, value); break;
	default: return false;
	}
	return true;
}

void fathom_cluster_options_check(const struct fathom_cluster_choice *choice)
{
	if (choice->eps_count > 1 && choice->method != FATHOM_REFINEMENT)
		fathom_tool_usage_error("--eps: several values only with --method refinement");
}
