#include "platform/sampling_setting.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const uint64_t most_period = 1000000000000;	/* occurrences of an event between two samples */

/* Parses the number that is the whole text of that length. 0: the text is no number from 1 to most. */
static uint64_t read_number(const char *text, size_t length, uint64_t most)
{
	uint64_t number = 0, unit = 1;
	size_t i;

	for (i = 0; i < length && text[i] >= '0' && text[i] <= '9' && number <= most; i++)
		number = number * 10 + (uint64_t)(text[i] - '0');
	if (i && i + 1 == length && strchr("kMG", text[i])) {
		unit = text[i] == 'k' ? 1000 : text[i] == 'M' ? 1000000 : 1000000000;
		i++;
	}
	return i == length && number <= most / unit ? number * unit : 0;
}

static bool is_name(const char *text, size_t length)
{
	if (!length || length >= FATHOM_SAMPLED_NAME_BYTES)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("_-:=.", text[i]))
			return false;
	return true;
}

/* Adds one word of the setting. */
static bool add(struct fathom_sampling_setting *setting, const char *word, size_t length)
{
	const char *at = memchr(word, '@', length);
	size_t name_length = at ? (size_t)(at - word) : 0;
	uint64_t number;

	if (!at) {
		number = read_number(word, length, FATHOM_SAMPLING_MOST);
		if (!number || setting->rate)
			return false;
		setting->rate = (uint32_t)number;
		return true;
	}
	number = read_number(at + 1, length - name_length - 1, most_period);
	if (!number || !is_name(word, name_length) || setting->event_count == FATHOM_SAMPLED_EVENTS)
		return false;
	memcpy(setting->events[setting->event_count].name, word, name_length);
	setting->events[setting->event_count++].period = number;
	return true;
}

bool fathom_sampling_setting_read(const char *text, struct fathom_sampling_setting *setting)
{
	static const char separators[] = ", ";

	memset(setting, 0, sizeof(*setting));
	if (!strcmp(text, "off"))
		return true;
	for (;;) {
		size_t length = strcspn(text, separators);

		if (!add(setting, text, length))
			return false;
		text += length;
		if (!*text)
			return true;
		text++;
	}
}
