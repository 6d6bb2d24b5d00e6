#!/bin/bash
# The index of a trace (fathom trace --index): random windows of it are compared with all events, as OTF2's own reader reads
# them; an index that is damaged or of an older state of the trace is made anew; damaged events are named.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
trace=$builddir/fathom-trace
long=$builddir/test/frames/make_long
compare=$builddir/test/frames/compare_windows

# agrees DIR WINDOWS [exact]: makes the index, and compares so many windows.
agrees() {
	works "$trace" --index "$1"
	"$compare" "$1/traces.otf2" 7 "$2" ${3:+"$3"} > compare.out || bad "windows of $1: $(head -3 compare.out)"
}

# --- windows
"$long" 4 20000 few few || die "make_long few"
"$long" 3 60000 many many || die "make_long many"
make_trace good good
make_trace pairs 20000 pairs
agrees few 100 exact
contains "what was made" "$(cat out)" '^few/traces.frames: 80008 events, [0-9.]+ kB$'
agrees many 40
agrees good 40
agrees pairs 40
for name in lulesh mix tasks; do
	if [ -d "$shared/data/$name-trace" ]; then
		cp -r "$shared/data/$name-trace" "$name"
		agrees "$name" 40
	else
		left_out "the trace $name of Score-P: not at hand"
	fi
done

# --- size and memory: 2 % of the trace; the memory is that of the commands, not of the events
events=$(cat few/traces/*.evt | wc -c) index=$(wc -c < few/traces.frames)
[ $((index * 50)) -lt "$events" ] || bad "the index has $index bytes for $events bytes of events"
"$long" 1 2000000 few large || die "make_long large"
"$builddir/test/tools/peak" "$trace" --index large > out 2> peak
[ "$(tail -1 peak)" -lt 65536 ] || bad "indexing 2 million events took $(tail -1 peak) KiB"
rm -rf large

# --- kept, and made anew
cp many/traces.frames first
works "$trace" --index many
contains "kept" "$(cat out)" 'it was made before$'
for at in 0 9 30 60; do
	printf '\377\377' | dd of=many/traces.frames bs=1 seek=$at conv=notrunc 2> dd.err
	"$compare" many/traces.otf2 3 1 > compare.out && bad "byte $at is damaged: not noticed"
	works "$trace" --index many
	cmp first many/traces.frames || bad "after damage at byte $at, another index"
done
head -c 150000 /dev/zero | dd of=many/traces.frames bs=1000 seek=5 conv=notrunc 2> dd.err
"$compare" many/traces.otf2 3 20 > compare.out && bad "damaged records: not noticed"
head -c 4000 first > many/traces.frames
works "$trace" --index many
cmp first many/traces.frames || bad "after a cut, another index"
: > many/traces.frames
works "$trace" --index many
cmp first many/traces.frames || bad "after an empty file, another index"
touch many/traces/0.evt
"$compare" many/traces.otf2 3 1 > compare.out && bad "a changed trace: not noticed"
contains "a changed trace" "$(cat compare.out)" 'Stale file handle'
works "$trace" --index many
contains "made anew" "$(cat out)" 'events, [0-9.]+ kB$'
ls many | grep -v '^traces' && bad "something else was left"

# --- refused
refused "--index with -o" 2 '^fathom trace: --index writes no trace, so it does not go with' "$trace" --index -o x few
refused "--index with --json" 2 '^fathom trace: --json goes with' "$trace" --index --json few
refused "two at a time" 2 'do not go together' "$trace" --index --info few
cp -r many cut
rm -f cut/traces.frames
printf 'x' | dd of=cut/traces/1.evt bs=1 seek=262144 conv=notrunc 2> dd.err
refused "a damaged chunk" 1 '^fathom trace: cut/traces/1.evt: damaged at byte ' "$trace" --index cut
[ -e cut/traces.frames ] && bad "an index of a damaged trace"
printf '\102\043' | dd of=cut/traces/1.evt bs=1 seek=0 conv=notrunc 2> dd.err
refused "no events" 1 '^fathom trace: cut/traces/1.evt: it has no events of OTF2, or is compressed' "$trace" --index cut
printf '\003\043' | dd of=cut/traces/1.evt bs=1 seek=0 conv=notrunc 2> dd.err
refused "other order of bytes" 1 'another order of bytes' "$trace" --index cut
verdict
