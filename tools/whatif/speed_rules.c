#include "tools/whatif/speed_rules.h"

#include <fnmatch.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

void fathom_speed_rules_add(struct fathom_speed_rules *rules, char *text)
{
	char *equals = strrchr(text, '='), *end;
	double factor = equals ? strtod(equals + 1, &end) : 0;

	if (!equals || equals == text || end == equals + 1 || *end || !isfinite(factor) || factor <= 0)
		fathom_tool_usage_error("--faster %s: REGION=FACTOR, with a factor greater than 0", text);
	if (rules->count == UINT16_MAX - 1)
		fathom_tool_usage_error("--faster: more than %d rules", UINT16_MAX - 1);
	*equals = '\0';
	rules->rules = fathom_tool_grow(rules->rules, rules->count, &rules->room, sizeof(*rules->rules));
	rules->rules[rules->count++] = (struct fathom_speed_rule){ .name = text, .factor = factor };
}

void fathom_speed_rules_fini(struct fathom_speed_rules *rules)
{
	free(rules->rules);
	*rules = (struct fathom_speed_rules){ 0 };
}

/* Returns whether a pattern fits the name of a function without its argument list: "solve" fits "solve(int)". */
static bool fits_without_arguments(const char *pattern, const char *region)
{
	size_t length = strcspn(region, "(");
	char name[512];

	if (region[length] == '\0' || length >= sizeof(name))
		return false;
	memcpy(name, region, length);
	name[length] = '\0';
	return fnmatch(pattern, name, 0) == 0;
}

size_t fathom_speed_rule_of(struct fathom_speed_rules *rules, const char *region)
{
	for (size_t i = rules->count; i > 0; i--) {
		struct fathom_speed_rule *rule = &rules->rules[i - 1];

		if (strcmp(rule->name, region) == 0 || fnmatch(rule->name, region, 0) == 0 ||
		    fits_without_arguments(rule->name, region)) {
			rule->is_used = true;
			return i;
		}
	}
	return 0;
}
