#!/bin/bash
# C++ exceptions leave measured functions whatever the flags (test/run/endings/flags): the program prints and returns what it
# does without fathom, each visit is counted, and what nobody catches ends the program and leaves a result.
# EXCEPTION_SETS=all: all flags, as in make check-endings; otherwise those that are marked.
. "${srcdir:?}/test/lib.sh" || exit 99
export FATHOM_SAMPLING=1000	# all of this is the same while samples are taken
source=$srcdir/test/run/endings/throw.cc
export FATHOM_INSTRUMENT_MIN_INSNS=0
ulimit -c 0

# run WHAT PROGRAM [ARGUMENT]: what it prints, and its status, go to PROGRAM.out.
run() {
	rm -rf fathom-*
	{ timeout -s KILL 60 ./"$2" ${3:+"$3"} > "$2.out" 2> "$2.err"; echo "status $?" >> "$2.out"; } 2> /dev/null
}

# try WHAT COMPILER FLAGS...: builds and runs it both ways.
try() {
	local what=$1 compiler=$2
	shift 2
	"$compiler" "$@" "$source" -o plain 2> plain.err ||
		{ left_out "$what: the compiler cannot: $(grep -m 1 -i error plain.err)"; return; }
	env $settings "$FATHOM" "$compiler" "$@" "$source" -o prog 2> build.err || { bad "$what: cannot be built: $(head -3 build.err)"; return; }
	tried=$((tried + 1))
	run "$what" plain
	run "$what" prog
	cmp -s plain.out prog.out || { bad "$what: $(tr '\n' ' ' < prog.out), not $(tr '\n' ' ' < plain.out): $(tail -3 prog.err)"; return; }
	dir=$(experiment) || { bad "$what: no result: $(cat prog.err)"; return; }
	same "$what: visits" "after 100 inner 100 middle 100 outer 100 " "$(values visits "$dir/profile.cubex" |
		sed -n 's,^\([0-9]*\) .*/\(after\|inner\|middle\|outer\)\(([^/]*)\)\?$,\2 \1,p' | sort | tr '\n' ' ')"
	contains "$what: paths" "$(values visits "$dir/profile.cubex")" 'outer(\(.*\))?/middle(\(.*\))?/inner'
	run "$what" plain uncaught
	run "$what" prog uncaught
	cmp -s plain.out prog.out || bad "$what, uncaught: $(tr '\n' ' ' < prog.out), not $(tr '\n' ' ' < plain.out): $(tail -3 prog.err)"
	dir=$(experiment) && [ "$(values visits "$dir/profile.cubex" | grep -c '/middle')" -gt 0 ] || bad "$what, uncaught: no result: $(cat prog.err)"
}

tried=0
while read -r mark compiler flags; do
	case $mark in '*') ;; -) [ "${EXCEPTION_SETS:-}" = all ] || continue ;; *) continue ;; esac
	settings=
	case $flags in *'|'*) settings=${flags##*|} flags=${flags%|*} ;; esac
	have "$compiler" || continue
	# shellcheck disable=SC2086
	try "$compiler $flags$settings" "$compiler" $flags
done < "$srcdir/test/run/endings/flags"
echo "$tried sets of flags"
[ "$tried" -gt 0 ] || skip "no compiler of C++ (Debian: g++)"
verdict
