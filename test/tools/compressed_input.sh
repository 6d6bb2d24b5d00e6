#!/bin/bash
# Commands that read a trace read a compressed trace as well, and show the same: each is run on a trace and on the lossless file of
# call graphs that was made of it.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
trace=$builddir/fathom-trace

# run_commands KIND INPUT REGION: what the commands make of an input, in the directory KIND. Names of inputs and of results become equal.
run_commands() {
	rm -rf "$1"
	mkdir "$1"
	"$builddir/fathom-report" --trace --width 80 "$2" > "$1/report"
	"$builddir/fathom-report" --json "$2" > "$1/report.json"
	"$check" "$2" > "$1/check"
	"$builddir/fathom-export" --to chrome -o "$1/chrome.json" "$2"
	"$builddir/fathom-export" --to paraver -o "$1/trace.prv" "$2"
	"$builddir/fathom-analyze" -o "$1/waits.cubex" "$2" > "$1/analyze"
	"$builddir/fathom-report" --json "$1/waits.cubex" > "$1/waits.json"
	"$builddir/fathom-whatif" "$2" > "$1/whatif" 2>&1
	"$builddir/fathom-clusters" --json "$2" > "$1/clusters.json" 2>&1
	if "$builddir/fathom-clusters" --trace "$1/marked" "$2" > "$1/clusters" 2>&1; then
		otf2-print "$1/marked/traces.otf2" > "$1/events-marked"
		rm -r "$1/marked"
	fi
	"$builddir/fathom-fold" --json "$2" > "$1/fold.json" 2>&1
	"$builddir/fathom-fold" --json --region "$3" "$2" > "$1/fold-region.json" 2>&1
	"$builddir/fathom-track" --json "$2" "$2" > "$1/track.json" 2>&1
	"$trace" --sort-check "$2" > "$1/sort-check"
	for part in "--ranks 0" "--cut 0.0001:0.0004"; do
		"$trace" $part -o "$1/part" "$2" > "$1/copied${part%% *}"
		otf2-print "$1/part/traces.otf2" > "$1/events${part%% *}"
		otf2-print -G "$1/part/traces.otf2" > "$1/definitions${part%% *}"
		rm -r "$1/part"
	done
	rm "$1/waits.cubex"
	# The head of the report says what the input is and how large it is.
	sed -i -E "s|$2|INPUT|g; s|$1/|RESULT/|g; s|\"otf2\":(\"[0-9.]*\"\|null)\|\"(event\|definition)_bytes\":[0-9]+||g" "$1"/*
	sed -i -E '1d; s/On disk.*//' "$1/report"
}

# same_results NAME REGION: the trace in the directory NAME, and a region of it that has many visits
same_results() {
	works "$trace" --compress -o "$1.graphs" "$1"
	run_commands archive "$1/traces.otf2" "$2" 2> archive.err
	run_commands graphs "$1.graphs" "$2" 2> graphs.err
	diff -r archive graphs > differences || bad "$1: $(head -5 differences)"
	[ -s graphs/report ] && [ -s graphs/waits.json ] && [ -s graphs/trace.prv ] && [ -s graphs/fold.json ] || bad "$1: results are missing: $(cat graphs.err)"
}

have otf2-print || skip "no otf2-print"
make_trace good good
same_results good work
make_trace pairs 2000 pairs
same_results pairs MPI_Send
for name in mix lulesh; do
	if [ -d "${shared:-}/data/$name-trace" ]; then
		cp -r "$shared/data/$name-trace" "$name"
		same_results "$name" MPI_Waitall
	else
		left_out "the trace $name of Score-P: not at hand"
	fi
done

# --- a directory with the compressed trace only is an experiment
mkdir whole small
cp -r good whole/fathom-run
mkdir small/fathom-run
cp good.graphs small/fathom-run/traces.graphs
in_directories() {
	for directory in whole small; do
		(cd "$directory" && "$@" > "../out-$directory" 2> "../err-$directory")
		echo "exit code $?" >> "out-$directory"
		sed -i -E 's/traces\.(otf2|graphs)/TRACE/g; s/On disk.*//; s/ +fathom [0-9.]+, (OTF2 [0-9.]+|compressed)$//' "out-$directory"
	done
	[ "$(tail -1 out-whole)" = "exit code 0" ] || bad "$*: $(cat err-whole)"
	cmp -s out-whole out-small || bad "$*, of a compressed trace: $(diff out-whole out-small | head -5; cat err-small)"
}
in_directories "$builddir/fathom-list" --json
in_directories "$check"
in_directories "$check" fathom-run
in_directories "$builddir/fathom-export" --to chrome fathom-run
in_directories "$trace" --sort-check
in_directories "$builddir/fathom-timeline" --force --svg picture.svg
cmp -s whole/picture.svg small/picture.svg || bad "pictures of the newest traces differ"
in_directories "$builddir/fathom-report" --trace --width 80 fathom-run
works "$trace" small/fathom-run
contains "the only trace is call graphs" "$(head -1 out)" '^call graphs +small/fathom-run/traces.graphs'
(cd small && "$trace" > ../out 2> ../err) || bad "no facts of the newest trace: $(cat err)"
contains "the newest trace is call graphs" "$(head -1 out)" '^call graphs +fathom-run/traces.graphs'
works "$trace" --cut 0:0.1 small/fathom-run
works "$trace" --expand -o expanded small/fathom-run
refused "twice, of a directory" 2 '^fathom trace: small/fathom-run/traces.graphs: is compressed already' \
	"$trace" --compress -o twice small/fathom-run
# The trace that is not compressed is read if both are there: other commands need it.
cp good.graphs whole/fathom-run/traces.graphs
works "$trace" whole/fathom-run
[[ "$(head -1 out)" = "call graphs"* ]] && bad "the compressed trace is taken though there is another one"

# --- time lines: any window is drawn the same
# same_pictures NAME WINDOW...: each window as FROM:TO in seconds
same_pictures() {
	name=$1
	shift
	for window; do
		for options in "" "--depth 2"; do
			for input in "$name" "$name.graphs"; do
				works "$builddir/fathom-timeline" --force $options --from "${window%:*}" --to "${window#*:}" --svg picture.svg "$input"
				mv picture.svg "${input#"$name"}.svg"
			done
			cmp -s .svg .graphs.svg || bad "$name, $window $options: $(diff .svg .graphs.svg | head -3)"
		done
	done
}
"$builddir/test/frames/make_long" 2 40000 details long || die make_long
"$builddir/test/frames/make_long" 1 700000 details longest || die make_long
for name in long longest; do
	works "$trace" --compress -o $name.graphs $name
done
same_pictures good 0:1
same_pictures pairs 0:1 0.0001:0.0004
length=$(otf2-print -G long/traces.otf2 | sed -n 's/.*Global Offset:.* Length: \([0-9]*\).*/\1/p')
windows=$("$PYTHON3" -c "
import random
chance, length = random.Random(19), $length / 1e9
for share in (1, .3, .01, .01, .001, .001):
    begin = chance.random() * (1 - share)
    print('%.9f:%.9f' % (length * begin, length * (begin + share)))")
same_pictures long $windows
same_pictures longest 0:9 0.001:0.00101 0.0005:0.00051 0.004:0.00401 0.0001:0.00011 0.002:0.00201
for name in mix lulesh; do
	[ ! -d $name ] || same_pictures $name 0:100 0.01:0.02 0.005:0.0051
done
works "$trace" --index long.graphs
contains "an index" "$(cat out)" 'long.graphs.frames'

# --- a deviation is said; the name of the file is free, and the analysis is put beside it
mkdir place
works "$trace" --compress --deviation 50% -o place/near good
works "$builddir/fathom-report" place/near
contains "the deviation" "$(cat out)" 'FATHOM::DEVIATION +50 %'
contains "the kind of file" "$(head -1 out)" 'compressed$'
works "$builddir/fathom-analyze" place/near
[ -e place/analysis.cubex ] || bad "no analysis beside the compressed trace"

# --- refused in a line
refused "twice" 2 '^fathom trace: good.graphs: is compressed already' "$trace" --compress -o twice good.graphs
head -c 900 good.graphs > cut.graphs
refused "a cut file" 2 '^fathom check: cut.graphs: is damaged' "$check" cut.graphs
refused "a cut file, analyzed" 2 '^fathom analyze: cut.graphs: is damaged' "$builddir/fathom-analyze" cut.graphs
refused "a cut file, drawn" 1 '^fathom timeline: cut.graphs: is damaged' "$builddir/fathom-timeline" --svg new.svg cut.graphs
[ -e new.svg ] && bad "a picture of a damaged file"
refused "a cut file, reported" 1 '^fathom report: cut.graphs: is damaged' "$builddir/fathom-report" cut.graphs

# Damage that the checksum does not show: each file is read without a crash and in bounded time.
cat > damage.py <<'P'
import random, sys
data = bytearray(open("good.graphs", "rb").read())
chance = random.Random(int(sys.argv[1]))
for i in range(chance.randrange(1, 4)):
    data[chance.randrange(32, len(data))] = chance.randrange(256)
total = 0xcbf29ce484222325
for byte in data[32:]:
    total = (total ^ byte) * 0x100000001b3 % 2**64
data[24:32] = total.to_bytes(8, "little")
open("damaged.graphs", "wb").write(data)
P
for seed in $(seq 1 12); do
	"$PYTHON3" damage.py "$seed"
	for command in "$check" "$builddir/fathom-report" "$builddir/fathom-analyze --force"; do
		(ulimit -v 4000000; timeout 60 $command damaged.graphs > out 2> err)
		code=$?
		[ $code -le 2 ] || bad "damage $seed, $command: exit code $code: $(head -2 err)"
	done
done
verdict
