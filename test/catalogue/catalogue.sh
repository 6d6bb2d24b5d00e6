#!/bin/bash
# Each program of the catalogue has one bottleneck, and fathom report must say first what it is. Healthy programs have
# none, and nothing may be said.
. "${srcdir:?}/test/lib.sh" || exit 99
[ -x "$builddir/test/tools/make_trace" ] || skip "built without OTF2 (Debian: libopen-trace-format2-dev)"
need_mpi
command -v opari2 > /dev/null || skip "no OPARI2"
export builddir MPICC MPIRUN
set -- "$srcdir"/test/catalogue/*.c
if ! has_part topologies; then
	for program; do
		shift
		case $program in */wavefront.c | */border.c | */grid_row.c) ;; *) set -- "$@" "$program" ;; esac
	done
fi
"$PYTHON3" "$srcdir/test/catalogue/catalogue.py" "$@" || bad "see above"
verdict
