/*
 * scopes: prints the scopes of functions, one a line, each with its lines in the source.
 *
 *	scopes FILE [FUNCTION...]	of these functions, else of all
 *	scopes -q FILE			finds all, prints how many there are
 *
 * A line is "main > loop nest.c:12 > inlined f > loop nest.c:5: 5 6".
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/code_structure.h"
#include "symbols/symbols.h"

enum { MOST_BYTES = 1 << 20 };		/* of a function that are looked at */

struct printer {
	struct fathom_code_structure *structure;
	char **wanted;
	bool is_quiet;
	unsigned functions, loops, inlined;
};

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "?";
}

static void print_path(const struct fathom_code_function *function, const struct fathom_code_scope *scope)
{
	if (!scope) {
		printf("%s", function->name ? function->name : "?");
		return;
	}
	print_path(function, scope->parent);
	if (scope->kind == FATHOM_SCOPE_INLINED)
		printf(" > inlined %s", scope->name);
	else if (scope->line)
		printf(" > loop %s:%u", base_name(scope->file), scope->line);
	else
		printf(" > loop +0x%llx", (unsigned long long)(scope->address - function->entry));
}

/* Prints a scope with all its lines. */
static void print_scope(struct printer *printer, const struct fathom_code_function *function,
			const struct fathom_code_scope *scope)
{
	static bool has_line[1 << 16];
	struct fathom_code_place place;

	memset(has_line, 0, sizeof(has_line));
	for (uint64_t at = function->entry; at < function->entry + MOST_BYTES; at++) {
		if (fathom_code_function_at(printer->structure, at) != function)
			break;
		fathom_code_place_at(function, at, &place);
		if (place.scope == scope && place.line < sizeof(has_line))
			has_line[place.line] = true;
	}
	print_path(function, scope);
	putchar(':');
	for (unsigned line = 1; line < sizeof(has_line); line++)
		if (has_line[line])
			printf(" %u", line);
	putchar('\n');
}

static void print_function(struct printer *printer, uint64_t offset)
{
	const struct fathom_code_function *function = fathom_code_function_at(printer->structure, offset);
	const struct fathom_code_scope **seen = calloc(MOST_BYTES, sizeof(*seen));
	struct fathom_code_place place;
	size_t count = 0;

	printer->functions++;
	for (uint64_t at = offset; function && at < offset + MOST_BYTES; at++) {
		size_t i = 0;

		if (fathom_code_function_at(printer->structure, at) != function)
			break;
		fathom_code_place_at(function, at, &place);
		while (i < count && seen[i] != place.scope)
			i++;
		if (i < count)
			continue;
		seen[count++] = place.scope;
		printer->loops += place.scope && place.scope->kind == FATHOM_SCOPE_LOOP;
		printer->inlined += place.scope && place.scope->kind == FATHOM_SCOPE_INLINED;
		if (!printer->is_quiet)
			print_scope(printer, function, place.scope);
	}
	free(seen);
}

static void visit(const struct fathom_symbol *symbol, void *data)
{
	struct printer *printer = data;
	bool is_wanted = !*printer->wanted;

	for (char **name = printer->wanted; *name; name++)
		is_wanted |= strcmp(*name, symbol->name) == 0;
	if (is_wanted)
		print_function(printer, symbol->offset);
}

int main(int argc, char **argv)
{
	struct printer printer = { .is_quiet = argc > 1 && strcmp(argv[1], "-q") == 0 };
	char **arguments = argv + 1 + printer.is_quiet;

	if (argc < 2 + printer.is_quiet)
		return 2;
	printer.structure = fathom_code_structure_open(arguments[0]);
	if (!printer.structure) {
		fprintf(stderr, "scopes: %s cannot be read\n", arguments[0]);
		return 1;
	}
	printer.wanted = arguments + 1;
	fathom_symbols_each(arguments[0], false, visit, &printer);
	if (printer.is_quiet)
		printf("%u functions, %u loops, %u inlined\n", printer.functions, printer.loops, printer.inlined);
	fathom_code_structure_close(printer.structure);
	return 0;
}
