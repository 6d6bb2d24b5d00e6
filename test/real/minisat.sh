#!/bin/sh
# MiniSat, C++ templates. Its makefile links with -static, so the measurement is linked in as well.
. "${srcdir:?}/test/real/lib.sh"
command -v "$CXX" > /dev/null || skip "no C++ compiler"
printf '#include <zlib.h>\n' | "$CXX" -E -x c++ - > /dev/null 2>&1 || skip "no zlib.h (Debian: zlib1g-dev)"
fetch minisat2 plain default all

# Visits are compared with what gcov counted, also of another build without gcov: with early hooks, for of functions that only
# compute GCC does away with calls that late hooks do not see then, and with and without gcov these are not the same.
FATHOM_INSTRUMENT_HOOKS=early
export FATHOM_INSTRUMENT_HOOKS

# It is older than the rule that a friend may not be declared with a default argument.
for kind in plain default all; do
	case $kind in
	plain) cxx=$CXX ;;
	all) cxx=$(counting_too g++) ;;
	*) cxx=$(with_fathom g++) ;;
	esac
	in=; [ $kind = all ] && in=all_functions
	$in build $kind make r CXX="$cxx" CXXFLAGS="-fpermissive -w"
done
case $(LC_ALL=C file all/build/release/bin/minisat 2> /dev/null) in
*dynamic*) bad "the measured program is not static" ;;
esac

# More pigeons than holes: every function of the search is busy.
"$PYTHON3" - 6 > pigeons.cnf <<'PY'
import sys
holes = int(sys.argv[1])
at = lambda pigeon, hole: pigeon * holes + hole + 1
clauses = [[at(p, h) for h in range(holes)] for p in range(holes + 1)]
clauses += [[-at(p, h), -at(q, h)] for h in range(holes) for p in range(holes + 1) for q in range(p)]
print("p cnf", holes * (holes + 1), len(clauses))
for clause in clauses:
    print(*clause, 0)
PY
masked() { sed -E 's/ +\(([0-9]+|inf|-?nan) \/sec\)//; /time|Memory/s/[0-9.]+ (s|MB)//; /^fathom: profile in/d' "$1"; }
for kind in plain default all; do
	timed "$kind" in_dir $kind build/release/bin/minisat ../pigeons.cnf ../$kind.result > $kind.out 2> $kind.err
	same "$kind: exit code (unsatisfiable)" 20 $?
	same "$kind: result" "$(cat plain.result)" "$(cat $kind.result)"
	same "$kind: output" "$(masked plain.out)" "$(masked $kind.out)"
	same "$kind: said" "$(masked plain.err)" "$(masked $kind.err)"
done
calls_counted all counts
for kind in default all; do
	profile_of $kind
	[ $kind = all ] && amount=all || amount=some
	visits_equal $amount "$profile" counts
done

# The other program of its makefile: dynamic, with the solver in a shared library that is measured as well. Without gcov.
for target in lsh sh; do
	all_functions build all make $target CXX="$(with_fathom g++)" CXXFLAGS="-fpermissive -w"
done
in_dir all env LD_LIBRARY_PATH=build/dynamic/lib build/dynamic/bin/minisat ../pigeons.cnf ../all.result > all.out 2> all.err
same "shared: exit code (unsatisfiable)" 20 $?
same "shared: output" "$(masked plain.out)" "$(masked all.out)"
profile_of all
visits_equal all "$profile" counts
verdict
