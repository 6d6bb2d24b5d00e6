#!/bin/bash
# The table of endings (test/run/endings/table): a process ends as it would without fathom, and its result is there. What
# was lost once is tried 20 times.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
. "$srcdir/test/run/endings/lib.sh"
build_ways
try_table 1 "${ENDINGS:-}"
verdict
