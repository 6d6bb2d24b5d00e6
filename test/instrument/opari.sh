#!/bin/sh
# OpenMP sources on their way through OPARI2: each of the traps that its scanner has is passed, the program does
# what it does without fathom, and calls the measurement. What cannot be rewritten is left as it was, with a line.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
need opari2
need gcc
[ -f "$libraries/libfathom-pomp2.so" ] || skip "libraries not built"
sources=$srcdir/test/instrument/opari
export OMP_NUM_THREADS=3

# calls FILE: the constructs that it tells the measurement of
calls() { nm "$1" | sed -n 's/^ *U \(POMP2_\|pomp2_\)\([A-Za-z_]*[a-z]\)_*$/\2/p' | sort -u | tr '\n' ' '; }

# build COMPILER FLAGS... SOURCE: with and without fathom; the same output, and rewritten.
build() {
	"$@" -o plain 2> plain.err || bad "$*: does not compile: $(cat plain.err)"
	"$FATHOM" "$@" -o ours 2> ours.err || bad "fathom $*: failed"
	cmp -s plain.err ours.err || bad "$*: diagnostics differ: $(diff plain.err ours.err | head -3)"
	(./plain; echo "exit $?") > plain.out 2>&1
	(./ours; echo "exit $?") > ours.out 2>&1
	cmp -s plain.out ours.out || bad "$*: output differs: $(diff plain.out ours.out | head -5)"
	[ -n "$(calls ours)" ] || bad "$*: nothing was rewritten"
}

# One standard after the other; what they lack is for the compiler to say.
build gcc -O1 -fopenmp -Wall -Wextra "$sources/combined.c"
contains "combined.c" "$(calls ours)" 'For_enter.*Master_begin.*Parallel_fork.*Single_begin.*Task_create_begin'
build gcc -O2 -std=c11 -fopenmp -Wall "$sources/syntax.c"
contains "syntax.c" "$(calls ours)" 'Ordered_enter.*Section_begin.*Set_lock.*Untied_task_create_begin'
build gcc -std=gnu2x -g -fopenmp "$sources/syntax.c"
build gcc -fopenmp "$sources/headers.c"
build gcc -fopenmp -DTWICE -include omp.h -D_GNU_SOURCE "$sources/headers.c"
build gcc -fopenmp -Wall "$sources/target.c"
build gcc -O2 -fopenmp "$sources/clauses.c"
build g++ -O1 -std=c++11 -fopenmp "$sources/clauses.cc"
build g++ -x c++ -fopenmp "$sources/headers.c" -x none
for std in c++14 gnu++17 gnu++20; do
	build g++ -O1 -std=$std -fno-char8_t -fopenmp -Wall "$sources/syntax.cc"
done
build g++ -w -std=gnu++98 -fopenmp "$sources/combined.c"
if have gfortran; then
	build gfortran -fopenmp -Wall "$sources/free.f90"
	contains "free.f90" "$(calls ours)" 'do_enter.*set_nest_lock.*task_create_begin.*workshare_enter'
	build gfortran -O2 -g -fopenmp -cpp "$sources/free.f90"
	gfortran -fopenmp -c "$sources/free.f90" -o plain.o && mv work.mod plain.mod
	"$FATHOM" gfortran -fopenmp -c "$sources/free.f90" -o ours.o && cmp plain.mod work.mod || bad "free.f90: another module"
	build gfortran -fopenmp "$sources/clauses.f90"
	build gfortran -fopenmp "$sources/fixed.f"
	build gfortran -fopenmp -cpp "$sources/fixed.f"
	build gfortran -fopenmp -Wall "$sources/nameless.F90"
fi

# A static program, and one whose sources are in a library.
if "$FATHOM" gcc -static -fopenmp "$sources/headers.c" -o ours 2> err; then
	same "static: output" "$(gcc -fopenmp "$sources/headers.c" -o plain && ./plain)" "$(./ours)"
	nm ours | grep -q ' T POMP2_Parallel_fork' || bad "static: without the adapter"
else
	contains "static" "$(cat err)" 'static'	# why not
fi
echo 'int shared(int n); int main(void) { return shared(3); }' > main.c
printf 'int shared(int n);\nint shared(int n)\n{\n#pragma omp parallel for reduction(+:n)\n\tfor (int i = 0; i < 10; i++) n += i;\n\treturn n;\n}\n' > shared.c
"$FATHOM" gcc -fopenmp -shared -fPIC -Wl,-z,defs shared.c -o libshared.so && gcc main.c ./libshared.so -o ours || bad "shared library: failed"
./ours; same "shared library in a plain program" 48 $?
contains "shared library" "$(readelf -d libshared.so)" 'NEEDED.*libfathom-pomp2'
"$FATHOM" gcc -fopenmp -shared -fPIC -x c /dev/null -o libempty.so && case $(readelf -d libempty.so) in *libfathom*) bad "shared library: needs what it does not use" ;; esac

# A name of OPARI2's: left as it is, one line says so and names what is lost. The same without opari2.
"$FATHOM" gcc -fopenmp "$sources/names.c" -o ours 2> err || bad "names.c: failed"
same "names.c: lines" 1 "$(wc -l < err)"
contains "names.c" "$(cat err)" '^fathom: .*names.c: OpenMP in it will not be measured, that is 1 parallel for \(line 6\): .*pomp2_'
same "names.c: output" "$(gcc -fopenmp "$sources/names.c" -o plain && ./plain)" "$(./ours)"

# A directive that OPARI2 itself refuses.
cat > refused.c <<'END'
int n;
void f(void)
{
#pragma omp parallel
	n++;
#pragma pomp inst begin(x)
}
END
mkdir opari
cat > opari/opari2 <<'END'
#!/bin/sh
for last; do :; done
case $last in
*/0/*) echo "a.c:7: ERROR: made up" >&2; exit 1 ;;
*/1/*) kill -SEGV $$ ;;
esac
echo nonsense > "$last"
END
chmod +x opari/opari2
for n in 0 1 2; do cp refused.c refused$n.c; done
(PATH=$work/opari:$PATH; "$FATHOM" gcc -fopenmp -c refused0.c refused1.c refused2.c) 2> err || bad "refused.c: failed"
same "OPARI2 fails: lines" 3 "$(wc -l < err)"
contains "OPARI2 fails" "$(cat err)" '^fathom: refused0.c: .* 1 parallel \(line 4\): OPARI2: made up'
contains "OPARI2 crashes" "$(cat err)" '^fathom: refused1.c: .* OPARI2 was ended by signal 11'
contains "OPARI2 writes nonsense" "$(cat err)" '^fathom: refused2.c: .* OPARI2 wrote nothing'
for n in 0 1 2; do [ -f refused$n.o ] && [ -z "$(calls refused$n.o)" ] || bad "refused$n.o: not the plain one"; done

# What OPARI2 makes of this does not compile: the plain object stays.
cat > opari/opari2 <<'END'
#!/bin/sh
for last; do in=$out out=$last; done
echo > "$in.opari.inc"
{ echo '#include "in.c.opari.inc"'; echo 'int f('; } > "$out"
END
gcc -fopenmp -c refused.c -o expected.o
(PATH=$work/opari:$PATH; "$FATHOM" --no-compiler gcc -fopenmp -c refused.c) 2> err || bad "not compiling: failed"
contains "not compiling" "$(cat err)" '^fathom: refused.c: .*rewritten by OPARI2 it does not compile: expected'
same "not compiling: lines" 1 "$(wc -l < err)"
cmp -s refused.o expected.o || bad "not compiling: another object than the plain one"

# A signal while OPARI2's part is at work ends the command, and nothing is left of it.
mkdir killing tmp
cat > killing/opari2 <<'END'
#!/bin/sh
kill -TERM $PPID
exec sleep 20
END
chmod +x killing/opari2
(PATH=$work/killing:$PATH TMPDIR=$work/tmp; export TMPDIR; exec "$FATHOM" gcc -fopenmp -c refused.c) 2> err &
wait $! 2> /dev/null
same "a signal: exit code" 143 $?
same "a signal: lines" "" "$(cat err)"
same "a signal: temporary files" "" "$(ls tmp)"

# clang, if asked for: its own way is another.
if have clang && echo '#include <omp.h>' | clang -fopenmp -E - > /dev/null 2>&1; then
	"$FATHOM" --openmp=pomp2 clang -fopenmp -c "$sources/headers.c" -o clang.o 2> err || bad "clang: failed: $(cat err)"
	contains "clang --openmp=pomp2" "$(calls clang.o)" 'Parallel_fork'
	"$FATHOM" clang -fopenmp -c "$sources/headers.c" -o clang.o && same "clang" "" "$(calls clang.o)"
fi

# Options: nothing is rewritten where nobody asked for it, and atomic only where one did.
"$FATHOM" --openmp=off gcc -fopenmp "$sources/headers.c" -o ours 2> err || bad "--openmp=off: failed"
same "--openmp=off" "" "$(calls ours)$(cat err)"
"$FATHOM" gcc -fopenmp -fno-openmp "$sources/headers.c" -w -o ours && same "-fno-openmp" "" "$(calls ours)"
"$FATHOM" gcc -fopenmp -c "$sources/syntax.c" && contains "atomic" " $(calls syntax.o)" ' For_enter'
case $(calls syntax.o) in *Atomic* | *Flush*) bad "atomic: measured unasked" ;; esac
"$FATHOM" --openmp-atomic gcc -fopenmp -c "$sources/syntax.c" 2> err
contains "--openmp-atomic" "$(calls syntax.o)" 'Atomic_enter.*Flush_enter'
"$FATHOM" --openmp=gomp gcc -c refused.c 2> err; same "--openmp=gomp" 2 $?
contains "--openmp=gomp" "$(cat err)" 'auto, pomp2, ompt or off'

# A source without OpenMP is compiled once.
echo 'int omp_like; /* #pragma */ int f(void) { return omp_like; }' > without.c
fake gcc "$(gcc -dumpfullversion)" "$(gcc -dumpmachine)"
sed -i 's,^for word,echo ran >> "'"$work"'/runs"; for word,' bin/gcc
"$FATHOM" gcc -fopenmp -c without.c
same "without OpenMP: runs of the compiler" 1 "$(wc -l < runs)"
rm -r bin

# The rewritten source is kept on demand, beside the object.
mkdir kept && cp "$sources/headers.c" "$sources/headers.h" . && "$FATHOM" --keep gcc -fopenmp -c headers.c -o kept/h.o
contains "--keep" "$(cat kept/h.opari.i 2>&1)" 'POMP2_Parallel_fork'
# System headers are still known for what they are, and names are as the compiler had them.
contains "--keep: system header" "$(cat kept/h.opari.i)" '^# [0-9]+ "/usr/include/stdio.h" 1 3'
contains "--keep: names" "$(cat kept/h.opari.i)" '^# [0-9]+ "headers.h"'
case $(cat kept/h.opari.i) in *"\"$work/headers."*) bad "--keep: an absolute name is left" ;; esac

# The choice of functions is that of the original, and their lines are.
if [ -f "$plugin" ]; then
	for source in headers.c syntax.c combined.c; do
		"$FATHOM" --openmp=off gcc -g -fopenmp -c "$sources/$source" -o plain.o
		"$FATHOM" gcc -g -fopenmp -c "$sources/$source" -o ours.o
		same "$source: instrumented" "$(hooks plain.o)" "$(hooks ours.o)"
		for object in plain ours; do
			nm -l $object.o | grep -v POMP2 | awk '$2 ~ /^[Tt]$/ { print $3, $4 }' | grep -v _omp_fn > $object.lines
		done
		cmp -s plain.lines ours.lines || bad "$source: functions are elsewhere: $(diff plain.lines ours.lines)"
	done
fi
verdict
