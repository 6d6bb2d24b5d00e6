# What the tests of traces share, after test/lib.sh.
[ -e "$builddir/.libs/libfathom-trace.so" ] || skip "built without OTF2 (Debian: libopen-trace-format2-dev)"

# The Python that has the module otf2, for the oracle; none: its part is skipped.
otf2_python=
for python in "$PYTHON3" /usr/bin/python3; do
	[ -z "$otf2_python" ] && "$python" -c 'import otf2' 2> /dev/null && otf2_python=$python
done

# sound WHAT DIR: every reader at hand takes the trace in DIR without a word.
sound() {
	[ -f "$2/traces.otf2" ] || { bad "$1: no trace in $2: $(ls "$2" 2>&1 | tr '\n' ' ')"; return 1; }
	if have otf2-print; then
		timeout 60 otf2-print --silent -Werror "$2/traces.otf2" 2>&1 > /dev/null | cat > print.out; [ "${PIPESTATUS[0]}" = 0 ] || bad "$1: otf2-print fails"
		[ ! -s print.out ] || bad "$1: otf2-print says: $(head -3 print.out)"
		otf2-print "$2/traces.otf2" > events.txt 2>&1
		grep -m3 INVALID events.txt && bad "$1: records refer to nothing"
	fi
	[ -x "$FATHOM-check" ] && { "$FATHOM" check "$2" > check.out 2>&1 || bad "$1: fathom check: $(head -5 check.out)"; }
	[ -n "$otf2_python" ] && [ -e "$shared/oracle/check_otf2.py" ] || return 0
	"$otf2_python" "$shared/oracle/check_otf2.py" ${oracle_options:-} "$2/traces.otf2" > oracle.out 2>&1 ||
		bad "$1: the oracle: $(tail -5 oracle.out)"
}

# enters DIR: a line "count name" for each region that is entered, from all locations, also in traces with samples; needs
# sound before.
enters() {
	otf2-print "$1/traces.otf2" | awk '/^(CALLING_CONTEXT_)?ENTER / { sub(/^.*(Region|Calling Context): "/, ""); sub(/" <[0-9]*>.*$/, ""); n[$0]++ }
		END { for (r in n) print n[r], r }' | sort -k2
}

# nothing_hidden WHAT: what is needed only during the run is gone.
nothing_hidden() {
	set -- "$1" .fathom-trace-*
	[ "$2" = ".fathom-trace-*" ] || bad "$1: $2 stayed behind"
}

# visited PROFILE: a line "count name" as of enters. Names have slashes only where files do. The trace knows nothing of
# the pieces in which tasks are executed (stubs), and has records of its own for fork and join.
visited() {
	values visits "$1" | awk '{
		v = $1; sub(/^[^ ]+ /, ""); depth = split($0, part, "/"); name = part[depth]
		if (depth == 1 || name ~ /^!\$omp fork and join( |$)/) next
		if (name ~ /^!\$omp (untied )?task @/ && !(depth == 3 && part[2] == "TASKS")) next
		if (name != "TASKS") n[name] += v
	} END { for (name in n) if (n[name]) print n[name], name }' | sort -k2
}
