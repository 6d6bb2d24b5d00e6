#!/bin/bash
# fathom view of runs of several sizes: the page has the efficiencies, losses and models of fathom scaling, and the losses are
# metrics of the call tree.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
. "$srcdir/test/tools/browser.sh"
scaling=$builddir/fathom-scaling make_table=$builddir/test/tools/make_table
export TMPDIR=$work/tmp
mkdir "$TMPDIR"

# run_of RANKS SOLVE EXCHANGE IO FILE: a profile whose ranks all take so many seconds
run_of()
{
	printf '%s\n' 'main compiler function time=0 visits=1' "main>solve compiler function time=$2 visits=1" \
		"main>solve>exchange mpi point2point time=$3 visits=$1" "main>io compiler function time=$4 visits=1" |
		"$make_table" "$1" "$5" || die "make_table $5"
}

# scaled NAME RUN...: the page of the runs, with the numbers of fathom scaling
scaled()
{
	local name=$1
	shift
	"$scaling" --json -o "$name.cubex" "$@" > "$name.json" 2> err || { bad "$name: $(cat err)"; return; }
	"$report" --json "$name.cubex" > "$name.losses" 2> err || bad "$name: no report of the losses: $(cat err)"
	"$view" --scaling -o "$name.html" "$@" > out 2> err || { bad "$name: exit $?: $(cat err)"; return; }
	same "$name: temporary files that stay" "" "$(ls "$TMPDIR")"
	"$PYTHON3" - "$name" << 'PY' > expected.json || bad "$name: no values to compare with"
import json, sys
scaling, losses = (json.load(open(sys.argv[1] + ending)) for ending in (".json", ".losses"))
tree = {}
names = []
for node in losses["call_tree"]:
    names.append((names[node["parent"]] + " > " if node["parent"] is not None else "") + node["name"])
    tree[names[-1]] = {part: node[part].get("scaling_loss") or 0 for part in ("exclusive", "inclusive")}
print(json.dumps({"sizes": scaling["sizes"], "broken": scaling["first_broken"], "paths": scaling["call_paths"], "growing": scaling["growing"], "model": scaling["model"], "tree": tree}))
PY
	in_browser "$name" "$name.html" view_scaling.js expected.json
}

# Strong scaling from 4 to 16 ranks: the known answer of test/tools/scaling.sh.
run_of 4 80 15 5 s4.cubex
run_of 16 22 13 5 s16.cubex
scaled two s16.cubex s4.cubex
# Five sizes, with models: exchange grows with p, solve falls with 1 / p.
for ranks in 1 2 4 8 16; do run_of $ranks $((160 / ranks)) $ranks 5 "m$ranks.cubex"; done
scaled five m1.cubex m2.cubex m4.cubex m8.cubex m16.cubex

# Three names are runs of several sizes; the page is in the directory of the largest.
mkdir small large
cp m2.cubex small/profile.cubex
cp m8.cubex large/profile.cubex
works "$view" large small m1.cubex
contains "the page of three runs" "$(cat out)" 'large/scaling.html'

refused "one run" 2 '--scaling: at least two runs' "$view" --scaling m1.cubex
refused "one size" 1 'size' "$view" --scaling m1.cubex m1.cubex
refused "no such run" 1 'none.cubex: No such file' "$view" m1.cubex m2.cubex none.cubex
same "temporary files that stay" "" "$(ls "$TMPDIR")"
verdict
