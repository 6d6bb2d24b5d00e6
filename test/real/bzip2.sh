#!/bin/bash
# bzip2, C: one tiny function makes most of its 40 million calls a second.
. "${srcdir:?}/test/real/lib.sh"
fetch bzip2 plain default all

build plain make bzip2
build default make bzip2 CC="$(with_fathom gcc)"
all_functions build all make bzip2 CC="$(counting_too gcc)"

# Text and code of the program itself.
for i in 1 2; do cat plain/*.c plain/*.html plain/*.txt plain/*.ps plain/bzip2; done > data

for kind in plain default all; do
	timed "$kind" in_dir $kind ./bzip2 -k -c ../data > $kind.bz2 2> $kind.err || bad "$kind: exit code $?"
	cmp plain.bz2 $kind.bz2 || bad "$kind: compresses to something else"
done
calls_counted all counts
for kind in default all; do
	profile_of $kind
	[ $kind = all ] && amount=all || amount=some
	visits_equal $amount "$profile" counts
done

# A damaged file: the same complaint, the same exit code, and a profile of the failed run too.
head -c 20000 plain.bz2 > damaged.bz2
for kind in plain all; do
	in_dir $kind ./bzip2 -dc ../damaged.bz2 > $kind.out 2> $kind.err
	echo "exit code $?" >> $kind.err
done
grep -v '^fathom: profile in' all.err > all.said
cmp plain.out all.out && cmp plain.err all.said || bad "a damaged file: says something else"
profile_of all

# Every call of a small file in a trace.
if can_trace; then
	head -c 10000 data > small
	in_dir plain ./bzip2 -k -c ../small > plain.bz2
	FATHOM_MODE=profile,trace timed "all, traced" in_dir all ./bzip2 -k -c ../small > all.bz2 2> all.err || bad "traced: exit code $?"
	cmp plain.bz2 all.bz2 || bad "traced: compresses to something else"
	same "traced: said" "" "$(grep -v '^fathom: profile and trace in' all.err)"
	traced all bzip2
fi
verdict
