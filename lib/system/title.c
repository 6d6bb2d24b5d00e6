#include "system/title.h"

#include <errno.h>
#include <string.h>

static int put_char(struct fathom_store *store, char c)
{
	size_t at = fathom_store_push(store, 1);

	if (at == SIZE_MAX)
		return -ENOMEM;
	*(char *)fathom_store_at(store, at) = c;
	return 0;
}

static int put_text(struct fathom_store *store, const char *text, size_t bytes)
{
	int err = 0;

	for (size_t i = 0; !err && i < bytes; i++) {
		err = put_char(store, text[i]);
		if (!err && text[i] == '%')
			err = put_char(store, '%');
	}
	return err;
}

/* The length without the number at the end; a number that would read otherwise when written again is none. */
static size_t without_number(const char *name, uint32_t *number)
{
	size_t length = strlen(name), stem = length;
	uint64_t value = 0;

	while (stem && name[stem - 1] >= '0' && name[stem - 1] <= '9')
		stem--;
	if (stem == length || length - stem > 9 || (name[stem] == '0' && length - stem > 1))
		return length;
	for (size_t i = stem; i < length; i++)
		value = value * 10 + (uint64_t)(name[i] - '0');
	*number = (uint32_t)value;
	return stem;
}

int fathom_title_put(struct fathom_title *title, struct fathom_store *store,
		       const struct fathom_location_label *location)
{
	size_t stem;
	int err;

	*title = (struct fathom_title){ .at = store->used };
	stem = without_number(location->name, &title->number);
	title->has_number = location->name[stem];
	err = put_text(store, location->name, stem);
	if (!err && title->has_number)
		err = put_char(store, '%');
	if (!err && location->threads) {
		err = put_char(store, '\n');
		for (const char *c = location->threads; !err && *c; c++)
			err = put_char(store, *c);
	}
	if (!err)
		err = put_char(store, 0);
	title->bytes = store->used - title->at;
	return err;
}
