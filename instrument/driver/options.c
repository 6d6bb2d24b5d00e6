#define _GNU_SOURCE
#include "config.h"

#include "driver/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/messages.h"
#include "common/word_list.h"
#include "filter/filter.h"

static const char allowed[] = "--no-compiler --no-user --io --mpi=auto|on|off|mpich|openmpi "
			      "--openmp=auto|pomp2|ompt|off --openmp-atomic --filter=FILE --keep --verbose";

static void take_mpi(struct fathom_options *options, const char *value)
{
	options->mpi_kind = fathom_mpi_by_word(value);
	if (strcmp(value, "auto") == 0)
		options->mpi = FATHOM_CHOICE_AUTO;
	else if (strcmp(value, "on") == 0 || options->mpi_kind)
		options->mpi = FATHOM_CHOICE_ON;
	else if (strcmp(value, "off") == 0)
		options->mpi = FATHOM_CHOICE_OFF;
	else
		fathom_die(FATHOM_EXIT_USAGE, "--mpi=%s: auto, on, off, mpich or openmpi is allowed", value);
}

static void take_openmp(struct fathom_options *options, const char *value)
{
	static const char *const names[] = {
		[FATHOM_OPENMP_AUTO] = "auto", [FATHOM_OPENMP_POMP2] = "pomp2", [FATHOM_OPENMP_OMPT] = "ompt",
		[FATHOM_OPENMP_OFF] = "off",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value, names[i]) == 0) {
			options->openmp = (enum fathom_openmp_way)i;
			return;
		}
	}
	fathom_die(FATHOM_EXIT_USAGE, "--openmp=%s: auto, pomp2, ompt or off is allowed", value);
}

/* Reads the filter file now, so that a mistake in the file stops the build once and not in every run of the
 * compiler. */
static void take_filter(struct fathom_options *options, const char *path)
{
	struct fathom_filter filter = { 0 };
	char error[512];

	if (fathom_filter_read(&filter, path, error, sizeof(error)))
		fathom_die(FATHOM_EXIT_USAGE, "%s", error);
	fathom_filter_fini(&filter);
	free(options->filter);
	options->filter = realpath(path, NULL);
	if (!options->filter)
		fathom_die(FATHOM_EXIT_USAGE, "--filter=%s: %s", path, strerror(errno));
}

int fathom_options_take(struct fathom_options *options, const char *word)
{
	if (word[0] != '-')
		return 0;
	if (strcmp(word, "--no-compiler") == 0)
		options->compiler = 0;
	else if (strcmp(word, "--no-user") == 0)
		options->user = 0;
	else if (strcmp(word, "--io") == 0)
		options->io = 1;
	else if (strcmp(word, "--keep") == 0)
		options->keep = 1;
	else if (strcmp(word, "--verbose") == 0)
		options->verbose = 1;
	else if (strncmp(word, "--mpi=", 6) == 0)
		take_mpi(options, word + 6);
	else if (strncmp(word, "--openmp=", 9) == 0)
		take_openmp(options, word + 9);
	else if (strcmp(word, "--openmp-atomic") == 0)
		options->openmp_atomic = 1;
	else if (strncmp(word, "--filter=", 9) == 0)
		take_filter(options, word + 9);
	else
		fathom_die(FATHOM_EXIT_USAGE, "%s: no option of fathom; before the compiler are allowed: %s", word,
			   allowed);
	return 1;
}

static void read_min_insns(struct fathom_options *options)
{
	const char *value = getenv("FATHOM_INSTRUMENT_MIN_INSNS");
	char *end;

	if (!value || !*value)
		return;
	errno = 0;
	options->min_insns = strtoul(value, &end, 10);
	if (errno || *end || !isdigit((unsigned char)value[0]) || options->min_insns > 1000000)
		fathom_die(FATHOM_EXIT_USAGE, "FATHOM_INSTRUMENT_MIN_INSNS=%s: a number from 0 to 1000000 is allowed",
			   value);
	options->has_min_insns = 1;
}

static void read_hooks(struct fathom_options *options)
{
	const char *value = getenv("FATHOM_INSTRUMENT_HOOKS");

	if (!value || !*value)
		return;
	if (strcmp(value, "late") && strcmp(value, "early"))
		fathom_die(FATHOM_EXIT_USAGE, "FATHOM_INSTRUMENT_HOOKS=%s: late or early is allowed", value);
#ifdef FATHOM_WITHOUT_LATE_HOOKS
	if (!strcmp(value, "late"))
		fathom_die(FATHOM_EXIT_USAGE, "FATHOM_INSTRUMENT_HOOKS=late cannot be used: fathom was built without "
			   "late hooks (configure --without-late-hooks)");
#endif
	options->hooks = value;
}

static void read_calls(struct fathom_options *options)
{
	const char *value = getenv("FATHOM_INSTRUMENT_CALLS");

	if (!value || !*value)
		return;
	if (strcmp(value, "compiled") && strcmp(value, "all"))
		fathom_die(FATHOM_EXIT_USAGE, "FATHOM_INSTRUMENT_CALLS=%s: compiled or all is allowed", value);
	options->calls = value;
}

void fathom_options_init(struct fathom_options *options)
{
	const char *value = getenv("FATHOM_DRIVER_OPTIONS");
	struct fathom_words words = { 0 };

	*options = (struct fathom_options){ .compiler = 1, .user = 1 };
	read_min_insns(options);
	read_hooks(options);
	read_calls(options);
	if (!value)
		return;
	fathom_words_split(&words, value);
	for (size_t i = 0; i < words.count; i++) {
		if (!fathom_options_take(options, words.list[i]))
			fathom_die(FATHOM_EXIT_USAGE, "FATHOM_DRIVER_OPTIONS: %s: no option of fathom; allowed are: %s",
				   words.list[i], allowed);
	}
	fathom_words_fini(&words);
}

void fathom_options_fini(struct fathom_options *options)
{
	free(options->filter);
}
