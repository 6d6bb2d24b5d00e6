#!/bin/sh
# Loops and inlined functions in the call tree, between recorded and sampled functions: the same by both compilers and at
# all levels of optimization, and their values add up to those of the functions to the last bit.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
command -v "$PYTHON3" > /dev/null || skip "no python3"
grep -q '^#define HAVE_ZYDIS 1' "$builddir/config.h" || skip "no loops (Debian: libzydis-dev; x86-64 only)"
source=$srcdir/test/symbols/tree.c
line() { grep -n "/\* $1 \*/" "$source" | cut -d: -f1; }
export FATHOM_SAMPLING=1000
# The linker resolves all functions before main: a sample in it, while the machine stands still, would be a call path more.
export LD_BIND_NOW=1

# tree [PERCENT]: the tree of the run in the present directory, without its root.
tree() {
	"$FATHOM" report --json > report.json 2> err || die "report fails: $(cat err)"
	"$PYTHON3" "$srcdir/test/symbols/scoped_tree.py" report.json "$@" > tree.txt 2> err || bad "$what: $(cat err)"
	sed -n 's/^[^>]* > //p' tree.txt | sort
}

# run COMMAND...: in a directory of its own, where its result is.
run() {
	rm -rf result && mkdir result
	(cd result && "$@" > /dev/null 2> err) || die "$what: it fails: $(cat result/err)"
	cd result || exit 99
}

expected=$(sort <<LINES
main
main > loop tree.c:$(line STEPS)
main > loop tree.c:$(line STEPS) > inlined advance
main > loop tree.c:$(line STEPS) > inlined advance > loop tree.c:$(line CELLS)
main > loop tree.c:$(line STEPS) > solve
main > loop tree.c:$(line STEPS) > solve > loop tree.c:$(line ROWS)
main > loop tree.c:$(line STEPS) > solve > loop tree.c:$(line ROWS) > kernel
main > loop tree.c:$(line STEPS) > solve > loop tree.c:$(line ROWS) > kernel > loop tree.c:$(line ITEMS)
main > kernel
main > kernel > loop tree.c:$(line ITEMS)
LINES
)
for cc in gcc clang; do
	have $cc || continue
	for options in -O0 -O3 '-O2 -flto'; do
		what="$cc $options"
		if [ "$what" = 'clang -O2 -flto' ]; then
			have ld.lld || have ld.gold || continue
		fi
		# shellcheck disable=SC2086
		"$FATHOM" $cc -g $options "$source" -o measured 2> err || die "$what: $(cat err)"
		run ../measured 300000
		grep -q '^path' fathom-*/samples.txt 2> /dev/null || skip "no samples are taken here"
		same "$what: a measured program" "$expected" "$(tree)"
		cd .. || exit 99
		# shellcheck disable=SC2086
		$cc -g $options "$source" -o plain || die "$what fails"
		run "$FATHOM" run ../plain 300000
		same "$what: an unmodified program" "$expected" "$(tree)"
		cd .. || exit 99
	done
done

# The text has them by default. The file with them is kept, and is a profile of its own.
what="the report"
run ../measured 300000
works "$FATHOM" report
contains "a loop" "$(cat out)" "~ +[0-9.]+% +- .* loop tree.c:$(line STEPS)\$"
contains "an inlined function" "$(cat out)" ' inlined advance$'
contains "their number" "$(cat out)" '^Call tree by inclusive time .* 5 call paths, [67] loops and inlined calls$'
works "$FATHOM" report --no-scopes
same "functions only" 0 "$(grep -c -e ' loop ' -e inlined out)"
[ -s fathom-*/scopes.cubex ] || bad "scopes.cubex is not kept"
works "$FATHOM" report "$(echo fathom-*)/scopes.cubex"
contains "scopes.cubex" "$(cat out)" ' inlined advance$'
touch -d '1 hour ago' fathom-*/scopes.cubex fathom-*/samples.txt
touch -d '1 minute ago' fathom-*/profile.cubex
works "$FATHOM" report
[ fathom-*/scopes.cubex -nt fathom-*/profile.cubex ] || bad "a file from before the profile is not made again"
works "$FATHOM" report --json --no-scopes
same "--json --no-scopes" 0 "$(grep -c scoped_call_tree out)"
cd .. || exit 99

# A directory that cannot be written to; a program that was rebuilt; samples of another profile; damaged samples.
what="no place for scopes.cubex"
run ../measured 300000
if [ "$(id -u)" != 0 ]; then
	chmod a-w fathom-*
	same "$what" "$expected" "$(tree)"
	chmod u+w fathom-*
fi
echo >> ../measured
cp ../measured ../kept
printf '\n' >> ../measured
objcopy --remove-section .note.gnu.build-id ../measured 2> /dev/null || true
rm -f fathom-*/scopes.cubex
works "$FATHOM" report
contains "another program of the same name" "$(cat out)" 'measured was rebuilt after this run: the call tree has none of its'
same "no scopes without the program" 0 "$(grep -c ' loop ' out)"
mv ../kept ../measured
sed -i 's/^\(path [0-9]*\) 0 [0-9]* /\1 0 0 /' fathom-*/samples.txt
works "$FATHOM" report
contains "samples of another profile" "$(cat out)" 'samples\.txt: is not of this profile'
sed -i '3s/.*/nonsense/' fathom-*/samples.txt
works "$FATHOM" report
contains "damaged samples" "$(cat out)" 'samples\.txt: line 3: no line'
cd .. || exit 99

# A stripped program has functions and addresses.
what="a stripped program"
gcc -O2 "$source" -o plain && strip plain
run "$FATHOM" run ../plain 300000
same "$what" 0 "$(tree | grep -c -e loop -e inlined)"
contains "$what" "$(tree)" '^plain\+0x[0-9a-f]+ > plain\+0x[0-9a-f]+'
cd .. || exit 99

# A shared library.
what="a shared library"
gcc -g -O2 -shared -fPIC -Dmain=library_main "$source" -o libtree.so || die "no shared library"
cat > caller.c <<'C'
int library_main(int argc, char **argv);
int main(int argc, char **argv)
{
	return library_main(argc, argv);
}
C
gcc -g -O0 caller.c -o caller -L. -ltree -Wl,-rpath,"$PWD"
run "$FATHOM" run ../caller 300000
same "$what" "main
$(printf '%s\n' "$expected" | sed 's/^main/main > library_main/')" "$(tree)"
cd .. || exit 99

# Bodies of OpenMP constructs, which compilers make functions of.
source=$srcdir/test/symbols/tree_teams.c
for cc in gcc clang; do
	have $cc || continue
	for options in -O0 -O2; do
		what="OpenMP, $cc $options"
		# shellcheck disable=SC2086
		"$FATHOM" $cc -g -fopenmp $options "$source" -o teams 2> err ||
			{ left_out "$what: cannot be built: $(tail -n 1 err)"; continue; }
		run env OMP_WAIT_POLICY=passive ../teams 300000
		tree 0 | sed 's/ @[^ ]*//g' > paths
		for path in "parallel > loop tree_teams.c:$(line PARTS) > kernel > loop tree_teams.c:$(line ITEMS)" \
			"parallel > !\$omp for"; do
			grep -Fqx "main > loop tree_teams.c:$(line STEPS) > !\$omp $path" paths ||
				bad "$what: no '$path' in '$(cat paths)'"
		done
		grep -Fq "!\$omp for > loop tree_teams.c:" paths || bad "$what: no loop in the construct: '$(cat paths)'"
		cd .. || exit 99
	done
done

# Processes and threads, a region of the user API, recursion.
what="two ranks"
have_mpi || verdict
source=$srcdir/test/symbols/tree_ranks.c
FATHOM_INSTRUMENT_CALLS=all "$FATHOM" "$MPICC" -g -O2 -I"$srcdir/include" "$source" -o ranks -lpthread 2> err ||
	die "$what: $(cat err)"
run "$MPIRUN" -n 2 ../ranks 300000
all=$(tree 0)
for path in "main > uneven > loop tree_ranks.c:$(line EVEN)" "main > uneven > loop tree_ranks.c:$(line ODD)" \
	"main > loop tree_ranks.c:$(line STEPS) > part > loop tree_ranks.c:$(line CELLS)"; do
	printf '%s\n' "$all" | grep -Fqx "$path" || bad "$what: no '$path' in '$all'"
done
printf '%s\n' "$all" | grep -Fq "work > uneven > loop tree_ranks.c:$(line ODD)" || bad "$what: the thread: '$all'"
for rank in 0 1; do
	other=$([ $rank = 0 ] && line ODD || line EVEN)
	works "$FATHOM" report --rank $rank --min 0.1
	# The loop of the other rank is nowhere below main; the second thread has loop ODD.
	same "$what: rank $rank has the loop of the other one" 0 \
		"$(sed -n '/ main$/,/ work$/p' out | grep -c " loop tree_ranks.c:$other\$")"
done
"$FATHOM" report --json --min 0 > report.json
"$PYTHON3" - report.json <<'PY' || bad "$what: MPI calls are not in the loop that makes them"
import json
import sys
tree = json.load(open(sys.argv[1]))["scoped_call_tree"]
barrier = next(node for node in tree if node["name"] == "MPI_Barrier" and node["exclusive"]["visits"] == 40)
assert tree[barrier["parent"]]["scope"]["kind"] == "loop", tree[barrier["parent"]]
PY
works "$FATHOM" report
# Without samples by thread, all threads' times are shared out by the sums; these are exact, too.
sed -i '/^path/s/ [0-9]*:[0-9]*//g' fathom-*/samples.txt && rm fathom-*/scopes.cubex
what="two ranks, sums of samples"
same "$what" "$all" "$(tree 0)"
contains "$what: recursion" "$(cat out)" ' [.~…]+ [0-9]+ more levels of itself$'
cd .. || exit 99
verdict
