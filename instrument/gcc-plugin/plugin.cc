/*
 * The GCC plugin: it marks the functions that -finstrument-functions shall leave alone with
 * the compiler's own flag for this. GCC does the rest, unless the hooks shall come late: then the
 * others are flagged as well, and have sleds. Without -finstrument-functions the plugin does
 * nothing.
 *
 * It chooses once, when a front end (C, C++, Fortran) has read the whole file. No event that GCC
 * offers to plugins falls into that moment for all languages: after the last function is
 * known and before the first one is lowered. So the front end's own entry point is wrapped.
 */
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "options.h"
#include "diagnostic-core.h"
#include "langhooks.h"

#include "gcc-plugin/select.h"
#include "gcc-plugin/late/sleds.h"
#include "gcc-plugin/late/tail_calls.h"

/* What is taken where the user says nothing: FATHOM_INSTRUMENT_HOOKS, or hooks= below. */
#define DEFAULT_HOOKS FATHOM_HOOKS_LATE

extern "C" {
__attribute__((visibility("default"))) int plugin_is_GPL_compatible;
}

/* One compiler process reads one file, so these are set once and then only read. */
static struct fathom_selection selection = {
	FATHOM_DEFAULT_MIN_INSNS, DEFAULT_HOOKS, { NULL, 0, NULL, 0, NULL, 0 }, 0
};
static void (*front_end_parse_file)(void);

static void parse_file(void)
{
	front_end_parse_file();
	if (!seen_error())
		fathom_select_all(&selection);
}

static bool take_hooks(const char *value)
{
	if (strcmp(value, "late") == 0)
		selection.hooks = FATHOM_HOOKS_LATE;
	else if (strcmp(value, "early") == 0)
		selection.hooks = FATHOM_HOOKS_EARLY;
	else
		error("fathom: hooks=%s: late or early is allowed", value);
	return strcmp(value, "late") == 0 || strcmp(value, "early") == 0;
}

/* One -fplugin-arg-. Returns false, after an error, if it is wrong. */
static bool take_argument(const struct plugin_argument *argument)
{
	char message[512], *end;

	if (strcmp(argument->key, "verbose") == 0) {
		selection.verbose = 1;
		return true;
	}
	if (strcmp(argument->key, "min-insns") == 0 && argument->value) {
		selection.min_insns = (unsigned)strtoul(argument->value, &end, 10);
		if (*argument->value >= '0' && *argument->value <= '9' && !*end && selection.min_insns <= 1000000)
			return true;
		error("fathom: min-insns=%s: a number from 0 to 1000000 is allowed", argument->value);
		return false;
	}
	if (strcmp(argument->key, "hooks") == 0 && argument->value)
		return take_hooks(argument->value);
	if (strcmp(argument->key, "filter") == 0 && argument->value) {
		fathom_filter_fini(&selection.filter);
		if (fathom_filter_read(&selection.filter, argument->value, message, sizeof(message)) == 0)
			return true;
		error("fathom: %s", message);
		return false;
	}
	error("fathom: %s: the plugin knows %<min-insns=N%>, %<hooks=late|early%>, %<filter=FILE%> and %<verbose%>",
	      argument->key);
	return false;
}

/* The layout of the compiler's data is fixed by its version; how its package was named does not matter. */
static bool is_our_compiler(const struct plugin_gcc_version *version)
{
	return strcmp(version->basever, gcc_version.basever) == 0 &&
	       strcmp(version->devphase, gcc_version.devphase) == 0 &&
	       strcmp(version->datestamp, gcc_version.datestamp) == 0 &&
	       strcmp(version->revision, gcc_version.revision) == 0;
}

extern "C" __attribute__((visibility("default")))
int plugin_init(struct plugin_name_args *plugin, struct plugin_gcc_version *version)
{
	static char own_version[] = "fathom", own_help[] = "chooses the functions that -finstrument-functions "
							   "instruments";
	static struct plugin_info info = { own_version, own_help };

	if (!is_our_compiler(version)) {
		error("fathom: the plugin was built for GCC %s of %s", gcc_version.basever, gcc_version.datestamp);
		return 1;
	}
	register_callback(plugin->base_name, PLUGIN_INFO, NULL, &info);
	for (int i = 0; i < plugin->argc; i++) {
		if (!take_argument(&plugin->argv[i]))
			return 1;
	}
	/* The link-time compiler has no source; its functions were chosen when they were compiled. */
	if (!flag_instrument_function_entry_exit || strcmp(lang_hooks.name, "GNU GIMPLE") == 0)
		return 0;
	fathom_sleds_init(plugin->base_name);
	fathom_tail_calls_init(plugin->base_name);
	front_end_parse_file = lang_hooks.parse_file;
	lang_hooks.parse_file = parse_file;
	return 0;
}
