#include "tools/report/json/json_imbalance.h"

#include <errno.h>
#include <stdlib.h>

#include "tools/common/json_writer.h"
#include "tools/report/imbalance.h"
#include "tools/report/report.h"

int fathom_report_json_imbalance(struct fathom_report *report)
{
	uint32_t count, i;
	struct fathom_uneven *list = fathom_imbalance_list(&report->profile, &count);

	if (!list)
		return -EIO;
	if (count)
		fathom_json_begin_list("imbalance");
	for (i = 0; i < count; i++) {
		const struct fathom_imbalance *imbalance = &list[i].imbalance;
		json_t *object = json_object();

		fathom_json_set_number(object, "node", list[i].cnode);
		fathom_json_set_number(object, "above", imbalance->above);
		fathom_json_set_number(object, "single", imbalance->single);
		fathom_json_set_number(object, "below", imbalance->below);
		fathom_json_set_number(object, "bypass", imbalance->bypass);
		fathom_json_set_number(object, "singularity", imbalance->singularity);
		fathom_json_item(i == 0, object);
	}
	if (count)
		fathom_json_end_list();
	free(list);
	return 0;
}
