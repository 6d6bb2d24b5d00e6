#!/bin/bash
# fathom report --lines and --loops: samples by address become lines, inlined functions and loops.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"
have objdump readelf || skip "no binutils"
source=$srcdir/test/symbols/nest.c
line() { grep -n "/\* $1 \*/" "$source" | cut -d: -f1; }
has_loops() { grep -q '^#define HAVE_ZYDIS 1' "$builddir/config.h"; }

# take PROGRAM FUNCTION...: samples at all instructions of these functions; see make_samples.py.
mkdir run
make_fixture run run/profile.cubex
take() { "$PYTHON3" "$srcdir/test/symbols/make_samples.py" "$@" > run/samples.txt; }

# leaf and call of the known sums by line, from the file of samples itself: sum METRIC [ADDRESS...]
total() { awk -v event="$1" '$1 == "leaf" && $2 == event { sum += $7 } END { printf "%.3f", sum }' run/samples.txt; }

"${CC:-gcc}" -g -O1 "$source" -o nest || die "nest.c cannot be compiled"
take "$PWD/nest" main

works "$report" --lines main run
fits "--lines" 80 out
contains "the head" "$(cat out)" '^Lines of main .*nest\.c:[0-9]+, own time [0-9.]+% of all$'
contains "a line with its text" "$(cat out)" "^ +[0-9.]+% +[0-9.]+ m?s +[0-9]+ .* $(line ROUNDS)  +for \(int i = 0"
contains "a line without samples" "$(cat out)" "^ +$(($(line ROUNDS) - 2))  +double sum = 0;|^ .* $(($(line ROUNDS) - 2))  +double sum"
contains "the inlined function at its call" "$(grep -A1 "  sum += smooth" out)" '^ +[0-9.]+% .* inlined smooth'
contains "calls" "$(grep printf out)" '^ +[0-9.]+% +[0-9.]+ m?s +[0-9]+ +[0-9.]+% '
same "nothing is elsewhere" 0 "$(grep -c ' -  ' out)"
# All samples of main are at its lines: without the lines of inlined functions, they make its share of the whole.
sum=$(awk '/^ *[0-9.]+%/ && !/inlined/ { sum += $1 } END { printf "%.0f", sum }' out)
head=$(sed -n 's/.*own time \([0-9]*\).*% of all/\1/p' out)
[ $((sum - head)) -le 1 ] && [ $((head - sum)) -le 2 ] || bad "lines have $sum %, the function $head %"

works "$report" --json --lines main run
cat > check.py <<'PY'
import json
import sys

report = json.load(open(sys.argv[1]))
kind, source = sys.argv[2:4]
total = sum(float(line.split()[6]) for line in open("run/samples.txt") if line.startswith("leaf 0 "))
assert abs(report["value"] - total) < 1e-6 and report["event"] == "time" and report["without_places"] == []
if kind == "lines":
    assert report["fathom_report_lines"] == 1
    function, = report["functions"]
    assert function["name"] == "main" and function["file"].endswith("nest.c")
    lines = function["lines"]
    assert abs(sum(line["own"] for line in lines) - function["own"]) < 1e-9
    assert abs(function["own"] - total) < 1e-6 and sum(line["samples"] for line in lines) == report["samples"]
    text = open(source).read().split("\n")
    for line in lines:
        assert line["source"].split() == text[line["line"] - 1].split(), line
    call, = [line for line in lines if "/* CALL */" in line["source"]]
    assert [inlined["name"] for inlined in call["inlined"]] == ["smooth"] and call["inlined"][0]["own"] > 0
    assert any(line["calls"] > 0 for line in lines if "printf" in line["source"])
else:
    assert report["fathom_report_loops"] == 1 and len(report["loops"]) == int(sys.argv[4])
    deepest = max(report["loops"], key=lambda loop: len(loop["scopes"]))
    assert [scope["kind"] for scope in deepest["scopes"]] == ["loop", "inlined", "loop", "loop"]
    assert deepest["scopes"][1]["name"] == "smooth" and deepest["function"] == "main"
    assert deepest["path"].startswith("main > loop nest.c:") and deepest["module"].endswith("/nest")
    assert sum(loop["own"] for loop in report["loops"]) <= report["in_loops"] * (1 + 1e-9) <= total * (1 + 1e-9)
PY
"$PYTHON3" check.py out lines "$source" || bad "--json --lines: $(cat out)"
works "$report" --lines smooth run
contains "an inlined function by its name" "$(cat out)" "^ +[0-9.]+% .* $(line WORK)  +v \+= row"
works "$report" --lines 'smoo*' run
contains "a pattern" "$(head -n 1 out)" '^Lines of smooth '
works "$report" --lines main --metric PAPI_TOT_CYC run
contains "another event" "$(cat out)" '^ +own +value samples'
COLUMNS=132 works "$report" --lines main run
fits "--lines in 132 columns" 132 out

if has_loops; then
	works "$report" --loops run
	fits "--loops" 80 out
	same "the loops" "main > loop nest.c:$(line ROUNDS)
main > loop nest.c:$(line ROUNDS) > inlined smooth > loop nest.c:$(line ROWS)
main > loop nest.c:$(line ROUNDS) > inlined smooth > loop nest.c:$(line ROWS) > loop nest.c:$(line COLUMNS)" "$(
		COLUMNS=200 "$report" --loops run | sed -n 's/^ *[0-9.]*% .*% *main/main/p' | sort)"
	works "$report" --json --loops run
	"$PYTHON3" check.py out loops "$source" 3 || bad "--json --loops: $(cat out)"
	works "$report" --json --loops --top 1 run
	same "--json --loops --top 1" 1 "$(grep -c '^{"path"' out)"
	works "$report" --loops --top 1 run
	contains "--top" "$(cat out)" '1 of 3 loops'
	same "lines with --top" 1 "$(grep -c '^ *[0-9.]*% ' out)"
else
	refused "without Zydis" 1 'built without Zydis' "$report" --loops run
fi

# Two calls of one function that were inlined: their loops have different texts.
sed 's/sum += smooth(row, 64);/sum += smooth(row, 64) * smooth(row + 1, 63);/' "$source" > both.c
if has_loops && "${CC:-gcc}" -g -O1 both.c -o both; then
	take "$PWD/both" main
	COLUMNS=200 works "$report" --loops run
	same "loops with the same text" '' "$(sed -n 's/^ *[0-9.]*% .*% *main/main/p' out | sort | uniq -d)"
fi

# The source is found in the present directory, or it is missing.
mkdir -p far/src && cp "$source" far/src/moved.c
(cd far && "${CC:-gcc}" -g -O1 "$PWD/src/moved.c" -o ../moved) && take "$PWD/moved" main
mv far/src src
works "$report" --lines main run
contains "source by the end of its path" "$(cat out)" 'for \(int i = 0'
rm -r src
works "$report" --lines main run
contains "numbers without text" "$(cat out)" "^ +[0-9.]+% .* $(line ROUNDS)\$"
contains "no source" "$(cat out)" '^The source is not there'

# A program that is elsewhere now but the same; one that was rebuilt; one without anything.
take "$PWD/nest" main
mkdir elsewhere && sed -i 's,^module 0 \(.*\) .*,module 0 \1 /nowhere/nest,' run/samples.txt
works "$report" --lines main run
sed -i 's,^module 0 .* ,module 0 0123456789abcdef ,' run/samples.txt
refused "--lines of what is missing" 1 'no samples in a function main \(but /nowhere/nest is not there any more\)' "$report" --lines main run
take "$PWD/nest" main
"${CC:-gcc}" -g -O2 "$source" -o nest
refused "--lines of what was rebuilt" 1 'nest was rebuilt after this run' "$report" --lines main run
! has_loops || refused "--loops of what was rebuilt" 1 'nest: was rebuilt after this run' "$report" --loops run
take "$PWD/nest" main
address=$(awk '$1 == "leaf" { print $4; exit }' run/samples.txt)
strip nest
works "$report" --lines "0x$address in nest" run
contains "stripped: addresses" "$(cat out)" '^ +[0-9.]+% .* \+0x[0-9a-f]+$'
contains "stripped: why" "$(cat out)" '^There are no line numbers'
! has_loops || works "$report" --loops run
! has_loops || contains "stripped: loops" "$(cat out)" "0x$address in nest > loop \+0x"

# Names: twins are shown one after the other, different functions are not guessed at.
cat > twins.cc <<'T'
#include <cstdio>
#include <cstdlib>
__attribute__((noinline)) double work(double x) { return x * 2 + std::rand(); }
__attribute__((noinline)) double work(int x) { return x * 3 + std::rand(); }
namespace far { struct worker { template <class T> __attribute__((noinline)) T one(T x) { return x + std::rand(); } }; }
int main() { std::printf("%g\n", work(1) + work(1.5) + far::worker().one(2.5)); }
T
if have "${CXX:-g++}" && "${CXX:-g++}" -g -O1 twins.cc -o twins; then
	take "$PWD/twins" _Z4workd _Z4worki _ZN3far6worker3oneIdEET_S2_
	refused "several functions" 1 'several functions match \(give one of these names: work\((int|double)\), work\(' "$report" --lines work run
	COLUMNS=132 works "$report" --lines 'work(int)' run
	contains "one of them" "$(cat out)" 'return x \* 3'
	works "$report" --lines far::worker::one run
	contains "a template by its short name" "$(head -n 1 out)" '^Lines of far::worker::one '
	# Inlined in one place and called in another: both have samples, under names with and without arguments.
	cat > partly.cc <<'T'
#include <cstdio>
#include <cstdlib>
static double half(double x)
{
	return x / (2 + std::rand());
}
double (*pointer)(double) = half;
int main() { std::printf("%g\n", half(1) + pointer(2)); }
T
	"${CXX:-g++}" -g -O2 partly.cc -o partly && take "$PWD/partly" main _ZL4halfd
	COLUMNS=132 works "$report" --lines half run
	contains "both copies of a function" "$(grep -c '^Lines of half' out) $(awk '/half.*own time/ { sub(/%.*/, ""); print ($NF > 30) }' out)" '^1 1$'
	take "$PWD/twins" _Z4workd _Z4worki _ZN3far6worker3oneIdEET_S2_
	refused "a name that is nearly right" 1 'did you mean work\(int\)' "$report" --lines 'work(unt)' run
fi

refused "no samples" 1 'has no samples \(FATHOM_SAMPLING' sh -c 'rm run/samples.txt; "$0" --loops run' "$report"
for faulty in 'fathom samples 3' $'fathom samples 1\nleaf' $'fathom samples 1\nevent 0 time seconds\nleaf 0 0 0 0 1 1' \
	$'fathom samples 1\nevent 0 time seconds\nmodule 0 - /a\nleaf 0 0 x 0 1 1' $'fathom samples 1\nevent 0 time seconds\nmodule 0 - /a\nleaf 0 0 0 0 1 nan'; do
	printf '%s\n' "$faulty" > run/samples.txt
	refused "damaged: $faulty" 1 'samples\.txt: line [0-9]+: no line' "$report" --loops run
done
printf 'fathom samples 1\nevent 0 time seconds\n' > run/samples.txt
refused "no sample in a loop" 1 'no sample was taken in a loop|built without Zydis' "$report" --loops run
refused "an unknown event" 2 'no samples of cycles \(there are: time\)' "$report" --loops --metric cycles run
refused "two of them" 2 '--loops: choose one' "$report" --lines main --loops run
refused "of a rank" 2 'samples are summed over all ranks' "$report" --loops --rank 1 run
verdict
