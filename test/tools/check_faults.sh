#!/bin/sh
# fathom check finds each fault that make_trace can plant, says what it is, and nothing besides what follows from it.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"
need_otf2

make_trace list all | sort -u > planted
cut -d '|' -f 1 "$srcdir/test/tools/golden/faults.txt" > expected
diff expected planted > differ || { cat differ >&2; bad "faults that are not in golden/faults.txt, or not planted any more"; }

while IFS='|' read -r fault _; do
	make_trace "$fault" "$fault"
	"$check" --json "$fault" > "$fault.json" 2> "$fault.err"
	echo $? > "$fault.code"
	[ -s "$fault.err" ] && bad "$fault: says on stderr: $(cat "$fault.err")"
	rm -rf "$fault"
done < "$srcdir/test/tools/golden/faults.txt"

# Which kinds of faults are said, exactly, and the text of the first.
"$PYTHON3" - "$srcdir/test/tools/golden/faults.txt" << 'END' || bad "faults are not found as they should be"
import json, re, sys
wrong = 0
for line in open(sys.argv[1]):
    fault, kinds, text = line.rstrip("\n").split("|")
    code = int(open(fault + ".code").read())
    result = json.load(open(fault + ".json"))
    found = ",".join(sorted(result["faults_by_kind"]))
    first = result["faults"][0]["text"] if result["faults"] else ""
    if "TIME" in text:
        first = re.sub(r"\b1\d{3}\b", "TIME", first)
    count = sum(result["faults_by_kind"].values())
    if (found, first, code, result["good"], result["fault_count"]) != (kinds, text, int(kinds != ""), kinds == "", count):
        print("%s: expected %r (%s), got %r (%s), exit code %d" % (fault, kinds, text, found, first, code))
        wrong += 1
    if len(result["faults"]) != min(count, 10):
        print("%s: %d faults, %d of them shown" % (fault, count, len(result["faults"])))
        wrong += 1
sys.exit(wrong > 0)
END
verdict
