#include "platform/window_setting.h"

#include <string.h>

/* Reads a number with at most this many digits, and moves *at behind it. False: there is none, or it is longer. */
static bool read_digits(const char **at, int most, uint64_t *number)
{
	int digits = 0;

	for (*number = 0; **at >= '0' && **at <= '9'; (*at)++) {
		if (++digits > most)
			return false;
		*number = *number * 10 + (uint64_t)(**at - '0');
	}
	return digits > 0;
}

/* Reads a time in seconds, such as 1.25, as ns. */
static bool read_seconds(const char **at, uint64_t *ns)
{
	const uint64_t ns_per_second = 1000000000;
	uint64_t seconds, fraction = 0;
	const char *begin;

	if (!read_digits(at, 9, &seconds))
		return false;
	if (**at == '.') {
		begin = ++*at;
		if (!read_digits(at, 9, &fraction))
			return false;
		for (ptrdiff_t digits = *at - begin; digits < 9; digits++)
			fraction *= 10;
	}
	*ns = seconds * ns_per_second + fraction;
	return true;
}

static bool read_times(const char *text, struct fathom_window_setting *setting)
{
	setting->to_ns = UINT64_MAX;
	if (!read_seconds(&text, &setting->from_ns) || *text++ != ':')
		return false;
	if (*text && !read_seconds(&text, &setting->to_ns))
		return false;
	return !*text && setting->from_ns < setting->to_ns;
}

static bool read_iterations(const char *text, const char *mark, struct fathom_window_setting *setting)
{
	const char *at = mark + 1;

	setting->from_ns = setting->to_ns = UINT64_MAX;
	setting->phase = text;
	setting->phase_bytes = (size_t)(mark - text);
	if (mark == text || !read_digits(&at, 18, &setting->first))
		return false;
	setting->last = setting->first;
	if (*at == '-') {
		at++;
		if (!read_digits(&at, 18, &setting->last))
			return false;
	}
	return !*at && setting->first <= setting->last;
}

bool fathom_window_setting_read(const char *text, struct fathom_window_setting *setting)
{
	const char *mark = strrchr(text, '#');

	*setting = (struct fathom_window_setting){ 0 };
	if (!strcmp(text, "off"))
		return true;
	setting->is_on = true;
	return mark ? read_iterations(text, mark, setting) : read_times(text, setting);
}
