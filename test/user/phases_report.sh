#!/bin/bash
# What fathom report says of phases: series whose sums are those of the call tree, expanded by the maps of clusters; ranks,
# merged files, counters; and maps that are damaged.
# Runs alone: up to 6 ranks.
. "${srcdir:?}/test/user/lib.sh" || exit 99
need_part FATHOM_PHASE_CLUSTERS
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0
modes=profile
report=$builddir/fathom-report

# document EXPERIMENT: in EXPERIMENT.json
document() { "$report" --json "$1" > "$1.json" 2> report.err || bad "$1: $(cat report.err)"; }

# checked EXPERIMENT CLUSTERED COUNT [RANKS]: sums, also of ranks, each by itself, and how many iterations there are; which was
# the slowest and on which rank it took longest is then in slowest and rank
checked() {
	document "$1"
	apart=
	for ((rank = 0; rank < ${4:-0}; rank++)); do
		"$report" --json --rank $rank "$1" > rank-$rank.json 2> report.err || bad "$1, rank $rank: $(cat report.err)"
		apart="$apart rank-$rank.json"
	done
	# shellcheck disable=SC2086
	"$PYTHON3" "$here/check_phases.py" "$1.json" "$2" $apart > said 2> check.err || bad "$1: $(tail -3 check.err)"
	contains "$1: iterations" "$(cat said)" "\"count\": $3,"
	slowest=$(sed 's/.*"slowest": \([0-9]*\).*/\1/' said) rank=$(sed 's/.*"rank": \([0-9]*\).*/\1/' said)
}

"$FATHOM" --no-compiler "$CC" -O1 -g -Wno-unknown-pragmas "$here/phases.c" -x c - -o phases 2> err << 'C' || die "phases.c: $(cat err)"
int omp_get_max_threads(void) { return 1; }
C
measure apart ./phases 40 1
checked apart no 40
FATHOM_PHASE_CLUSTERS=5 measure joined env FATHOM_METRICS=rusage::utime,rusage::minflt ./phases 100 1
checked joined yes 100
for how in sum set; do
	FATHOM_PHASE_CLUSTERS=5 FATHOM_THREADS=$how measure "joined-$how" ./phases 60 1
	checked "joined-$how" yes 60
done

"$report" --width 80 joined > text
contains "the section" "$(cat text)" '^Phases by time of an iteration '
contains "its table" "$(cat text)" '^ +100 +[0-9.]+ [mun]*s +[0-9.]+ [mun]*s +[0-9.]+ [mun]*s +- +[-+][0-9.]+%  turn$'
contains "the series in ASCII" "$(cat text)" '^  [_.=+*%#-]{78}$'
contains "the slowest" "$(cat text)" '^  slowest: [0-9]+ \('
contains "the clusters" "$(tr '\n' ' ' < text)" '5 clusters, of ([0-9]+, ){4}[0-9]+ iterations'
for locale in C.UTF-8 en_US.UTF-8; do
	LC_ALL=$locale locale charmap 2> /dev/null | grep -q UTF-8 || continue
	contains "the series in UTF-8" "$(LC_ALL=$locale "$report" --width 80 joined)" '^  (▁|▂|▃|▄|▅|▆|▇|█){78}$'
	break
done
# In lists and in the call tree iterations are one with their phase; nothing is lost by that.
"$report" --min 0 apart > text
same "iterations in lists and tree" 0 "$(grep -c 'instance=' text)"
contains "the phase as a region" "$(cat text)" '^ *[0-9.]+% +[0-9.]+ [mun]*s~? +40 +[0-9.]+ [mun]*s  turn '
contains "the phase in the call tree" "$(cat text)" '^ *[0-9.]+% +[0-9.]+ [mun]*s +[0-9.]+% +40  .*turn$'
contains "what it says" "$(cat text)" '^Call tree by inclusive time +[0-9]+ call paths, iterations together: --all$'
"$report" --metric visits apart | sed -n 's/^100\.0% *\([0-9.]*[kM]*\) .*/\1/p' | tail -n 1 > together
[ -s together ] || bad "no inclusive visits of all"
"$report" --all --metric visits apart > text
same "iterations of --all" 40 "$(grep -c ' instance=[0-9]*$' text)"
same "visits, with iterations apart and together" "$(sed -n 's/^100\.0% *\([0-9.]*[kM]*\) .*/\1/p' text | tail -n 1)" "$(cat together)"

"$report" --phases --metric visits apart > text
same "iterations, all of them" 40 "$(grep -cE '^ +[0-9]+ +[0-9]+ +1 +-  ' text)"
contains "visits of the first iteration" "$(cat text)" '^ +0 +10 +1 +-  #+$'
"$report" --phases --top 3 joined > text
same "iterations of --top 3" 3 "$(grep -cE '^ +[0-9]+ +[0-9.]+ [mun]*s +1 +-  ?#*$' text)"
for wrong in "--phases --flat" "--phases --json" "--phases --system"; do
	"$report" $wrong joined > text 2> err
	same "exit code of $wrong" 2 $?
done
"$report" --phases --metric max_time joined > text 2> err; same "exit code of maxima" 1 $?
contains "maxima" "$(cat err)" '^fathom report: --metric max_time: minima and maxima have no phases'

# Maps that are damaged: one line, and no more.
cat > damage.py <<'PY'
"""damage.py FROM COUNT: files 0.cubex, as it is, to COUNT.cubex, their map changed in one place."""
import random, sys, tarfile, io

def damage(data, number):
    random.seed(number)
    begin = data.index(b'key="fathom::iterations:') + len('key="fathom::iterations:')
    value = data.index(b'value="', begin) + len('value="')
    end, key_end = data.index(b'"', value), data.index(b'"', begin)
    if number % 4 == 0:     # the name
        at, what = random.randrange(begin, key_end), random.choice([b"9999", b"x", b"", b":", b"-"])
    elif number % 4 == 1:     # cut short
        return data[:random.randrange(value, end)] + data[end:]
    else:
        at = random.randrange(value, end)
        what = random.choice([b"*", b":", b"=", b",", b" ", b"-", b"x", b"*99999999999:", b"18446744073709551616", b"\xc3\xa4", b":70000="])
    return data[:at] + what + data[at + 1:]

for number in range(int(sys.argv[2]) + 1):
    with tarfile.open(sys.argv[1]) as old, tarfile.open("%d.cubex" % number, "w", format=tarfile.USTAR_FORMAT) as new:
        for member in old.getmembers():
            data = old.extractfile(member).read()
            if member.name == "anchor.xml" and number:
                data = damage(data, number)
            member.size = len(data)
            new.addfile(member, io.BytesIO(data))
PY
"$PYTHON3" damage.py joined/profile.cubex 24
"$report" --phases 0.cubex > text 2> err || bad "the file written again is not read: $(cat err)"
cmp -s <("$report" --phases joined) text || bad "the file written again reads otherwise"
refused=0
for number in $(seq 1 24); do
	"$report" --json $number.cubex > text 2> err
	case $? in
	0) same "damage $number: complaints" "" "$(cat err)" ;;
	1)	refused=$((refused + 1))
		same "damage $number: lines" 1 "$(wc -l < err)"
		contains "damage $number" "$(cat err)" "^fathom report: $number.cubex: " ;;
	*) bad "damage $number: exit code not 0 or 1: $(cat err)" ;;
	esac
done
[ $refused -gt 12 ] || bad "only $refused of 24 damaged maps are refused"

# Threads that run iterations of their own have a map each, and the phase is there once for each place.
cat > threads.c << 'C'
#include <pthread.h>
#include <fathom/fathom.h>
static volatile double sink;
static void *run(void *p)
{
	int n = *(int *)p;
	for (int i = 0; i < n; i++) {
		FATHOM_PHASE("step", i);
		FATHOM_REGION("work");
		for (int k = 0; k < (i % 4) * 3000 + n; k++)
			sink += k;
		if (i % 4 == 1) {
			FATHOM_REGION("extra");
			sink += 1;
		}
	}
	return 0;
}
int main(void)
{
	static int n[3] = { 30, 40, 50 };
	pthread_t t[3];
	run(&n[0]);
	for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, &n[i]);
	for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
	return 0;
}
C
"$FATHOM" --no-compiler "$CC" -O1 threads.c -o threads -pthread || die "threads.c cannot be built"
FATHOM_PHASE_CLUSTERS=4 measure threads.exp ./threads
document threads.exp
"$PYTHON3" -c 'import json
first, others = json.load(open("threads.exp.json"))["phases"]
assert [m["thread"] for m in first["maps"]] == [0] and [m["thread"] for m in others["maps"]] == [1, 2, 3]
assert sum(first["runs"]) == 30 and sum(others["runs"]) == 120 and others["runs"][-1] == 1 and others["runs"][0] == 3
for phase in first, others:
    assert phase["lost_runs"] == 0 and sum(phase["cluster_runs"]) == sum(phase["runs"])
    assert all(series["unplaced"] == 0 for series in phase["metrics"].values())' || bad "threads: maps"
contains "which of them" "$("$report" threads.exp)" ' step in threads$'

# A map that is larger than all may be is left out, and that is said; the clusters are as they are.
cat > long.c << 'C'
#include <fathom/fathom.h>
int main(void)
{
	for (int i = 0; i < 400000; i++) {
		FATHOM_PHASE("step", i * 3);
	}
	return 0;
}
C
"$FATHOM" --no-compiler "$CC" -O1 long.c -o long || die "long.c cannot be built"
FATHOM_PHASE_CLUSTERS=2 measure lost ./long
"$report" lost > text
contains "clusters without a map" "$(tr -s ' \n' ' ' < text)" ' - - - - - - step 2 clusters, of [0-9.k]+, [0-9.k]+ iterations; which they are is not in the file for 400.0k of them '
contains "a note of it" "$(tr -s ' \n' ' ' < text)" 'that are missing for lack of room: 1\.'
document lost
"$PYTHON3" -c 'import json
phase, = json.load(open("lost.json"))["phases"]
visits = phase["metrics"]["visits"]
assert phase["iterations"] == [] and phase["lost_runs"] == sum(phase["cluster_runs"]) == visits["unplaced"] == visits["total"] == 400000, phase' ||
	bad "clusters without a map in JSON"

# Ranks: each has a map of its own; which was the longest is known. Files of ranks, merged, have all maps.
if have_mpi; then
	"$FATHOM" --no-compiler "$MPICC" -O1 -g "$here/phases_ranks.c" -o phases_ranks || die "phases_ranks.c cannot be built"
	measure ranks "$MPIRUN" -n 3 ./phases_ranks 20
	checked ranks no 20 3
	contains "the slowest of all" "$("$report" ranks | tr -s ' \n' ' ')" "slowest: $slowest \([^)]*longest on rank $rank\)"
	FATHOM_PHASE_CLUSTERS=4 measure clusters "$MPIRUN" -n 6 ./phases_ranks 50
	checked clusters yes 50 6
	contains "the report of it" "$("$report" clusters | tr -s ' \n' ' ')" "slowest: $slowest \([^)]*longest on rank $rank\).* iterations of ranks"
	FATHOM_PHASE_CLUSTERS=4 FATHOM_NAME=early FATHOM_MODE=profile "$MPIRUN" -n 3 ./phases_ranks 50 early > /dev/null 2>&1
	"$builddir/fathom-merge" -o merged.cubex early > merge.out 2>&1 || bad "merge: $(cat merge.out)"
	checked merged.cubex yes 50 3
	same "maps of merged ranks" "0 1 2" "$("$PYTHON3" -c 'import json; print(*(m["rank"] for m in json.load(open("merged.cubex.json"))["phases"][0]["maps"]))')"
	"$report" --rank 1 --phases clusters > text || bad "--rank 1"
	contains "one rank" "$(cat text)" '^ +70 +[0-9.]+ [mun]*s +1 '
fi
verdict
