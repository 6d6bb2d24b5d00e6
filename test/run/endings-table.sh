#!/bin/bash
# The table of endings (test/run/endings/table): a process ends as it would without fathom, and its result is there. What
# was lost once is tried 20 times. ENDINGS: only the ways that match this pattern (grep -E).
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
. "$srcdir/test/run/endings/lib.sh"
build_ways
build_others
try_table "${ENDINGS:-}"
[ "${ENDINGS:-}" ] || try_surroundings
echo "$runs runs"
verdict
