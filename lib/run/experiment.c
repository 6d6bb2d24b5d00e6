#include "run/experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "platform/log.h"
#include "platform/settings.h"
#include "platform/write.h"

/* Does what gmtime_r does, which may take locks: converts seconds since 1970 to a date of the Gregorian calendar. */
static void break_down_utc(int64_t seconds, struct tm *tm)
{
	int64_t days = seconds / 86400, rest = seconds % 86400;
	/* Days are counted from 1 March of the year 0, so that a leap day is the last day of its year. An era has 400
	 * years. */
	int64_t day = days + 719468;
	int64_t era = day / 146097;
	int64_t day_of_era = day % 146097;
	int64_t year = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	int64_t day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * day_of_year + 2) / 153;

	memset(tm, 0, sizeof(*tm));
	tm->tm_mday = (int)(day_of_year - (153 * month + 2) / 5 + 1);
	tm->tm_mon = (int)(month < 10 ? month + 2 : month - 10);
	tm->tm_year = (int)(year + era * 400 + (month >= 10) - 1900);
	tm->tm_hour = (int)(rest / 3600);
	tm->tm_min = (int)(rest / 60 % 60);
	tm->tm_sec = (int)(rest % 60);
}

static void break_down(int64_t seconds, struct tm *tm, int local_time)
{
	time_t time = (time_t)seconds;

	if (!local_time || !localtime_r(&time, tm))
		break_down_utc(seconds, tm);
}

void fathom_experiment_date(char *text, size_t bytes, int64_t seconds, int local_time)
{
	struct tm tm;
	int length;
	long offset;

	break_down(seconds, &tm, local_time);
	length = fathom_format(text, bytes, "%04d-%02d-%02dT%02d:%02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1,
			       tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	offset = tm.tm_gmtoff / 60;
	if (offset == 0)
		fathom_format(text + length, bytes - (size_t)length, "Z");
	else
		fathom_format(text + length, bytes - (size_t)length, "%c%02ld:%02ld", offset < 0 ? '-' : '+',
			      labs(offset) / 60, labs(offset) % 60);
}

/* Absolute path of the directory that FATHOM_DIR names; empty: the setting is absolute itself, or the path is unknown.
 * Written once, at the start. */
static char wanted_dir[PATH_MAX];

void fathom_experiment_init(const struct fathom_settings *settings)
{
	size_t length;

	if (*settings->dir == '/' || !getcwd(wanted_dir, sizeof(wanted_dir)))
		return;
	if (!strcmp(settings->dir, "."))
		return;
	length = strlen(wanted_dir);
	if ((size_t)fathom_format(wanted_dir + length, sizeof(wanted_dir) - length, "/%s", settings->dir) >=
	    sizeof(wanted_dir) - length)
		*wanted_dir = '\0';
}

/* Returns 0 if a directory can be made in dir, as far as that is known without making one; or -errno. */
static int may_create_in(const char *dir)
{
	struct stat facts;

	if (stat(dir, &facts))
		return -errno;
	if (!S_ISDIR(facts.st_mode))
		return -ENOTDIR;
	return access(dir, W_OK | X_OK) ? -errno : 0;
}

int fathom_experiment_check(const struct fathom_settings *settings, char *error, size_t bytes)
{
	const char *tmpdir = getenv("TMPDIR"), *dir = *wanted_dir ? wanted_dir : settings->dir;
	int err = may_create_in(dir);

	if (strlen(dir) > FATHOM_EXPERIMENT_BYTES - FATHOM_NAME_BYTES - 24) {
		fathom_format(error, bytes, "FATHOM_DIR=%.*s... cannot be used: the whole path may have %d bytes, this "
			      "one has %zu", 60, settings->dir, (int)(FATHOM_EXPERIMENT_BYTES - FATHOM_NAME_BYTES - 24),
			      strlen(dir));
		return -ENAMETOOLONG;
	}
	if (err == -ENOTDIR || (err && (!tmpdir || may_create_in(tmpdir)) && may_create_in("/tmp"))) {
		fathom_format(error, bytes, "FATHOM_DIR=%.*s cannot be used: no directory can be made there (%s)%s",
			      300, settings->dir, strerrordesc_np(-err),
			      err == -ENOTDIR ? "" : ", nor in /tmp: the result would be lost");
		return err;
	}
	return 0;
}

const char *fathom_experiment_shown(const char *path)
{
	char here[PATH_MAX];
	size_t length = getcwd(here, sizeof(here)) ? strlen(here) : 0;

	if (length > 1 && !strncmp(path, here, length) && path[length] == '/')
		return path + length + 1;
	return strncmp(path, "./", 2) ? path : path + 2;
}

/* Returns a number of 16 bits, for the names of runs of the same program in the same minute. */
static unsigned random_number(int attempt)
{
	uint16_t number;
	struct timespec now;

	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number))
		return number;
	clock_gettime(CLOCK_REALTIME, &now);
	return ((unsigned)now.tv_nsec / 1000 + (unsigned)getpid() + (unsigned)attempt) & 0xffff;
}

/* The parts of the name of an experiment directory. */
struct name {
	const char *given;	/* FATHOM_NAME, or NULL */
	char program[64];
	struct tm begin;
	bool is_shared;		/* other processes of the same job make the directory, too, with the same job number */
	unsigned job;
};

static void name_init(struct name *name, const struct fathom_settings *settings, const char *program)
{
	memset(name, 0, sizeof(*name));
	name->given = settings->name;
	/* The name of the program without its directory is cut, so that mkdir does not refuse it. */
	if (strrchr(program, '/'))
		program = strrchr(program, '/') + 1;
	fathom_format(name->program, sizeof(name->program), "%s", program);
}

static int write_name(char *path, size_t bytes, const char *dir, const struct name *name, int attempt)
{
	const struct tm *tm = &name->begin;

	if (name->given && name->is_shared)
		return fathom_format(path, bytes, "%s/%s-%04x", dir, name->given, name->job);
	if (name->given && attempt == 0)
		return fathom_format(path, bytes, "%s/%s", dir, name->given);
	if (name->given)
		return fathom_format(path, bytes, "%s/%s-%d", dir, name->given, attempt + 1);
	return fathom_format(path, bytes, "%s/fathom-%s-%04d%02d%02d-%02d%02d-%04x", dir, name->program,
			     tm->tm_year + 1900, tm->tm_mon + 1, tm->tm_mday, tm->tm_hour, tm->tm_min,
			     name->is_shared ? name->job : random_number(attempt));
}

/* Makes a directory with a new name in dir, or the shared directory, which may exist. Returns 0 or -errno. */
static int create_in(char *path, size_t bytes, const char *dir, const struct name *name)
{
	for (int attempt = 0; attempt < 1000; attempt++) {
		if ((size_t)write_name(path, bytes, dir, name, attempt) >= bytes)
			return -ENAMETOOLONG;
		if (mkdir(path, 0777) == 0)
			return 0;
		if (errno != EEXIST)
			return -errno;
		if (name->is_shared)
			return access(path, W_OK) ? -errno : 0;
	}
	return -EEXIST;
}

/* Makes the directory where the settings say or, with a message, in TMPDIR or /tmp. Returns 0, or -errno after a
 * message. */
static int create_anywhere(char *path, size_t bytes, const struct fathom_settings *settings, const struct name *name)
{
	const char *elsewhere[] = { getenv("TMPDIR"), "/tmp" };
	int err = create_in(path, bytes, *wanted_dir ? wanted_dir : settings->dir, name);

	if (!err)
		return 0;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++) {
		if (!elsewhere[i] || create_in(path, bytes, elsewhere[i], name))
			continue;
		fathom_log(FATHOM_LOG_ERROR,
			   "FATHOM_DIR=%s: no directory can be made there (%s); the result goes to %s", settings->dir,
			   strerrordesc_np(-err), path);
		return 0;
	}
	fathom_log(FATHOM_LOG_ERROR,
		   "FATHOM_DIR=%s: no directory can be made there (%s), nor in /tmp: the result is lost", settings->dir,
		   strerrordesc_np(-err));
	*path = '\0';
	return err;
}

int fathom_experiment_create(char *path, size_t bytes, const struct fathom_settings *settings, const char *program,
			     int64_t seconds, int local_time)
{
	struct name name;

	name_init(&name, settings, program);
	break_down(seconds, &name.begin, local_time);
	return create_anywhere(path, bytes, settings, &name);
}

/* When the measurement began, in local time. It is noted at the start, because localtime_r takes locks and may allocate
 * memory, which the first event may not. */
static struct tm begin_time;

void fathom_experiment_note_time(int64_t seconds)
{
	break_down(seconds, &begin_time, 1);
}

int fathom_experiment_begin(char *path, size_t bytes, const struct fathom_settings *settings, const char *program)
{
	struct name name;

	name_init(&name, settings, program);
	name.begin = begin_time;
	return create_in(path, bytes, *wanted_dir ? wanted_dir : settings->dir, &name);
}

/* --- processes started together ------------------------------------------------------------------ */

/* Returns whether mpirun started other processes together with this one; if so, sets rank and size. */
static bool started_together(int32_t *rank, int32_t *size)
{
	static const char *const variables[][2] = {
		{ "PMI_RANK", "PMI_SIZE" },
		{ "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
		{ "SLURM_PROCID", "SLURM_NTASKS" },
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const char *rank_text = getenv(variables[i][0]), *size_text = getenv(variables[i][1]);

		if (!rank_text || !size_text)
			continue;
		*rank = atoi(rank_text);
		*size = atoi(size_text);
		return *size > 1 && *rank >= 0 && *rank < *size;
	}
	return false;
}

static const char *const rank_variables[] = { "PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID" };

uint32_t fathom_experiment_rank(void)
{
	for (size_t i = 0; i < sizeof(rank_variables) / sizeof(*rank_variables); i++) {
		const char *rank = getenv(rank_variables[i]);

		if (rank && *rank >= '0' && *rank <= '9')
			return (uint32_t)strtoul(rank, NULL, 10);
	}
	return 0;
}

bool fathom_experiment_is_first_rank(void)
{
	for (size_t i = 0; i < sizeof(rank_variables) / sizeof(*rank_variables); i++) {
		const char *rank = getenv(rank_variables[i]);

		if (rank && strcmp(rank, "0"))
			return false;
	}
	return true;
}

bool fathom_experiment_is_shared(void)
{
	int32_t rank, size;

	return started_together(&rank, &size);
}

static ssize_t read_file(const char *path, char *text, size_t bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return -errno;
	length = read(fd, text, bytes - 1);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	return length;
}

/* Returns when the parent was started, in clock ticks since the system started: the 22nd word of its stat file. The
 * second word, the program's name in brackets, may contain blanks. */
static int64_t parent_start_ticks(void)
{
	char path[64], text[1024];
	const char *word;

	fathom_format(path, sizeof(path), "/proc/%d/stat", getppid());
	if (read_file(path, text, sizeof(text)) <= 0)
		return 0;
	word = strrchr(text, ')');
	for (int i = 2; word && i < 22; i++)
		word = strchr(word + 1, ' ');
	return word ? strtoll(word, NULL, 10) : 0;
}

/* Returns when the system started, in seconds since 1970; 0: unknown. */
static int64_t system_start_seconds(void)
{
	static char text[64 << 10];	/* the line btime follows a line for each processor */
	const char *line;

	if (read_file("/proc/stat", text, sizeof(text)) <= 0)
		return 0;
	line = strstr(text, "\nbtime ");
	return line ? strtoll(line + 7, NULL, 10) : 0;
}

int fathom_experiment_share(char *path, size_t bytes, const struct fathom_settings *settings, const char *program,
			    int32_t *rank, int32_t *size)
{
	int64_t ticks = parent_start_ticks();
	struct name name;

	if (!started_together(rank, size))
		return -ENOENT;
	name_init(&name, settings, program);
	name.is_shared = true;
	name.job = (unsigned)((uint64_t)ticks * 31 + (uint64_t)getppid()) & 0xffff;
	break_down_utc(system_start_seconds() + ticks / sysconf(_SC_CLK_TCK), &name.begin);
	return create_anywhere(path, bytes, settings, &name);
}

int fathom_experiment_write(const char *dir, const char *name, const char *text, size_t length)
{
	char path[4096];
	int fd, err;

	if ((size_t)fathom_format(path, sizeof(path), "%s/%s", dir, name) >= sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	err = fathom_write_all(fd, text, length);
	close(fd);
	if (err)
		unlink(path);
	return err;
}
