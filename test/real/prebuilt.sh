#!/bin/sh
# Programs out of Debian's archive, as they are: "fathom run" measures their MPI calls by preload. In the
# ScaLAPACK tester these come from inside a library, thousands of derived types and operations.
. "${srcdir:?}/test/real/lib.sh"
need_mpi
tester=$(ls /usr/lib/*/scalapack/mpich-tests/xdlu 2> /dev/null | head -1)
data=/usr/share/scalapack/LU.dat
ping_pong=$(command -v NPmpich2)
[ -x "$tester" ] && [ -f $data ] || tester=
[ -n "$tester$ping_pong" ] || skip "none of the programs is here (Debian: scalapack-mpi-test, netpipe-mpich2)"
build_counter
# Calls are counted in the measured run itself, before fathom sees them: the tester refines until a solution is good
# enough, which takes other numbers of steps from run to run.
cat > counted-first <<'END'
#!/bin/sh
LD_PRELOAD="$0.so $LD_PRELOAD" MPI_CALLS=calls exec "$@"
END
chmod +x counted-first
ln -s counter.so counted-first.so
FATHOM_MPI=all; export FATHOM_MPI
quiet() { grep -v '^fathom: profile in' "$1"; }

if [ -n "$tester" ]; then
	mkdir plain measured
	cp $data plain; cp $data measured
	# Column 10 to 12 are times and rates.
	masked() { awk '/^WALL|^CPU/ { print $1, $2, $3, $4, $5, $6, $7, $8, $NF; next } { print }' "$1"; }
	timed "xdlu" in_dir plain mpi "$tester" > plain.out 2> plain.err || bad "xdlu: exit code $?"
	timed "xdlu, fathom run" in_dir measured mpi "$FATHOM" run "$work/counted-first" "$tester" \
		> measured.out 2> measured.err || bad "xdlu: exit code $?"
	same "xdlu: output" "$(masked plain.out)" "$(masked measured.out)"
	# Whether denormal numbers came up, which the program tells at its end, differs from run to run without fathom, too.
	same "xdlu: said" "$(grep -v IEEE_DENORMAL plain.err)" "$(quiet measured.err | grep -v IEEE_DENORMAL)"
	contains "xdlu" "$(cat measured.out)" "0 tests completed and failed"
	profile_of measured
	calls_equal "$profile" measured
fi

if [ -n "$ping_pong" ]; then
	mkdir ping-pong
	timed "NetPIPE, fathom run" in_dir ping-pong mpi "$FATHOM" run "$work/counted-first" "$ping_pong" -u 200 -n 200 -o np.out \
		> ping-pong.out 2> ping-pong.err || bad "NetPIPE: exit code $?"
	[ "$(wc -l < ping-pong/np.out)" -gt 10 ] || bad "NetPIPE measured nothing: $(cat ping-pong.err)"
	profile_of ping-pong
	calls_equal "$profile" ping-pong
fi
verdict
