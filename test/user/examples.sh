#!/bin/sh
# The examples of the API: plain, with the header but without fathom, and measured by each compiler; exact visits.
. "${srcdir:?}/test/user/lib.sh" || exit 99

# The iterations of a phase "step" of an example, with a line for each region in them.
steps() {
	python='
import sys
first, last = int(sys.argv[1]), int(sys.argv[2])
for step in range(first, last + 1):
    print("1 step/instance=%d" % step)
    for line in sys.argv[3:]:
        when, what = line.split(":", 1)
        if eval(when, {"step": step}):
            print("1 step/instance=%d/%s" % (step, what))
'
	"$PYTHON3" -c "$python" "$@"
}

{ echo "1 setup"; echo "1 setup/fill"
  steps 0 9 'step%3==0:relax sweeps=4' 'step%3:relax sweeps=1' 'step==4:output format=text' 'step==9:output format=binary'
  echo "1 MEASUREMENT OFF"; } > phases.c.expected
{ echo "1 Grid"
  steps 0 5 'step%2==0:relax sweeps=1' 'step%2:relax sweeps=3' 'step<4:write format=text' 'step>=4:write format=none' 'step>=4:recover'
  echo "1 MEASUREMENT OFF"
  echo "1 east"; echo "2 east/twice"; echo "1 west"; echo "2 west/twice"; } > phases.cc.expected
{ echo "1 setup"
  steps 1 8 'step%2:relax sweeps=2' 'step%2:relax sweeps=2/sweep' 'step%2==0:relax sweeps=1' 'step%2==0:relax sweeps=1/sweep' \
	'step==4:output format=text bytes=8000'
  echo "1 MEASUREMENT OFF"; } > phases.f90.expected
cp phases.f90.expected phases_cpp.F90.expected

# Where iterations are not kept apart, their call paths are one.
together() { sed 's,/instance=[0-9]*,,' "$1" | awk '{ n = $1; sub(/^[0-9]+ /, ""); sum[$0] += n } END { for (p in sum) print sum[p], p }' | sort; }
if ! has_part FATHOM_PHASE_CLUSTERS; then
	for file in *.expected; do together "$file" > sums && mv sums "$file"; done
fi

# try COMPILER EXAMPLE PLAIN-FLAGS...
try() {
	compiler=$1 file=$2
	shift 2
	have "$compiler" || return 0
	name=${file%.*}-$compiler
	"$compiler" -O1 "$@" "$examples/$file" -o "$name" 2> err || { bad "$compiler cannot build $file: $(cat err)"; return; }
	"./$name" > "$name.plain" || bad "$name fails without fathom"
	"$FATHOM" --no-compiler "$compiler" -O1 -g "$examples/$file" -o "$name" 2> err ||
		{ bad "fathom $compiler cannot build $file: $(cat err)"; return; }
	[ ! -s err ] || bad "fathom $compiler $file says: $(cat err)"
	measure "$name.exp" "./$name" || return
	cmp -s "$name.plain" "$name.exp.out" || bad "$name prints something else when it is measured"
	visits "$name.exp" > got
	has_part FATHOM_PHASE_CLUSTERS 2> /dev/null || { sort got > sums && mv sums got; }
	diff "$file.expected" got > differences || bad "$name: visits differ: $(cat differences)"
	FATHOM_MODE=none "./$name" | cmp -s - "$name.plain" || bad "$name prints something else in mode none"
}
include="-I$srcdir/include"
try gcc phases.c -Wall -Wextra -Werror -pedantic -std=c99 "$include"
try clang phases.c -Wall -Wextra -Werror -pedantic "$include"
try g++ phases.cc -Wall -Wextra -Werror -pedantic -std=c++11 "$include"
try clang++ phases.cc -Wall -Wextra -Werror "$include"
if have gfortran; then
	mkdir plain
	gfortran -cpp -c -Jplain "$srcdir/include/fathom/fathom.F90" -o plain/fathom.o 2> err || bad "the module cannot be compiled without fathom: $(cat err)"
	try gfortran phases.f90 -Iplain plain/fathom.o
	try gfortran phases_cpp.F90
fi

# Compiled for fathom and linked without it, the program runs as if nothing were there.
for compiler in gcc clang; do
	have "$compiler" || continue
	for flags in -fPIE\ -pie -no-pie; do
		"$compiler" -O1 $flags -DFATHOM_USER "$include" "$examples/phases.c" -o weak && ./weak > weak.out || bad "$compiler $flags: not without the library"
		cmp -s weak.out "phases-$compiler.plain" || bad "$compiler $flags: prints something else without the library"
	done
done

# --no-user: nothing of it is left.
"$FATHOM" --no-compiler --no-user gcc -O1 "$include" "$examples/phases.c" -o silent
nm silent | grep -q fathom_user && bad "--no-user leaves calls"

# Where the regions are: what the macros said.
"$builddir/test/run/dump" -s phases-gcc.exp/profile.cubex > structure
line=$(grep -n 'FATHOM_REGION("output")' "$examples/phases.c" | cut -d: -f1)
grep -q "^region output|output|$examples/phases.c|$line|-1|user|code$" structure || bad "no place of output in $(grep output structure)"
grep -q '^region relax|.*|user|function$' structure || bad "relax is no function"
grep -q '^region step|.*|user|dynamic$' structure || bad "step is no phase"
grep -q '^region fill|.*|user|loop$' structure || bad "fill is no loop"

# In the trace: values and numbers behind the enters they belong to.
if [ "$modes" != profile ] && have otf2-print; then
	otf2-print phases-gcc.exp/traces.otf2 > trace
	same "iterations in the trace" 10 "$(grep -c 'Parameter: "iteration"' trace)"
	same "parameters in the trace" 12 "$(grep -c 'Parameter: "\(sweeps\|format\)"' trace)"
	same "texts in the trace" 2 "$(grep -c 'Parameter: "format" <[0-9]*>, Value: "\(text\|binary\)"' trace)"
	same "recording switched" "OFF ON" "$(sed -n 's/^MEASUREMENT_ON_OFF.*Mode: //p' trace | tr '\n' ' ' | sed 's/ $//')"
fi

# The page: its programs run, and what it names there is.
awk '/^```/ { if (file) file = ""; else if ($0 != "```") { file = "page." substr($0, 4); next } } file { print > file }' "$srcdir/doc/guides/api.md"
"$FATHOM" --no-compiler gcc -O1 -Wall -Wextra -Werror -xc page.c -o page || bad "doc/guides/api.md: the program in C is not built"
measure page.exp ./page
! has_part FATHOM_PHASE_CLUSTERS || same "doc/guides/api.md: iterations" 20 "$(total page.exp 'instance=[0-9]+')"
same "doc/guides/api.md: n" "10 10" "$(total page.exp 'solve n=100') $(total page.exp 'solve n=200')"
same "doc/guides/api.md: not recorded" 0 "$(total page.exp 'solve n=300')"
if have gfortran; then
	cp page.fortran page.f90
	"$FATHOM" --no-compiler gfortran page.f90 -o page-fortran || bad "doc/guides/api.md: the program in Fortran is not built"
	measure page-fortran.exp ./page-fortran
	same "doc/guides/api.md: Fortran" 20 "$(total page-fortran.exp 'solve n=1[0-9]+')"
fi
grep -o 'FATHOM_[A-Z]*_*[A-Z]*(' "$srcdir/doc/guides/api.md" | sort -u | while IFS= read -r call; do
	grep -qF "#define $call" "$srcdir/include/fathom/fathom.h" || bad "doc/guides/api.md: $call is not in the header"
done
grep -o '`fathom_[a-z_]*(' "$srcdir/doc/guides/api.md" | tr -d '`' | sort -u | while IFS= read -r call; do
	grep -Eq "(subroutine|function|interface) ${call%(}(\(|\$)" "$srcdir/include/fathom/fathom.F90" || bad "doc/guides/api.md: $call is not in the module"
done

# Where every function is instrumented, those of the header are not: regions end as they are nested.
echo 'include *' > rules
for compiler in "gcc phases.c" "g++ phases.cc" "clang phases.c" "clang++ phases.cc"; do
	set -- $compiler
	have "$1" || continue
	"$FATHOM" $(case $1 in g*) echo --filter=rules ;; esac) "$1" -O0 "$examples/$2" -o every || bad "$compiler: not built"
	FATHOM_NAME=every.exp FATHOM_MODE=profile ./every > out 2> err || bad "$compiler: fails where all is instrumented"
	grep -E 'still active|not active' err && bad "$compiler: regions are not nested where all is instrumented"
	"$builddir/test/run/dump" -s every.exp/profile.cubex | grep -q 'fathom_.*scope' && bad "$compiler: the header's functions are measured"
	rm -rf every.exp
done

# Wrong nesting is repaired, and said with both names.
"$FATHOM" --no-compiler gcc -O1 -g "$here/nesting.c" -o nesting || die "cannot build nesting.c"
measure nesting.exp ./nesting
visits nesting.exp > got
cat > expected <<'T'
1 outer
1 outer/inner
1 behind
1 leaver
1 leaver/left open
T
diff expected got > differences || bad "nesting: $(cat differences)"
contains "nesting" "$(cat nesting.exp.err)" 'region inner \(nesting\.c:[0-9]+\) was still active at the end of outer \(nesting\.c:[0-9]+\), which ended it'
contains "nesting" "$(cat nesting.exp.err)" 'region inner was ended at nesting\.c:[0-9]+, inside .*, but was not active'
contains "nesting" "$(cat nesting.exp.err)" 'region left open \(nesting\.c:[0-9]+\) was still active at the end of leaver'
same "lines on nesting" 3 "$(grep -c 'region .*ended' nesting.exp.err)"
# The same in threads, in teams, around phases, and in Fortran.
# says EXPERIMENT TEXT...: a line each, and no other
says() {
	said=$1
	shift
	for text; do grep -qF "fathom: region $text" "$said.err" || bad "$said: not said: $text"; done
	same "$said: lines on nesting" $# "$(grep -c 'region .*ended' "$said.err")"
}
if have opari2; then
	"$FATHOM" --no-compiler gcc -fopenmp -pthread -O1 -g "$here/nesting_threads.c" -o threads || die "cannot build nesting_threads.c"
	measure threads.exp ./threads
	at() { echo "nesting_threads.c:$(grep -n "$1" "$here/nesting_threads.c" | head -1 | cut -d: -f1)"; }
	says threads.exp "t inner ($(at 'BEGIN("t inner"')) was still active at the end of t outer ($(at 'BEGIN("t outer"')), which ended it (once)" \
		"t open ($(at '"t open"')) was still active at the end of the thread, which ended it (once)" \
		"named ($(at 'BEGIN("named"')) was still active at the end of loop ($(at 'BEGIN("loop"')), which ended it (2 times)" \
		"named was ended at $(at 'END("named"'), inside !\$omp parallel" \
		"left in team ($(at 'left in team')) was still active at the end of !\$omp parallel" \
		"left in team ($(at 'left in team')) was still active at the end of the thread, which ended it (once)" \
		"in phase ($(at 'in phase')) was still active at the end of phase ($(at 'PHASE_BEGIN("phase", i')), which ended it (2 times)" \
		"phase ($(at 'PHASE_BEGIN("phase", 7')) was still active at the end of around ($(at 'BEGIN("around"')), which ended it (once)"
	! has_part FATHOM_PHASE_CLUSTERS || same "phases that are not nested" 3 "$(total threads.exp 'instance=[0-9]+')"
fi
if have gfortran; then
	"$FATHOM" --no-compiler gfortran "$here/nesting.f90" -o fortran || die "cannot build nesting.f90"
	measure fortran.exp ./fortran
	says fortran.exp "inner loop was still active at the end of outer, which ended it (once)" \
		"inner loop was ended inside fortran, but was not active (once)" \
		"in phase was still active at the end of step, which ended it (once)" \
		"never begun was ended inside fortran, but was not active (once)"
fi
verdict
