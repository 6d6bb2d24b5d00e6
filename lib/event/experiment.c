#include "event/experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "platform/log.h"
#include "platform/settings.h"

/* Like gmtime_r, which may take locks: days since 1970 to a date of the Gregorian calendar. */
static void utc(int64_t seconds, struct tm *tm)
{
	int64_t days = seconds / 86400, rest = seconds % 86400;
	/* Count from 1 March of the year 0: leap days then come last in their year. */
	int64_t day = days + 719468;
	int64_t era = day / 146097;
	int64_t of_era = day % 146097;
	int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * of_year + 2) / 153;

	memset(tm, 0, sizeof(*tm));
	tm->tm_mday = (int)(of_year - (153 * month + 2) / 5 + 1);
	tm->tm_mon = (int)(month < 10 ? month + 2 : month - 10);
	tm->tm_year = (int)(year + era * 400 + (month >= 10) - 1900);
	tm->tm_hour = (int)(rest / 3600);
	tm->tm_min = (int)(rest / 60 % 60);
	tm->tm_sec = (int)(rest % 60);
}

static void broken_down(int64_t seconds, struct tm *tm, int local_time)
{
	time_t time = (time_t)seconds;

	if (!local_time || !localtime_r(&time, tm))
		utc(seconds, tm);
}

void fathom_experiment_date(char *text, size_t bytes, int64_t seconds, int local_time)
{
	struct tm tm;
	int length;
	long offset;

	broken_down(seconds, &tm, local_time);
	length = fathom_format(text, bytes, "%04d-%02d-%02dT%02d:%02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1,
			       tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	offset = tm.tm_gmtoff / 60;
	if (offset == 0)
		fathom_format(text + length, bytes - (size_t)length, "Z");
	else
		fathom_format(text + length, bytes - (size_t)length, "%c%02ld:%02ld", offset < 0 ? '-' : '+',
			      labs(offset) / 60, labs(offset) % 60);
}

/* What differs from run to run when program and minute do not. */
static unsigned chance(int attempt)
{
	uint16_t number;
	struct timespec now;

	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number))
		return number;
	clock_gettime(CLOCK_REALTIME, &now);
	return ((unsigned)now.tv_nsec / 1000 + (unsigned)getpid() + (unsigned)attempt) & 0xffff;
}

/* mkdir a name of the asked form in dir that nobody has yet. */
static int create_in(char *path, size_t bytes, const char *dir, const char *name, const char *program, const struct tm *tm)
{
	for (int attempt = 0; attempt < 1000; attempt++) {
		int length;

		if (name && attempt == 0)
			length = fathom_format(path, bytes, "%s/%s", dir, name);
		else if (name)
			length = fathom_format(path, bytes, "%s/%s-%d", dir, name, attempt + 1);
		else
			length = fathom_format(path, bytes, "%s/fathom-%s-%04d%02d%02d-%02d%02d-%04x", dir, program,
					       tm->tm_year + 1900, tm->tm_mon + 1, tm->tm_mday, tm->tm_hour,
					       tm->tm_min, chance(attempt));
		if ((size_t)length >= bytes)
			return -ENAMETOOLONG;
		if (mkdir(path, 0777) == 0)
			return 0;
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

int fathom_experiment_create(char *path, size_t bytes, const struct fathom_settings *settings, const char *program,
			     int64_t seconds, int local_time)
{
	const char *elsewhere[] = { getenv("TMPDIR"), "/tmp" };
	char base[64];
	struct tm tm;
	int err;

	broken_down(seconds, &tm, local_time);
	/* The name of the program without its directory, and not so long that mkdir refuses. */
	if (strrchr(program, '/'))
		program = strrchr(program, '/') + 1;
	fathom_format(base, sizeof(base), "%s", program);
	err = create_in(path, bytes, settings->dir, settings->name, base, &tm);
	if (!err)
		return 0;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++) {
		if (!elsewhere[i] || create_in(path, bytes, elsewhere[i], settings->name, base, &tm))
			continue;
		fathom_log(FATHOM_LOG_ERROR, "FATHOM_DIR=%s: no directory can be made there (%s); the result goes to %s",
			   settings->dir, strerrordesc_np(-err), path);
		return 0;
	}
	fathom_log(FATHOM_LOG_ERROR, "FATHOM_DIR=%s: no directory can be made there (%s), nor in /tmp: the result is lost",
		   settings->dir, strerrordesc_np(-err));
	*path = '\0';
	return err;
}

int fathom_experiment_write(const char *dir, const char *name, const char *text, size_t length)
{
	char path[4096];
	int fd, err = 0;

	if ((size_t)fathom_format(path, sizeof(path), "%s/%s", dir, name) >= sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	while (length) {
		ssize_t written = write(fd, text, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			err = -errno;
			break;
		}
		text += written;
		length -= (size_t)written;
	}
	close(fd);
	if (err)
		unlink(path);
	return err;
}
