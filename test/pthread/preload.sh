#!/bin/sh
# Programs that were built without fathom: the library is loaded before them. And FATHOM_PTHREAD says what of
# their calls is recorded.
. "${srcdir:?}/test/pthread/lib.sh" || exit 99
libs=$builddir/.libs

# preloaded NAME PROGRAM [ARGUMENT]...: as alone; the visits are in visits, without the program's name.
preloaded() {
	name=$1
	shift
	"$@" > plain.out 2> /dev/null
	plain_code=$?
	LD_PRELOAD=$libs/libfathom-pthread.so:$libs/libfathom.so FATHOM_NAME=$name "$@" > out 2> said
	same "$name: exit code" "$plain_code" "$?"
	cmp -s plain.out out || bad "$name: prints $(cat out), alone $(cat plain.out)"
	rm -f visits
	[ -d "$name" ] || return 1
	check_profile "$name/profile.cubex"
	values visits "$name/profile.cubex" | sed '1d; s, [^/]*/, ,' | sort -k2 > visits
}

"$CC" -O1 "$here/many.c" -o many -pthread || die "cannot build many.c"
"$CC" -O1 "$here/endings.c" -o endings -pthread || die "cannot build endings.c"
"$CXX" -O1 "$here/cxx.cc" -o cxx -pthread || die "cannot build cxx.cc"

preloaded all ./many 20
cat > expected <<'T'
20 pthread_create
20 pthread_join
20 {thread}
20 {thread}/pthread_mutex_lock
20 {thread}/pthread_mutex_unlock
T
sort -k2 expected > sorted
cmp -s sorted visits || bad "all: $(diff sorted visits)"

FATHOM_PTHREAD=threads
export FATHOM_PTHREAD
preloaded threads ./many 20
grep -v mutex sorted > fewer
cmp -s fewer visits || bad "FATHOM_PTHREAD=threads: $(diff fewer visits)"
preloaded threads_cxx ./cxx
contains "C++" "$(cat visits)" '^3 \{thread\}$'
! grep -e mutex -e rwlock -e cond -e once visits > found || bad "FATHOM_PTHREAD=threads: $(cat found)"

# Nothing else is recorded of this program: there is no profile.
FATHOM_PTHREAD=off
preloaded off ./many 20 && bad "FATHOM_PTHREAD=off: $(cat visits)"
[ ! -s said ] || same "FATHOM_PTHREAD=off: says" "" "$(grep -v '^peak ' said)"
unset FATHOM_PTHREAD

FATHOM_MODE=none
export FATHOM_MODE
preloaded none ./endings cancel_wait && bad "FATHOM_MODE=none: $(cat visits)"
unset FATHOM_MODE

preloaded forked ./endings forked
contains "a program that forks" "$(cat visits)" '^1 \{thread\}$'
preloaded exit_main ./endings exit_main
contains "main ends first" "$(cat visits)" '^1 pthread_exit$'

# Programs without threads are none the wiser.
preloaded shell sh -c 'echo hello; exit 3' && bad "sh: $(cat visits)"

# One of somebody else's, with threads in a library.
preloaded python "$PYTHON3" -c '
import threading
def work(): pass
threads = [threading.Thread(target=work) for i in range(5)]
for t in threads: t.start()
for t in threads: t.join()
print(len(threads))'
contains "Python" "$(cat visits)" '^5 \{thread\}$'
verdict
