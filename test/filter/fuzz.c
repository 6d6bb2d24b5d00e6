/*
 * fuzz SEED RUNS: files that look like filters, damaged. Each is taken, or refused with one clear line; and what
 * was taken answers about regions with odd names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"

static const char *const seeds[] = {
	"# solver only\nexclude *\ninclude file src/solver/*\nexclude log_*\ninclude Grid::exchange(*\n",
	"exclude rank 1-7,9,12- solve_*\ninclude rank 0\nexclude mpi MPI_*[!s]end\nexclude any object lib[a-c]*.so\n",
	"SCOREP_FILE_NAMES_BEGIN # c\n EXCLUDE */filter*\n INCLUDE a.c\nSCOREP_FILE_NAMES_END\n"
	"SCOREP_REGION_NAMES_BEGIN EXCLUDE *\n INCLUDE bar b\\ c MANGLED _Z* DEMANGLED [[:alpha:]]x\n"
	"SCOREP_REGION_NAMES_END\nexclude function f\n",
};

static const char *const pieces[] = {
	"exclude ", "include ", "rank ", "0-", "99999999999999999999", "-", ",", "file ", "mangled ", "object ", "mpi ",
	"function ", "[", "]", "[!", "[^]", "[[:", "[[:digit:]]", "[.", "[=", "\\", "*", "?", "\n", "\r\n", " ", "\t", "#",
	"SCOREP_REGION_NAMES_BEGIN", "SCOREP_REGION_NAMES_END", "SCOREP_FILE_NAMES_BEGIN", "SCOREP_FILE_NAMES_END",
	"EXCLUDE", "INCLUDE", "MANGLED", "DEMANGLED", "\xff\xfe", "\xc3\xa4", "a-z", "~",
};

static const char *const names[] = {
	NULL, "", "main", "(", ")", "))((", "operator", "operator()", "a::operator<<(b)", "f(int (*)(void)) const [clone .cold]",
	"std::vector<a, b > x<y>(z)", "!$omp parallel @a.c:1", "/", "//", "a/", "\xff", "<<<<>>>>>", " ", "   (",
};

static uint64_t state;

static size_t below(size_t limit)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(state >> 33) % limit;
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static size_t damage(char *text, size_t length, size_t room)
{
	for (size_t changes = 1 + below(6); changes; changes--) {
		const char *piece = pieces[below(COUNT(pieces))];
		size_t bytes = strlen(piece), at = below(length + 1), gone;

		switch (below(4)) {
		case 0:
			if (length)
				text[below(length)] = (char)below(256);
			break;
		case 1:
			gone = below(20);
			gone = gone < length - at ? gone : length - at;
			memmove(text + at, text + at + gone, length - at - gone);
			length -= gone;
			break;
		case 2:
			length = at;
			break;
		default:
			if (length + bytes > room)
				break;
			memmove(text + at + bytes, text + at, length - at);
			memcpy(text + at, piece, bytes);
			length += bytes;
		}
	}
	return length;
}

static void check_answers(const struct fathom_filter *filter)
{
	for (size_t i = 0; i < 4; i++) {
		const struct fathom_filter_subject subject = {
			(enum fathom_filter_kind)(1 << below(7)), names[below(COUNT(names))], names[below(COUNT(names))],
			names[below(COUNT(names))], names[below(COUNT(names))], names[below(COUNT(names))],
			(int64_t)below(12) - 1,
		};
		const struct fathom_filter_rule *rule = NULL;
		enum fathom_filter_answer answer = fathom_filter_ask(filter, &subject, &rule);

		if (answer == FATHOM_FILTER_EXCLUDE && (!rule || rule->include))
			abort();
		if (answer == FATHOM_FILTER_INCLUDE && (!rule || !rule->include))
			abort();
	}
}

/* "filter:LINE:COLUMN: words", of printed characters as far as they are ours. */
static void check_error(const char *error, size_t lines)
{
	unsigned line, column;
	int length = 0;

	if (sscanf(error, "filter:%u:%u: %n", &line, &column, &length) != 2 || !length || !error[length])
		abort();
	if (!line || line > lines || !column || strchr(error, '\n'))
		abort();
}

int main(int argc, char **argv)
{
	long runs = argc > 2 ? atol(argv[2]) : 1000, taken = 0;

	state = argc > 1 ? (uint64_t)atol(argv[1]) : 1;
	for (long i = 0; i < runs; i++) {
		const char *seed = seeds[below(COUNT(seeds))];
		size_t room = strlen(seed) + 100, length, lines = 1;
		struct fathom_filter filter = { 0 };
		char *text = malloc(room), *exact, error[200];

		memcpy(text, seed, strlen(seed));
		length = damage(text, strlen(seed), room);
		exact = malloc(length ? length : 1);	/* a byte too many is seen */
		memcpy(exact, text, length);
		for (size_t at = 0; at < length; at++)
			lines += exact[at] == '\n';
		error[0] = '\0';
		if (fathom_filter_parse(&filter, "filter", exact, length, error, sizeof(error))) {
			check_error(error, lines);
			if (filter.rules || filter.count)
				abort();
		} else {
			check_answers(&filter);
			taken++;
		}
		fathom_filter_fini(&filter);
		free(exact);
		free(text);
	}
	printf("%ld of %ld taken\n", taken, runs);
	return taken && taken < runs ? 0 : 1;
}
