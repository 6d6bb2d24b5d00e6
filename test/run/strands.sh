#!/bin/bash
# Stacks of the program's own making (makecontext, swapcontext, longjmp between them): each function is found below its
# caller, with all of its visits, whatever the order is that they run in, with late and with early hooks.
. "${srcdir:?}/test/lib.sh" || exit 99
from=$srcdir/test/run/strands.c
case $(uname -m) in x86_64) ;; *) skip "contexts are read on x86-64 only" ;; esac
"$CC" -O2 -pthread "$from" -o plain || die "cannot build strands.c"

# Everything but the switches by hand, of which we know nothing: one program has all of them, one after the other.
ways=(plain abandons ring moves jump abandons ring-jump thread-plain thread-ring plain thread-ring-jump)
by_hand=(hand ring-hand thread-hand plain)
# A visit is counted where it begins, on whichever thread the stack goes on; the shortest and the longest are of the
# times between two switches (doc/reference/metrics.md).
check_profile() {
	[ -x "$shared/oracle/check_cubex.py" ] || return 0
	"$PYTHON3" "$shared/oracle/check_cubex.py" --ignore S05,S06 "$1" > check.out 2>&1 || { cat check.out >&2; bad "$1: the checker finds faults"; }
}
measure() { # measure WAY...: with $settings; the profile's visits into file visits, if there is one
	rm -rf fathom-*
	same "$hooks $settings: output" "$(./plain "$@"; echo "exit $?")" "$(env $settings ./measured "$@" 2> err; echo "exit $?")"
	[ -e "$(experiment)/profile.cubex" ] || return
	check_profile "$(experiment)/profile.cubex"
	values visits "$(experiment)/profile.cubex" > visits
	"$builddir/test/run/dump" -s "$(experiment)/profile.cubex" > summary
}
# sums: of each function, wherever it was called
sums() { awk '{ v = $1; sub(/^[^ ]+ /, ""); n = split($0, p, "/"); s[p[n]] += v } END { for (f in s) print s[f], f }' visits | sort -k2; }
visited() { same "$hooks: $2" "$1" "$(awk -v p="measured/main/$2" '{ v = $1; sub(/^[^ ]+ /, ""); if ($0 == p) s = v } END { print s + 0 }' visits)"; }
kinds="late early"
has_part late-hooks || kinds=early
for hooks in $kinds; do
	FATHOM_INSTRUMENT_HOOKS=$hooks FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" "$CC" -O2 -g -pthread "$from" -o measured 2> err ||
		die "cannot build strands.c: $(cat err)"
	settings=
	measure "${ways[@]}"
	grep unbalanced summary && bad "$hooks: unbalanced exits"
	mv visits "visits.$hooks"
	for settings in FATHOM_RECURSION=fold FATHOM_CLOCK=monotonic FATHOM_METRICS=rusage::minflt "$(budget 1%)"; do
		measure "${ways[@]}"
		[ $settings = FATHOM_CLOCK=monotonic ] && same "$hooks $settings" "$(cat visits.$hooks)" "$(cat visits)"
	done
	if have_traces; then
		settings="FATHOM_MODE=trace"
		measure "${ways[@]}"
		"$builddir/fathom-check" "$(experiment)" > out 2>&1 || bad "$hooks: the trace is not sound: $(head -5 out)"
	fi
	settings=
	measure plain
	for line in "204 all/schedules/resumes/go" "4 all/schedules/resumes/go/body" "200 all/schedules/resumes/go/body/rounds/down" \
		"50 all/schedules/resumes/go/body/rounds/down/down/down/down/yields/go" "408 all/schedules/resumes/work"; do
		visited ${line%% *} "${line#* }"
	done
	same "$hooks: functions and call paths" "500 down 31" "$(sums | grep ' down$') $(wc -l < visits)"
	# The same where the linker leads the calls to us.
	if FATHOM_INSTRUMENT_HOOKS=$hooks FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" "$CC" -O2 -pthread -static "$from" -o measured 2> err; then
		measure "${ways[@]}"
		same "$hooks, static" "$(cat visits.$hooks)" "$(cat visits)"
	fi
	# By hand: each visit is there, at the least.
	measure "${by_hand[@]}"
	sums > "sums.$hooks"
done
if [ "$kinds" != early ]; then
	same "late and early hooks" "$(cat visits.early)" "$(cat visits.late)"
	same "late and early hooks, by hand" "$(cat sums.early)" "$(cat sums.late)"
fi
contains "by hand: all visits" "$(cat sums.early)" '^2000 down$'
verdict
