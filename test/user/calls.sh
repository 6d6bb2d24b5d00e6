#!/bin/bash
# Every call of the API: in an example of C, C++ and Fortran, in the manual page; what the examples say is in their
# profiles and traces. Without fathom nothing is left of it; headers compile in every dialect.
. "${srcdir:?}/test/user/lib.sh" || exit 99
include="-I$srcdir/include"
page=$srcdir/doc/man/fathom_user.3

# --- nothing is left out ---
sed -n 's/^#define \(FATHOM_[A-Z_]*[A-Z]\)(.*/\1/p' "$srcdir/include/fathom/fathom.h" | grep -v '_$' | sort -u > macros
[ "$(grep -c . macros)" -ge 27 ] || bad "only $(grep -c . macros) macros found in fathom.h"
while read -r macro; do
	for language in c cc; do
		cat "$examples"/*."$language" | grep -qE "\\b$macro\\(" || bad "$macro is in no example *.$language"
	done
	grep -q "$macro[ (]" "$page" || bad "$macro is not in fathom_user(3)"
	grep -q "$macro" "$srcdir/doc/guides/api.md" || bad "$macro is not in doc/guides/api.md"
	[ "$(grep -c "^#define $macro(" "$srcdir/include/fathom/fathom.h")" = 2 ] || bad "$macro is not there with and without FATHOM_USER"
done < macros
# And the page names nothing that there is not, but for the preprocessor's forms of Fortran.
grep -o 'FATHOM_[A-Z_]*[A-Z]' "$page" | sort -u | grep -vxF -e FATHOM_USER -e FATHOM_PHASE_CLUSTERS -e FATHOM_TRACE_RING | while read -r name; do
	grep -qx "$name" macros || grep -q "^#define $name(" "$srcdir/include/fathom/fathom.inc" || bad "fathom_user(3): there is no $name"
done
# Procedures that are parts of a generic one are called by its name.
{ sed -n 's/^ *interface \(fathom_[a-z_]*\)$/\1/p' "$srcdir/include/fathom/fathom.F90"
  sed -n 's/^ *\(subroutine\|logical(4) function\) \(fathom_[a-z_]*\)(.*/\2/p' "$srcdir/include/fathom/fathom.F90" | grep -v '_\(i4\|i8\|r4\|r8\|text\)$'; } | grep -vx 'fathom_[a-z]*_[ir]' | sort -u > procedures
[ "$(grep -c . procedures)" -ge 17 ] || bad "only $(grep -c . procedures) procedures found in fathom.F90"
while read -r procedure; do
	case $procedure in *_i | *_r | *_text) continue ;; esac
	cat "$examples"/*.f90 | grep -qE "\\b$procedure\\(" || bad "$procedure is in no example in Fortran"
	grep -q "$procedure(" "$page" || bad "$procedure is not in fathom_user(3)"
	grep -q "$procedure\\|\`, \`_end\\|\`_on" "$srcdir/doc/guides/api.md" || bad "$procedure is not in doc/guides/api.md"
done < procedures
for macro in $(sed -n 's/^#define \(FATHOM_[A-Z_]*\)(.*call.*/\1/p' "$srcdir/include/fathom/fathom.inc"); do
	cat "$examples"/*.F90 | grep -q "^ *$macro(" || bad "$macro is in no preprocessed example in Fortran"
	[ "$(grep -c "^#define $macro(" "$srcdir/include/fathom/fathom.inc")" = 2 ] || bad "fathom.inc: $macro is not there with and without FATHOM_USER"
done
if have man; then
	MANWIDTH=80 man --warnings -l "$page" > manual 2> warnings || bad "man cannot show fathom_user(3)"
	[ ! -s warnings ] || bad "fathom_user(3): $(cat warnings)"
fi

# --- the examples ---
# try COMPILER EXAMPLE FIRST-INSTANCE PLAIN-FLAGS...
try() {
	compiler=$1 file=$2 first=$3
	shift 3
	have "$compiler" || return 0
	name=${file%.*}-$compiler
	"$compiler" -O1 "$@" "$examples/$file" -o "$name" 2> err || { bad "$compiler cannot build $file: $(cat err)"; return; }
	case $file in *.f90) ;; *) nm "$name" | grep -i fathom && bad "$compiler $file: something is left without fathom" ;; esac
	"./$name" > "$name.plain" || bad "$name fails without fathom"
	"$FATHOM" --no-compiler "$compiler" -O1 -g "$examples/$file" -o "$name" 2> err || { bad "fathom $compiler cannot build $file: $(cat err)"; return; }
	[ ! -s err ] || bad "fathom $compiler $file says: $(cat err)"
	measure "$name.exp" "./$name" || return
	! grep -E 'metric|topology|region' "$name.exp.err" || bad "$name: something is said"
	values residual::count "$name.exp/profile.cubex" | sed 's, [^/]*/, ,' > got
	if has_part FATHOM_PHASE_CLUSTERS; then
		for i in 0 1 2 3 4; do echo "1 sweep/instance=$((i + first))/relax"; done > expected
		left="5 4 3 2 1 " sweeps=5
	else
		echo "5 sweep/relax" > expected
		left="1 " sweeps=1
	fi
	diff expected got > differences || bad "$name: residual::count: $(cat differences)"
	same "$name: left" "$left" "$(values left::min "$name.exp/profile.cubex" | cut -d' ' -f1 | tr '\n' ' ')"
	same "$name: cells" $sweeps "$(values cells "$name.exp/profile.cubex" | grep -cE '^(3844|62|19220|310) .*/relax$')"
	"$FATHOM" report --system "$name.exp" > system
	if has_part topologies; then
		contains "$name" "$(cat system)" 'Topology mesh: x 4 \(periodic\), y 2; 1 place taken'
		contains "$name" "$(cat system)" 'Topology threads: .*4; 1 place taken'
		contains "$name" "$(cat system)" 'rank 0 +thread 0 +3 +1$'
	else
		grep Topology system && bad "$name: there is a topology"
	fi
	if [ "$modes" != profile ] && have otf2-print; then
		otf2-print "$name.exp/traces.otf2" > trace
		same "$name: values of residual in the trace" 5 "$(grep -c '^METRIC .*"residual"' trace)"
	fi
}
try gcc grid.c 0 -Wall -Wextra -Werror -pedantic -std=c99 "$include"
try clang grid.c 0 -Wall -Wextra -Werror -pedantic "$include"
try g++ grid.cc 0 -Wall -Wextra -Werror -pedantic -std=c++11 "$include"
try clang++ grid.cc 0 -Wall -Wextra -Werror "$include"
if have gfortran; then
	mkdir plain
	gfortran -cpp -c -Jplain "$srcdir/include/fathom/fathom.F90" -o plain/fathom.o 2> err || bad "the module cannot be compiled without fathom: $(cat err)"
	try gfortran grid.f90 1 -Iplain plain/fathom.o
	try gfortran grid_cpp.F90 1
fi
# Compiled for fathom and linked without it, it runs as if nothing were there.
for compiler in gcc clang g++; do
	have "$compiler" || continue
	case $compiler in g++) file=grid.cc ;; *) file=grid.c ;; esac
	"$compiler" -O1 -DFATHOM_USER "$include" "$examples/$file" -o weak && ./weak > weak.out || bad "$compiler: $file does not run without the library"
	cmp -s weak.out "grid-$compiler.plain" || bad "$compiler: $file prints something else without the library"
done
values bytes grid-gcc.exp/profile.cubex | sed 's, [^/]*/, ,' > got
same "bytes" "16384 north rows=32 16384 south rows=32 " "$(tr '\n' ' ' < got)"

# The page's program.
awk '/^\.nf$/ { inside = 1; next } /^\.fi$/ { inside = 0 } /^\.SH/ { example = $2 == "EXAMPLE" } inside && example' "$page" > page.c
"$FATHOM" --no-compiler gcc -Wall -Wextra -Werror page.c -o page || bad "fathom_user(3): the program is not built"
measure page.exp ./page
same "fathom_user(3): iterations" "60" "$(values iterations page.exp/profile.cubex | awk '{ s += $1 } END { print s }')"
same "fathom_user(3): least residual" "0.00390625" "$(values residual::min page.exp/profile.cubex | sort -g | head -1 | cut -d' ' -f1)"

# --- dialects ---
cat > dialect.c <<'T'
#include <fathom/fathom.h>
#include <stddef.h>
int sizes[1] = { 2 };
static void work(int n)
{
	FATHOM_FUNCTION();
	FATHOM_PARAMETER_INT("n", n);
	FATHOM_PARAMETER_UINT("u", n);
	FATHOM_PARAMETER_STRING("s", "text");
	FATHOM_METRIC_INT("a", "occ", "amount", n);
	FATHOM_METRIC_UINT("b", "occ", "amount", n);
	FATHOM_METRIC_DOUBLE("c", "occ", "amount", n);
	FATHOM_POINT_INT("d", "occ", "point", n);
	FATHOM_POINT_UINT("e", "occ", "point", n);
	FATHOM_POINT_DOUBLE("f", "occ", "point", n);
}
static void scopes(int n)
{
	{ FATHOM_REGION("region"); work(n); }
	{ FATHOM_LOOP("loop"); work(n); }
	{ FATHOM_PHASE("phase", n); work(n); }
	if (n)
		FATHOM_REGION_BEGIN("r");
	else
		FATHOM_LOOP_BEGIN("l");
	if (n)
		FATHOM_REGION_END("r");
	else
		FATHOM_LOOP_END("l");
}
int main(void)
{
	FATHOM_TOPOLOGY("t", 1, sizes, NULL, NULL);
	FATHOM_TOPOLOGY_PROCESS("t", 1, sizes);
	FATHOM_TOPOLOGY_THREAD("t", 1, sizes);
	FATHOM_PHASE_BEGIN("p", 1);
	FATHOM_PHASE_END("p");
	FATHOM_NAMED_BEGIN("n");
	FATHOM_NAMED_END("n");
	FATHOM_RECORDING_OFF();
	FATHOM_RECORDING_ON();
	FATHOM_TRACE_KEEP();
	scopes(1);
	return FATHOM_RECORDING();
}
T
# dialects COMPILER LANGUAGE STANDARDS...
dialects() {
	compiler=$1 language=$2
	shift 2
	have "$compiler" || return
	for standard; do
		: > empty.c
		"$compiler" -std="$standard" -x "$language" -fsyntax-only empty.c 2> /dev/null || continue
		for defined in -DFATHOM_USER -UFATHOM_USER; do
			"$compiler" -std="$standard" -x "$language" $defined -pedantic-errors -Wall -Wextra -Werror -O1 -c "$include" dialect.c -o dialect.o 2> err ||
				bad "$compiler -std=$standard $defined: $(head -5 err)"
		done
		nm dialect.o | grep -qi 'fathom' && bad "$compiler -std=$standard: something is left without FATHOM_USER"
	done
}
dialects gcc c c89 gnu89 c99 c11 c17 gnu17 c2x
dialects clang c c89 c99 c11 c17 c2x
dialects g++ c++ c++98 c++11 c++14 c++17 c++20
dialects clang++ c++ c++98 c++11 c++17 c++20
cat > dialect.c << 'T'
#include <fathom/fathom.h>
#define BOTH(i) FATHOM_PHASE("phase", i); FATHOM_REGION("region")	/* several from one macro, and on one line */
int main(void) { BOTH(1); FATHOM_LOOP("loop"); return 0; }
T
dialects gcc c c99 c2x
dialects clang c c99
dialects g++ c++ c++98 c++20
dialects clang++ c++ c++11

# Fortran in fixed form, by the module and by the preprocessor.
if have gfortran; then
	cat > fixed.f <<'T'
      program fixed
      use fathom
      integer i
      do 10 i = 1, 3
        call fathom_region_begin('work')
        call fathom_metric('cells', 'cells', 'Cells', i)
        call fathom_region_end('work')
   10 continue
      end
T
	cat > fixedcpp.F <<'T'
#include <fathom/fathom.inc>
      program fixed
      integer i
      do 10 i = 1, 3
        FATHOM_REGION_BEGIN("work")
        FATHOM_METRIC_INT("cells","cells","Cells",i)
        FATHOM_REGION_END("work")
   10 continue
      end
T
	for file in fixed.f fixedcpp.F; do
		"$FATHOM" --no-compiler gfortran -ffixed-line-length-none $file -o "${file%.*}" 2> err || bad "$file: $(cat err)"
		measure "${file%.*}.exp" "./${file%.*}"
		same "$file: cells" "6" "$(values cells "${file%.*}.exp/profile.cubex" | cut -d' ' -f1)"
	done
fi
verdict
