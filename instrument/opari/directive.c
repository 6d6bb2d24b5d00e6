#define _GNU_SOURCE
#include "opari/directive.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/word_list.h"
#include "opari/buffer.h"

/* More words and clauses than any real directive has. A directive that has more stays as it is. */
#define WORDS 8
#define CLAUSES 64

struct clause {
	const char *name, *argument;	/* NULL if there is no argument; without its parentheses */
	size_t name_length, argument_length;
};

struct parsed {
	char words[WORDS][24];
	size_t word_count;
	struct clause clauses[CLAUSES];
	size_t clause_count;
	int is_odd;		/* the parser does not understand the directive */
};

/* The words that directives consist of. The words that are also names of clauses may begin a directive. */
static const char *const first_words[] = {
	"parallel", "for", "do", "simd", "sections", "section", "single", "workshare", "master", "masked", "critical",
	"ordered", "atomic", "barrier", "flush", "task", "taskloop", "taskwait", "taskyield", "taskgroup", "loop",
	"scope", "target", "teams", "distribute", "cancel", "cancellation", "threadprivate", "declare", "requires",
	"scan", "depobj", "error", "nothing", "tile", "unroll", "metadirective", "allocate", "begin", "end", "assume",
	"assumes", "interop", "dispatch",
};
/* The words that another word of the name may follow; and the words that may follow. */
static const char *const leading_words[] = {
	"parallel", "for", "do", "master", "masked", "taskloop", "target", "teams", "distribute",
};
static const char *const more_words[] = {
	"parallel", "for", "do", "simd", "sections", "workshare", "master", "masked", "taskloop", "loop", "teams",
	"distribute",
};

static int is_one_of(const char *word, size_t length, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strlen(list[i]) == length && strncasecmp(list[i], word, length) == 0)
			return 1;
	}
	return 0;
}
#define IS_ONE_OF(word, length, list) is_one_of(word, length, list, sizeof(list) / sizeof((list)[0]))

static int is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the offset behind the parenthesis that closes the one at `at`; 0: there is none. Strings are skipped. */
static size_t skip_parentheses(const char *text, size_t length, size_t at)
{
	int depth = 0;

	for (; at < length; at++) {
		char c = text[at];

		if (c == '"' || c == '\'') {
			for (at++; at < length && text[at] != c; at++)
				at += text[at] == '\\';
		} else if (c == '(') {
			depth++;
		} else if (c == ')' && --depth == 0) {
			return at + 1;
		}
	}
	return 0;
}

static void parse_clauses(struct parsed *parsed, const char *text, size_t length, size_t at)
{
	for (;;) {
		struct clause *clause = &parsed->clauses[parsed->clause_count];
		size_t begin, end;

		while (at < length && (isspace((unsigned char)text[at]) || text[at] == ','))
			at++;
		if (at == length)
			return;
		for (begin = at; at < length && is_letter(text[at]);)
			at++;
		parsed->is_odd |= at == begin || parsed->clause_count + 1 == CLAUSES;
		if (parsed->is_odd)
			return;
		*clause = (struct clause){ .name = text + begin, .name_length = at - begin };
		parsed->clause_count++;
		while (at < length && isspace((unsigned char)text[at]))
			at++;
		if (at == length || text[at] != '(')
			continue;
		end = skip_parentheses(text, length, at);
		if (!end) {
			parsed->is_odd = 1;
			return;
		}
		clause->argument = text + at + 1;
		clause->argument_length = end - at - 2;
		at = end;
	}
}

/* Returns whether a word belongs to the name of the directive. */
static int may_follow(const struct parsed *parsed, const char *word, size_t length)
{
	if (parsed->word_count == 0)
		return IS_ONE_OF(word, length, first_words);
	return parsed->word_count < WORDS && IS_ONE_OF(word, length, more_words) &&
	       IS_ONE_OF(parsed->words[0], strlen(parsed->words[0]), leading_words);
}

static void parse(struct parsed *parsed, const char *text, size_t length)
{
	size_t at = 0;

	*parsed = (struct parsed){ .word_count = 0 };
	for (;;) {
		size_t begin;

		while (at < length && isspace((unsigned char)text[at]))
			at++;
		for (begin = at; at < length && is_letter(text[at]);)
			at++;
		if (!may_follow(parsed, text + begin, at - begin)) {
			parse_clauses(parsed, text, length, begin);
			return;
		}
		for (size_t i = begin; i < at; i++)	/* Fortran sources may have upper case */
			parsed->words[parsed->word_count][i - begin] = (char)tolower((unsigned char)text[i]);
		parsed->words[parsed->word_count++][at - begin] = '\0';
	}
}

static int word_is(const struct parsed *parsed, size_t i, const char *word)
{
	return i < parsed->word_count && strcmp(parsed->words[i], word) == 0;
}

static int has_word(const struct parsed *parsed, const char *word)
{
	for (size_t i = 0; i < parsed->word_count; i++) {
		if (strcmp(parsed->words[i], word) == 0)
			return 1;
	}
	return 0;
}

static int clause_is(const struct clause *clause, const char *name)
{
	return strlen(name) == clause->name_length && strncasecmp(clause->name, name, clause->name_length) == 0;
}

static const struct clause *find_clause(const struct parsed *parsed, const char *name)
{
	for (size_t i = 0; i < parsed->clause_count; i++) {
		if (clause_is(&parsed->clauses[i], name))
			return &parsed->clauses[i];
	}
	return NULL;
}

static void add_clause(struct fathom_buffer *out, const struct clause *clause)
{
	fathom_buffer_puts(out, " ");
	fathom_buffer_add(out, clause->name, clause->name_length);
	if (clause->argument) {
		fathom_buffer_puts(out, "(");
		fathom_buffer_add(out, clause->argument, clause->argument_length);
		fathom_buffer_puts(out, ")");
	}
}

/* --- what a clause says -------------------------------------------------------------------------------- */

/* For if(modifier: condition), returns the offset of the condition and sets *length to that of the modifier. Returns 0
 * if there is no modifier. */
static size_t if_modifier(const struct clause *clause, size_t *length)
{
	size_t at = 0;

	while (at < clause->argument_length && isspace((unsigned char)clause->argument[at]))
		at++;
	*length = at;
	while (*length < clause->argument_length &&
	       (isalpha((unsigned char)clause->argument[*length]) || clause->argument[*length] == ' '))
		++*length;
	if (*length >= clause->argument_length || clause->argument[*length] != ':' ||
	    (*length + 1 < clause->argument_length && clause->argument[*length + 1] == ':'))
		return 0;
	at = *length + 1;
	while (*length && clause->argument[*length - 1] == ' ')
		--*length;
	return at;
}

static int has_modifier(const struct clause *clause, const char *modifier)
{
	size_t length;

	return clause->argument && if_modifier(clause, &length) && length >= strlen(modifier) &&
	       strncasecmp(clause->argument + length - strlen(modifier), modifier, strlen(modifier)) == 0;
}

/* Adds an if clause with the condition and without the modifier. */
static void add_condition(struct fathom_buffer *out, const char *begin, const struct clause *clause)
{
	size_t length, at = if_modifier(clause, &length);

	fathom_buffer_addf(out, " if(%s%.*s)", begin, (int)(clause->argument_length - at), clause->argument + at);
}

/* Finds the list of variables in a clause. `op:` may precede the list, and ":step" may follow it. */
static void find_list(const struct clause *clause, const char **begin, const char **end)
{
	const char *at = clause->argument;
	int depth = 0;

	*begin = at;
	*end = at + clause->argument_length;
	for (; at < *end; at++) {
		depth += *at == '(' || *at == '[';
		depth -= *at == ')' || *at == ']';
		if (*at != ':' || depth)
			continue;
		if (at + 1 < *end && at[1] == ':') {
			at++;
		} else if (clause_is(clause, "linear") || clause_is(clause, "aligned")) {
			*end = at;
		} else {
			*begin = at + 1;
			return;
		}
	}
}

/* Adds the variables of a data clause, with a comma before each. Adds nothing for other clauses. */
static void add_variables(struct fathom_buffer *out, const struct clause *clause)
{
	static const char *const with_list[] = { "private", "firstprivate", "lastprivate", "reduction", "linear",
						 "in_reduction" };
	const char *at, *end;

	if (!clause->argument || !IS_ONE_OF(clause->name, clause->name_length, with_list))
		return;
	find_list(clause, &at, &end);
	while (at < end) {
		const char *begin;

		while (at < end && !is_letter(*at))
			at++;
		for (begin = at; at < end && (is_letter(*at) || *at == ':');)
			at++;
		if (at < end && *at == '(')	/* the word is a modifier: val(x) */
			continue;
		if (at > begin)
			fathom_buffer_addf(out, ",%.*s", (int)(at - begin), begin);
		while (at < end && *at != ',')	/* skip the bounds of an array section */
			at += *at == '[' ? strcspn(at, "]") : 1;
	}
}

/* Returns whether a variable occurs both in a data clause `one` and in a data clause `other`. */
static int share_variable(const struct parsed *parsed, const char *one, const char *other)
{
	struct fathom_buffer names[2] = { { 0 }, { 0 } };
	int found = 0;

	for (size_t i = 0; i < parsed->clause_count; i++) {
		if (clause_is(&parsed->clauses[i], one))
			add_variables(&names[0], &parsed->clauses[i]);
		if (clause_is(&parsed->clauses[i], other))
			add_variables(&names[1], &parsed->clauses[i]);
	}
	if (names[0].text && names[1].text) {
		char *rest = names[0].text, *name;

		fathom_buffer_puts(&names[1], ",");
		while (!found && (name = strsep(&rest, ","))) {
			char *word = fathom_text(",%s,", name);

			found = *name && strstr(names[1].text, word);
			free(word);
		}
	}
	fathom_buffer_fini(&names[0]);
	fathom_buffer_fini(&names[1]);
	return found;
}

/* --- splitting ------------------------------------------------------------------------------------------ */

/* Returns whether OPARI2 moves a clause of `parallel for` or `parallel sections` to a part of the construct where the
 * clause is not allowed. */
static int has_wrong_clause(const struct parsed *parsed)
{
	int is_none = 0, has_last = 0;

	for (size_t i = 0; i < parsed->clause_count; i++) {
		const struct clause *clause = &parsed->clauses[i];

		if (clause_is(clause, "linear") || clause_is(clause, "order") ||
		    (clause_is(clause, "ordered") && clause->argument))
			return 1;
		if (clause_is(clause, "schedule") && clause->argument &&
		    memchr(clause->argument, '(', clause->argument_length))
			return 1;
		if (clause_is(clause, "reduction") && clause->argument &&
		    memmem(clause->argument, clause->argument_length, "inscan", 6))
			return 1;
		if (clause_is(clause, "lastprivate"))
			has_last = 1;
		if (clause_is(clause, "default") && clause->argument &&
		    memmem(clause->argument, clause->argument_length, "none", 4))
			is_none = 1;
	}
	/* A variable of a clause that is moved to the inner part must also be listed at the outer part. */
	return (is_none && has_last) || share_variable(parsed, "firstprivate", "lastprivate");
}

static int needs_split(const struct parsed *parsed)
{
	if (word_is(parsed, 0, "master") && parsed->word_count > 1)
		return 1;
	if (!word_is(parsed, 0, "parallel") || parsed->word_count == 1)
		return 0;
	if (parsed->word_count == 2 && (word_is(parsed, 1, "for") || word_is(parsed, 1, "do") ||
					word_is(parsed, 1, "sections") || word_is(parsed, 1, "workshare")))
		return has_wrong_clause(parsed);
	return 1;
}

/* Returns whether a clause belongs to the `parallel` at the begin of a directive, and not to the words behind it. */
static int is_outer(const struct parsed *parsed, const struct clause *clause)
{
	static const char *const outer[] = { "num_threads", "default", "shared", "copyin", "proc_bind" };

	if (IS_ONE_OF(clause->name, clause->name_length, outer))
		return 1;
	/* master and masked allow no other clauses, and loop allows only a few */
	if (parsed->word_count == 2 && (word_is(parsed, 1, "master") || word_is(parsed, 1, "masked")))
		return !clause_is(clause, "filter");
	return word_is(parsed, 1, "loop") && (clause_is(clause, "firstprivate") || clause_is(clause, "allocate"));
}

static void add_words(struct fathom_buffer *out, const struct parsed *parsed, size_t from)
{
	for (size_t i = from; i < parsed->word_count; i++)
		fathom_buffer_addf(out, "%s%s", i > from ? " " : "", parsed->words[i]);
}

/* Adds an if clause to each part that may have one. A clause with a modifier applies to only one part. */
static void split_if(const struct parsed *parsed, const struct clause *clause, struct fathom_buffer *outer,
		     struct fathom_buffer *inner)
{
	size_t length;
	int named = if_modifier(clause, &length) != 0;

	if (has_modifier(clause, "parallel") || !named)
		add_condition(outer, "", clause);
	if (named && !has_modifier(clause, "parallel"))
		add_clause(inner, clause);
	if (!named && has_word(parsed, "taskloop"))
		add_condition(inner, "taskloop: ", clause);
	if (!named && has_word(parsed, "simd"))
		add_condition(inner, "simd: ", clause);
}

static void split_parallel(struct fathom_directive *directive, const struct parsed *parsed)
{
	const struct clause *policy = find_clause(parsed, "default");
	struct fathom_buffer outer = { 0 }, inner = { 0 }, names = { 0 };

	fathom_buffer_puts(&outer, "parallel");
	if (parsed->word_count > 2 && (word_is(parsed, 1, "master") || word_is(parsed, 1, "masked")))
		directive->middle = fathom_text("%s", parsed->words[1]);
	add_words(&inner, parsed, directive->middle ? 2 : 1);
	for (size_t i = 0; i < parsed->clause_count; i++) {
		const struct clause *clause = &parsed->clauses[i];

		if (directive->middle && clause_is(clause, "filter") && clause->argument) {
			free(directive->middle);
			directive->middle = fathom_text("masked filter(%.*s)", (int)clause->argument_length,
							clause->argument);
		} else if (clause_is(clause, "if") && clause->argument) {
			split_if(parsed, clause, &outer, &inner);
		} else if (is_outer(parsed, clause)) {
			add_clause(&outer, clause);
		} else {
			add_clause(&inner, clause);
			add_variables(&names, clause);
		}
	}
	if (names.length && policy && policy->argument &&
	    !memmem(policy->argument, policy->argument_length, "shared", 6))
		fathom_buffer_addf(&outer, " shared(%s)", names.text + 1);
	directive->is_strict = policy && policy->argument &&
			       memmem(policy->argument, policy->argument_length, "none", 4);
	directive->outer = outer.text;
	directive->inner = inner.text;
	fathom_buffer_fini(&names);
}

static void split_master(struct fathom_directive *directive, const struct parsed *parsed)
{
	struct fathom_buffer inner = { 0 };

	add_words(&inner, parsed, 1);
	for (size_t i = 0; i < parsed->clause_count; i++)
		add_clause(&inner, &parsed->clauses[i]);
	directive->outer = fathom_text("master");
	directive->inner = inner.text;
}

/* Removes the modifier from if(parallel: x) and if(task: x), because OPARI2 would take it as a part of the
 * condition. */
static int name_condition(struct fathom_directive *directive, const struct parsed *parsed)
{
	struct fathom_buffer outer = { 0 };
	int changed = 0;

	add_words(&outer, parsed, 0);
	for (size_t i = 0; i < parsed->clause_count; i++) {
		const struct clause *clause = &parsed->clauses[i];

		if (clause_is(clause, "if") && (has_modifier(clause, "parallel") || has_modifier(clause, "task"))) {
			add_condition(&outer, "", clause);
			changed = 1;
		} else {
			add_clause(&outer, clause);
		}
	}
	if (changed)
		directive->outer = outer.text;
	else
		fathom_buffer_fini(&outer);
	return changed;
}

/* --- all of it ------------------------------------------------------------------------------------------ */

static void describe(struct fathom_directive *directive, const struct parsed *parsed)
{
	static const char *const seen[] = { "parallel", "for", "do", "sections", "section", "single", "workshare",
					    "master", "critical", "ordered", "atomic", "barrier", "flush", "task",
					    "taskwait" };
	static const char *const with_body[] = { "parallel", "for", "do", "simd", "sections", "section", "single",
						 "master", "masked", "critical", "ordered", "atomic", "task",
						 "taskloop", "taskgroup", "loop", "scope", "target", "teams",
						 "distribute" };
	static const char *const loops[] = { "for", "do", "simd", "taskloop", "loop", "distribute" };
	size_t used = 0;

	for (size_t i = 0; i < parsed->word_count; i++) {
		const char *word = parsed->words[i];
		size_t length = strlen(word);

		if (used + length + 2 > sizeof(directive->name))
			break;
		used += (size_t)(stpcpy(stpcpy(directive->name + used, i ? " " : ""), word) - directive->name - used);
		directive->has_loop |= IS_ONE_OF(word, length, loops);
	}
	if (!parsed->word_count)
		return;
	directive->is_seen = IS_ONE_OF(parsed->words[0], strlen(parsed->words[0]), seen);
	directive->has_body = IS_ONE_OF(parsed->words[0], strlen(parsed->words[0]), with_body);
	directive->has_loop &= directive->has_body;
	/* target data has a body; target update, target enter data and target exit data have none */
	if (word_is(parsed, 0, "target") && (find_clause(parsed, "update") || find_clause(parsed, "enter") ||
					     find_clause(parsed, "exit")))
		directive->has_body = 0;
}

void fathom_directive_read(struct fathom_directive *directive, const char *text, size_t length)
{
	struct parsed parsed;

	*directive = (struct fathom_directive){ .form = FATHOM_DIRECTIVE_KEPT };
	parse(&parsed, text, length);
	describe(directive, &parsed);
	if (parsed.is_odd || !parsed.word_count)
		return;
	/* This directive stands among the statements of a loop's body. OPARI2 would take the next statement as its
	 * body. */
	if (word_is(&parsed, 0, "ordered") && (find_clause(&parsed, "depend") || find_clause(&parsed, "doacross"))) {
		directive->form = FATHOM_DIRECTIVE_HIDDEN;
		directive->has_body = 0;
	} else if (needs_split(&parsed)) {
		directive->form = FATHOM_DIRECTIVE_SPLIT;
		if (word_is(&parsed, 0, "master"))
			split_master(directive, &parsed);
		else
			split_parallel(directive, &parsed);
	} else if ((word_is(&parsed, 0, "parallel") || word_is(&parsed, 0, "task")) &&
		   name_condition(directive, &parsed)) {
		directive->form = FATHOM_DIRECTIVE_CHANGED;
	}
}

void fathom_directive_fini(struct fathom_directive *directive)
{
	free(directive->outer);
	free(directive->middle);
	free(directive->inner);
}
