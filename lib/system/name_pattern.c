#include "system/name_pattern.h"

#include <errno.h>
#include <string.h>

static int put_char(struct fathom_byte_stack *stack, char c)
{
	size_t at = fathom_byte_stack_push(stack, 1);

	if (at == SIZE_MAX)
		return -ENOMEM;
	*(char *)fathom_byte_stack_at(stack, at) = c;
	return 0;
}

static int put_text(struct fathom_byte_stack *stack, const char *text, size_t bytes)
{
	int err = 0;

	for (size_t i = 0; !err && i < bytes; i++) {
		err = put_char(stack, text[i]);
		if (!err && text[i] == '%')
			err = put_char(stack, '%');
	}
	return err;
}

/* Returns the length without the number at the end. A number with leading zeros does not count, because it would be
 * written differently. */
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

int fathom_name_pattern_put(struct fathom_name_pattern *title, struct fathom_byte_stack *stack,
		       const struct fathom_location_label *location)
{
	size_t stem;
	int err;

	*title = (struct fathom_name_pattern){ .at = stack->used };
	stem = without_number(location->name, &title->number);
	title->has_number = location->name[stem];
	err = put_text(stack, location->name, stem);
	if (!err && title->has_number)
		err = put_char(stack, '%');
	if (!err && location->threads) {
		err = put_char(stack, '\n');
		for (const char *c = location->threads; !err && *c; c++)
			err = put_char(stack, *c);
	}
	if (!err)
		err = put_char(stack, 0);
	title->bytes = stack->used - title->at;
	return err;
}
