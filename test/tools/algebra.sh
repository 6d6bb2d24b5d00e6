#!/bin/bash
# fathom diff -o, mean, max, min, merge and cut: what they write has the values that the algebra wants, and is a profile
# that every other reader can open.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
make_small=$builddir/test/tools/make_small
mean=$builddir/fathom-mean max=$builddir/fathom-max min=$builddir/fathom-min cut=$builddir/fathom-cut
diff=$builddir/fathom-diff

small() { "$make_small" "$1" || die "make_small $1"; }	# small FILE < DESCRIPTION
json() { "$report" --json "$1" > "$1.json" 2> err || bad "$1: $(cat err)"; }
# made FILE: the foreign readers and our own open the result. Of differences, they are not asked about negative values.
made() {
	[ -f "$1" ] || { bad "$1: $(cat err)"; return 1; }
	check_profile "$1"
	json "$1"
}
made_difference() {	# also for means, whose visits are no whole numbers
	[ -f "$1" ] || { bad "$1: $(cat err)"; return 1; }
	"$PYTHON3" "$srcdir/test/cube/foreign.py" --not sanity "$1" > foreign.out 2>&1 || bad "$(cat foreign.out)"
	[ ! -x "$shared/oracle/check_cubex.py" ] || "$PYTHON3" "$shared/oracle/check_cubex.py" --ignore S02,S03,S05,S06,S09 "$1" > said 2>&1 ||
		bad "$1: $(cat said)"
	json "$1"
}
values_of() { "$PYTHON3" "$srcdir/test/tools/algebra.py" values "$1.json" "$2"; }
wants() { same "$1: $2" "$3" "$(values_of "$1" "$2" | tr '\n' ';')"; }	# wants FILE METRIC "PATH OWN INCLUSIVE;..."

# Two runs: the second one took longer in solve, has no call path io, but has post, and its copy of exchange has a
# suffix; one counted L1 misses, the other operations.
small a.cubex << 'D'
ranks 2
metric time double
metric visits count
metric L1 count
metric min_time minimum
path 0 -1 main app.c 50
path 1 0 solve app.c 10
path 2 1 exchange app.c 20
path 3 0 io app.c 30
row time 0 1 2
row time 1 10 20
row time 2 3 4
row time 3 0.5 0.25
row visits 0 1 1
row visits 1 10 10
row visits 2 100 100
row visits 3 1 1
row L1 1 1000 2000
row min_time 1 0.5 0.25
D
small b.cubex << 'D'
ranks 2
metric time double
metric visits count
metric FLOPS count
metric min_time minimum
path 0 -1 main app.c 70
path 1 0 solve app.c 15
path 2 1 exchange.constprop.0 app.c 25
path 3 0 post app.c 40
row time 0 1 2
row time 1 14 20
row time 2 3 3
row time 3 1 1
row visits 0 1 1
row visits 1 8 10
row visits 2 100 100
row visits 3 1 1
row FLOPS 1 5 6
row min_time 1 0.25 0.5
D
works "$diff" -o diff.cubex a.cubex b.cubex
contains "what diff leaves out" "$(cat out)" 'without metrics .*: L1, min_time, FLOPS'
made_difference diff.cubex
wants diff.cubex time "main 0 4.25;main>solve 4 3;main>solve>exchange -1 -1;main>io -0.75 -0.75;main>post 2 2;"
wants diff.cubex visits "main 0 -2;main>solve -2 -2;main>io -2 -2;main>post 2 2;"
works "$diff" -o sides.cubex a.cubex a.cubex -- b.cubex a.cubex
made_difference sides.cubex
wants sides.cubex time "main 0 2.125;main>solve 2 1.5;main>solve>exchange -0.5 -0.5;main>io -0.375 -0.375;main>post 1 1;"
works "$mean" -o mean.cubex --deviation deviation.cubex a.cubex b.cubex
made_difference mean.cubex && made_difference deviation.cubex
wants mean.cubex time "main 3 42.875;main>solve 32 38.5;main>solve>exchange 6.5 6.5;main>io 0.375 0.375;main>post 1 1;"
wants mean.cubex FLOPS "main 0 11;main>solve 11 11;"
wants deviation.cubex time "main 0 5.48008;main>solve 2.82843 3.53553;main>solve>exchange 0.707107 0.707107;main>io 0.53033 0.53033;main>post 1.41421 1.41421;"
works "$max" -o max.cubex a.cubex b.cubex
made max.cubex
wants max.cubex time "main 3 46.75;main>solve 34 41;main>solve>exchange 7 7;main>io 0.75 0.75;main>post 2 2;"
works "$min" -o min.cubex a.cubex b.cubex
made min.cubex
wants min.cubex time "main 3 39;main>solve 30 36;main>solve>exchange 6 6;"
works "$merge" -o merge.cubex a.cubex b.cubex
made merge.cubex
wants merge.cubex time "main 3 40.75;main>solve 30 37;main>solve>exchange 7 7;main>io 0.75 0.75;"
wants merge.cubex FLOPS "main 0 11;main>solve 11 11;"
wants merge.cubex L1 "main 0 3000;main>solve 3000 3000;"
works "$merge" --mean -o merge-mean.cubex a.cubex b.cubex
made_difference merge-mean.cubex
wants merge-mean.cubex time "main 3 42.875;main>solve 32 38.5;main>solve>exchange 6.5 6.5;main>io 0.375 0.375;main>post 1 1;"

# Parts of a tree.
works "$cut" -o root.cubex --root solve a.cubex
made root.cubex
wants root.cubex time "solve 30 37;solve>exchange 7 7;"
works "$cut" -o pruned.cubex --prune 'main > sol*' a.cubex
made pruned.cubex
wants pruned.cubex time "main 3 40.75;main>solve 37 37;main>io 0.75 0.75;"
wants pruned.cubex visits "main 2 24;main>solve 20 20;main>io 2 2;"
works "$cut" -o hidden.cubex --hide solve a.cubex
made hidden.cubex
wants hidden.cubex time "main 33 40.75;main>exchange 7 7;main>io 0.75 0.75;"
wants hidden.cubex L1 "main 3000 3000;"

# The same with inclusive times, and call paths that become equal when what called them is hidden.
small inclusive.cubex << 'D'
threads 2
metric time double inclusive
metric visits count
metric min_time minimum
path 0 -1 main app.c 50
path 1 0 left app.c 10
path 2 1 work app.c 20
path 3 0 right app.c 30
path 4 3 work app.c 20
row time 0 20 10
row time 1 8 4
row time 2 6 3
row time 3 9 3
row time 4 4 2
row visits 0 1 1
row visits 1 1 1
row visits 2 3 3
row visits 3 1 1
row visits 4 2 2
row min_time 2 0.5 0.25
row min_time 4 0.25 0.5
D
json inclusive.cubex
works "$cut" -o joined.cubex --hide left --hide right inclusive.cubex
made joined.cubex
wants joined.cubex time "main 15 30;main>work 15 15;"
wants joined.cubex min_time "main>work 0.25 0.25;"
works "$max" -o max-inclusive.cubex inclusive.cubex inclusive.cubex
made max-inclusive.cubex
"$PYTHON3" "$srcdir/test/tools/algebra.py" same max-inclusive.cubex.json inclusive.cubex.json > said 2>&1 || bad "$(cat said)"

# Own times that are differences of rounded inclusive ones are 0, not -3e-17.
small rounded.cubex << 'D'
metric time double inclusive
metric visits count
path 0 -1 main app.c 50
path 1 0 left app.c 10
path 2 0 right app.c 20
row time 0 0.3
row time 1 0.1
row time 2 0.2
row visits 0 1
row visits 1 1
row visits 2 1
D
for operation in max min; do
	works "$builddir/fathom-$operation" -o "$operation-rounded.cubex" rounded.cubex rounded.cubex
	made "$operation-rounded.cubex"
	wants "$operation-rounded.cubex" time "main 0 0.3;main>left 0.1 0.1;main>right 0.2 0.2;"
done

# Other threads, other processes: sums of each process, and of all.
small threads.cubex << 'D'
ranks 2
threads 2
metric time double
metric visits count
path 0 -1 main app.c 50
row visits 0 1 1 1 1
row time 0 1 2 3 4
D
works "$diff" -o processes.cubex a.cubex threads.cubex
contains "other threads" "$(cat out)" 'different threads: values are sums over the threads of each process'
made_difference processes.cubex
wants processes.cubex time "main 7 -30.75;main>solve -30 -37;main>solve>exchange -7 -7;main>io -0.75 -0.75;"
same "two locations" 2 "$("$PYTHON3" -c 'import json; print(len(json.load(open("processes.cubex.json"))["locations"]))')"
works "$diff" -o whole.cubex inclusive.cubex threads.cubex
contains "other processes" "$(cat out)" 'different processes: values are sums over all'
made_difference whole.cubex

# Loops and inlined functions that samples found. The function moved by 100 lines, so the loop in line 112 is the one that
# was in line 12. The other run has no samples in the second loop and in the inlined function: what these call matches
# what the function calls directly, in one case from another loop. In the third run the function is longer: loops match
# in their order.
small loops.cubex << 'D'
metric time double
metric visits count
path 0 -1 main app.c 50
path 1 0 solve app.c 10
end 1 30
loop 2 1 app.c 12
path 3 2 left app.c 60
loop 4 1 app.c 20
path 5 4 right app.c 70
inlined 6 1 step app.h 5
path 7 6 copy app.c 80
row visits 0 1
row time 1 1
row time 2 2
row time 3 4
row time 4 8
row time 5 16
row time 6 32
row time 7 64
D
small moved.cubex << 'D'
metric time double
metric visits count
path 0 -1 main app.c 150
path 1 0 solve app.c 110
end 1 130
path 2 1 right app.c 170
loop 3 1 app.c 112
path 4 3 left app.c 160
path 5 3 copy app.c 180
loop 6 1 app.c 125
row visits 0 1
row time 1 2
row time 2 17
row time 3 4
row time 4 7
row time 5 69
row time 6 100
D
small edited.cubex << 'D'
metric time double
metric visits count
path 0 -1 main app.c 50
path 1 0 solve app.c 10
end 1 33
loop 2 1 app.c 15
path 3 2 left app.c 60
loop 4 1 app.c 23
path 5 4 right app.c 70
row visits 0 1
row time 2 3
row time 3 4
row time 4 9
row time 5 16
D
works "$diff" -o loops-moved.cubex loops.cubex moved.cubex
made_difference loops-moved.cubex
wants loops-moved.cubex time "main 0 72;main>solve 1 72;main>solve>loop app.c:12 2 5;main>solve>loop app.c:12>left 3 3;main>solve>loop app.c:20 -8 -7;main>solve>loop app.c:20>right 1 1;main>solve>inlined step -32 -27;main>solve>inlined step>copy 5 5;main>solve>loop app.c:125 100 100;"
works "$diff" -o loops-edited.cubex loops.cubex edited.cubex
made_difference loops-edited.cubex
wants loops-edited.cubex time "main 0 -95;main>solve -1 -95;main>solve>loop app.c:12 1 1;main>solve>loop app.c:20 1 1;main>solve>inlined step -32 -96;main>solve>inlined step>copy -64 -64;"
# A profile without loops, such as that of a trace's wait states, joins one that has them.
small waits.cubex << 'D'
metric visits count
metric late double
path 0 -1 main app.c 50
path 1 0 solve app.c 10
path 2 1 right app.c 70
path 3 1 other app.c 90
row visits 0 1
row late 2 5
row late 3 6
D
works "$merge" -o loops-waits.cubex loops.cubex waits.cubex
made_difference loops-waits.cubex
wants loops-waits.cubex late "main 0 11;main>solve 0 11;main>solve>loop app.c:20 0 5;main>solve>loop app.c:20>right 5 5;main>solve>other 6 6;"
wants loops-waits.cubex time "main 0 127;main>solve 1 127;main>solve>loop app.c:12 2 6;main>solve>loop app.c:12>left 4 4;main>solve>loop app.c:20 8 24;main>solve>loop app.c:20>right 16 16;main>solve>inlined step 32 96;main>solve>inlined step>copy 64 64;"

# mean(A, A) = A, and so on; a difference with itself is 0 everywhere; the operations take what they made.
make_fixture run run.cubex
"$builddir/test/tools/make_runs" 300 4 1 1 none 0 wide.cubex || die make_runs
for file in a.cubex inclusive.cubex run.cubex wide.cubex mean.cubex "$shared"/data/lulesh-profile/profile.cubex \
	"$shared"/data/mix-rusage/profile.cubex "$shared"/data/tasks-key_threads/profile.cubex "$shared"/data/tasks-thread_sum/profile.cubex; do
	[ -f "$file" ] || continue
	"$report" --json "$file" > one.json || bad "$file"
	for operation in mean max min merge; do
		rm -f same.cubex
		"$builddir/fathom-$operation" -o same.cubex "$file" "$file" > out 2>&1 || bad "$operation of $file: $(cat out)"
		"$report" --json same.cubex > same.json || bad "$operation of $file cannot be read"
		"$PYTHON3" "$srcdir/test/tools/algebra.py" same same.json one.json > said 2>&1 || bad "$operation of $file and itself: $(tail -1 said)"
	done
	rm -f same.cubex
	"$diff" -o same.cubex "$file" "$file" > out 2>&1 || bad "diff of $file: $(cat out)"
	"$report" --json same.cubex > same.json || bad "diff of $file cannot be read"
	"$PYTHON3" "$srcdir/test/tools/algebra.py" zero same.json > said 2>&1 || bad "diff of $file and itself: $(tail -1 said)"
done
works "$diff" -o again.cubex diff.cubex diff.cubex
# Negative values in the report: the largest differences first, no findings, nothing about balance.
works "$report" --width 80 diff.cubex
fits "the report of differences" 80 out
same "regions by size" "solve post exchange io" "$(sed -n '/Regions by/,/Call tree/p' out | awk '$NF ~ /app.c/ { print $(NF - 1) }' | tr '\n' ' ' | sed 's/exchange.constprop.0/exchange/; s/ $//')"
contains "a negative share" "$(cat out)" ' *-9.7% +-750.0 ms'
contains "what the values are" "$(cat out)" 'those of fathom diff of a.cubex'
same "sections that suppose values of a run" 0 "$(grep -c 'stands out\|Balance\|Where the time' out)"
works "$diff" a.cubex mean.cubex

# Bad input: one line, and nothing is overwritten.
refused "exists" 1 'diff.cubex: exists already' "$diff" -o diff.cubex a.cubex b.cubex
refused "a name" 2 'mean.txt: the name must end in .cubex' "$mean" -o mean.txt a.cubex b.cubex
refused "no output" 2 'the new profile is missing' "$max" a.cubex b.cubex
refused "one run" 2 'at least two' "$min" -o new.cubex a.cubex
refused "no such file" 1 'none.cubex: No such file' "$mean" -o new.cubex a.cubex none.cubex
refused "nothing cut" 2 'nothing is to be cut' "$cut" -o new.cubex a.cubex
refused "no such call path" 1 '--root nothing: there is no such call path' "$cut" -o new.cubex --root nothing a.cubex
refused "an empty name" 2 'not a region or path' "$cut" -o new.cubex --root 'main > ' a.cubex
refused "two runs cut" 2 'one run is cut, not 2' "$cut" -o new.cubex --root main a.cubex b.cubex
refused "diff -o with --json" 2 'choose one' "$diff" --json -o new.cubex a.cubex b.cubex
[ ! -e new.cubex ] && [ ! -e new.cubex.part ] || bad "a refused command left a file"
verdict
