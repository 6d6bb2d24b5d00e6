#!/bin/sh
# Which experiment is meant.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"

make_fixture run run.cubex
experiment_at() { mkdir "$1" && cp run.cubex "$1/profile.cubex" && touch -d "$2" "$1/profile.cubex" "$1"; }
shown() { sed -n 's/^File *//p' out; }

# The date in the name counts, not that of the file (it may have been copied).
experiment_at fathom-heat-20261120-1432-7f3a 2026-11-25
experiment_at fathom-heat-20261121-0900-0001 2026-11-21
works "$report"
same "newest by name" fathom-heat-20261121-0900-0001/profile.cubex "$(shown)"

# Within a minute, the file's.
experiment_at fathom-heat-20261121-0900-ffff 2026-11-20
works "$report"
same "newest within a minute" fathom-heat-20261121-0900-0001/profile.cubex "$(shown)"

# A name without a date: the file's date.
experiment_at fathom-mine 2026-11-22
works "$report"
same "newest without a date" fathom-mine/profile.cubex "$(shown)"
experiment_at fathom-20261340-9999-zzzz 2020-01-01
mkdir fathom-nothing-20991231-2359-0000
: > fathom-file-20991231-2359-0000
mkdir other && cp run.cubex other/profile.cubex
works "$report"
same "what is no experiment" fathom-mine/profile.cubex "$(shown)"

# By name: directory, file, directory of experiments, FATHOM_DIR
works "$report" other
same "directory" other/profile.cubex "$(shown)"
works "$report" other///
same "directory with slashes" other/profile.cubex "$(shown)"
works "$report" other/profile.cubex
same "file" other/profile.cubex "$(shown)"
mkdir results && mv fathom-heat-20261120-1432-7f3a results
works "$report" results
same "directory of experiments" results/fathom-heat-20261120-1432-7f3a/profile.cubex "$(shown)"
FATHOM_DIR=results works "$report"
same "FATHOM_DIR" results/fathom-heat-20261120-1432-7f3a/profile.cubex "$(shown)"
FATHOM_DIR=results works "$report" other
same "FATHOM_DIR gives way" other/profile.cubex "$(shown)"

# A rank that went on after the others had finished.
cp run.cubex other/rank-12.cubex
works "$report" other
contains "a rank's own file" "$(cat out)" '^! What 1 rank did long after MPI_Finalize is in a file of its own only \(fathom$'
contains "where it is" "$(cat out)" '^  report other/rank-12.cubex\).$'
cp run.cubex other/rank-3.cubex
(cd other && works "$report" profile.cubex && contains "two of them" "$(cat out)" 'fathom report rank-3.cubex') || bad "two files"
works "$report" other/rank-3.cubex
same "itself is not beside it" 1 "$(grep -c 'What 1 rank did' out)"

# The newest was not put together yet.
mkdir fathom-heat-20270101-0000-0000 && cp run.cubex fathom-heat-20270101-0000-0000/rank-3.cubex
refused "newest has ranks only" 1 'put it together with: fathom merge fathom-heat-20270101-0000-0000$' "$report"
verdict
