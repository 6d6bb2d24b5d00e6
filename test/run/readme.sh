#!/bin/bash
# The examples of the README, of doc/getting-started.md and of some pages of doc/guides are run as they stand there.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi
unset FATHOM_INSTRUMENT_CALLS FATHOM_OVERHEAD	# as users have it
mkdir bin
# mpicc and mpirun are those of the MPI that fathom was built for, whatever the alternatives say.
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$MPICC")" > bin/mpicc
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$MPIRUN")" > bin/mpirun
chmod +x bin/mpicc bin/mpirun
export PATH=$work/bin:$builddir:$PATH

# block FILE N: the lines of its Nth block ```sh ... ```.
block() { awk -v n="$2" '/^```sh$/ { on = 1; i++; next } /^```$/ { on = 0; next } on && i == n' "$1"; }

# A new user's directory for each block, with the examples in it.
try() # NAME < commands
{
	mkdir "$1" && cd "$1" && cp "$srcdir"/examples/* ../app . || exit 99
	while IFS= read -r command; do
		bash -c "$command" > out 2> err < /dev/null || bad "$1: $command: $(tail -3 err)"
		case $command in
		"fathom report"*) [ "$(wc -l < out)" -ge 5 ] || bad "$1: $command says little: $(cat out)" ;;
		esac
	done
	cd ..
}
# every FILE COUNT: each of its blocks of commands, of which there must be COUNT.
every()
{
	name=${1##*/}
	[ "$(grep -c '^```sh$' "$1")" -eq "$2" ] || bad "$1: not $2 blocks of commands"
	for n in $(seq "$2"); do
		block "$1" "$n" > commands
		[ "$(wc -l < commands)" -ge 3 ] || bad "block $n of $1 has only $(wc -l < commands) commands"
		try "${name%.md}-$n" < commands
	done
}
cat > app.c <<'C'
#include <stdlib.h>
static double work(int n) { double sum = 0; for (int i = 0; i < n; i++) sum += drand48(); return sum; }
int main(void) { double sum = 0; for (int i = 0; i < 100; i++) sum += work(10000); return sum < 0; }
C
fathom gcc -O1 -g app.c -o app || die "cannot build app.c"
every "$srcdir/README.md" 1
every "$srcdir/doc/getting-started.md" 2
every "$srcdir/doc/guides/view.md" 2
every "$srcdir/doc/guides/diff.md" 2
if [ -x "$builddir/test/tools/make_trace" ]; then
	every "$srcdir/doc/guides/export.md" 2
	every "$srcdir/doc/guides/clusters.md" 3
	every "$srcdir/doc/guides/fold.md" 1
	every "$srcdir/doc/guides/small-traces.md" 1
	every "$srcdir/doc/guides/trace.md" 1
	every "$srcdir/doc/guides/track.md" 1
else left_out "the examples of doc/guides/export.md, clusters.md, fold.md, small-traces.md, trace.md and track.md: built without OTF2"; fi
every "$srcdir/doc/guides/scaling.md" 1
every "$srcdir/doc/guides/other-profiles.md" 1
if [ -x "$builddir/test/tools/make_trace" ]; then every "$srcdir/doc/guides/whatif.md" 2
else left_out "the examples of doc/guides/whatif.md: built without OTF2"; fi
if FATHOM_NAME=sampled FATHOM_SAMPLING=10000 ./app 2> err && [ -s sampled/samples.txt ]; then
	# The guide shows a function into which all others are inlined, as early hooks prevent.
	if ! grep -q '^#define HAVE_ZYDIS 1' "$builddir/config.h"; then
		left_out "the examples of doc/guides/samples.md: built without Zydis (Debian: libzydis-dev)"
	elif has_part late-hooks; then
		every "$srcdir/doc/guides/samples.md" 1
	fi
else left_out "the examples of doc/guides/samples.md: no samples are taken here"; fi
if fathom metrics perf::PAGE-FAULTS > out 2>&1; then every "$srcdir/doc/guides/counters.md" 2
else left_out "the examples of doc/guides/counters.md: no perf events here"; fi
verdict
