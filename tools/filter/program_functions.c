#include "tools/filter/program_functions.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/symbols.h"
#include "tools/common/command.h"
#include "tools/common/score/score.h"
#include "tools/common/score/score_filter.h"

bool fathom_functions_are_in(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char begin[4] = "";
	ssize_t got = fd < 0 ? 0 : read(fd, begin, sizeof(begin));

	if (fd >= 0)
		close(fd);
	return got == sizeof(begin) && memcmp(begin, "\177ELF", sizeof(begin)) == 0;
}

struct hits {
	uint32_t matched, decided;
};

struct count {
	const struct fathom_filter *filter;
	const char *object;
	struct hits *hits;		/* by rule */
	uint32_t functions, left_out;
};

static void consider(const struct fathom_symbol *symbol, void *data)
{
	struct count *count = data;
	const struct fathom_filter *filter = count->filter;
	const struct fathom_filter_subject subject = {
		.kind = FATHOM_FILTER_FUNCTION,
		.name = symbol->name,
		.mangled = symbol->linker_name,
		.file = symbol->file,
		.object = count->object,
		.rank = -1,
	};
	const struct fathom_filter_rule *decider;

	count->functions++;
	count->left_out += fathom_filter_ask(filter, &subject, &decider) == FATHOM_FILTER_EXCLUDE;
	if (decider)
		count->hits[decider - filter->rules].decided++;
	for (size_t i = 0; i < filter->count; i++)
		count->hits[i].matched += fathom_filter_matches(&filter->rules[i], &subject);
}

static const char *remark(const struct fathom_filter_rule *rule, const struct hits *hits)
{
	if (!(rule->kinds & FATHOM_FILTER_FUNCTION))
		return "  (not about functions)";
	if (rule->ranks)
		return "  (not known from a program)";
	if (!hits->matched)
		return "  (hits nothing)";
	return hits->decided ? "" : "  (all decided by other rules)";
}

void fathom_functions_print(const struct fathom_filter *filter, const char *path)
{
	char *object = realpath(path, NULL);
	struct count count = { .filter = filter, .object = object ? object : path };

	count.hits = fathom_tool_alloc(filter->count + 1, sizeof(*count.hits));
	fathom_symbols_each(count.object, fathom_filter_wants(filter, FATHOM_FILTER_FUNCTION, FATHOM_FILTER_FILE),
			    consider, &count);
	printf(" line  functions  rule\n");
	for (size_t i = 0; i < filter->count; i++) {
		printf("%5u  %9u  ", filter->rules[i].line, count.hits[i].decided);
		fathom_score_print_rule(&filter->rules[i]);
		printf("%s\n", remark(&filter->rules[i], &count.hits[i]));
	}
	printf("%u of %u functions in %s are left out, of those that are instrumented\n", count.left_out,
	       count.functions, path);
	free(count.hits);
	free(object);
}
