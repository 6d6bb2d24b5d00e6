#!/bin/sh
# Bad input: one clear line, and the right exit code.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"

make_fixture run run.cubex

# The command line
refused "unknown option" 2 '^fathom report: --bogus: no such option; see fathom report --help$' "$report" --bogus
refused "unknown letter" 2 '^fathom report: -x: no such option' "$report" -x run.cubex
refused "missing value" 2 '^fathom report: --metric: needs a value' "$report" run.cubex --metric
refused "value too many" 2 '^fathom report: --flat=3: takes no value' "$report" --flat=3
refused "two files, which are compared" 1 '^fathom diff: a.cubex: No such file or directory' "$report" a.cubex b.cubex
refused "depth" 2 '^fathom report: --depth x: not a whole number from 1 to ' "$report" --depth x
refused "depth 0" 2 '^fathom report: --depth 0: not' "$report" --depth 0
refused "top" 2 '^fathom report: --top -1: not a whole number from 0' "$report" --top -1
refused "huge" 2 '^fathom report: --top 99999999999999999999: not' "$report" --top 99999999999999999999
refused "min" 2 '^fathom report: --min 101: not a percentage from 0 to 100' "$report" --min 101
refused "min nan" 2 '^fathom report: --min nan: not a percentage' "$report" --min nan
refused "rank" 2 '^fathom report: --rank one: not a whole number' "$report" --rank one
refused "width" 2 '^fathom report: --width 79: not a whole number from 80 to 1000' "$report" --width 79
refused "color" 2 '^fathom report: --color=red: not one of auto, always, never' "$report" --color=red
refused "flat callers" 2 'choose one' "$report" --flat --callers main run.cubex
refused "json flat" 2 '^fathom report: --json shows everything: leave out --flat' "$report" --flat --json run.cubex

refused "sort json" 2 '^fathom report: --sort and --json: only the list of regions and the call tree' "$report" --sort name --json run.cubex
refused "sort" 2 "run.cubex: no metric vists \(did you mean visits\? there are: visits, .*, name\)" "$report" --sort vists run.cubex
refused "column callers" 2 '^fathom report: --column and --callers: only the list of regions has this column' "$report" --column max_time --callers main run.cubex
refused "column loops" 2 '^fathom report: --column and --loops: only the list' "$report" --column max_time --loops run.cubex
refused "column" 2 "run.cubex: no metric max_tim \(did you mean max_time\? there are: visits, " "$report" --column max_tim run.cubex
refused "column and sort" 2 'no metric vists' "$report" --column max_tim --sort vists run.cubex

# What the profile does not have
refused "metric" 2 "run.cubex: no metric bytes_snt \(did you mean bytes_sent\? there are: visits, time, " "$report" --metric bytes_snt run.cubex
refused "far metric" 2 'no metric zzz \(there are: visits, ' "$report" --metric zzz run.cubex
refused "rank" 1 '^fathom report: run.cubex: there is no rank 4 in it \(ranks 0 to 3\)$' "$report" --rank 4 run.cubex
refused "region" 1 'no region MPI_Isent was called \(did you mean MPI_Isend\?\)' "$report" --callers MPI_Isent run.cubex
refused "far region" 1 'no region qqqqqqqqqqqqqqqqqqqqqqqqq was called \(--flat lists' "$report" --callers qqqqqqqqqqqqqqqqqqqqqqqqq run.cubex
refused "callers of minima" 1 'min_time: minima and maxima cannot' "$report" --callers main --metric min_time run.cubex

# Files
refused "no file" 1 '^fathom report: nowhere.cubex: No such file' "$report" nowhere.cubex
echo hello > text.cubex
refused "no profile" 1 '^fathom report: text.cubex: ' "$report" text.cubex
: > empty.cubex
refused "empty file" 1 '^fathom report: empty.cubex: ' "$report" empty.cubex
size=$(wc -c < run.cubex)
for part in 1 2 3 5 8; do
	head -c $((size * part / 10)) run.cubex > cut.cubex
	"$report" cut.cubex > out 2> err
	same "cut at $part/10: exit code" 1 $?
	same "cut at $part/10: lines" 1 "$(wc -l < err)"
	contains "cut at $part/10" "$(cat err)" '^fathom report: cut.cubex: '
done
if [ "$(id -u)" -ne 0 ]; then
	cp run.cubex secret.cubex
	chmod 000 secret.cubex
	refused "unreadable" 1 '^fathom report: secret.cubex: Permission denied' "$report" secret.cubex
fi

# Directories
mkdir none
refused "empty directory" 1 '^fathom report: none: no experiment in it \(neither profile.cubex nor directories fathom-\*\)' "$report" none
(cd none && refused "empty present directory" 1 '^fathom report: this directory: no experiment in it' "$report")
FATHOM_DIR=nowhere refused "no FATHOM_DIR" 1 '^fathom report: nowhere: No such file' "$report"
mkdir ranks
cp run.cubex ranks/rank-0.cubex
cp run.cubex ranks/rank-11.cubex
refused "ranks only" 1 '^fathom report: ranks: holds what 2 ranks saved alone, not yet a profile; put them together with: fathom merge ranks$' "$report" ranks
mkdir unfinished
: > unfinished/profile.cubex.part
refused "unfinished" 1 '^fathom report: unfinished: holds an unfinished profile only' "$report" unfinished
verdict
