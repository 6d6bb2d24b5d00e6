#!/bin/sh
# A static program: the linker puts our functions in place of the C library's.
. "${srcdir:?}/test/lib.sh" || exit 99
here=$srcdir/test/pthread libs=$builddir/.libs
[ -e "$libs/libfathom-pthread-static.a" ] || skip "no static libraries (configured with --disable-static)"
other=$(sed -n 's/^#define FATHOM_STATIC_LIBS "\(.*\)"/\1/p' "$builddir/config.h")
echo 'int main(void) { return 0; }' > try.c
# shellcheck disable=SC2086
"$CC" -static try.c -o try $other 2> /dev/null || skip "static programs cannot be linked here"
[ -n "$other" ] || skip "this fathom was built on a system without static elfutils"

# build COMPILER PROGRAM SOURCE [OPTION]...
build() {
	compiler=$1 program=$2 source=$3
	shift 3
	"$compiler" -static -g -O1 "$source" -o "$program.plain" -pthread "$@" || die "cannot build $source"
	# shellcheck disable=SC2086
	"$compiler" -static -g -O1 -finstrument-functions "$@" "$source" -o "$program" -pthread \
		"-Wl,@$libs/fathom-pthread.wrap" -Wl,--push-state,--whole-archive "$libs/libfathom-compiler.a" \
		"$libs/libfathom-symbols.a" "$libs/libfathom-pthread-static.a" "$libs/libfathom.a" -Wl,--pop-state $other 2> link.said ||
		{ cat link.said >&2; die "cannot build $source for measurement"; }
}

# run_both PROGRAM [ARGUMENT]...
run_both() {
	program=$1
	shift
	"./$program.plain" "$@" > plain.out 2> /dev/null
	plain_code=$?
	FATHOM_NAME=of-$program "./$program" "$@" > out 2> said
	same "$program: exit code" "$plain_code" "$?"
	cmp -s plain.out out || bad "$program: prints $(cat out), alone $(cat plain.out)"
	check_profile "of-$program/profile.cubex"
	values visits "of-$program/profile.cubex" | sed '1d; s, [^/]*/, ,' | sort -k2 > visits
}

# counted COUNT PATH
counted() { grep -Fxq "$1 $2" visits || bad "$program: not '$1 $2' but '$(grep -F " $2" visits)'"; }

build "$CC" calls "$here/calls.c"
run_both calls
counted 5 main/mutexes/pthread_mutex_lock
counted 8 main/mutexes/pthread_mutex_unlock
counted 1 main/rwlocks/pthread_rwlock_clockwrlock
counted 1 main/conditions/pthread_cond_clockwait
counted 1 "main/conditions/{thread}/answer/pthread_cond_signal"
counted 5 "main/barriers/{thread}/meet/pthread_barrier_wait"
counted 3 main/pthread_once
counted 1 main/pthread_once/only_once
counted 4 main/threads/pthread_create
counted 3 "main/threads/{thread}"
counted 1 "main/threads/{thread}/leave/pthread_exit"

# Nothing of what goes on around the program.
cut -d' ' -f2 visits | grep -v '^main' > found
same "outside main" "" "$(cat found)"

build "$CC" c11 "$here/c11.c"
run_both c11
counted 3 main/thrd_create
counted 3 "main/{thread}"
counted 1 "main/{thread}/leave/thrd_exit"
# The C library makes a C11 call of POSIX's: that is not the program's.
! grep 'main/.*pthread_' visits > found || bad "C11: $(cat found)"

build "$CXX" cxx "$here/cxx.cc" -finstrument-functions-exclude-file-list=/usr/include
run_both cxx
counted 3 main/pthread_create
counted 3 main/pthread_join
counted 2 "main/{thread}/count_up/pthread_mutex_lock"
counted 3 main/once_more/pthread_once
counted 1 main/once_more/pthread_once/works

build "$CC" endings "$here/endings.c"
run_both endings cancel_wait
counted 1 "main/cancel_wait/begin/{thread}/wait_for_ever/unlock"

# OpenMP's threads are not the program's.
cat > omp.c <<'T'
#include <stdio.h>
int main(void)
{
	int count = 0;
#pragma omp parallel num_threads(3) reduction(+ : count)
	count++;
	printf("%d\n", count);
	return 0;
}
T
if "$CC" -static -fopenmp try.c -o try 2> /dev/null; then
	build "$CC" omp omp.c -fopenmp
	run_both omp
	! grep -e pthread_create -e '{thread}' visits > found || bad "OpenMP: $(cat found)"
	counted 1 main
fi
verdict
