#!/bin/sh
# The generator of the functions that rewritten OpenMP programs call: what it writes for one function of each event, and
# what it says to each kind of mistake in the table. To accept a change: sh test/wrappers/pomp2_generator.sh accept (in the
# source tree).
if [ "${1:-}" = accept ]; then
	accept=1 srcdir=$(cd "$(dirname "$0")/../.." && pwd) builddir=$(pwd) PYTHON3=${PYTHON3:-python3}
fi
. "${srcdir:-.}/test/lib.sh"
golden=$srcdir/test/wrappers/golden
generate=$srcdir/wrappers/openmp/pomp2/generate.py
mkdir out
"$PYTHON3" "$generate" --table "$golden/pomp2_calls.txt" --out out 2> err || bad "refused: $(cat err)"
for file in calls.h calls_c.c calls_fortran.c libfathom-pomp2.map elsewhere.options; do
	echo "=== $file"
	cat "out/$file" || bad "$file was not written"
done > got
if [ "${accept:-}" ]; then
	cp got "$golden/pomp2_expected.txt"
else
	diff "$golden/pomp2_expected.txt" got > difference || bad "other code than expected: $(head -20 difference)"
fi

# Each event of the real table has its example.
for event in $(awk '!/^#/ && NF { print $3 }' "$srcdir/wrappers/openmp/pomp2/calls.txt" | sort -u); do
	awk '!/^#/ { print $3 }' "$golden/pomp2_calls.txt" | grep -qx "$event" || bad "pomp2_calls.txt has no example of $event"
done

# refused LINE WORDS: the line is named, with WORDS, and nothing is written
refused() {
	printf '# a table\nMaster_end - leave block handle\n%s\n' "$1" > wrong.txt
	rm -rf out && mkdir out
	"$PYTHON3" "$generate" --table wrong.txt --out out 2> said && bad "accepted: $1"
	same "$1: lines said" 1 "$(wc -l < said)"
	contains "$1" "$(cat said)" "^generate.py: wrong.txt:3: .*$2"
	same "$1: files made" "" "$(ls out)"
}
refused 'Master_begin - enter' '3 columns, not call fortran event region arguments'
refused 'Master_begin - starts block handle text' 'event starts is none of meet'
refused 'Master_begin - enter inside handle text' 'region inside is none of own block barrier -'
refused 'Master_begin - enter - handle text' 'event enter needs a region'
refused 'Task_end - end_task own handle' 'event end_task has no use for a region'
refused 'Master_begin - enter block text' 'event enter needs the argument handle'
refused 'Task_begin - begin_tied_task - handle' 'event begin_tied_task needs the argument new'
refused 'Set_lock - acquire - lock' 'the arguments of lock functions are known'
refused 'Master_end - leave own handle' 'Master_end is there twice'
"$PYTHON3" "$generate" --table nowhere.txt --out out 2> said && bad "a table that is not there"
contains "a table that is not there" "$(cat said)" '^generate.py: .*nowhere.txt'
verdict
