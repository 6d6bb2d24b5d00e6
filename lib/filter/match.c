/*
 * Applies the rules of a filter to a region.
 */
#include <string.h>

#include "filter/filter.h"
#include "filter/glob.h"
#include "filter/spelling.h"

enum match { NO, YES, UNKNOWN };

/* --- names ------------------------------------------------------------------------------------------ */

/* Returns the length of a readable C++ name without its parameters: 14 for "Grid::exchange(int) const". */
static size_t length_without_parameters(const char *name)
{
	size_t length = strlen(name), at = length;
	unsigned depth = 0;

	while (at && name[at - 1] != ')')	/* const, & or [clone] may follow the closing parenthesis */
		at--;
	while (at--) {
		if (name[at] == ')')
			depth++;
		else if (name[at] == '(' && --depth == 0)
			return at ? at : length;
	}
	return length;
}

/* Returns the position of the name behind the return type of a template function: 4 for "int sum<int>". */
static size_t begin_without_type(const char *name, size_t length)
{
	size_t begin = 0;
	unsigned depth = 0;

	for (size_t at = 0; at < length; at++) {
		if (strncmp(name + at, "operator", 8) == 0 && (at == begin || name[at - 1] == ':'))
			break;		/* the rest of an operator's name may have blanks and brackets */
		if (strchr("<({[", name[at]))
			depth++;
		else if (strchr(">)}]", name[at]) && depth)
			depth--;
		else if (name[at] == ' ' && !depth)
			begin = at + 1;
	}
	return begin;
}

static bool spelled_name_matches(const char *pattern, const char *name)
{
	size_t length, begin;

	if (fathom_glob_matches(pattern, name, strlen(name)))
		return true;
	length = length_without_parameters(name);
	begin = begin_without_type(name, length);
	if (name[length] && fathom_glob_matches(pattern, name, length))
		return true;
	return begin && (fathom_glob_matches(pattern, name + begin, length - begin) ||
			 fathom_glob_matches(pattern, name + begin, strlen(name + begin)));
}

/* Matches a name as it is, and in the spelling of profiles if it has at most MOST bytes. */
static bool name_matches(const char *pattern, const char *name)
{
	enum { MOST = 2000 };
	struct fathom_spelling spelling;
	char spelled[MOST + 8];
	size_t length = 0;

	if (!name)
		return false;
	if (spelled_name_matches(pattern, name))
		return true;
	spelling = fathom_spelling_of(name);
	if (!spelling.is_changed || strlen(name) > MOST)
		return false;
	for (const char *at = spelling.before; *at; at++)
		spelled[length++] = *at;
	for (size_t at = 0; name[at]; at++) {
		spelled[length] = fathom_spelling_at(&spelling, name, at);
		length += spelled[length] != '\0';
	}
	spelled[length] = '\0';
	return spelled_name_matches(pattern, spelled);
}

/* Matches a path as a whole, or from behind any of its slashes. */
static bool path_matches(const char *pattern, const char *path)
{
	while (path) {
		if (fathom_glob_matches(pattern, path, strlen(path)))
			return true;
		path = strchr(path, '/');
		path += path ? 1 : 0;
	}
	return false;
}

/* --- ranks ------------------------------------------------------------------------------------------ */

static int64_t take_number(const char **at)
{
	int64_t number = 0;

	for (; **at >= '0' && **at <= '9'; ++*at)
		number = number * 10 + (**at - '0');
	return number;
}

/* Returns whether the list, which the parser has checked, contains the rank. */
static bool ranks_have(const char *ranks, int64_t rank)
{
	for (const char *at = ranks; *at; at += *at == ',') {
		int64_t first = take_number(&at), last = first;

		if (*at == '-') {
			at++;
			last = *at >= '0' && *at <= '9' ? take_number(&at) : INT64_MAX;
		}
		if (rank >= first && rank <= last)
			return true;
	}
	return false;
}

/* --- rules ------------------------------------------------------------------------------------------ */

static enum match judge(const struct fathom_filter_rule *rule, const struct fathom_filter_subject *subject)
{
	bool matches = false, unknown = false;

	if (!(rule->kinds & subject->kind))
		return NO;
	switch ((enum fathom_filter_about)rule->about) {
	case FATHOM_FILTER_NAME:
		matches = name_matches(rule->pattern, subject->name) ||
			  name_matches(rule->pattern, subject->other_name) ||
			  name_matches(rule->pattern, subject->mangled);
		break;
	case FATHOM_FILTER_MANGLED:
		matches = subject->mangled &&
			  fathom_glob_matches(rule->pattern, subject->mangled, strlen(subject->mangled));
		break;
	case FATHOM_FILTER_FILE:
		matches = path_matches(rule->pattern, subject->file);
		break;
	case FATHOM_FILTER_OBJECT:
		unknown = !subject->object && subject->kind == FATHOM_FILTER_FUNCTION;
		matches = unknown || path_matches(rule->pattern, subject->object);
		break;
	}
	if (!matches || (rule->ranks && subject->rank >= 0 && !ranks_have(rule->ranks, subject->rank)))
		return NO;
	return unknown || (rule->ranks && subject->rank < 0) ? UNKNOWN : YES;
}

bool fathom_filter_matches(const struct fathom_filter_rule *rule, const struct fathom_filter_subject *subject)
{
	return judge(rule, subject) == YES;
}

/* Returns the last rule of a chain that matches; NULL: none. */
static const struct fathom_filter_rule *decide(const struct fathom_filter *filter, enum fathom_filter_chain chain,
					       const struct fathom_filter_subject *subject)
{
	for (size_t i = filter->count; i--;) {
		const struct fathom_filter_rule *rule = &filter->rules[i];
		enum match match = rule->chain == chain ? judge(rule, subject) : NO;

		if (match == YES || (match == UNKNOWN && rule->include))
			return rule;
	}
	return NULL;
}

enum fathom_filter_answer fathom_filter_ask(const struct fathom_filter *filter,
					    const struct fathom_filter_subject *subject,
					    const struct fathom_filter_rule **decider)
{
	enum fathom_filter_answer answer = FATHOM_FILTER_SILENT;
	const struct fathom_filter_rule *decided = NULL;

	for (int chain = 0; chain < FATHOM_FILTER_CHAINS && answer != FATHOM_FILTER_EXCLUDE; chain++) {
		const struct fathom_filter_rule *rule = decide(filter, (enum fathom_filter_chain)chain, subject);

		if (!rule)
			continue;
		decided = rule;
		if (!rule->include)
			answer = FATHOM_FILTER_EXCLUDE;
		else if (rule->about == FATHOM_FILTER_NAME || rule->about == FATHOM_FILTER_MANGLED)
			answer = FATHOM_FILTER_INCLUDE;
	}
	if (decider)
		*decider = decided;
	return answer;
}

bool fathom_filter_wants(const struct fathom_filter *filter, enum fathom_filter_kind kinds,
			 enum fathom_filter_about about)
{
	for (size_t i = 0; i < filter->count; i++)
		if (filter->rules[i].about == about && (filter->rules[i].kinds & kinds))
			return true;
	return false;
}

bool fathom_filter_wants_rank(const struct fathom_filter *filter)
{
	for (size_t i = 0; i < filter->count; i++)
		if (filter->rules[i].ranks)
			return true;
	return false;
}
