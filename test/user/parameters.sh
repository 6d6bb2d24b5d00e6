#!/bin/bash
# A parameter splits the visits of what it is given in, and does not add to them: 30 tasks are 30, whatever they did before.
. "${srcdir:?}/test/user/lib.sh" || exit 99
modes=profile
tried=0
for compiler in "$CC" clang; do
	name=parameters-${compiler##*/}
	[ "$compiler" = clang ] || have opari2 || continue
	"$FATHOM" --no-compiler "$compiler" -fopenmp -g -O1 "$here/parameters.c" -o "$name.exe" 2> build.err || continue
	tried=$((tried + 1))
	measure "$name" "./$name.exe" || continue
	same "$name: tasks" 30 "$(visits "$name" | grep -E 'TASKS/[^/]*omp task [^/]* i=[01]$' | awk '{ s += $1 } END { print s + 0 }')"
	same "$name: tasks and those that they create" 40 "$(visits "$name" | grep -E 'TASKS/[^/]*$' | awk '{ s += $1 } END { print s + 0 }')"
	same "$name: leaf" 30 "$(total "$name" 'leaf( n=[01])?')"
	same "$name: leaf by value" "15 15" "$(total "$name" 'leaf n=0') $(total "$name" 'leaf n=1')"
	same "$name: late" 30 "$(total "$name" 'late( n=[01])?')"
	same "$name: late by value" "15 15" "$(total "$name" 'late n=0') $(total "$name" 'late n=1')"
	same "$name: again, with a visit more for each other value" 3 "$(total "$name" 'again( n=[012])?')"
	# Nothing is lost: what was called before the parameter is below the call path without it.
	same "$name: work before the parameter" 10 "$(total "$name" 'late/work')"
	same "$name: work" $((20 + 30 + 40 + 3)) "$(total "$name" work)"
	# A thread that executed only the rest of a task has a visit less than another, and never less than none.
	values visits "$name/profile.cubex" | awk '$1 < 0 || $1 > 1000 { exit 1 }' || bad "$name: visits: $(values visits "$name/profile.cubex")"
done
[ "$tried" != 0 ] || skip "no compiler for OpenMP that fathom can be used with: $(head -1 build.err 2> /dev/null)"
verdict
