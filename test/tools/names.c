/* names: how names of regions are cut. Reads lines "COLUMNS NAME" and prints each name in at most so many columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/text_layout.h"

int main(void)
{
	struct fathom_page page;
	char line[4096];

	fathom_page_init(&page, 80, FATHOM_COLOUR_NEVER);
	while (fgets(line, sizeof(line), stdin)) {
		char *name;
		int columns = (int)strtol(line, &name, 10);

		name += strspn(name, " ");
		name[strcspn(name, "\n")] = '\0';
		fathom_page_name(&page, name, columns);
		putchar('\n');
	}
	fathom_page_fini(&page);
	return 0;
}
