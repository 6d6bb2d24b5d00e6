#!/bin/sh
# Whole reports as they should look. After a wanted change: GOLDEN=write make check TESTS=test/tools/report_golden.sh
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"

for kind in run partial foreign hostile untimed off; do make_fixture $kind $kind.cubex; done
make_fixture recursion 1000 recursion.cubex

golden() {	# NAME ARGUMENTS...
	name=$1
	shift
	works "$report" "$@"
	fits "$name" 80 out
	[ "${GOLDEN:-}" != write ] || cp out "$srcdir/test/tools/golden/$name.txt"
	diff -u "$srcdir/test/tools/golden/$name.txt" out || bad "$name looks otherwise"
}

golden run run.cubex
golden partial partial.cubex --top 3 --depth 2
golden foreign foreign.cubex
golden hostile hostile.cubex
golden untimed untimed.cubex
golden off off.cubex
golden recursion recursion.cubex
golden callers run.cubex --callers MPI_Waitall
golden rank run.cubex --rank 2 --metric bytes_sent --top 4
golden threads-ranks run.cubex --threads main
golden threads-metric run.cubex --threads main --metric bytes_sent
golden all run.cubex --all
verdict
