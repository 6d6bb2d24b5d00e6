#!/bin/sh
# The variable that pthread_create and thrd_create write the new thread's name to belongs to the program: by the time they
# return, the new thread may have unmapped it.
. "${srcdir:?}/test/pthread/lib.sh" || exit 99

# Between the wrappers and the C library: the creator goes on only when the new thread has done its work, most probably.
cat > slow.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>
#include <unistd.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*routine)(void *), void *argument)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int err;

	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	err = real(thread, attr, routine, argument);
	usleep(5000);
	return err;
}

int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
	int (*real)(thrd_t *, thrd_start_t, void *);
	int err;

	*(void **)&real = dlsym(RTLD_NEXT, "thrd_create");
	err = real(thread, routine, argument);
	usleep(5000);
	return err;
}
C
"$CC" -O1 -shared -fPIC slow.c -o libslow.so -ldl || die "cannot build libslow.so"
"$CC" -g -O1 "$here/unmapped.c" -o unmapped.plain -pthread || die "cannot build unmapped.c"
"$CC" -g -O1 -finstrument-functions "$here/unmapped.c" -o unmapped -pthread "-L$builddir/.libs" \
	"-Wl,-rpath,$builddir/.libs:$work" -Wl,--push-state,--no-as-needed -lfathom-pthread -lfathom-compiler -lfathom -L. \
	-lslow -Wl,--pop-state || die "cannot build unmapped.c for measurement"

run_both unmapped
same "visits of pthread_create" 10 "$(value visits unmapped/main/pthread_create "$result/profile.cubex")"
same "visits of thrd_create" 10 "$(value visits unmapped/main/thrd_create "$result/profile.cubex")"
for settings in FATHOM_PTHREAD=off FATHOM_MODE=trace; do
	[ $settings != FATHOM_MODE=trace ] || have_traces || continue
	env "$settings" FATHOM_NAME="of-$settings" ./unmapped > out 2> said
	same "$settings: exit code" 0 $?
	cmp -s plain.out out || bad "$settings: prints $(cat out), alone $(cat plain.out)"
done
verdict
