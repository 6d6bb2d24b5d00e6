#include "tools/whatif/speed_rules.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* Returns the number of the kind that a rule "cluster:N" is about; 0: the name is one of regions. */
static uint32_t kind_of(const char *name)
{
	static const char beginning[] = "cluster:";
	const char *digits = name + strlen(beginning);
	unsigned long kind;

	if (strncmp(name, beginning, strlen(beginning)) != 0 || *digits == '\0' ||
	    digits[strspn(digits, "0123456789")] != '\0')
		return 0;
	kind = strtoul(digits, NULL, 10);
	if (kind == 0 || kind > INT32_MAX)
		fathom_tool_usage_error("--faster %s: the kinds of bursts are numbered from 1 (fathom clusters)", name);
	return (uint32_t)kind;
}

/* Refuses a second rule about a kind. */
static void check_kind(const struct fathom_speed_rules *rules, const struct fathom_speed_rule *rule)
{
	for (size_t i = 0; rule->kind && i < rules->count; i++)
		if (rules->rules[i].kind == rule->kind)
			fathom_tool_usage_error("--faster %s: was given twice", rule->name);
}

void fathom_speed_rules_add(struct fathom_speed_rules *rules, char *text)
{
	char *equals = strrchr(text, '='), *end;
	struct fathom_speed_rule rule = { .name = text, .factor = equals ? strtod(equals + 1, &end) : 0 };

	if (!equals || equals == text || end == equals + 1 || *end || !isfinite(rule.factor) || rule.factor <= 0)
		fathom_tool_usage_error("--faster %s: REGION=FACTOR or cluster:N=FACTOR, with a factor greater than 0",
					text);
	if (rules->count == UINT16_MAX - 1)
		fathom_tool_usage_error("--faster: more than %d rules", UINT16_MAX - 1);
	*equals = '\0';
	rule.kind = kind_of(text);
	check_kind(rules, &rule);
	rules->rules = fathom_tool_grow(rules->rules, rules->count, &rules->room, sizeof(*rules->rules));
	rules->rules[rules->count++] = rule;
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

		if (rule->kind)
			continue;
		if (strcmp(rule->name, region) == 0 || fnmatch(rule->name, region, 0) == 0 ||
		    fits_without_arguments(rule->name, region)) {
			rule->is_used = true;
			return i;
		}
	}
	return 0;
}

const struct fathom_speed_rule *fathom_speed_rules_kind(const struct fathom_speed_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		if (rules->rules[i].kind)
			return &rules->rules[i];
	return NULL;
}
