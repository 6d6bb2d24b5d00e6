#!/bin/sh
# A program with more rights than its user (set-user-ID, set-group-ID) believes nothing in the user's environment: it is
# not measured, says so, and does what it does without fathom.
. "${srcdir:?}/test/lib.sh" || exit 99
[ "$(id -u)" = 0 ] || skip "only root can make a program of another user's"
id nobody > /dev/null 2>&1 || skip "there is no user nobody"
command -v setpriv > /dev/null || skip "no setpriv (Debian: util-linux)"
as_nobody() { setpriv --reuid="$(id -u nobody)" --regid="$(id -g nobody)" --clear-groups "$@"; }

cat > prog.c <<'C'
#include <stdio.h>
#include <sys/auxv.h>
static volatile long sink;
static void work(void) { sink++; }
int main(void) { work(); printf("secure %lu\n", getauxval(AT_SECURE)); return 3; }
C
"$CC" -g -O1 prog.c -o plain || die "prog.c cannot be built"
instrument prog.c -o prog
# Where the user may go: the test's directory is root's alone, and the libraries may be, too.
mkdir open root-only && chmod 711 . && chmod 777 open && chmod 700 root-only
for library in "$builddir"/.libs/libfathom.so* "$builddir"/.libs/libfathom-compiler.so*; do cp -P "$library" open/; done
"$CC" -g -O1 -finstrument-functions prog.c -o open/prog -L"$PWD/open" -Wl,-rpath,"$PWD/open" \
	-Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom -Wl,--pop-state || die "prog.c cannot be built"
cp plain open/plain && chmod 4755 open/plain open/prog
as_nobody open/plain > plain.out 2> plain.err; echo "code $?" >> plain.out
grep -q "secure 1" plain.out || skip "set-user-ID has no effect in $PWD: $(cat plain.out plain.err)"

# try WHAT SETTING...: run by nobody
try() {
	what=$1; shift
	as_nobody env "$@" open/prog > prog.out 2> prog.err; echo "code $?" >> prog.out
	cmp -s plain.out prog.out || bad "$what: $(tr '\n' ' ' < prog.out)$(cat prog.err)"
	same "$what: what is said" "fathom: not measured: the program has more rights than its user (set-user-ID)" "$(cat prog.err)"
	same "$what: what root wrote" "" "$(find "$PWD" -mindepth 1 -name 'fathom-*' -o -name zz -o -name elsewhere)"
}
try "no settings"
try "a directory of root's" FATHOM_DIR="$PWD/root-only/zz"
try "a directory" FATHOM_DIR="$PWD/root-only" FATHOM_NAME=elsewhere
try "a wrong setting" FATHOM_MODE=wrong
try "a trace" FATHOM_MODE=trace FATHOM_DIR="$PWD/root-only"
try "a filter file" FATHOM_FILTER="$PWD/root-only/secret"

# The same by group.
chmod 755 open/prog && chgrp 0 open/prog && chmod 2755 open/prog
try "set-group-ID" FATHOM_DIR="$PWD/root-only"

# Without more rights it is measured.
chmod 755 open/prog
as_nobody env FATHOM_DIR="$PWD/open" open/prog > prog.out 2> prog.err
same "code without more rights" 3 $?
contains "without more rights" "$(cat prog.err)" "^fathom: profile in "
verdict
