#include "tools/common/number_format.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/text_layout.h"

/* Writes four significant digits in at most five characters: 1.234, 12.34, 123.4, 1234. */
static void digits(char *text, double value, const char *unit)
{
	double size = fabs(value);
	int decimals = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;

	snprintf(text, FATHOM_NUMBER_BYTES, "%.*f%s", decimals, value, unit);
}

/* Writes a whole number below whole_below, else four digits with an SI prefix. */
static const char *scaled(char *text, double value, const char *unit, double whole_below)
{
	static const char prefixes[] = "kMGTPE";
	char suffix[16];
	int prefix = -1;

	if (!isfinite(value) || fabs(value) >= DBL_MAX)
		return strcpy(text, "-");
	if (fabs(value) < whole_below - 0.5) {
		snprintf(suffix, sizeof(suffix), "%s%s", *unit ? " " : "", unit);
		if (value == floor(value))
			snprintf(text, FATHOM_NUMBER_BYTES, "%.0f%s", value, suffix);
		else
			digits(text, value, suffix);
		return text;
	}
	while (fabs(value) >= 999.95 && prefix + 1 < (int)sizeof(prefixes) - 1) {
		value /= 1000;
		prefix++;
	}
	snprintf(suffix, sizeof(suffix), "%s%.*s%s", *unit ? " " : "", prefix >= 0, &prefixes[prefix < 0 ? 0 : prefix],
		 unit);
	digits(text, value, suffix);
	return text;
}

/* Whether a number with the unit us was written; the report explains that unit at its end. */
static bool has_microseconds;

bool fathom_number_has_microseconds(void)
{
	return has_microseconds;
}

const char *fathom_number_seconds(char text[FATHOM_NUMBER_BYTES], double seconds)
{
	double size = fabs(seconds);

	if (!isfinite(seconds) || size >= DBL_MAX)
		return strcpy(text, "-");
	if (size == 0)
		return strcpy(text, "0 s");
	if (size < 0.5e-9)
		return strcpy(text, "<1 ns");
	if (size < 999.5e-9) {
		snprintf(text, FATHOM_NUMBER_BYTES, "%.0f ns", seconds * 1e9);
		return text;
	}
	if (size < 999.95e-6) {
		has_microseconds = true;
		digits(text, seconds * 1e6, " us");
		return text;
	}
	if (size < 999.95e-3)
		digits(text, seconds * 1e3, " ms");
	else if (size < 99999.5)
		digits(text, seconds, " s");
	else
		return scaled(text, seconds / 3600, "h", 0);
	return text;
}

const char *fathom_number_count(char text[FATHOM_NUMBER_BYTES], double count)
{
	return scaled(text, count, "", 100000);
}

const char *fathom_number_bytes(char text[FATHOM_NUMBER_BYTES], double bytes)
{
	return scaled(text, bytes, "B", 1000);
}

const char *fathom_number_percent(char text[FATHOM_NUMBER_BYTES], double part, double whole)
{
	double percent = whole != 0 ? 100 * part / whole : 0;

	if (!isfinite(percent))
		return strcpy(text, "-");
	if (fabs(percent) < 0.05)
		percent = 0;		/* never "-0.0" */
	if (percent > 9999 || percent < -999)
		return strcpy(text, percent < 0 ? "<-999%" : ">9999%");
	snprintf(text, FATHOM_NUMBER_BYTES, percent > -99.95 && percent < 999.95 ? "%.1f%%" : "%.0f%%", percent);
	return text;
}

const char *fathom_number_with_unit(char text[FATHOM_NUMBER_BYTES], double value, const char *unit)
{
	if (strcmp(unit, "sec") == 0 || strcmp(unit, "s") == 0)
		return fathom_number_seconds(text, value);
	if (strcmp(unit, "bytes") == 0)
		return fathom_number_bytes(text, value);
	if (strcmp(unit, "10^-9 s") == 0)
		return fathom_number_seconds(text, value * 1e-9);
	if (strcmp(unit, "10^-6 s") == 0)
		return fathom_number_seconds(text, value * 1e-6);
	if (strcmp(unit, "2^10 Bytes") == 0)
		return fathom_number_bytes(text, value * 1024);
	/* The units of formulas. */
	if (isfinite(value) && fabs(value) < 99999.5 && (strcmp(unit, "%") == 0 || strcmp(unit, "GHz") == 0)) {
		digits(text, value, strcmp(unit, "%") == 0 ? "%" : " GHz");
		return text;
	}
	return fathom_number_count(text, value);
}
