# What the tests of wait states share, after test/lib.sh. Their programs include waits_work.h.
need_mpi

# build_prog [WORD...]: prog of prog.c. The libraries alone, without the driver and its choice of functions, measure every
# function; words are added to the options.
build_prog() {
	"$MPICC" -g -O1 -finstrument-functions -I"$srcdir/test/run" prog.c -o prog -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" \
		-Wl,--push-state,--no-as-needed -lfathom-compiler "$@" -lfathom-mpi -lfathom -Wl,--pop-state || die "cannot build"
}

# The functions below look at the profile in $f.

# attribute NAME: the value of fathom::NAME in the head of the profile; nothing if it is not there.
attribute() { tar xOf "$f" anchor.xml | sed -n "s/.*key=\"fathom::$1\" value=\"\\([^\"]*\\)\".*/\\1/p"; }

# near WHAT SECONDS GOT: at most 30 % or 0.1 s less, and at most 30 % or 0.25 s more: on a loaded machine a sleep may take
# longer, but not shorter. Waiting that is missing, charged to the wrong call path or counted twice differs by 0.3 s or more.
near() {
	awk -v w="$2" -v g="$3" 'BEGIN { d = g - w; if (d < 0) exit !(-d <= 0.3 * w || -d <= 0.1); exit !(d <= 0.3 * w || d <= 0.25) }' ||
		bad "$1 should be $2 s, is $3"
}

# waited WHAT METRIC PATH SECONDS: at this call path below main, of all ranks.
waited() { near "$1: $2 at $3" "$4" "$(value "$2" "prog/main/$3" "$f")"; }

# nothing_negative WHAT: no metric has a negative value.
nothing_negative() {
	for metric in $("$builddir/test/run/dump" -s "$f" | awk '/^metric / { print $2 }'); do
		values "$metric" "$f" | grep -q '^-' && bad "$1: $metric has a negative value"
	done
}

# delays_add_up WHAT: the delay costs of all call paths and the part of the waiting that no delay explains are the waiting
# whose causes were searched, which is nearly all waiting.
delays_add_up() {
	"$PYTHON3" - "$1" "$(attribute wait_with_cause)" "$(attribute wait_delays)" "$(attribute wait_unexplained)" \
		"$(for metric in $("$builddir/test/run/dump" -s "$f" | awk '/^metric delay_.*_(short|longterm)$/ { print $2 }'); do
			values "$metric" "$f"; done | awk '{ s += $1 } END { printf "%.9f", s }')" \
		"$(values wait_states "$f" | awk '{ s += $1 } END { printf "%.9f", s }')" <<- 'P' || bad "$1: delay costs"
		import sys
		what, searched, delays, unexplained, charged, waiting = sys.argv[1], *map(float, sys.argv[2:])
		if abs(searched - delays - unexplained) > 1e-5 or abs(charged - delays) > 1e-5 + 1e-6 * delays or searched > waiting + 1e-5 \
		        or delays < 0 or unexplained < -1e-5 or searched <= 0:
		    sys.exit("%s: waiting %f, searched %f, delays %f, charged %f, unexplained %f"
		             % (what, waiting, searched, delays, charged, unexplained))
	P
}

# waiting_within_mpi WHAT: there is waiting, and the ranks wait no longer than they are in MPI.
waiting_within_mpi() {
	awk -v w="$(values wait_states "$f" | awk '{ s += $1 } END { print s }')" \
		-v t="$(values mpi "$f" | awk '{ s += $1 } END { print s }')" 'BEGIN { exit !(w > 0 && w <= t) }' ||
		bad "$1: the waiting is not within the time in MPI"
}
