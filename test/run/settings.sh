#!/bin/sh
# Wrong settings stop the program before main, in one line; right ones do what they say.
. "${srcdir:?}/test/lib.sh" || exit 99

cat > prog.c <<'C'
#include <stdio.h>
int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
int main(void) { printf("main %d\n", f(10)); return 3; }
C
instrument prog.c -o prog

refused() # NAME=VALUE PATTERN
{
	env "$1" ./prog > out 2> err
	same "$1: exit code" 2 $?
	same "$1: output" "" "$(cat out)"
	same "$1: lines" 1 "$(wc -l < err)"
	contains "$1" "$(cat err)" "$2"
}
refused FATHOM_MODE=profil "^fathom: FATHOM_MODE=profil cannot be used: allowed is a list, with commas, of profile, trace and none$"
refused FATHOM_MODE= "FATHOM_MODE= cannot be used"
refused FATHOM_NODES=0 "FATHOM_NODES=0 cannot be used: allowed is a number from 1 to 1000000000$"
refused FATHOM_NODES=12x "FATHOM_NODES=12x cannot be used"
refused FATHOM_NODES=99999999999999999999 "FATHOM_NODES"
refused FATHOM_MPI=p2p,colll "FATHOM_MPI=p2p,colll cannot be used: allowed is a list, with commas, of "
refused FATHOM_MODUS=profile "^fathom: FATHOM_MODUS is not a setting; the nearest is FATHOM_MODE "
refused FATHOM_RECURSE=fold "the nearest is FATHOM_RECURSION"
refused FATHOM_DIR= "FATHOM_DIR= cannot be used"
# Of several ranks one says it.
FATHOM_MODE=x PMI_RANK=1 ./prog > out 2> err
same "exit code of rank 1" 2 $?
same "words of rank 1" "" "$(cat err)"

ran() { ./prog > out 2> err; same "$1: exit code" 3 $?; same "$1: output" "main 55" "$(cat out)"; }

# The directory, the name; a name in use gets a number.
mkdir there
export FATHOM_DIR=there FATHOM_NAME=mine
ran "FATHOM_DIR"
ran "FATHOM_NAME a second time"
[ -f there/mine/profile.cubex ] && [ -f there/mine-2/profile.cubex ] || bad "FATHOM_NAME: $(ls there)"
contains "settings" "$(cat there/mine/settings.txt)" "^FATHOM_NAME=mine$"
# What stands in settings.txt can be set again: each line is a setting that is not refused, with the value it had.
(unset FATHOM_NAME FATHOM_DIR
env -i HOME="$HOME" PATH="$PATH" $(cat there/mine/settings.txt) FATHOM_NAME=again ./prog > out 2> err; same "the settings of settings.txt: exit code" 3 $?
same "the settings of settings.txt, once more" "$(grep -v ^FATHOM_NAME= there/mine/settings.txt)" "$(grep -v ^FATHOM_NAME= there/again/settings.txt)")
unset FATHOM_NAME FATHOM_DIR

# A name, or a directory, with which the result would be lost is refused before main.
: > file
for bad in FATHOM_NAME=a/b FATHOM_NAME=. FATHOM_NAME=.. "FATHOM_NAME=$(printf '%0300d' 0)" FATHOM_DIR=file FATHOM_DIR=file/below \
	"FATHOM_DIR=$(printf '%01500d' 0)"; do
	env "$bad" ./prog > out 2> err
	same "$bad: exit code" 2 $?
	same "$bad: main did not run" "" "$(cat out)"
	contains "$bad" "$(cat err)" "^fathom: ${bad%%=*}=.* cannot be used: "
	same "$bad: lines" 1 "$(wc -l < err)"
done
same "no directory of these" "" "$(ls -d fathom-* a 2> /dev/null)"

# A directory that cannot be had: the program runs, the result goes elsewhere, which is said.
export FATHOM_DIR=/proc/nowhere TMPDIR=$work/there
ran "unwritable FATHOM_DIR"
contains "unwritable FATHOM_DIR" "$(cat err)" "^fathom: FATHOM_DIR=/proc/nowhere: no directory can be made there .*; the result goes to $work/there/fathom-prog-"
ls "$work"/there/fathom-prog-*/profile.cubex > /dev/null || bad "unwritable FATHOM_DIR: no result"
unset FATHOM_DIR TMPDIR

# A full disk at the end: exit code and output stay, the line says what is missing, no half file stays.
rm -rf fathom-*
(ulimit -f 1; ./prog > /dev/null 2> err2; echo $? > code)
same "exit code with a full disk" 3 "$(cat code)"
contains "full disk" "$(cat err2)" "^fathom: .*/profile.cubex cannot be written \(File too large\): the profile is lost$"
same "files of a full disk" "" "$(find fathom-prog-* -name '*.cubex*' -o -name '*.part')"
rm -rf fathom-*

# The clock, the recursion, the nodes.
for clock in auto tsc monotonic; do
	FATHOM_CLOCK=$clock ./prog > /dev/null 2>&1
done
[ "$(ls -d fathom-prog-*/ | wc -l)" -eq 3 ] || bad "FATHOM_CLOCK"
for f in fathom-prog-*/profile.cubex; do check_profile "$f"; done
rm -rf fathom-*
FATHOM_RECURSION=fold ./prog > /dev/null 2>&1
dir=$(experiment)
same "folded recursion" 177 "$(value visits prog/main/f "$dir/profile.cubex")"
same "call paths when folded" "cnodes 3" "$("$builddir/test/run/dump" -s "$dir/profile.cubex" | grep cnodes)"
rm -rf fathom-*
# Where call paths are lost, there is nothing that a call could be folded into.
for nodes in 1 2 3; do
	FATHOM_NODES=$nodes FATHOM_RECURSION=fold ./prog > out 2> err
	same "folded recursion and FATHOM_NODES=$nodes: exit code" 3 $?
done
rm -rf fathom-*
FATHOM_NODES=5 ./prog > /dev/null 2> err
contains "FATHOM_NODES" "$(cat err)" "^fathom: [0-9]+ calls have no call path of their own and are charged to \{truncated\}: a larger FATHOM_NODES keeps more$"
dir=$(experiment)
check_profile "$dir/profile.cubex"
contains "FATHOM_NODES" "$(values visits "$dir/profile.cubex")" "\{truncated\}$"
contains "FATHOM_NODES" "$("$builddir/test/run/dump" -s "$dir/profile.cubex")" "^attribute fathom::dropped_nodes="
verdict
