#include "tools/report/tree_lines.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/common/command.h"

enum { NAME_COLUMNS = 24 };	/* columns that are always left for the name */

void fathom_tree_lines_init(struct fathom_tree_lines *guide, const struct fathom_page *page, int columns)
{
	guide->page = page;
	guide->levels = columns > NAME_COLUMNS + 10 ? (unsigned)(columns - NAME_COLUMNS) / 2 : 5;
	guide->open = fathom_tool_alloc(guide->levels + 1, sizeof(bool));
}

void fathom_tree_lines_fini(struct fathom_tree_lines *guide)
{
	free(guide->open);
}

int fathom_tree_lines_draw(struct fathom_tree_lines *guide, unsigned depth, bool is_last)
{
	const struct fathom_page *page = guide->page;
	unsigned d;

	if (depth > guide->levels) {
		printf("%s%*u%s ", fathom_page_style(page, FATHOM_STYLE_DIM), (int)guide->levels * 2 - 1, depth,
		       fathom_page_style(page, FATHOM_STYLE_PLAIN));
		return (int)guide->levels * 2;
	}
	guide->open[depth] = !is_last;
	if (depth == 0)
		return 0;
	fputs(fathom_page_style(page, FATHOM_STYLE_DIM), stdout);
	for (d = 1; d < depth; d++)
		fputs(!guide->open[d] ? "  " : page->unicode ? "\u2502 " : "| ", stdout);
	if (page->unicode)
		fputs(is_last ? "\u2514 " : "\u251c ", stdout);
	else
		fputs(is_last ? "` " : "+ ", stdout);
	fputs(fathom_page_style(page, FATHOM_STYLE_PLAIN), stdout);
	return (int)depth * 2;
}
