#!/bin/bash
# A program whose malloc is its own, measured like the rest, calls other measured functions, and holds a lock meanwhile: what the
# measurement allocates comes back to its own hooks.
. "${srcdir:?}/test/lib.sh" || exit 99
[ -e "$builddir/.libs/libfathom.so" ] || skip "no shared libraries (configured with --disable-shared)"

cat > memory.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(16) char heap[(size_t)1 << 28];
static size_t used;
static int lock;

static size_t rounded(size_t bytes) { return (bytes + 31) & ~(size_t)15; }
static void take_lock(void) { while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) ; }
static void give_lock(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }

static void *take(size_t bytes)
{
	char *at = NULL;

	take_lock();
	if (used + rounded(bytes) <= sizeof(heap)) {
		at = heap + used + 16;
		used += rounded(bytes);
		((size_t *)at)[-2] = bytes;
	}
	give_lock();
	return at;
}

void *malloc(size_t bytes) { return take(bytes); }
void *memalign(size_t boundary, size_t bytes) { char *at = take(bytes + boundary); return at - (size_t)at % boundary + boundary; }
void *aligned_alloc(size_t boundary, size_t bytes) { return memalign(boundary, bytes); }
int posix_memalign(void **at, size_t boundary, size_t bytes) { *at = memalign(boundary, bytes); return 0; }
void free(void *at) { take_lock(); (void)at; give_lock(); }
void *calloc(size_t count, size_t bytes) { void *at = take(count * bytes); return at ? memset(at, 0, count * bytes) : NULL; }

void *realloc(void *old, size_t bytes)
{
	void *at = take(bytes);

	if (at && old)
		memcpy(at, old, ((size_t *)old)[-2] < bytes ? ((size_t *)old)[-2] : bytes);
	return at;
}

void own_work(int bytes);
void own_work(int bytes) { free(malloc((size_t)bytes)); }

static void *thread(void *unused)
{
	for (int i = 1; i <= 100; i++)
		own_work(i);
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 3;
}
C
instrument -fno-builtin memory.c -o early -pthread
programs=early
FATHOM_INSTRUMENT_HOOKS=late FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" "$CC" -g -O1 -fno-builtin memory.c -o late -pthread 2> late.err &&
	programs="early late"
printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE rounded\nSCOREP_REGION_NAMES_END\n' > names.filter
printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *lock malloc take\nSCOREP_REGION_NAMES_END\n' > locks.filter

# run PROGRAM SETTING...: it ends as it would without fathom, soon, and its functions are in the profile. The first two
# turns check the whole profile.
turn=1
run() {
	rm -rf result
	program=$1
	shift
	env "$@" FATHOM_NAME=result timeout -s KILL 60 "./$program" > out 2> said
	same "$program $*: exit code" 3 $?
	same "$program $*: output" "done" "$(cat out)"
	case $* in *FATHOM_MODE=trace*) [ -s result/traces.otf2 ] || bad "$program $*: no trace: $(cat said)"; return ;; esac
	[ -s result/profile.cubex ] || { bad "$program $*: no profile: $(cat said)"; return; }
	[ "$turn" -gt 2 ] || check_profile result/profile.cubex
	same "$program $*: visits of own_work" 200 "$(values visits result/profile.cubex |
		awk '$2 ~ "/own_work$" { sum += $1 } END { print sum + 0 }')"
}

# A library that is loaded while the program runs, and whose first function is called inside of malloc, with its lock held.
cat > plugin.c <<'C'
static volatile long notes;
void note_allocation(void);
void note_allocation(void) { notes++; }
C
sed -e 's/^#include <pthread.h>/&\n#include <dlfcn.h>/' -e 's/^static void \*take(/static void (*note)(void);\n&/' \
	-e 's/^\ttake_lock();$/&\n\tif (note) note();/' memory.c > plugged.c
cat >> plugged.c <<'C'
void late(void);
void late(void) { own_work(1); }
__attribute__((no_instrument_function)) static void load(void)
{
	void *library = dlopen("./libplugin.so", RTLD_NOW);
	void (*found)(void);
	*(void **)&found = library ? dlsym(library, "note_allocation") : NULL;
	note = found;
	own_work(1);
	late();
	own_work(1);
}
C
sed -i 's/^\tputs("done");/\tload();\n&/; s/^int main/static void load(void);\n&/' plugged.c
instrument -fPIC -shared plugin.c -o libplugin.so
instrument -fno-builtin plugged.c -o plugged -pthread -ldl
rm -rf result
FATHOM_FILTER=names.filter FATHOM_NAME=result timeout -s KILL 30 ./plugged > out 2> said
same "plugged: exit code" 3 $?
same "plugged: visits of late" 1 "$(values visits result/profile.cubex | awk '$2 ~ "/late$" { sum += $1 } END { print sum + 0 }')"
[ "$(values visits result/profile.cubex | grep -c '/note_allocation$')" -gt 0 ] || bad "plugged: nothing of the library"

for program in $programs; do
	for turn in $(seq 20); do
		run $program FATHOM_FILTER=names.filter
		run $program FATHOM_FILTER=locks.filter "$(budget 5%)"
	done
	turn=1
	if have_traces; then
		run $program FATHOM_MODE=profile,trace FATHOM_FILTER=locks.filter
		run $program FATHOM_MODE=trace FATHOM_FILTER=names.filter
	fi
	run $program "$(budget 1%)"
	run $program FATHOM_MODE=profile
	run $program FATHOM_METRICS=rusage::minflt
done
verdict
