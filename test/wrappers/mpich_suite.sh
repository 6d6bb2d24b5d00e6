#!/bin/sh
# MPICH's own test programs, unchanged, with the wrappers preloaded: each must print what it
# prints without them, and end as without them.
#
#	make check-mpich MPICH_SOURCE=.../mpich-4.0.2 [MPICH_DIRECTORIES="pt2pt coll"]
#
# The sources are those of the MPI at hand (Debian: apt-get source mpich). Programs for more than 4
# processes are left out, and those that fail or take more than 10 s without the wrappers.
. "${srcdir:-.}/test/lib.sh"
need_mpi
source=${1:-}
[ -n "$source" ] || skip "say where MPICH's sources are: make check-mpich MPICH_SOURCE=DIRECTORY"
[ -f "$source/test/mpi/configure" ] || die "$source has no test/mpi/configure"
source=$(cd "$source" && pwd)
preload=$builddir/.libs/libfathom-mpi-preload.so
[ -f "$preload" ] || skip "no preload library: built without shared libraries"
directories=${MPICH_DIRECTORIES:-init attr group topo datatype pt2pt errhan part coll comm rma info threads/pt2pt threads/comm}

"$source/test/mpi/configure" --with-mpi=/usr CC="$MPICC" --disable-fortran --disable-cxx --disable-spawn \
	> configure.out 2>&1 || die "MPICH's tests do not configure: $(tail -3 configure.out)"
make -s -C dtpools > make.out 2>&1 && make -s -C util >> make.out 2>&1 || die "no helpers: $(tail -3 make.out)"

ran=0
left_out=0
# try NAME RANKS ARGUMENTS: plain, then measured
try() {
	timeout 10 $MPIRUN -n "$2" "./$1" $3 > "$work/plain" 2>&1 < /dev/null
	plain=$?
	if [ $plain -ne 0 ] || ! grep -q 'No Errors' "$work/plain"; then
		left_out=$((left_out + 1))
		return
	fi
	timeout 60 $MPIRUN -n "$2" env LD_PRELOAD="$preload" FATHOM_DIR="$work/results" FATHOM_VERBOSE=0 "./$1" $3 \
		> "$work/measured" 2> "$work/messages" < /dev/null
	measured=$?
	ran=$((ran + 1))
	[ $measured -eq 0 ] && grep -q 'No Errors' "$work/measured" ||
		bad "$directory/$1 with $2: exit $measured: $(head -5 "$work/measured") $(head -5 "$work/messages")"
	rm -rf "$work/results"
	mkdir "$work/results"
}

mkdir results
for directory in $directories; do
	[ -f "$directory/Makefile" ] || { echo "no directory $directory"; continue; }
	make -s -j2 -C "$directory" > make.out 2>&1	# programs that do not compile are missed below
	list=$source/test/mpi/$directory/testlist
	[ -f "$list" ] || list=$directory/testlist
	before=$ran
	while read -r name ranks rest; do
		case $name in '' | '#'* | '!'*) continue ;; esac
		case $rest in *xfail=*) continue ;; esac
		[ "${ranks:-9}" -le 4 ] 2> /dev/null || continue
		arguments=$(printf '%s\n' $rest | sed -n 's/^arg=//p' | tr '\n' ' ')
		[ -x "$directory/$name" ] || make -s -C "$directory" "$name" > /dev/null 2>&1
		[ -x "$directory/$name" ] || { left_out=$((left_out + 1)); continue; }
		cd "$directory" && try "$name" "$ranks" "$arguments"
		cd "$work" || exit 99
	done < "$list"
	echo "$directory: $((ran - before)) programs"
done
echo "$ran programs ran as without the wrappers but $(wc -l < "$failures"); $left_out left out"
[ $ran -gt 0 ] || die "no program ran"
verdict
