#!/bin/sh
# The end of a run finds names of functions, for which elfutils needs large blocks of memory. The C library's malloc does not
# merge the blocks that the program has freed because of them.
. "${srcdir:?}/test/lib.sh" || exit 99

cat > after.c <<'C'
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

size_t freed_bytes;

/* Runs after fathom has written its result, because the program is linked with fathom before this library. */
__attribute__((destructor)) static void end(void)
{
	if (mallinfo2().fsmblks < freed_bytes)
		printf("merged: %zu of %zu bytes are left\n", mallinfo2().fsmblks, freed_bytes);
	else
		puts("not merged");
	fflush(stdout);
}
C
cat > blocks.c <<'C'
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

extern size_t freed_bytes;

__attribute__((noinline)) static void make_blocks(void)
{
	static void *blocks[10000];

	for (int i = 0; i < 10000; i++)
		blocks[i] = malloc(64);
	for (int i = 0; i < 10000; i++)
		free(blocks[i]);
	freed_bytes = mallinfo2().fsmblks;
}
int main(void) { make_blocks(); return 0; }
C
"$CC" -O1 -shared -fPIC after.c -o libafter.so 2> err || { cat err; skip "no mallinfo2"; }
"$CC" -g -O1 -finstrument-functions blocks.c -o blocks -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" -Wl,--no-as-needed \
	-lfathom-compiler -lfathom -L. -lafter -Wl,-rpath,"$PWD" || die "cannot build blocks.c"
plain=$(FATHOM_MODE=none ./blocks)
[ "$plain" = "not merged" ] || skip "malloc without lists of small blocks: $plain"
nm -D libafter.so | grep -q mallinfo2 || skip "no mallinfo2"
same "malloc" "not merged" "$(./blocks 2> err)"
contains "a name" "$(values visits "$(experiment)/profile.cubex")" make_blocks
rm -rf fathom-*
# The only arena is that of the program. The names are found all the same.
GLIBC_TUNABLES=glibc.malloc.arena_max=1 ./blocks > out 2> err || bad "one arena: exit code $?: $(cat err)"
contains "a name, one arena" "$(values visits "$(experiment)/profile.cubex")" make_blocks
rm -rf fathom-*

# A library's constructor that calls exit holds the lock of the dynamic linker, for which the new thread would wait: the finishing
# thread does the work.
cat > leaves.c <<'C'
#include <stdlib.h>
__attribute__((constructor)) static void start(void) { exit(3); }
C
cat > loads.c <<'C'
#include <dlfcn.h>
__attribute__((noinline)) static void make_blocks(void) { dlopen("./libleaves.so", RTLD_NOW); }
int main(void) { make_blocks(); return 0; }
C
"$CC" -O1 -shared -fPIC leaves.c -o libleaves.so || die "cannot build leaves.c"
"$FATHOM" "$CC" -g -O1 loads.c -o loads -ldl || die "cannot build loads.c"
timeout -s KILL 60 ./loads > out 2> err
same "exit in a constructor" 3 $?
contains "a name, exit in a constructor" "$(values visits "$(experiment)/profile.cubex")" make_blocks
rm -rf fathom-*
verdict
