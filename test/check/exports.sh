#!/bin/sh
# What the shared libraries show is what their maps and this page say, no more and no less: easy to add,
# hard to take back.
. "${srcdir:?}/test/lib.sh" || exit 99
libs=$builddir/.libs
command -v nm > /dev/null || skip "no nm (Debian: binutils)"
[ -e "$libs/libfathom.so" ] || skip "no shared libraries (configured with --disable-shared)"

# Functions of the C and C++ libraries that libfathom stands in front of. They have no version: the
# program refers to them with the C library's, and a definition with another one would be passed by.
cat > interposed-fathom <<'T'
_Exit
_Unwind_SetIP
_exit
daemon
execl
execle
execlp
execv
execve
execvp
execvpe
sigaction
signal
__cxa_begin_catch
__longjmp_chk
_longjmp
longjmp
siglongjmp
swapcontext
setcontext
T
cat > interposed-fathom-compiler <<'T'
__cyg_profile_func_enter
__cyg_profile_func_exit
dlclose
fathom_sled_enter
fathom_sled_exit
fathom_sled_tail
T

# Lines "name" or "name@@NODE" of all that a library shows, version nodes themselves left out.
# GNU ld lists the begin and end of a section although they are hidden; nothing outside the library can refer to them.
shown() {
	readelf -W --dyn-syms "$1" | awk '$6 == "HIDDEN" { print $8 }' > hidden
	nm -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }' | grep -Fxv -f hidden | sort
}

# The same from a map: its names, with wildcards written out by what headers declare with FATHOM_API.
declared() { (cd "$srcdir/lib" && find . -name '*.h' -exec cat {} +) | tr '\n' ' ' | grep -o 'FATHOM_API [^;(]*(' |
	sed 's/.*[ *]\(fathom_[a-z0-9_]*\)($/\1/' | sort -u; }
declared > declared
mapped() {
	awk '
		/\/\*/ { comment = 1 }
		!comment && /^[A-Z_0-9]+ *\{/ { node = $1 }
		!comment && /global:/ { global = 1 }
		!comment && /local:/ { global = 0 }
		!comment && /^\}/ { global = 0 }
		!comment && global && /;/ { sub(/;.*/, ""); gsub(/[ \t]/, ""); print $0 "@@" node }
		/\*\// { comment = 0 }' "$1" |
	while IFS= read -r line; do
		name=${line%@@*}
		case $name in
		*\**)
			stem=${name%\*}
			grep "^$stem" declared | sed "s/\$/@@${line#*@@}/" ;;
		*)
			printf '%s\n' "$line" ;;
		esac
	done | sed 's/@@$//' | sort
}

compare() {
	diff expected got > differences && return
	sed -n 's/^< \(.*\)/\1 is not shown/p; s/^> \(.*\)/\1 is shown and not in the list/p' differences |
	while IFS= read -r line; do bad "$1: $line"; done
}

{ mapped "$srcdir/lib/libfathom.map"; cat interposed-fathom; } | sort > expected
grep -q '^fathom_version@@FATHOM_1$' expected || die "libfathom.map was not understood"
grep -q '^fathom_event_enter@@FATHOM_PRIVATE$' expected || die "libfathom.map was not understood"
# What a part has that this build leaves out is in the map only.
if ! has_part topologies 2> /dev/null; then
	sed -i '/^fathom_cart_/d; /^fathom_topology_.*@@FATHOM_PRIVATE$/d' expected
fi
shown "$libs/libfathom.so" > got
compare libfathom

mapped "$srcdir/wrappers/compiler/libfathom-compiler.map" > expected
sort interposed-fathom-compiler > wanted
cmp -s expected wanted || bad "libfathom-compiler.map and the list here differ: $(diff wanted expected | grep '^[<>]' | tr '\n' ' ')"
has_part late-hooks 2> /dev/null || sed -i '/^fathom_sled_/d' expected
shown "$libs/libfathom-compiler.so" > got
compare libfathom-compiler

if [ -e "$libs/libfathom-patch.so" ]; then
	mapped "$srcdir/wrappers/compiler/patch/libfathom-patch.map" > expected
	same "libfathom-patch.map" "fathom_patch_table@@FATHOM_PRIVATE" "$(cat expected)"
	shown "$libs/libfathom-patch.so" > got
	compare libfathom-patch
fi

mapped "$srcdir/lib/symbols/libfathom-symbols.map" > expected
same "libfathom-symbols.map" "fathom_symbols_table@@FATHOM_PRIVATE" "$(cat expected)"
shown "$libs/libfathom-symbols.so" > got
compare libfathom-symbols

mapped "$builddir/wrappers/openmp/pomp2/libfathom-pomp2.map" > expected
[ "$(wc -l < expected)" -gt 100 ] || die "libfathom-pomp2.map was not understood"
shown "$libs/libfathom-pomp2.so" > got
compare libfathom-pomp2

mapped "$srcdir/wrappers/openmp/ompt/libfathom-ompt.map" > expected
same "libfathom-ompt.map" "dlclose ompt_start_tool" "$(tr '\n' ' ' < expected | sed 's/ $//')"
shown "$libs/libfathom-ompt.so" > got
compare libfathom-ompt

# That for threads: the calls of its table, and dlclose.
{ awk '!/^#/ && NF { print $1 }' "$srcdir/wrappers/pthread/calls.txt"; echo dlclose; } | sort > expected
shown "$libs/libfathom-pthread.so" > got
compare libfathom-pthread

# That for input and output: the calls of its table.
if [ -e "$libs/libfathom-io.so" ]; then
	awk '!/^#/ && NF { print $1 }' "$srcdir/wrappers/io/calls.txt" | sort > expected
	shown "$libs/libfathom-io.so" > got
	compare libfathom-io
fi

# The libraries for MPI show MPI's names and nothing else: in C, and as Fortran compilers spell them.
for library in "$libs"/libfathom-mpi*.so; do
	[ -e "$library" ] || continue
	shown "$library" > got
	[ "$(wc -l < got)" -gt 300 ] || bad "$(basename "$library") shows only $(wc -l < got) names"
	grep -Evx '(P?MPI|P?MPIX|MPIO|mpi|mpix)_[A-Za-z0-9_]+' got | while IFS= read -r line; do
		bad "$(basename "$library"): $line is shown and not a name of MPI"
	done
done

# What one library of ours takes from another must be there for it, under the private node.
for library in "$libs"/libfathom-*.so; do
	[ -e "$library" ] || continue
	nm -D --undefined-only --with-symbol-versions "$library" | awk '{ print $2 }' | grep '^fathom_' > taken
	grep -v '@FATHOM_PRIVATE$' taken | while IFS= read -r line; do
		bad "$(basename "$library") takes $line"
	done
done
verdict
