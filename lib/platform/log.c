#include "platform/log.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "platform/write.h"

static enum fathom_log_level loudest = FATHOM_LOG_SAY;

struct sink {
	char *text;
	size_t bytes;
	size_t length;		/* the length of the whole text, also of the part for which there is no room */
};

static void put(struct sink *sink, char c)
{
	if (sink->length + 1 < sink->bytes)
		sink->text[sink->length] = c;
	sink->length++;
}

static void put_text(struct sink *sink, const char *text, size_t most)
{
	while (most-- && *text)
		put(sink, *text++);
}

static void put_number(struct sink *sink, uint64_t value, bool negative, unsigned base, int width, char pad)
{
	char digits[24];
	int count = 0;

	do {
		digits[count++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	/* The sign stands before zeros and behind blanks. */
	if (negative && pad == '0')
		put(sink, '-');
	for (int i = count + negative; i < width; i++)
		put(sink, pad);
	if (negative && pad != '0')
		put(sink, '-');
	while (count)
		put(sink, digits[--count]);
}

static void put_tenths(struct sink *sink, double value)
{
	bool negative = value < 0;
	uint64_t tenths = (uint64_t)((negative ? -value : value) * 10 + 0.5);

	put_number(sink, tenths / 10, negative, 10, 0, ' ');
	put(sink, '.');
	put_number(sink, tenths % 10, false, 10, 0, ' ');
}

int fathom_vformat(char *text, size_t bytes, const char *format, va_list arguments)
{
	struct sink sink = { text, bytes, 0 };

	for (const char *c = format; *c; c++) {
		size_t most = SIZE_MAX;
		int longs = 0, width = 0;
		char pad = ' ';
		int64_t number;

		if (*c != '%') {
			put(&sink, *c);
			continue;
		}
		c++;
		if (*c == '0') {
			pad = '0';
			c++;
		}
		while (*c >= '0' && *c <= '9')
			width = width * 10 + *c++ - '0';
		if (c[0] == '.' && c[1] == '*') {
			most = (size_t)va_arg(arguments, int);
			c += 2;
		} else if (c[0] == '.' && c[1] == '1') {
			c += 2;
		}
		for (; *c == 'l' || *c == 'z'; c++)
			longs++;
		switch (*c) {
		case 's': {
			const char *string = va_arg(arguments, const char *);

			put_text(&sink, string ? string : "(none)", most);
			break;
		}
		case 'd':
			number = longs ? va_arg(arguments, long) : va_arg(arguments, int);
			put_number(&sink, number < 0 ? -(uint64_t)number : (uint64_t)number, number < 0, 10, width,
				   pad);
			break;
		case 'u':
		case 'x':
			put_number(&sink, longs ? va_arg(arguments, unsigned long) : va_arg(arguments, unsigned),
				   false, *c == 'x' ? 16 : 10, width, pad);
			break;
		case 'f':
			put_tenths(&sink, va_arg(arguments, double));
			break;
		case 'c':
			put(&sink, (char)va_arg(arguments, int));
			break;
		case '\0':
			/* The format ends behind a per cent sign: the loop must find this NUL again. */
			c--;
			break;
		default:
			put(&sink, *c);
		}
	}
	if (bytes)
		text[sink.length < bytes ? sink.length : bytes - 1] = '\0';
	return (int)sink.length;
}

int fathom_format(char *text, size_t bytes, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = fathom_vformat(text, bytes, format, arguments);
	va_end(arguments);
	return length;
}

void fathom_log_set_level(enum fathom_log_level level)
{
	loudest = level;
}

void fathom_log(enum fathom_log_level level, const char *format, ...)
{
	static const char prefix[] = "fathom: ";
	char line[2048];
	size_t length = sizeof(prefix) - 1;
	va_list arguments;

	if (level > loudest)
		return;
	memcpy(line, prefix, length);
	va_start(arguments, format);
	length += (size_t)fathom_vformat(line + length, sizeof(line) - length - 1, format, arguments);
	va_end(arguments);
	if (length > sizeof(line) - 2)
		length = sizeof(line) - 2;
	line[length++] = '\n';
	fathom_write_all(STDERR_FILENO, line, length);	/* a failure cannot be reported */
}
