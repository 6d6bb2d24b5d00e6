#include <stdio.h>

#include "tools/common/output_file.h"
#include "tools/fold/fold_output.h"

enum { ROWS = 100 };		/* of a curve */

/* Writes a text as a field: in quotation marks, those in it doubled. */
static void put_field(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

static void put_curve(FILE *file, const struct fathom_folds *folds, const struct fathom_fold *fold, uint32_t c)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		double x = (i + 0.5) / ROWS;

		put_field(file, fold->name);
		fprintf(file, ",%u,", fold->mode);
		put_field(file, folds->counters[c].name);
		fprintf(file, ",%.4g,%.9g\n", x, fathom_fold_rate(fold, c, x));
	}
}

int fathom_folds_csv(const struct fathom_folds *folds, const char *path)
{
	struct fathom_output_file file;
	int err = fathom_output_file_open(&file, path, false);

	if (err)
		return err;
	fputs("region,group,counter,x,value\n", file.stream);
	for (uint32_t f = 0; f < folds->count; f++)
		for (uint32_t c = 0; c < folds->counter_count; c++)
			if (folds->folds[f].counters[c].fit.segments)
				put_curve(file.stream, folds, &folds->folds[f], c);
	return fathom_output_file_close(&file, 0);
}
