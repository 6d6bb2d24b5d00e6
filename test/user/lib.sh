# What the tests of the program's own calls share, on top of test/lib.sh.
. "$srcdir/test/lib.sh" || exit 99
here=$srcdir/test/user
examples=$srcdir/examples
modes=profile
[ -e "$builddir/.libs/libfathom-trace.so" ] && modes=profile,trace

# measure NAME COMMAND...: its experiment is NAME, what it prints is compared with NAME.plain
measure() {
	exp=$1
	shift
	rm -rf "$exp"
	FATHOM_NAME=$exp FATHOM_MODE=$modes "$@" > "$exp.out" 2> "$exp.err" || bad "$exp: $* failed: $(cat "$exp.err")"
	[ -f "$exp/profile.cubex" ] || { bad "$exp: no profile: $(cat "$exp.err")"; return 1; }
	[ ! -f "$exp.plain" ] || cmp -s "$exp.plain" "$exp.out" || bad "$exp prints something else than without fathom"
	check_profile "$exp/profile.cubex"
	case $modes in *trace)
		"$FATHOM" check "$exp" > check.out 2>&1 || { cat check.out >&2; bad "$exp: the trace is not good"; }
		if [ -x "$shared/oracle/check_otf2.py" ] && /usr/bin/python3 -c 'import otf2' 2> /dev/null; then
			/usr/bin/python3 "$shared/oracle/check_otf2.py" "$exp/traces.otf2" > check.out 2>&1 ||
				{ cat check.out >&2; bad "$exp: the checker finds faults in the trace"; }
		fi ;;
	esac
}

# visits NAME: a line "visits path" for each call path, without the program's own.
visits() { values visits "$1/profile.cubex" | sed -n 's, [^/]*/, ,p'; }

# total NAME PATTERN: visits of all call paths whose last region matches.
total() { values visits "$1/profile.cubex" | grep -E "/$2\$" | awk '{ s += $1 } END { print s + 0 }'; }
