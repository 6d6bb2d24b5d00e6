/*
 * The GCC plugin. It marks the functions that -finstrument-functions shall not instrument with the compiler's own flag
 * for this; GCC then instruments the others. If late hooks are asked for, the plugin marks the others with the same
 * flag, too, and gives them sleds. Without -finstrument-functions the plugin does nothing.
 *
 * With late hooks, GCC inlines, clones and removes functions as it does without fathom. The plugin decides about the
 * functions that are left when GCC generates their instructions (late/compiled_functions.h). What depends on the source
 * only (filters, early hooks), it decides once for each file, after the front end (C, C++, Fortran) has read the last
 * function and before GCC lowers the first one. GCC offers plugins no event at that moment in all languages. So the
 * plugin wraps the entry point of the front end.
 */
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "options.h"
#include "diagnostic-core.h"
#include "langhooks.h"

#include "gcc-plugin/select.h"
#include "gcc-plugin/late/compiled_functions.h"
#include "gcc-plugin/late/sleds.h"
#include "gcc-plugin/late/tail_calls.h"

/* The kind of hooks if the user names none, by FATHOM_INSTRUMENT_HOOKS or the argument hooks= of the plugin. */
#ifdef FATHOM_WITHOUT_LATE_HOOKS
#define DEFAULT_HOOKS FATHOM_HOOKS_EARLY
#else
#define DEFAULT_HOOKS FATHOM_HOOKS_LATE
#endif

extern "C" {
__attribute__((visibility("default"))) int plugin_is_GPL_compatible;
}

/* One compiler process reads one source file, so these are set once and then constant. */
static struct fathom_selection selection = {
	FATHOM_DEFAULT_MIN_INSNS, DEFAULT_HOOKS, FATHOM_CALLS_COMPILED, { NULL, 0, NULL, 0, NULL, 0 }, 0
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
#ifdef FATHOM_WITHOUT_LATE_HOOKS
	if (strcmp(value, "late") == 0) {
		error("fathom: hooks=late: fathom was built without late hooks (configure %<--without-late-hooks%>)");
		return false;
	}
#endif
	if (strcmp(value, "late") == 0)
		selection.hooks = FATHOM_HOOKS_LATE;
	else if (strcmp(value, "early") == 0)
		selection.hooks = FATHOM_HOOKS_EARLY;
	else
		error("fathom: hooks=%s: late or early is allowed", value);
	return strcmp(value, "late") == 0 || strcmp(value, "early") == 0;
}

static bool take_calls(const char *value)
{
	if (strcmp(value, "compiled") == 0)
		selection.calls = FATHOM_CALLS_COMPILED;
	else if (strcmp(value, "all") == 0)
		selection.calls = FATHOM_CALLS_ALL;
	else
		error("fathom: calls=%s: compiled or all is allowed", value);
	return strcmp(value, "compiled") == 0 || strcmp(value, "all") == 0;
}

/* Applies one argument of the plugin (-fplugin-arg-). Returns false, after an error message, if it is wrong. */
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
	if (strcmp(argument->key, "calls") == 0 && argument->value)
		return take_calls(argument->value);
	if (strcmp(argument->key, "filter") == 0 && argument->value) {
		fathom_filter_fini(&selection.filter);
		if (fathom_filter_read(&selection.filter, argument->value, message, sizeof(message)) == 0)
			return true;
		error("fathom: %s", message);
		return false;
	}
	error("fathom: %s: the plugin knows %<min-insns=N%>, %<hooks=late|early%>, %<calls=compiled|all%>, "
	      "%<filter=FILE%> and %<verbose%>", argument->key);
	return false;
}

/* Returns whether the plugin was built for this version of the compiler, which determines the layout of the compiler's
 * data. The name of its package does not matter. */
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
	/* The link-time compiler reads no source. Its functions got their hooks, or none, when they were compiled. */
	if (!flag_instrument_function_entry_exit || strcmp(lang_hooks.name, "GNU GIMPLE") == 0)
		return 0;
	fathom_compiled_functions_init(plugin->base_name, selection.min_insns, selection.verbose);
	fathom_sleds_init(plugin->base_name);
	fathom_tail_calls_init(plugin->base_name);
	front_end_parse_file = lang_hooks.parse_file;
	lang_hooks.parse_file = parse_file;
	return 0;
}
