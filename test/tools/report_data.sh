#!/bin/sh
# Profiles that another system made: all can be reported, in 80 columns, with its values.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"

[ -d "$shared/data" ] || skip "no profiles of another system (../shared/data)"
count=0
for profile in "$shared"/data/*/profile.cubex "$shared"/reference/cubex-example/*.cubex; do
	[ -f "$profile" ] || continue
	count=$((count + 1))
	for options in '' --all '--metric visits' '--rank 0' --flat; do
		LC_ALL=C COLUMNS=80 works "$report" "$profile" $options
		cat out >> all.txt
	done
	LC_ALL=C.UTF-8 COLUMNS=80 works "$report" "$profile"
	cat out >> all.txt
	COLUMNS=80 works "$report" --json "$profile"
	"$PYTHON3" -c 'import json; json.load(open("out", encoding="utf-8"))' || bad "$profile: no JSON"
done
fits "reports of other systems' profiles" 80 all.txt
[ $count -ge 8 ] || bad "only $count profiles"

# The values, against the independent reader (inclusive, as Cube shows them).
oracle=$shared/oracle/check_cubex.py
for run in lulesh mix tasks; do
	profile=$shared/data/$run-profile/profile.cubex
	[ -f "$profile" ] && [ -f "$oracle" ] || continue
	"$PYTHON3" "$oracle" --values time --call-tree excl --csv --ids "$profile" > expected.csv
	works "$report" --json "$profile"
	"$PYTHON3" - "$run" <<'PY' || bad "$run: other values"
import csv, json, sys
expected = {}
for row in csv.reader(open("expected.csv"), delimiter=";"):
    try:
        cnode, value = int(row[0]), float(row[2])
    except (ValueError, IndexError):
        continue
    expected[cnode] = expected.get(cnode, 0) + value
tree = json.load(open("out"))["call_tree"]
# Ids in the file need not be in the order of the document; as sets they are the same.
got = sorted(node["exclusive"].get("time", 0) for node in tree)
want = sorted(expected.values())
assert len(got) == len(want), (len(got), len(want))
for a, b in zip(got, want):
    assert abs(a - b) <= 1e-9, (a, b)
PY
done
verdict
