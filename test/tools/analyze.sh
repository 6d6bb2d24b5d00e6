#!/bin/bash
# fathom analyze: the same visits and times as the profile of the same run; foreign, damaged and empty traces; bad input.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"
need_otf2

# agree WHAT DIRECTORY: the profile and the analysis of the trace have equal visits, and times that differ only by the
# ticks that the two stages read the clock apart. A trace has no region for starting and ending a team: its time is in
# the call path that forks.
agree()
{
	agree_what=$1 agree_dir=$2
	works "$analyze" "$agree_dir"
	check_profile "$agree_dir/analysis.cubex"
	for agree_file in profile analysis; do
		values visits "$agree_dir/$agree_file.cubex" | grep -v 'fork and join' | sort -k2 > "visits.$agree_file"
		values time "$agree_dir/$agree_file.cubex" | sort -k2 > "time.$agree_file"
	done
	diff visits.profile visits.analysis > visits.diff || bad "$agree_what: visits: $(cat visits.diff)"
	"$PYTHON3" - > time.diff <<'P' || bad "$agree_what: times: $(cat time.diff)"
def read(name):
    times = {}
    for line in open(name):
        seconds, path = line.rstrip("\n").split(" ", 1)
        times[path] = times.get(path, 0) + float(seconds)
    return times
profile, analysis = read("time.profile"), read("time.analysis")
fork = sum(seconds for path, seconds in profile.items() if "fork and join" in path)
wrong = 0
for path in sorted(set(profile) | set(analysis)):
    if "fork and join" in path:
        continue
    a, b = profile.get(path, 0), analysis.get(path, 0)
    if abs(a - b) > 2e-5 + fork + 0.001 * a:
        print(path, a, b)
        wrong = 1
if abs(sum(profile.values()) - sum(analysis.values())) > 1e-4:
    print("all", sum(profile.values()), sum(analysis.values()))
    wrong = 1
raise SystemExit(wrong)
P
}

# Functions of one thread
cat > serial.c <<'C'
#include <time.h>
static double burn(double seconds)
{
	struct timespec begin, now;
	volatile double sum = 0;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		for (int i = 0; i < 1000; i++)
			sum += i;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - begin.tv_sec + (now.tv_nsec - begin.tv_nsec) * 1e-9 < seconds);
	return sum;
}
static double twice(int depth) { return depth ? twice(depth - 1) + burn(0.001) : burn(0.002); }
int main(void) { return twice(3) + twice(1) < 0; }
C
"$FATHOM" "$CC" -g -O1 serial.c -o serial || die "serial.c"
mkdir serial.dir
FATHOM_MODE=profile,trace FATHOM_DIR=$PWD/serial.dir ./serial 2> err || bad "serial: $(cat err)"
mv serial.dir/fathom-* serial.run
agree serial serial.run

# Counters: the same values at each call path below main, from the same readings
mkdir counted.dir
FATHOM_METRICS=rusage::minflt,rusage::utime FATHOM_MODE=profile,trace FATHOM_DIR=$PWD/counted.dir ./serial 2> err ||
	bad "counted: $(cat err)"
mv counted.dir/fathom-* counted.run
works "$analyze" counted.run
check_profile counted.run/analysis.cubex
for counter in rusage::minflt rusage::utime; do
	for file in profile analysis; do
		values $counter counted.run/$file.cubex | grep '^[1-9].*/main/' > $file.values
	done
	diff profile.values analysis.values > values.diff || bad "$counter: $(head -5 values.diff)"
done

# Threads of OpenMP, with tasks, barriers, a critical construct
cat > team.c <<'C'
#include <omp.h>
static int fib(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(2)
		{
#pragma omp single
			sum += fib(8);
#pragma omp critical
			sum++;
#pragma omp barrier
#pragma omp for
			for (int k = 0; k < 4; k++)
				fib(3);
		}
	}
	return sum < 0;
}
C
if "$FATHOM" "$CC" -g -O1 -fopenmp team.c -o team 2> err; then
	mkdir team.dir
	FATHOM_MODE=profile,trace FATHOM_DIR=$PWD/team.dir ./team 2> err || bad "team: $(cat err)"
	mv team.dir/fathom-* team.run
	agree team team.run
else
	left_out "OpenMP: $(cat err)"
fi

# Created threads, and a mutex
cat > threads.c <<'C'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void work(void)
{
	pthread_mutex_lock(&mutex);
	for (volatile int i = 0; i < 100000; i++)
		;
	count++;
	pthread_mutex_unlock(&mutex);
}
static void *thread(void *argument) { work(); work(); return argument; }
int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	work();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return count != 5;
}
C
"$FATHOM" "$CC" -g -O1 -pthread threads.c -o threads || die "threads.c"
mkdir threads.dir
FATHOM_MODE=profile,trace FATHOM_DIR=$PWD/threads.dir ./threads 2> err || bad "threads: $(cat err)"
mv threads.dir/fathom-* threads.run
agree threads threads.run

# Ranks
cat > ranks.c <<'C'
#include <mpi.h>
#include <unistd.h>
static void exchange(int rank, int size)
{
	int in, out = rank;
	MPI_Request requests[2];
	MPI_Status statuses[2];

	MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, statuses);
}
int main(int argc, char **argv)
{
	int rank, size, value = 0;
	MPI_Comm half;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
	for (int i = 0; i < 10; i++)
		exchange(rank, size);
	MPI_Bcast(&value, 1, MPI_INT, 0, half);
	if (rank == 0) {
		usleep(300000);
		MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
	} else if (rank == 1) {
		MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Comm_free(&half);
	MPI_Finalize();
	return 0;
}
C
if have_mpi; then
	"$FATHOM" "$MPICC" -g -O1 ranks.c -o ranks || die "ranks.c"
	mkdir ranks.dir
	FATHOM_MODE=profile,trace FATHOM_DIR=$PWD/ranks.dir "$MPIRUN" -n 3 ./ranks 2> err || bad "ranks: $(cat err)"
	mv ranks.dir/fathom-* ranks.run
	agree ranks ranks.run
	# The search in the run found the same as the search in the trace
	if has_part FATHOM_WAITS; then
		in_run=$(value mpi_latesender 'ranks/main/MPI_Recv' ranks.run/profile.cubex)
		in_trace=$(value mpi_latesender 'ranks/main/MPI_Recv' ranks.run/analysis.cubex)
		"$PYTHON3" -c "import sys; sys.exit(not abs($in_run - $in_trace) < 0.0005)" ||
			bad "late sender: $in_run s in the run, $in_trace s in the trace"
	fi
	# Each rank that was killed has a trace of its own, before fathom merge
	mkdir killed && cp -r ranks.run killed/rank-0
	refused "a directory without a trace" 2 '^fathom analyze: killed: holds the traces that 1 rank left alone, each a trace for itself, such as killed/rank-0$' "$analyze" killed
	works "$analyze" --force killed/rank-0
fi

# Several processes give the same numbers, and write one file
compare()	# WHAT FILE FILE: equal values, except for rounding
{
	"$PYTHON3" - "$report" "$2" "$3" > compare.out <<'P' || bad "$1: $(cat compare.out)"
import json, subprocess, sys
def read(path):
    text = subprocess.run([sys.argv[1], "--json", path], capture_output=True, check=True).stdout
    values, paths = {}, {None: ()}
    for node in json.loads(text)["call_tree"]:
        paths[node["id"]] = paths[node["parent"]] + (node["name"],)
        for metric, value in node["exclusive"].items():
            values[paths[node["id"]], metric] = value or 0
    return values
one, other = read(sys.argv[2]), read(sys.argv[3])
wrong = [key for key in sorted(set(one) | set(other), key=str)
         if abs(one.get(key, 0) - other.get(key, 0)) > 1e-9 * max(1, abs(one.get(key, 0)))]
for key in wrong[:5]:
    print(key, one.get(key), other.get(key))
raise SystemExit(bool(wrong))
P
}
if have_mpi && [ -e "$builddir/.libs/fathom-analyze-mpich.so" ]; then
	works "$analyze" ranks.run -o one.cubex
	for hosts in 2 3; do
		works "$MPIRUN" -n "$hosts" "$analyze" ranks.run -o "hosts$hosts.cubex"
		same "$hosts processes: lines" 1 "$(wc -l < out)"
		compare "$hosts processes" one.cubex "hosts$hosts.cubex"
	done
	"$MPIRUN" -n 2 "$analyze" --nonsense > out 2> err && bad "mpirun: a wrong option works"
	same "mpirun: a wrong option, once" 1 "$(grep -c '^fathom analyze: --nonsense: no such option' err)"
	"$MPIRUN" -n 2 "$analyze" nowhere > out 2> err
	same "no trace, 2 processes: complaints" 'fathom analyze: nowhere: No such file or directory' "$(cat err)"
	works "$MPIRUN" -n 2 "$analyze" team.run -o hosts-team.cubex
fi

# What the ranks of the program did: rank 1 waits up to 300 ms for the message that rank 0 sends late
if [ -e one.cubex ]; then
	late=$(value mpi_latesender 'ranks/main/MPI_Recv' one.cubex)
	"$PYTHON3" -c "import sys; sys.exit(not 0.1 < $late < 2)" || bad "late sender: $late s"
	same "messages" 31 "$("$PYTHON3" -c '
import re, sys, tarfile
text = tarfile.open(sys.argv[1]).extractfile("anchor.xml").read().decode()
print(re.search(r"fathom::waits_messages\" value=\"([0-9]+)\"", text).group(1))' one.cubex)"
	works "$report" one.cubex --waits
	contains "--waits" "$(cat out)" '^ *[0-9.]+% +[0-9.]+ m?s +in MPI_Recv called in main \(ranks.c:[0-9]+\), rank 1$'
	contains "--waits: causes" "$(cat out)" '^ *[0-9.]+% +[0-9.]+ m?s +by main \(ranks.c:[0-9]+\), rank 0$'
	works "$report" one.cubex --critical
	contains "--critical" "$(cat out)" '^ *[0-9.]+% +[0-9.]+ m?s .* main \(ranks.c:[0-9]+\)$'
	refused "two sections" 2 '^fathom report: --waits and --critical: choose one' "$report" one.cubex --waits --critical
	refused "no wait states" 1 'has no wait states \(of a trace, fathom analyze finds them\)$' "$report" --waits serial.run/profile.cubex
	same "sends that otf2-print shows" 31 "$(otf2-print ranks.run/traces.otf2 | grep -c '^MPI_I*SEND ')"
fi

# Traces of others
if [ -d "$shared/data/mix-trace" ]; then
	for trace in mix tasks lulesh; do
		works "$analyze" "$shared/data/$trace-trace" -o "$trace.cubex"
		check_profile "$trace.cubex"
	done
	same "sends of mix" 33 "$(values visits mix.cubex | awk '/MPI_Isend$|MPI_Send$/ { n += $1 } END { print n }')"
fi

# The made trace of the tests, and what is damaged
make_trace good good
works "$analyze" good
check_profile good/analysis.cubex
contains "events" "$(cat out)" '^good/analysis.cubex: [0-9]+ events of [0-9]+ locations'
refused "a second time" 1 '^fathom analyze: good/analysis.cubex: exists already \(--force replaces it; -o chooses another name\)$' "$analyze" good
works "$analyze" --force good
works "$analyze" --no-waits -o other.cubex good/traces.otf2
[ -s other.cubex ] || bad "-o wrote nothing"
refused "another ending" 2 '^fathom analyze: -o other.txt: the name must end in .cubex' "$analyze" -o other.txt good
refused "no folder" 1 '^fathom analyze: nowhere/x.cubex: cannot be made: No such file or directory$' "$analyze" -o nowhere/x.cubex good
refused "nothing there" 2 '^fathom analyze: nowhere: No such file' "$analyze" nowhere
refused "unknown option" 2 '^fathom analyze: --bogus: no such option; see fathom analyze --help$' "$analyze" --bogus
works "$analyze" --help
contains "help" "$(cat out)" '^usage: fathom analyze'
rm -f good/analysis.cubex
cp -r good empty
for events in empty/traces/*.evt; do : > "$events"; done
"$analyze" empty > out 2> err
[ $? -le 1 ] && [ "$(cat out err | wc -l)" -ge 1 ] || bad "without events: $(cat out err)"
size=$(wc -c < good/traces/0.evt)
for part in 1 4 7 9; do
	rm -rf cut && cp -r good cut
	head -c $((size * part / 10)) good/traces/0.evt > cut/traces/0.evt
	"$analyze" cut > out 2> err
	code=$?
	[ $code -le 1 ] || bad "cut at $part/10: exit code $code"
	[ $code -eq 0 ] || same "cut at $part/10: lines of complaint" 1 "$(wc -l < err)"
	[ $code -eq 0 ] || [ ! -e cut/analysis.cubex ] || bad "cut at $part/10: a file is left"
done
verdict
