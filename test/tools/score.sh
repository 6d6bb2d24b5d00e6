#!/bin/sh
# fathom score on profiles whose answers are known beforehand.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"
score=$builddir/fathom-score

# field FILE EXPRESSION: of the JSON document d
field() { "$PYTHON3" -c 'import json, sys; d = json.load(open(sys.argv[1])); R = {r["name"]: r for r in d["regions"]}; print(eval(sys.argv[2]))' "$1" "$2"; }

# heat::step: 1000 visits on each of 4 ranks, enter and leave with a time stamp (9), a type and a region of one byte.
make_fixture run run.cubex
works "$score" --json run.cubex
mv out run.json
step='R["heat::step(heat::Grid<double, 3>&)"]'
same "bytes of a function" 96000 "$(field run.json "$step['bytes']")"
same "events of a function" 8000 "$(field run.json "$step['events']")"
same "a function without communication" False "$(field run.json "$step['relevant']")"
same "the function around messages" True "$(field run.json 'R["heat::exchange(heat::Grid<double, 3>&)"]["relevant"]')"
same "those around that" True "$(field run.json 'R["heat::solve(heat::Grid<double, 3>&, int)"]["relevant"] and R["main"]["relevant"]')"
# A message of two: isend 2 + peer 1.75 + comm 1 + tag 2 + bytes 3 + request 2; its completion 9 + 2 + 2.
same "messages with their completion" 2000 "$(field run.json 'R["MPI_Isend"]["visits"] // 4')"
same "records of a send" 32000 "$(field run.json 'R["MPI_Isend"]["events"]')"
same "all processes are the total" True "$(field run.json 'abs(sum(p["bytes"] for p in d["processes"]) - d["total"]["bytes"]) < 1')"
same "activities and frames are the total" True "$(field run.json '0 <= d["total"]["bytes"] - sum(d["bytes_by_activity"].values()) < 200')"
same "regions are the activities" True "$(field run.json 'abs(sum(r["bytes"] for r in d["regions"]) - sum(d["bytes_by_activity"].values())) < 1')"
same "nothing short-lived: no filter" 0 "$(field run.json 'd["dropped"]["bytes"]')"

# With a limit, the largest that leads nowhere goes first; what leads to messages never does.
works "$score" --json --limit 280k run.cubex
mv out limit.json
same "the largest goes" True "$(field limit.json "$step['dropped']")"
same "and nothing else is needed" 1 "$(field limit.json 'sum(r["dropped"] for r in d["regions"])')"
same "within the limit" True "$(field limit.json 'd["within_limit"] and d["largest_process_bytes_with_filter"] <= 280000')"
same "what remains is what was left off" True "$(field limit.json 'abs(d["largest_process_bytes"] - 24000 - d["largest_process_bytes_with_filter"]) < 1')"
works "$score" --json --limit 1k run.cubex
mv out tight.json
same "a limit out of reach" False "$(field tight.json 'd["within_limit"]')"
same "paths to messages stay" 0 "$(field tight.json 'sum(r["dropped"] and r["relevant"] for r in d["regions"])')"
works "$score" --limit 1k run.cubex
contains "that is said" "$(cat out)" 'more than 1000 B|more than 1.000 kB'
works "$score" --limit 1G run.cubex
contains "none needed" "$(cat out)" 'None is needed'

# The filter is in fathom's syntax, and nothing is overwritten.
works "$score" --limit 280k --write rules run.cubex
same "one rule" 1 "$(grep -c '^[^#]' rules)"
same "the rule" 'exclude heat::step(heat::Grid<double, 3>&)' "$(grep '^[^#]' rules)"
cp rules before
refused "an existing filter" 1 'rules: exists already' "$score" --write rules run.cubex
cmp -s rules before || bad "the existing filter was changed"
refused "no directory for it" 1 'nowhere/rules: No such file' "$score" --write nowhere/rules run.cubex
if [ -f "$builddir/instrument/gcc-plugin/.libs/fathom_gcc_plugin.so" ]; then
	echo 'int main(void) { return 0; }' > empty.c
	"$FATHOM" --filter=rules "$CC" -c empty.c -o empty.o || bad "the driver does not take the filter"
fi

# Every file that the report reads; no line is too long.
for kind in foreign hostile partial untimed 'recursion 2000' 'chain 300' 'wide 20'; do
	# shellcheck disable=SC2086
	rm -f any.cubex
	make_fixture $kind any.cubex
	works "$score" any.cubex
	fits "$kind" 80 out
	works "$score" --write any.rules --limit 10 any.cubex
	fits "$kind with a limit" 80 out
	awk '!/^(#|exclude |$)/ { exit 1 }' any.rules || bad "$kind: odd lines in the filter: $(cat any.rules)"
	works "$score" --json any.cubex
	"$PYTHON3" -m json.tool out > /dev/null || bad "$kind: no JSON"
	rm -f any.rules
done
# A recursion takes the time of its outermost visit: tiny functions that call themselves are found.
rm -f any.cubex
make_fixture recursion 50 any.cubex
works "$score" --json any.cubex
same "a recursion's time" True "$(field out 'max(r["seconds"] for r in d["regions"]) == [r for r in d["regions"] if r["paradigm"] == "measurement"][0]["seconds"]')"

refused "a size" 2 'limit 3x: not a size' "$score" --limit 3x run.cubex
refused "no size" 2 'limit 0: not a size' "$score" --limit 0 run.cubex
refused "a width" 2 'width 20: not a whole number from 80' "$score" --width 20 run.cubex
refused "an option" 2 'nonsense' "$score" --nonsense run.cubex
refused "two files" 2 'one directory or file at a time' "$score" run.cubex run.cubex
refused "no such file" 1 'missing: No such file' "$score" missing
echo text > text.cubex
refused "no profile" 1 'text.cubex' "$score" text.cubex
# Integers that are read as floating-point numbers, for the file does not say what they are: there is an end, and it is said.
cat > retype.py <<'P'
import io, re, sys, tarfile
source, target, metric, dtype = sys.argv[1:]
with tarfile.open(source) as old, tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as new:
    for member in old:
        data = old.extractfile(member).read()
        if member.name == "anchor.xml":
            text = data.decode()
            at = text.index("<uniq_name>" + metric + "</uniq_name>")
            data = (text[:at] + re.sub("<dtype>.*?</dtype>", dtype, text[at:], count=1)).encode()
        member.size = len(data)
        new.addfile(member, io.BytesIO(data))
P
"$PYTHON3" retype.py run.cubex untyped.cubex messages_received '' || bad "retype"
refused "a metric without a type" 1 '^fathom score: untyped.cubex: the metric messages_received has a value that is no count \(' \
	timeout 60 "$score" untyped.cubex
"$PYTHON3" retype.py run.cubex signed.cubex messages_received '<dtype>INT64</dtype>' || bad "retype"
works "$score" signed.cubex

works "$score" --help
fits "help" 80 out
"$score" run.cubex > /dev/full 2> err
same "a full disk" 1 $?
verdict
