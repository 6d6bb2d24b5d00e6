#!/bin/bash
# A budget switches functions off, whose code is read and changed, while another thread unloads the library that they are in.
. "${srcdir:?}/test/lib.sh" || exit 99
need_part FATHOM_OVERHEAD
[ -e "$builddir/.libs/libfathom-patch.so" ] || skip "no live patching (Debian: libzydis-dev; x86-64 only)"

cat > library.c <<'C'
static volatile long count;
static void step(void) { count++; }
static void other(void) { count++; }
void library_work(int n) { for (int i = 0; i < n; i++) { step(); other(); } }
C
# Between the hooks and the C library: when dlclose returns, the library has been gone for long.
cat > slow.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
int dlclose(void *handle)
{
	int (*real)(void *), result;

	*(void **)&real = dlsym(RTLD_NEXT, "dlclose");
	result = real(handle);
	usleep(20000);
	return result;
}
C
cat > prog.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static volatile long sink;
static volatile int is_done;
static void leaf(void) { sink++; }
static void work(int n) { for (int i = 0; i < n; i++) leaf(); }
static void *loads(void *unused)
{
	for (int i = 0; i < 12; i++) {
		void *library = dlopen("./library.so", RTLD_NOW);
		void (*f)(int) = (void (*)(int))dlsym(library, "library_work");
		f(30000);
		dlclose(library);
	}
	is_done = 1;
	return unused;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, loads, NULL);
	while (!is_done) work(1000);
	pthread_join(thread, NULL);
	puts("done");
	return 6;
}
C
"$CC" -O1 -shared -fPIC slow.c -o libslow.so || die "cannot build libslow.so"
builds=early
instrument -shared -fPIC library.c -o library-early.so
"$CC" -O1 -g -finstrument-functions prog.c -o early -pthread $fathom_libs -Wl,--push-state,--no-as-needed -L. -lslow \
	"-Wl,--pop-state,-rpath,$PWD" || die "cannot build prog.c"
export FATHOM_INSTRUMENT_HOOKS=late FATHOM_INSTRUMENT_MIN_INSNS=0
"$FATHOM" "$CC" -O1 -g -shared -fPIC library.c -o library-late.so 2> late.err &&
	"$FATHOM" "$CC" -O1 -g prog.c -o late -pthread -Wl,--no-as-needed -L. -lslow "-Wl,-rpath,$PWD" 2>> late.err && builds="early late"

for build in $builds; do
	cp "library-$build.so" library.so
	for turn in $(seq 20); do
		rm -rf result
		FATHOM_OVERHEAD=1% FATHOM_NAME=result "./$build" > out 2> said
		same "$build: exit code" 6 $?
		same "$build: output" "done" "$(cat out)"
		[ -e result/profile.cubex ] || { bad "$build: no profile: $(cat said)"; continue; }
		[ "$turn" -gt 2 ] || check_profile result/profile.cubex
		# The library's functions have their own names, whatever was loaded where.
		values visits result/profile.cubex | awk '{ print $2 }' | grep -q '/library_work$' || bad "$build: no library_work"
	done
done
verdict
