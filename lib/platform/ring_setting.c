#include "platform/ring_setting.h"

#include <stddef.h>
#include <string.h>

struct unit {
	const char *name;
	uint64_t factor;		/* bytes, or ns */
	bool is_time;
};

static const struct unit units[] = {
	{ "", 1, false }, { "k", 1000, false }, { "M", 1000000, false },
	{ "us", 1000, true }, { "ms", 1000000, true }, { "s", 1000000000, true },
};

static const struct unit *find_unit(const char *text)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(text, units[i].name))
			return &units[i];
	return NULL;
}

bool fathom_ring_setting_read(const char *text, struct fathom_ring_setting *setting)
{
	enum { MOST_DIGITS = 8, LEAST_NS = 1000000 };
	const uint64_t most_ns = FATHOM_RING_MOST_SECONDS * UINT64_C(1000000000);
	const struct unit *unit;
	uint64_t number = 0;
	int digits = 0;

	*setting = (struct fathom_ring_setting){ 0 };
	if (!strcmp(text, "off"))
		return true;
	for (; *text >= '0' && *text <= '9'; text++) {
		if (++digits > MOST_DIGITS)
			return false;
		number = number * 10 + (uint64_t)(*text - '0');
	}
	unit = find_unit(text);
	if (!digits || !unit)
		return false;
	number *= unit->factor;
	setting->bytes = unit->is_time ? FATHOM_RING_MOST_BYTES : number;
	setting->length_ns = unit->is_time ? number : 0;
	return unit->is_time ? number >= LEAST_NS && number <= most_ns :
			       number >= FATHOM_RING_LEAST_BYTES && number <= FATHOM_RING_MOST_BYTES;
}
