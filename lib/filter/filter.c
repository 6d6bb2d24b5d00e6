#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "filter/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "filter/glob.h"
#include "filter/tau_pattern.h"

static const char blank[] = " \t\r\v\f";

enum { FIRST_BYTES = 1 << 16, MOST_BYTES = 1 << 26 };

/* The position in the file, and the buffer for an error. */
struct parser {
	struct fathom_filter *filter;
	const char *path;
	uint32_t line;
	const char *line_text;
	int block;			/* enum fathom_filter_chain; FATHOM_FILTER_OWN: in no block */
	int include;			/* in a block: the last INCLUDE or EXCLUDE; -1: none yet */
	bool mangled;
	const struct tau_list *list;	/* NULL: in no list of TAU */
	bool chain_is_closed[FATHOM_FILTER_CHAINS];	/* by a list of TAU that includes: all else is excluded */
	char *error;
	size_t error_bytes;
};

__attribute__((format(printf, 3, 4))) static int complain(const struct parser *parser, const char *at,
							   const char *format, ...)
{
	va_list arguments;
	int length = snprintf(parser->error, parser->error_bytes, "%s:%u:%d: ", parser->path, parser->line,
			      (int)(at - parser->line_text) + 1);

	if (length < 0 || (size_t)length >= parser->error_bytes)
		return -EINVAL;
	va_start(arguments, format);
	vsnprintf(parser->error + length, parser->error_bytes - (size_t)length, format, arguments);
	va_end(arguments);
	return -EINVAL;
}

static int add_rule(struct parser *parser, const struct fathom_filter_rule *rule, const char *at)
{
	const char *where, *wrong = fathom_glob_error(rule->pattern, &where);
	struct fathom_filter_rule *added = &parser->filter->rules[parser->filter->count];

	if (wrong)
		return complain(parser, where, "%s", wrong);
	*added = *rule;
	added->line = parser->line;
	added->column = (uint32_t)(at - parser->line_text) + 1;
	parser->filter->count++;
	return 0;
}

/* --- rules outside of blocks ------------------------------------------------------------------------------- */

/* If *at begins with word, followed by a blank or the end, moves *at behind both and returns true. */
static bool take_word(char **at, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*at, word, length) != 0 || ((*at)[length] && !strchr(blank, (*at)[length])))
		return false;
	*at += length;
	*at += strspn(*at, blank);
	return true;
}

static const struct word {
	const char *word;
	uint8_t value;
	const char *what;
} kinds[] = {
	{ "function", FATHOM_FILTER_FUNCTION, "functions" },
	{ "user", FATHOM_FILTER_USER, "user regions" },
	{ "mpi", FATHOM_FILTER_MPI, "MPI calls" },
	{ "openmp", FATHOM_FILTER_OPENMP, "OpenMP constructs" },
	{ "thread", FATHOM_FILTER_THREAD, "thread calls" },
	{ "io", FATHOM_FILTER_IO, "I/O calls" },
	{ "any", FATHOM_FILTER_ANY, "all kinds of regions" },
	{ NULL, 0, NULL },
}, abouts[] = {
	{ "file", FATHOM_FILTER_FILE, "file names" },
	{ "mangled", FATHOM_FILTER_MANGLED, "mangled names" },
	{ "object", FATHOM_FILTER_OBJECT, "programs and libraries" },
	{ NULL, 0, NULL },
};

static const struct word *take_one_of(char **at, const struct word *words)
{
	while (words->word && !take_word(at, words->word))
		words++;
	return words->word ? words : NULL;
}

/* Parses a number of at most nine digits. */
static bool take_rank(const char **at, uint32_t *rank)
{
	size_t digits = strspn(*at, "0123456789");

	*rank = 0;
	for (size_t i = 0; i < digits && i < 9; i++)
		*rank = *rank * 10 + (uint32_t)((*at)[i] - '0');
	*at += digits;
	return digits > 0 && digits <= 9;
}

/* Parses ranks, ends them with a NUL and moves behind the blank. */
static int take_ranks(struct parser *parser, struct fathom_filter_rule *rule, char **at)
{
	const char *now = *at;
	uint32_t first, last;
	bool good = true;

	rule->ranks = *at;
	while (good) {
		good = take_rank(&now, &first);
		if (good && *now == '-') {
			now++;
			if (*now >= '0' && *now <= '9')
				good = take_rank(&now, &last) && last >= first;
		}
		if (!good || *now != ',')
			break;
		now++;
	}
	if (!good || (*now && !strchr(blank, *now)))
		return complain(parser, now, "ranks are numbers and ranges with commas between: 0,4-7,16-");
	*at += now - *at;
	if (**at)
		*(*at)++ = '\0';
	*at += strspn(*at, blank);
	return 0;
}

static int read_rule(struct parser *parser, char *at)
{
	struct fathom_filter_rule rule = { .chain = FATHOM_FILTER_OWN };
	const struct word *kind, *about;
	int err;

	if (take_word(&at, "include"))
		rule.include = 1;
	else if (!take_word(&at, "exclude"))
		return complain(parser, at, "a rule begins with include or exclude");
	if (take_word(&at, "rank")) {
		err = take_ranks(parser, &rule, &at);
		if (err)
			return err;
	}
	kind = take_one_of(&at, kinds);
	about = take_one_of(&at, abouts);
	if (!*at && rule.ranks && !kind && !about)
		rule.pattern = "*";
	else if (!*at && about)
		return complain(parser, at, "a pattern for %s is missing", about->what);
	else if (!*at && kind)
		return complain(parser, at, "a pattern for %s is missing (a function called %s: function %s)",
				kind->what, kind->word, kind->word);
	else if (!*at)
		return complain(parser, at, "a pattern for names is missing, or the word file and a pattern");
	else
		rule.pattern = at;
	rule.about = about ? about->value : FATHOM_FILTER_NAME;
	rule.kinds = kind ? kind->value : FATHOM_FILTER_ANY;
	if (!kind && (about || strchr("*?[", *rule.pattern)))
		rule.kinds = FATHOM_FILTER_FUNCTION | FATHOM_FILTER_USER;
	return add_rule(parser, &rule, at);
}

/* --- blocks ----------------------------------------------------------------------------------------- */

static const struct block {
	const char *begin, *end;
	int chain;
} blocks[] = {
	{ "SCOREP_REGION_NAMES_BEGIN", "SCOREP_REGION_NAMES_END", FATHOM_FILTER_BLOCK_NAMES },
	{ "SCOREP_FILE_NAMES_BEGIN", "SCOREP_FILE_NAMES_END", FATHOM_FILTER_BLOCK_FILES },
};

static bool begins_block(const char *token)
{
	return !strcmp(token, blocks[0].begin) || !strcmp(token, blocks[1].begin);
}

static int read_token(struct parser *parser, const char *token)
{
	struct fathom_filter_rule rule = {
		.pattern = token,
		.include = parser->include > 0,
		.kinds = FATHOM_FILTER_FUNCTION | FATHOM_FILTER_USER,
		.chain = (uint8_t)parser->block,
	};

	for (size_t i = 0; i < 2; i++) {
		if (!strcmp(token, blocks[i].begin) && parser->block == FATHOM_FILTER_OWN) {
			parser->block = blocks[i].chain;
			parser->include = -1;
			parser->mangled = false;
			return 0;
		}
		if (!strcmp(token, blocks[i].end) && parser->block == blocks[i].chain) {
			parser->block = FATHOM_FILTER_OWN;
			return 0;
		}
		if (!strcmp(token, blocks[i].begin) || !strcmp(token, blocks[i].end))
			return complain(parser, token, "%s is not allowed here", token);
	}
	if (parser->block == FATHOM_FILTER_OWN)
		return complain(parser, token, "nothing may follow the end of a block on its line");
	if (!strcmp(token, "INCLUDE") || !strcmp(token, "EXCLUDE")) {
		parser->include = *token == 'I';
		parser->mangled = false;
		return 0;
	}
	if (parser->include < 0)
		return complain(parser, token, "INCLUDE or EXCLUDE comes before the patterns");
	if (!strcmp(token, "MANGLED") || !strcmp(token, "DEMANGLED")) {
		if (parser->block == FATHOM_FILTER_BLOCK_FILES)
			return complain(parser, token, "%s is allowed for region names only", token);
		parser->mangled = *token == 'M';
		return 0;
	}
	rule.about = parser->block == FATHOM_FILTER_BLOCK_FILES ? FATHOM_FILTER_FILE :
		     parser->mangled ? FATHOM_FILTER_MANGLED : FATHOM_FILTER_NAME;
	return add_rule(parser, &rule, token);
}

/* Splits a line of a block into words; a backslash before a blank or # makes it part of the word. */
static int read_tokens(struct parser *parser, char *at)
{
	int err = 0;

	while (!err) {
		char *token = at += strspn(at, blank);

		while (*at && *at != '#' && !strchr(blank, *at))
			at += at[0] == '\\' && at[1] ? 2 : 1;
		if (at == token)
			return 0;
		if (*at == '#')
			at[0] = at[1] = '\0';	/* there is one more byte behind each line: its end */
		else if (*at)
			*at++ = '\0';
		err = read_token(parser, token);
	}
	return err;
}

/* --- lists of TAU ------------------------------------------------------------------------------------ */

static const struct tau_list {
	const char *begin, *end;
	uint8_t chain;
	uint8_t include;
	bool is_ignored;
} lists[] = {
	{ "BEGIN_INCLUDE_LIST", "END_INCLUDE_LIST", FATHOM_FILTER_BLOCK_NAMES, 1, false },
	{ "BEGIN_EXCLUDE_LIST", "END_EXCLUDE_LIST", FATHOM_FILTER_BLOCK_NAMES, 0, false },
	{ "BEGIN_FILE_INCLUDE_LIST", "END_FILE_INCLUDE_LIST", FATHOM_FILTER_BLOCK_FILES, 1, false },
	{ "BEGIN_FILE_EXCLUDE_LIST", "END_FILE_EXCLUDE_LIST", FATHOM_FILTER_BLOCK_FILES, 0, false },
	{ "BEGIN_INSTRUMENT_SECTION", "END_INSTRUMENT_SECTION", FATHOM_FILTER_OWN, 0, true },	/* loops, phases */
};

/* Reads a line of a list, without blanks at its ends. */
static int read_list_line(struct parser *parser, char *at)
{
	const struct tau_list *list = parser->list;
	bool is_file = list->chain == FATHOM_FILTER_BLOCK_FILES;
	struct fathom_filter_rule rule = {
		.include = list->include, .kinds = FATHOM_FILTER_FUNCTION | FATHOM_FILTER_USER, .chain = list->chain,
		.about = is_file ? FATHOM_FILTER_FILE : FATHOM_FILTER_NAME,
	};
	size_t length = strlen(at);

	if (!strcmp(at, list->end)) {
		parser->list = NULL;
		return 0;
	}
	if (list->is_ignored)
		return 0;
	if (!strncmp(at, "BEGIN_", 6) || !strncmp(at, "END_", 4))
		return complain(parser, at, "%s is not allowed here; %s is missing", at, list->end);
	if (length > 1 && *at == '"' && at[length - 1] == '"') {
		at[length - 1] = '\0';
		at++;
	}
	at = is_file ? fathom_tau_file_pattern(at) : fathom_tau_name_pattern(at);
	rule.pattern = at;
	return *at ? add_rule(parser, &rule, at) : complain(parser, at, "a name is missing");
}

/* Begins a list if the line says so. The first list that includes excludes all that no such list names. */
static bool begin_list(struct parser *parser, const char *at)
{
	struct fathom_filter_rule rule = {
		.pattern = "*", .kinds = FATHOM_FILTER_FUNCTION | FATHOM_FILTER_USER,
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		if (strcmp(at, lists[i].begin) != 0)
			continue;
		parser->list = &lists[i];
		rule.chain = lists[i].chain;
		rule.about = rule.chain == FATHOM_FILTER_BLOCK_FILES ? FATHOM_FILTER_FILE : FATHOM_FILTER_NAME;
		if (lists[i].include && !parser->chain_is_closed[rule.chain])
			add_rule(parser, &rule, at);
		parser->chain_is_closed[rule.chain] |= lists[i].include;
		return true;
	}
	return false;
}

/* --- the file --------------------------------------------------------------------------------------- */

/* Reads a line, which ends with a NUL. */
static int read_line(struct parser *parser, char *text, size_t length)
{
	char *at = text + strspn(text, blank), *end;

	parser->line++;
	parser->line_text = text;
	if (strlen(text) != length)
		return complain(parser, text + strlen(text), "the line has a byte 0 and is no text");
	if (!*at || *at == '#')
		return 0;
	while (length && strchr(blank, text[length - 1]))
		text[--length] = '\0';
	if (parser->list)
		return read_list_line(parser, at);
	if (parser->block == FATHOM_FILTER_OWN) {
		char kept;

		if (begin_list(parser, at))
			return 0;
		end = at + strcspn(at, " \t\r\v\f#");
		kept = *end;
		*end = '\0';
		if (!begins_block(at)) {
			*end = kept;
			return read_rule(parser, at);
		}
		*end = kept;
	}
	return read_tokens(parser, at);
}

/* Counts the words, which are at least as many as the rules. */
static size_t count_words(const char *text, size_t bytes)
{
	size_t count = 0;
	bool inside = false;

	for (size_t i = 0; i < bytes; i++) {
		bool is_word = !strchr(" \t\r\v\f\n", text[i]) || !text[i];

		count += is_word && !inside;
		inside = is_word;
	}
	return count;
}

static void *map(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* Parses the text of the filter, which has two spare bytes at its end. */
static int parse(struct fathom_filter *filter, const char *path, size_t bytes, char *error, size_t error_bytes)
{
	struct parser parser = { .filter = filter, .path = path, .error = error, .error_bytes = error_bytes };
	char *at = filter->text, *end = at + bytes;
	int err = 0;

	filter->memory_bytes = (count_words(at, bytes) + 1) * sizeof(*filter->rules);
	filter->memory = map(filter->memory_bytes);
	filter->rules = filter->memory;
	if (!filter->memory) {
		snprintf(error, error_bytes, "%s: out of memory", path);
		err = -ENOMEM;
	}
	end[0] = end[1] = '\0';
	while (!err && at < end) {
		char *stop = memchr(at, '\n', (size_t)(end - at));

		stop = stop ? stop : end;
		*stop = '\0';
		err = read_line(&parser, at, (size_t)(stop - at));
		at = stop + 1;
	}
	if (err)
		fathom_filter_fini(filter);
	return err;
}

int fathom_filter_parse(struct fathom_filter *filter, const char *path, const char *text, size_t bytes, char *error,
			size_t error_bytes)
{
	filter->text_bytes = bytes + 2;
	filter->text = map(filter->text_bytes);
	if (!filter->text) {
		snprintf(error, error_bytes, "%s: out of memory", path);
		return -ENOMEM;
	}
	memcpy(filter->text, text, bytes);
	return parse(filter, path, bytes, error, error_bytes);
}

/* Reads the whole file into the filter's text. Returns the number of bytes, or -errno. */
static ssize_t read_text(struct fathom_filter *filter, int fd)
{
	size_t length = 0;

	filter->text_bytes = FIRST_BYTES;
	filter->text = map(filter->text_bytes);
	while (filter->text) {
		ssize_t got = read(fd, filter->text + length, filter->text_bytes - length - 2);
		void *larger;

		if (got < 0 && errno != EINTR)
			return -errno;
		if (got == 0)
			return (ssize_t)length;
		length += got > 0 ? (size_t)got : 0;
		if (length + 2 < filter->text_bytes)
			continue;
		if (filter->text_bytes >= MOST_BYTES)
			return -EFBIG;
		larger = mremap(filter->text, filter->text_bytes, filter->text_bytes * 2, MREMAP_MAYMOVE);
		if (larger == MAP_FAILED)
			return -ENOMEM;
		filter->text = larger;
		filter->text_bytes *= 2;
	}
	return -ENOMEM;
}

int fathom_filter_read(struct fathom_filter *filter, const char *path, char *error, size_t error_bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -errno : read_text(filter, fd);

	if (fd >= 0)
		close(fd);
	if (length < 0) {
		snprintf(error, error_bytes, "%s: %s", path, strerror((int)-length));
		fathom_filter_fini(filter);
		return (int)length;
	}
	return parse(filter, path, (size_t)length, error, error_bytes);
}

void fathom_filter_fini(struct fathom_filter *filter)
{
	if (filter->memory)
		munmap(filter->memory, filter->memory_bytes);
	if (filter->text)
		munmap(filter->text, filter->text_bytes);
	memset(filter, 0, sizeof(*filter));
}
