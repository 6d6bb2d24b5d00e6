#!/bin/bash
# A child of fork does not wait for a lock that another thread of its parent held: here while a function was met for the first time.
. "${srcdir:?}/test/lib.sh" || exit 99
[ -e "$builddir/.libs/libfathom-patch.so" ] || skip "no live patching (Debian: libzydis-dev; x86-64 only)"

cat > prog.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function))
void __cyg_profile_func_enter(void *function, void *call_site);
static volatile long sink;
static volatile int is_slow;

/* Whoever meets a function asks this where it is. */
PLAIN int dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *), void *data)
{
	int (*real)(int (*)(struct dl_phdr_info *, size_t, void *), void *);

	*(void **)&real = dlsym(RTLD_NEXT, "dl_iterate_phdr");
	if (is_slow) {
		is_slow = 2;
		usleep(500000);
	}
	return real(callback, data);
}

static void fresh(void) { sink++; }
static void left_out(void) { sink++; }

PLAIN static void *meet(void *unused)
{
	is_slow = 1;
	fresh();
	is_slow = 0;
	return unused;
}

/* A call of the hook that is not taken out of the code. */
PLAIN static void call_hook(void)
{
	void (*volatile hook)(void *, void *) = __cyg_profile_func_enter;

	hook((void *)left_out, NULL);
}

int main(void)
{
	pthread_t thread;
	int status = 0;
	pid_t child;

	left_out();
	pthread_create(&thread, NULL, meet, NULL);
	while (is_slow != 2)
		usleep(1000);
	child = fork();
	if (child == 0) {
		call_hook();
		_exit(7);
	}
	/* A child that waits for the lock has all signals blocked that can be. */
	for (int i = 0; i < 200 && waitpid(child, &status, WNOHANG) == 0; i++) {
		usleep(100000);
		if (i == 199) {
			kill(child, SIGKILL);
			waitpid(child, &status, 0);
		}
	}
	pthread_join(thread, NULL);
	printf("child: %d %d\n", WIFEXITED(status), WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	return 3;
}
C
instrument prog.c -o prog -pthread -ldl -rdynamic
printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE left_out\nSCOREP_REGION_NAMES_END\n' > filter
FATHOM_FILTER=filter FATHOM_NAME=result ./prog > out 2> said
same "exit code" 3 $?
same "output" "child: 1 7" "$(cat out)"
same "visits of fresh" 1 "$(values visits result/profile.cubex | awk '$2 ~ "/fresh$" { sum += $1 } END { print sum + 0 }')"
verdict
