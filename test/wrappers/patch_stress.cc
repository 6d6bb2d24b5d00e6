/*
 * patch_stress PATCH-LIBRARY MILLISECONDS [SUBJECT-LIBRARY]: takes the hooks of functions out and puts them back,
 * looked at alone, in a library that comes and goes, in a forked child, and, for MILLISECONDS (0: not), while four
 * threads run the functions. Says what went wrong; exits 77 where code cannot be changed.
 */
#include "patch_hooks.h"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

extern "C" {
#include "../../wrappers/compiler/patch/patch_table.h"
}

static const struct fathom_patch_table *table;
static fathom_patch_hooks hooks;
static int failures;

#define CHECK(condition, ...) \
	do { \
		if (!(condition)) { \
			std::printf("line %d: ", __LINE__); \
			std::printf(__VA_ARGS__); \
			std::puts(""); \
			failures++; \
		} \
	} while (0)

static void check_calls(const patch_subject &subject, bool enters, bool exits)
{
	patch_counts before = *patch_counts_here(), after;
	enum { CALLS = 60 };

	for (long n = 0; n < CALLS; n++)
		CHECK(subject.call(n) == subject.plain(n), "%s(%ld) returned %ld", subject.name, n, subject.call(n));
	after = *patch_counts_here();
	if (!subject.counts) {
		CHECK(enters == (after.enters != before.enters), "%s: enters", subject.name);
		return;
	}
	CHECK(after.enters - before.enters == CALLS * (enters ? subject.counts : subject.stay), "%s: %ld enters", subject.name,
	      after.enters - before.enters);
	CHECK(after.exits - before.exits == CALLS * (exits ? subject.counts : subject.stay), "%s: %ld exits", subject.name,
	      after.exits - before.exits);
}

/* The exit that is called while an exception passes may be in a part of its own, which is not patched. */
static bool has_other_exits(const patch_subject &subject)
{
	return !std::strcmp(subject.name, "throws");
}

static void exit_if_refused(int result)
{
	if (result != -EACCES)
		return;
	std::puts("code cannot be changed here");
	std::exit(77);
}

static void check_one(const patch_subject &subject, const void *function, const void *place)
{
	int count;

	check_calls(subject, true, true);
	count = table->out(function, place, &hooks, FATHOM_PATCH_ENTERS);
	exit_if_refused(count);
	CHECK(count == 1 || place != function, "%s: %d enters out", subject.name, count);
	check_calls(subject, false, true);
	count = table->out(function, place, &hooks, FATHOM_PATCH_BOTH);
	CHECK(count >= 2, "%s: %d calls out", subject.name, count);
	if (!has_other_exits(subject))
		check_calls(subject, false, false);
	table->restore(function);
	check_calls(subject, true, true);
	table->restore(function);
	count = table->out(function, place, &hooks, FATHOM_PATCH_EXITS);
	CHECK(count >= 1, "%s: %d exits out", subject.name, count);
	if (!has_other_exits(subject))
		check_calls(subject, true, false);
	table->restore(function);
	check_calls(subject, true, true);
}

static void check_all(const patch_subject *subjects, const void *const *functions, const void *const *places,
		      int count)
{
	for (int i = 0; i < count; i++)
		check_one(subjects[i], functions[i], places[i]);
}

static void check_fork(const patch_subject *subjects, const void *const *functions, const void *const *places,
		       int count)
{
	int status;
	pid_t child;

	for (int i = 0; i < count; i++)
		table->out(functions[i], places[i], &hooks, FATHOM_PATCH_BOTH);
	child = fork();
	if (child == 0) {
		failures = 0;
		for (int i = 0; i < count; i++) {
			if (!has_other_exits(subjects[i]))
				check_calls(subjects[i], false, false);
			table->restore(functions[i]);
			check_calls(subjects[i], true, true);
		}
		std::fflush(stdout);
		_exit(failures ? 1 : 0);
	}
	CHECK(waitpid(child, &status, 0) == child && status == 0, "forked child: status %d", status);
	for (int i = 0; i < count; i++) {
		if (!has_other_exits(subjects[i]))
			check_calls(subjects[i], false, false);
		table->restore(functions[i]);
	}
}

/* Nothing was called yet, so of hooks in the linkage table nobody knows where they lead; afterwards it is found out
 * whatever code is asked about. */
static void check_unbound(const patch_subject *subjects, const void *const *functions, const void *const *places,
			  int count)
{
	for (int i = 0; i < count; i++)
		exit_if_refused(table->out(functions[i], places[i], &hooks, FATHOM_PATCH_BOTH));
	for (int i = 0; i < count; i++)
		subjects[i].call(1);
	for (int i = 0; i < count; i++) {
		const void *from = i % 2 ? reinterpret_cast<const void *>(subjects[i].call) : nullptr;
		int result = table->out(functions[i], from, &hooks, FATHOM_PATCH_BOTH);

		exit_if_refused(result);
		CHECK(from ? result >= 2 : result == -ENOENT, "%s: %d calls out", subjects[i].name, result);
		if (!has_other_exits(subjects[i]))
			check_calls(subjects[i], false, false);
		table->restore(functions[i]);
	}
}

static const void *gone, *gone_place;
static int is_loaded(const void *address)
{
	return address != gone && address != gone_place;
}

static void check_library(const char *path)
{
	enum { TIMES = 20 };

	for (int time = 0; time < TIMES; time++) {
		void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		const patch_subject *subjects;
		const void *const *functions, *const *places;
		int count;

		if (!library) {
			CHECK(library, "%s", dlerror());
			return;
		}
		subjects = reinterpret_cast<const patch_subject *(*)(int *)>(dlsym(library, "patch_subjects"))(&count);
		functions = reinterpret_cast<const void *const *(*)()>(dlsym(library, "patch_functions"))();
		places = reinterpret_cast<const void *const *(*)()>(dlsym(library, "patch_places"))();
		if (time == 0)
			check_all(subjects, functions, places, count);
		for (int i = 0; i < count; i++) {
			check_calls(subjects[i], true, true);
			CHECK(table->out(functions[i], places[i], &hooks, FATHOM_PATCH_BOTH) >= 2, "%s", subjects[i].name);
			if (!has_other_exits(subjects[i]))
				check_calls(subjects[i], false, false);
		}
		std::vector<const void *> old(functions, functions + count), old_places(places, places + count);
		dlclose(library);
		for (int i = 0; i < count; i++) {	/* each in turn, which is what is_loaded can tell */
			gone = old[i];
			gone_place = old_places[i];
			table->forget(is_loaded);
			if (time % 2)
				table->restore(old[i]);		/* nobody's any more */
		}
	}
}

static std::atomic<bool> stop;
static std::atomic<long> wrong, total;

static void work(const patch_subject *subjects, int count, unsigned seed)
{
	long n = seed;

	while (!stop.load(std::memory_order_relaxed)) {
		for (int i = 0; i < count; i++)
			if (subjects[i].call(n) != subjects[i].plain(n))
				wrong++;
		n = n * 13 % 1000003;
		total.fetch_add(count, std::memory_order_relaxed);
	}
}

static void check_threads(const patch_subject *subjects, const void *const *functions, const void *const *places,
			  int count, int milliseconds)
{
	enum { MOST_FEW = 100 };
	auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
	std::vector<std::thread> threads;
	unsigned random = 1;
	long changes = 0;

	for (unsigned i = 0; i < 4; i++)
		threads.emplace_back(work, subjects, count, i + 1);
	/* On a busy machine the time is over before much has happened. */
	while (std::chrono::steady_clock::now() < end || changes <= MOST_FEW || total.load() <= 10 * MOST_FEW) {
		random = random * 1103515245u + 12345u;
		unsigned which = (random >> 16) % (unsigned)count;
		const void *function = functions[which];

		if (random >> 30 == 0)
			table->restore(function);
		else
			table->out(function, places[which], &hooks, static_cast<fathom_patch_parts>(random >> 30));
		changes++;
	}
	stop = true;
	for (std::thread &thread : threads)
		thread.join();
	CHECK(wrong == 0, "%ld wrong results", wrong.load());
	for (int i = 0; i < count; i++)
		table->restore(functions[i]);
	for (int i = 0; i < count; i++)
		check_calls(subjects[i], true, true);
}

/* With patch_refuse preloaded: a system that stops to let code be changed, and lets it again. What could not be put back is
 * said, and is out until it could. */
static void check_refusal(const patch_subject &subject, const void *function, const void *place)
{
	exit_if_refused(table->out(function, place, &hooks, FATHOM_PATCH_BOTH));
	setenv("REFUSE", "all", 1);
	CHECK(table->restore(function) == -EACCES, "%s: restored although refused", subject.name);
	if (!has_other_exits(subject))
		check_calls(subject, false, false);
	unsetenv("REFUSE");
	CHECK(table->restore(function) == 0, "%s: not restored", subject.name);
	check_calls(subject, true, true);
}

int main(int argc, char **argv)
{
	void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW) : nullptr;
	int count;
	const patch_subject *subjects = patch_subjects(&count);
	const void *const *functions = patch_functions(), *const *places = patch_places();

	if (!library) {
		std::printf("%s\n", argc > 2 ? dlerror() : "PATCH-LIBRARY MILLISECONDS [SUBJECT-LIBRARY]");
		return 2;
	}
	table = static_cast<const struct fathom_patch_table *>(
		dlsym(library, FATHOM_PATCH_ENTRY));
	hooks = { patch_enter_code(), patch_exit_code() };
	check_unbound(subjects, functions, places, count);
	check_all(subjects, functions, places, count);
	check_fork(subjects, functions, places, count);
	if (std::getenv("LD_PRELOAD") && std::strstr(std::getenv("LD_PRELOAD"), "librefuse.so") && !std::getenv("REFUSE"))
		for (int i = 0; i < count; i++)
			check_refusal(subjects[i], functions[i], places[i]);
	if (argc > 3)
		check_library(argv[3]);
	if (std::atoi(argv[2]))
		check_threads(subjects, functions, places, count, std::atoi(argv[2]));
	return failures ? 1 : 0;
}
