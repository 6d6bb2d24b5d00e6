#!/bin/bash
# FastTree, C and OpenMP: one file of ten thousand lines with parallel loops, sections and critical sections.
. "${srcdir:?}/test/real/lib.sh"
echo 'int main(void) { return 0; }' > try.c
gcc -fopenmp try.c -o try 2> /dev/null || skip "gcc -fopenmp does not work here"
command -v opari2 > /dev/null || skip "no opari2 (Debian: opari2)"
fetch fasttree plain default

# An inline function without an external definition needs its address with hooks.
flags="-O1 -fgnu89-inline -fopenmp -DOPENMP -w"
build plain gcc $flags fasttree.c -o fasttree -lm
FATHOM_INSTRUMENT_MIN_INSNS=0 build default "$(with_fathom gcc)" $flags fasttree.c -o fasttree -lm

# Sequences that descend from one, by halves.
"$PYTHON3" "$real/alignment.py" 50 200 > alignment.fa
export OMP_WAIT_POLICY=passive
for threads in 1 2; do
	export OMP_NUM_THREADS=$threads
	for kind in plain default; do
		timed "$kind, $threads threads" in_dir $kind ./fasttree -nt -quiet ../alignment.fa > $kind.out 2> $kind.err || bad "$kind: exit code $?"
		same "$kind: stderr" "$(cat plain.err)" "$(grep -v '^fathom: profile in' $kind.err)"
		cmp plain.out $kind.out || bad "$kind: another tree"
	done
	profile_of default
	values visits "$profile" > visits

	"$PYTHON3" - visits $threads > quartets-$threads <<-'PY' || bad "$threads threads: the profile"
	import re, sys
	from collections import Counter
	threads, count, wrong = int(sys.argv[2]), Counter(), []
	for line in open(sys.argv[1]):
	    value, path = line.split(" ", 1)
	    names = path.strip().split("/")
	    nested = sum(name.startswith("!$omp parallel @") for name in names) > 1
	    count[re.sub(r" @.*", "", names[-1]), re.sub(r".* @", "", names[-1]), nested] += float(value)
	regions = {place for name, place, nested in count if name == "!$omp parallel"}
	for place in regions:
	    for nested in (False, True):
	        forks = count["!$omp fork and join", place, nested] / 2
	        visits = count["!$omp parallel", place, nested]
	        # Inside another region a team has one thread.
	        if visits != forks * (1 if nested else threads):
	            wrong.append(f"{place}: {forks:g} forks, {visits:g} visits")
	        if count["!$omp implicit barrier", place, nested] < visits:
	            wrong.append(f"{place}: {visits:g} visits, fewer barriers")
	        sections = count["!$omp sections", place, nested]
	        if count["!$omp section", place, nested] != 3 * sections / (1 if nested else threads):
	            wrong.append(f"{place}: not three sections each")
	if len(regions) < 4:
	    wrong.append(f"parallel regions in the profile: {sorted(regions)}")
	print(f"{sum(n for (name, place, nested), n in count.items() if name == 'MLQuartetOptimize'):g}")
	sys.exit("\n".join(wrong) or 0)
	PY
done
same "calls on one thread and on two" "$(cat quartets-1)" "$(cat quartets-2)"
[ "$(cat quartets-1)" -gt 0 ] || bad "no calls in the sections"

# A few of the sequences, on two threads, in a trace.
if can_trace; then
	head -n 8 alignment.fa > few.fa
	in_dir plain ./fasttree -nt -quiet ../few.fa > plain.out 2> plain.err
	FATHOM_MODE=profile,trace timed "default, traced" in_dir default ./fasttree -nt -quiet ../few.fa > default.out 2> default.err ||
		bad "traced: exit code $?"
	cmp plain.out default.out || bad "traced: another tree"
	same "traced: stderr" "$(cat plain.err)" "$(grep -v '^fathom: profile and trace in' default.err)"
	traced default fasttree
fi
verdict
