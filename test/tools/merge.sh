#!/bin/sh
# fathom merge: the ranks' own profiles become one with all their values.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"

mkdir run
for rank in 0 1 2; do make_fixture rank $rank 5 run/rank-$rank.cubex; done
works "$merge" run
same "what it says" "run/profile.cubex: 3 ranks put together; of 5, 2 left nothing" "$(cat out)"
check_profile run/profile.cubex
works "$report" --json run/profile.cubex
cat > check.py <<'PY'
import json
whole = json.load(open("out"))
parts = [json.load(open("rank-%d.json" % rank)) for rank in range(3)]

def paths(document):
    names, values = [], {}
    for node in document["call_tree"]:
        path = (names[node["parent"]] if node["parent"] is not None else ()) + (node["name"],)
        names.append(path)
        values[path] = node["exclusive"]
    return values

# Every call path of every rank, its values added up, the extremes kept; nothing else.
expected = {}
for part in parts:
    for path, values in paths(part).items():
        sums = expected.setdefault(path, {})
        for name, value in values.items():
            if name == "min_time":
                sums[name] = min(sums.get(name, value), value)
            elif name == "max_time":
                sums[name] = max(sums.get(name, value), value)
            else:
                sums[name] = sums.get(name, 0) + value
assert paths(whole) == expected, (paths(whole), expected)
assert len(whole["call_tree"]) == 8
assert [(b["rank"]) for b in sorted(whole["balance"], key=lambda b: b["rank"])] == [0, 1, 2]
for b in whole["balance"]:
    assert b["time"] == parts[b["rank"]]["summary"]["time"]
attributes = whole["attributes"]
assert whole["summary"]["ranks"] == 3 and whole["summary"]["threads"] == 4
assert attributes["fathom::ranks_missing"] == "2"
assert attributes["fathom::complete"] == ("no: the ranks ended early, each for a reason of its own (rank 0: another "
    "rank ended the program); ranks 3 and 4 left nothing"), attributes["fathom::complete"]
assert attributes["fathom::wall_time"] == "3.500000"
assert attributes["fathom::events"] == "200"
assert attributes["fathom::event_cost_ns"] == "25.000000"
assert attributes["fathom::dropped_nodes"] == "14"
# Rank 0 has four processors of its own; those of host b share one, three threads of two ranks.
assert whole["summary"]["processor_time"] == 3.75 and whole["summary"]["processors"] == 5
assert whole["summary"]["sharing"] == {"nodes": 1, "processors": 1, "processes": 2, "threads": 3}, whole["summary"]
assert "fathom::rank_processors" not in attributes
assert "fathom::rank" not in attributes and "fathom::size" not in attributes
PY
for rank in 0 1 2; do "$report" --json run/rank-$rank.cubex > rank-$rank.json || bad "rank $rank"; done
"$PYTHON3" check.py || bad "merged values are wrong"

# Each rank's column is that rank's, too.
for rank in 0 1 2; do
	"$report" --rank $rank --flat --metric visits run/profile.cubex | sed 1,3d > merged
	"$report" --flat --metric visits run/rank-$rank.cubex | sed 1,3d > own
	awk '{ print $2, $5 }' merged | sort > merged.rows
	awk '{ print $2, $5 }' own | sort > own.rows
	cmp -s merged.rows own.rows || bad "rank $rank reads otherwise when merged"
done

# Never overwritten; the same again is the same; the order in the directory does not matter.
cp run/profile.cubex first.cubex
refused "exists" 1 '^fathom merge: run/profile.cubex: exists already \(remove it, or choose another name with -o\)$' "$merge" run
cmp -s first.cubex run/profile.cubex || bad "the existing profile was touched"
works "$merge" -o again.cubex run/
cmp -s first.cubex again.cubex || bad "the same files gave another profile"
refused "-o exists" 1 'again.cubex: exists already' "$merge" -o again.cubex run
mkdir other
for rank in 2 0 1; do cp -p run/rank-$rank.cubex other; done
works "$merge" other
cmp -s first.cubex other/profile.cubex || bad "another directory gave another profile"
ls run | grep -q part && bad "something is left behind"

# All ranks there.
mkdir full
for rank in 0 1 2; do make_fixture rank $rank 3 full/rank-$rank.cubex; done
works "$merge" full
same "all ranks" "full/profile.cubex: 3 ranks put together" "$(cat out)"
works "$report" full
contains "incomplete all the same" "$(cat out)" 'NOT complete'
same "none missing" 0 "$(grep -c 'left no data' out)"

# One rank alone.
mkdir one
make_fixture rank 1 2 one/rank-1.cubex
works "$merge" one
contains "one rank" "$(cat out)" '1 rank put together; of 2, 1 left nothing'
works "$report" one
contains "who is missing" "$(cat out)" 'Not complete: another rank ended the program; rank 0 left nothing'

# More ranks than are open at a time.
mkdir many
rank=0
while [ $rank -lt 70 ]; do
	make_fixture rank $rank 70 many/rank-$rank.cubex
	rank=$((rank + 1))
done
(ulimit -n 80; works "$merge" many) || bad "many ranks"
check_profile many/profile.cubex
works "$report" --json many
"$PYTHON3" -c '
import json
document = json.load(open("out"))
assert document["summary"]["ranks"] == 70
main = document["call_tree"][1]
# Rank 1 has two threads.
assert main["exclusive"]["time"] == (sum(64 + 16 * rank for rank in range(70)) + 64 + 16) / 1024
assert main["exclusive"]["visits"] == 71
' || bad "70 ranks: values"

# Bad input
mkdir none
refused "nothing there" 1 '^fathom merge: none: no rank-0.cubex, rank-1.cubex, ... in it' "$merge" none
refused "no directory" 1 '^fathom merge: nowhere: No such file' "$merge" nowhere
refused "no argument" 2 '^fathom merge: a directory is missing' "$merge"
refused "two arguments without a name for the result" 2 '^fathom merge: other: a second run; the name of the new file is missing: -o FILE.cubex' "$merge" run other
refused "option" 2 '^fathom merge: --farce: no such option' "$merge" --farce run
refused "output name" 2 '^fathom merge: -o out.txt: the name must end in .cubex' "$merge" -o out.txt run
refused "output place" 1 '^fathom merge: nowhere/x.cubex: cannot be made: No such file' "$merge" -o nowhere/x.cubex run
mkdir damaged
cp run/rank-0.cubex damaged
head -c 3000 run/rank-1.cubex > damaged/rank-1.cubex
refused "damaged" 1 '^fathom merge: damaged/rank-1.cubex: .*without this file' "$merge" damaged
mkdir twice
cp run/rank-0.cubex twice/rank-0.cubex
cp run/rank-0.cubex twice/rank-00.cubex
refused "twice" 1 '^fathom merge: twice/rank-00?.cubex: the same rank as twice/rank-00?.cubex' "$merge" twice
mkdir renamed
cp run/rank-0.cubex renamed/rank-7.cubex
refused "renamed" 1 '^fathom merge: renamed/rank-7.cubex: is of rank 0, not 7' "$merge" renamed
mkdir odd
cp run/rank-0.cubex odd
make_fixture odd 1 3 odd/rank-1.cubex
refused "other type" 1 '^fathom merge: odd/rank-1.cubex: metric visits is of another type' "$merge" odd
mkdir whole
make_fixture run whole/rank-0.cubex
refused "several processes" 1 '^fathom merge: whole/rank-0.cubex: holds 4 processes, not one' "$merge" whole
mkdir left
cp run/rank-0.cubex left
: > left/profile.cubex.part
refused "left over" 1 '^fathom merge: left/profile.cubex.part: left by a program' "$merge" left
for directory in none damaged twice renamed odd whole; do
	[ ! -e $directory/profile.cubex ] || bad "$directory: a profile was made"
	[ ! -e $directory/profile.cubex.part ] || bad "$directory: a part was left"
done
works "$merge" --help
fits "--help" 80 out
contains "--version" "$("$merge" --version)" '^fathom [0-9]'
verdict
