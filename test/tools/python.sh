#!/bin/bash
# fathom.py: Python reads profiles as fathom report does; the examples of its page run, with pandas and without.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
export PYTHONPATH=$srcdir/tools/python PYTHONDONTWRITEBYTECODE=1

# compare NAME PROFILE
compare()
{
	"$report" --json "$2" > "$1.json" 2> err || { bad "$1: no report: $(cat err)"; return; }
	"$PYTHON3" "$srcdir/test/tools/python.py" "$2" "$1.json" > said 2>&1 || bad "$1: $(cat said)"
}
for kind in run foreign off hostile partial untimed; do
	make_fixture $kind $kind.cubex
	compare $kind $kind.cubex
done
make_fixture recursion 300 recursion.cubex
compare recursion recursion.cubex
for file in "$shared"/data/*/*.cubex "$shared"/reference/cubex-example/*.cubex; do
	[ -f "$file" ] || continue
	case $file in */exotic.cubex | */derived.cubex | */tasks-thread_tuple/*) continue ;; esac	# no metric visits; odd times
	compare "$(basename "$(dirname "$file")")" "$file"
done

# Example files of the format: other types, orders of bytes, compressed values; against the list of their stored values.
if [ -d "$shared/reference/cubex-example" ]; then
	"$PYTHON3" - "$shared/reference/cubex-example" << 'PY' > said 2>&1 || bad "example files: $(tail -1 said)"
import csv, glob, sys
import fathom
compared = 0
for name in glob.glob(sys.argv[1] + "/*.cubex"):
    with fathom.open(name) as profile, open(name[:-6] + ".expected.csv") as file:
        paths = {p.file_id: p for p in profile.call_paths}
        for metric, path, location, value in csv.reader(file, delimiter=";"):
            try:
                expected = float(value)
            except ValueError:
                continue
            if profile.metric(metric).kind == "sum":
                found = profile._row(profile.metric(metric), paths[int(path)])[int(location)]
                assert abs(found - expected) <= 1e-9 * abs(expected), (name, metric, path, location, found, value)
                compared += 1
assert compared > 100, compared
PY
fi

# Bad input is a fathom.Error of one line.
cat > wrong.py << 'PY'
import sys
import fathom
try:
    profile = fathom.open(sys.argv[1])
    profile.total(sys.argv[2])
except fathom.Error as error:
    text = str(error)
    assert "\n" not in text and sys.argv[3] in text, text
else:
    raise SystemExit("accepted")
PY
echo text > text.cubex
head -c 9000 run.cubex > short.cubex
mkdir empty
wrong() { "$PYTHON3" wrong.py "$@" > said 2>&1 || bad "$*: $(tail -1 said)"; }
wrong none.cubex time 'none.cubex: No such file'
wrong text.cubex time 'text.cubex: no profile'
wrong short.cubex time 'short.cubex: no profile'
wrong empty time 'empty: has no profile'
wrong run.cubex cycles 'has no metric cycles (visits'
# Any byte may be wrong: an error, or values, but no other exception.
"$PYTHON3" - run.cubex << 'PY' > said 2>&1 || bad "damaged: $(tail -3 said)"
import random, sys
import fathom
good, random = open(sys.argv[1], "rb").read(), random.Random(1)
for _ in range(60):
    data = bytearray(good)
    for _ in range(random.randrange(1, 4)):
        data[random.randrange(len(data))] = random.randrange(256)
    open("damaged.cubex", "wb").write(data)
    try:
        with fathom.open("damaged.cubex") as profile:
            profile.table("call_tree")
            profile.table("locations")
    except fathom.Error:
        pass
PY

# The examples of the page, in the directory of the run that it is about.
mkdir heat.exp
cp run.cubex heat.exp/profile.cubex
"$PYTHON3" -c 'import pandas, numpy' 2> err && has_pandas=yes || { has_pandas=no; left_out "fathom.py with pandas (Debian: python3-pandas)"; }
count=$(grep -c '^```python$' "$srcdir/doc/guides/python.md")
[ "$count" -ge 4 ] || bad "doc/guides/python.md has $count examples"
for n in $(seq "$count"); do
	awk -v n="$n" '/^```python$/ { on = 1; i++; next } /^```$/ { on = 0; next } on && i == n' "$srcdir/doc/guides/python.md" > "example$n.py"
	grep -qE 'frame\(|array\(' "example$n.py" && [ $has_pandas = no ] && continue
	"$PYTHON3" "example$n.py" > "example$n.out" 2>&1 || bad "example $n of doc/guides/python.md: $(tail -1 "example$n.out")"
	[ -s "example$n.out" ] || bad "example $n of doc/guides/python.md prints nothing"
done
contains "the first example" "$(cat example1.out)" '^ *11\.328 s  heat::step'
if [ $has_pandas = no ]; then
	"$PYTHON3" -c 'import fathom; fathom.open("run.cubex").frame("regions")' 2> err && bad "a frame without pandas"
	contains "a frame without pandas" "$(cat err)" 'ModuleNotFoundError'
fi
verdict
