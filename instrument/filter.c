#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char blank[] = " \t\r\n";

/* One line of the file, and where complaints about it go. */
struct line {
	const char *path;
	unsigned number;
	const char *text;
	char *error;
	size_t error_bytes;
};

static int complain(const struct line *line, const char *at, const char *what)
{
	snprintf(line->error, line->error_bytes, "%s:%u:%d: %s", line->path, line->number, (int)(at - line->text) + 1,
		 what);
	return -EINVAL;
}

/* If *at begins with word, and a blank or the end after it, step over both. */
static int take_word(const char **at, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*at, word, length) != 0 || ((*at)[length] && !strchr(blank, (*at)[length])))
		return 0;
	*at += length;
	*at += strspn(*at, blank);
	return 1;
}

/* Where a [ that is never closed stands, or NULL: fnmatch would take it for itself. */
static const char *open_bracket(const char *pattern)
{
	for (const char *at = pattern; *at; at++) {
		if (*at == '\\' && at[1]) {
			at++;
		} else if (*at == '[') {
			const char *first = at + 1 + (at[1] == '!' || at[1] == '^');
			const char *end = *first ? strchr(first + 1, ']') : NULL;

			if (!end)
				return at;
			at = end;
		}
	}
	return NULL;
}

static int add_rule(struct fathom_filter *filter, struct fathom_filter_rule rule)
{
	struct fathom_filter_rule *rules = realloc(filter->rules, (filter->count + 1) * sizeof(*rules));

	if (!rules || !rule.pattern) {
		if (rules)
			filter->rules = rules;
		free(rule.pattern);
		return -ENOMEM;
	}
	filter->rules = rules;
	filter->rules[filter->count++] = rule;
	return 0;
}

static int read_line(struct fathom_filter *filter, const struct line *line)
{
	struct fathom_filter_rule rule = { 0 };
	const char *at = line->text + strspn(line->text, blank), *wrong;

	if (!*at || *at == '#')
		return 0;
	if (take_word(&at, "include"))
		rule.include = 1;
	else if (!take_word(&at, "exclude"))
		return complain(line, at, "a rule begins with include or exclude");
	rule.file = take_word(&at, "file");

	if (!*at)
		return complain(line, at, rule.file ? "a pattern for file names is missing" :
					  "a pattern for function names is missing, or the word file and a pattern");
	wrong = open_bracket(at);
	if (wrong)
		return complain(line, wrong, "[ without ] (write \\[ for the character itself)");
	rule.pattern = strdup(at);
	return add_rule(filter, rule);
}

int fathom_filter_read(struct fathom_filter *filter, const char *path, char *error, size_t error_bytes)
{
	struct line line = { .path = path, .error = error, .error_bytes = error_bytes };
	FILE *file = fopen(path, "re");
	struct stat status;
	char *text = NULL;
	size_t room = 0;
	ssize_t length;
	int err = 0;

	if (!file || (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode))) {
		err = file ? -EISDIR : -errno;
		snprintf(error, error_bytes, "%s: %s", path, strerror(-err));
		if (file)
			fclose(file);
		return err;
	}
	while (!err && (length = getline(&text, &room, file)) >= 0) {
		while (length && strchr(blank, text[length - 1]))
			text[--length] = '\0';
		line.number++;
		line.text = text;
		err = read_line(filter, &line);
		if (err == -ENOMEM)
			snprintf(error, error_bytes, "%s: out of memory", path);
	}
	if (!err && ferror(file)) {
		err = -EIO;
		snprintf(error, error_bytes, "%s: cannot be read", path);
	}
	free(text);
	fclose(file);
	if (err)
		fathom_filter_fini(filter);
	return err;
}

/* A file is known by the path the compiler was given, by its last part, and by its absolute path. */
static int file_matches(const char *pattern, const char *file)
{
	char absolute[PATH_MAX];
	const char *slash = strrchr(file, '/');

	if (fnmatch(pattern, file, 0) == 0 || (slash && fnmatch(pattern, slash + 1, 0) == 0))
		return 1;
	return strchr(pattern, '/') && realpath(file, absolute) && fnmatch(pattern, absolute, 0) == 0;
}

static int rule_matches(const struct fathom_filter_rule *rule, const char *const *names, size_t name_count,
			const char *file)
{
	if (rule->file)
		return file && file_matches(rule->pattern, file);
	for (size_t i = 0; i < name_count; i++) {
		if (names[i] && fnmatch(rule->pattern, names[i], 0) == 0)
			return 1;
	}
	return 0;
}

enum fathom_filter_answer fathom_filter_ask(const struct fathom_filter *filter, const char *const *names,
					    size_t name_count, const char *file)
{
	for (size_t i = filter->count; i--;) {
		const struct fathom_filter_rule *rule = &filter->rules[i];

		if (!rule_matches(rule, names, name_count, file))
			continue;
		if (!rule->include)
			return FATHOM_FILTER_EXCLUDE;
		return rule->file ? FATHOM_FILTER_SILENT : FATHOM_FILTER_INCLUDE;
	}
	return FATHOM_FILTER_SILENT;
}

int fathom_filter_wants_names(const struct fathom_filter *filter)
{
	for (size_t i = 0; i < filter->count; i++) {
		if (!filter->rules[i].file)
			return 1;
	}
	return 0;
}

void fathom_filter_fini(struct fathom_filter *filter)
{
	for (size_t i = 0; i < filter->count; i++)
		free(filter->rules[i].pattern);
	free(filter->rules);
	filter->rules = NULL;
	filter->count = 0;
}
