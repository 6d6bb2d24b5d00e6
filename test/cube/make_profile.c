/*
 * make_profile: write a made-up profile with our writer, for tests in other languages.
 *
 *	make_profile sane|random SEED FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

int main(int argc, char **argv)
{
	struct model model;
	int err;

	if (argc != 4) {
		fprintf(stderr, "usage: make_profile sane|random SEED FILE\n");
		return 2;
	}
	if (strcmp(argv[1], "sane") == 0)
		model_sane(&model, strtoull(argv[2], NULL, 10));
	else
		model_random(&model, strtoull(argv[2], NULL, 10));
	err = model_write(&model, argv[3]);
	if (err)
		fprintf(stderr, "%s: %s\n", argv[3], strerror(-err));
	model_free(&model);
	return err ? 1 : 0;
}
