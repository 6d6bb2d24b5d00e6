#!/bin/sh
# show.sh: what ./quickstart shows: a real program built with fathom, run and reported. It works in
# BUILDDIR/first-profile and shows each command before it runs it. REAL_SOURCES is where sources are kept.
set -u
: "${srcdir:?}" "${builddir:?}"
sources=${REAL_SOURCES:-$builddir/real-sources}
PATH=$builddir:$PATH
LC_ALL=C.UTF-8
export PATH LC_ALL
setting() { sed -n "s/^$1 = //p" "$builddir/Makefile" | head -n 1; }
mpicc=$(setting MPICC) mpirun=$(setting MPIRUN) cc=$(setting CC)
show=$builddir/first-profile
rm -rf "$show"
mkdir -p "$show" && cd "$show" || exit 1

# run COMMAND: as one line of shell; what it says only matters if it fails, except with "aloud"
run() {
	aloud=; [ "$1" = aloud ] && { aloud=yes; shift; }
	printf '\n$ %s\n' "$1"
	if [ -n "$aloud" ]; then
		eval "$1" || exit 1
	else
		eval "$1" > said 2>&1 || { tail -n 20 said >&2; echo "quickstart: that failed" >&2; exit 1; }
		grep '^fathom: ' said || true
	fi
}

# What its "make linux-mpi" does, but optimised, with debug information and not stripped: names and places
# are worth having.
tachyon() {
	echo "Tachyon, a parallel ray tracer, out of Debian's archive. Its own makefile builds it, with fathom"
	echo "before the compiler; then two processes render 7,384 balls."
	cp -r "$1" tachyon && cd tachyon/unix || exit 1
	run "make all CC='fathom $mpicc' ARCH=linux-mpi STRIP=true AR=ar ARFLAGS=r RANLIB=ranlib \\
      CFLAGS='-O2 -g -DLinux -DMPI -DUSE_MPI_IN_PLACE' LIBS='-L. -ltachyon -lm'"
	cd .. && cp compile/linux-mpi/tachyon .
	run "$mpirun -n 2 ./tachyon scenes/balls.dat -res 800 800 -o balls.tga"
	run aloud "fathom report"
}

heat() {
	echo "heat, an MPI program of examples/: how warmth spreads over a plate."
	cp "$srcdir/examples/heat.c" .
	run "fathom $mpicc -O2 -g heat.c -o heat -lm"
	run "$mpirun -n 2 ./heat 1000"
	run aloud "fathom report"
}

bzip2() {
	echo "There is no MPI here: bzip2 out of Debian's archive instead. Its own makefile builds it, with fathom"
	echo "before the compiler; then it compresses ten copies of itself."
	cp -r "$1" bzip2 && cd bzip2 || exit 1
	run "make bzip2 CC='fathom $cc'"
	for i in 1 2 3 4 5 6 7 8 9 10; do cat bzip2 ./*.c ./*.html; done > data
	run "./bzip2 -k data"
	run aloud "fathom report"
}

# source_of NAME: its directory; one line on stderr if it cannot be had
source_of() {
	sh "$srcdir/test/real/fetch.sh" "$1" "$sources" 2> "$show/why" || {
		sed -n 's/^SKIP: \(.*\)/(Another program was meant to be here; \1.)/p' "$show/why" >&2
		return 1
	}
}
if [ -z "$mpicc" ] || [ -z "$mpirun" ]; then
	directory=$(source_of bzip2) || exit 0
	bzip2 "$directory"
elif directory=$(source_of tachyon); then
	tachyon "$directory"
else
	heat
fi
