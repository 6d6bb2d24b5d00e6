#!/bin/sh
# real.sh PROGRAM DIRECTORY: builds a real program below DIRECTORY in all the ways that bench.py runs it: plain, limit,
# empty (LIMIT and EMPTY say what links the hooks), pg (if WITH_PG), default and all as fathom builds by itself, early and
# early-all with early hooks; KINDS: only these. What was built there stays. It is fetched and built as the tests of
# test/real do; exit 77, with the reason, where it cannot be had.
program=$1 directory=$2
. "${srcdir:?}/test/real/lib.sh" || exit 99

# compiler KIND: the path of the compiler for it
compiler() {
	case $1 in
	plain) before='' after='' ;;
	limit) before=-finstrument-functions after=$LIMIT ;;
	empty) before=-finstrument-functions after=$EMPTY ;;
	pg) before=-pg after= ;;
	default | all | early | early-all) with_fathom gcc; return ;;
	esac
	printf '#!/bin/sh\nexec gcc %s "$@" %s\n' "$before" "$after" > "$work/gcc-$1"
	chmod +x "$work/gcc-$1"
	printf '%s\n' "$work/gcc-$1"
}

# make_it KIND COMMAND...: in its directory; all: every function is measured
make_it() {
	unset FATHOM_INSTRUMENT_HOOKS FATHOM_INSTRUMENT_CALLS
	case $1 in
	early*) export FATHOM_INSTRUMENT_HOOKS=early ;;
	esac
	kind=$1
	shift
	set -- build "$directory/$program/$kind" "$@"
	case $kind in
	*all) all_functions "$@" ;;
	*) "$@" ;;
	esac
}

kinds=${KINDS:-plain limit empty pg default all early early-all}
mkdir -p "$directory/$program"
case $program in
bzip2) source=bzip2 ;;
fasttree) source=fasttree ;;
lua) source=lua5.4 ;;
tachyon) source=tachyon ;;
*) die "$program: bzip2, fasttree, lua or tachyon" ;;
esac
for kind in $kinds; do
	[ "$kind" != pg ] || [ -n "${WITH_PG:-}" ] || continue
	[ ! -e "$directory/$program/$kind.built" ] || continue
	rm -rf "${directory:?}/$program/$kind"
	fetch $source "$directory/$program/$kind"
	gcc=$(compiler "$kind")
	case $program in
	bzip2) make_it "$kind" make bzip2 CC="$gcc" ;;
	# Without OpenMP. An inline function without an external definition needs its address with hooks.
	fasttree) make_it "$kind" "$gcc" -O3 -g -fgnu89-inline -w fasttree.c -o fasttree -lm ;;
	lua) make_it "$kind" make -C src linux CC="$gcc -std=gnu99" MYCFLAGS=-g ;;
	tachyon) make_it "$kind" make -C unix all CC="$gcc" ARCH=linux STRIP=true AR=ar ARFLAGS=r RANLIB=ranlib \
		CFLAGS="-O2 -g -w -DLinux" LIBS="-L. -ltachyon -lm" ;;
	esac
	: > "$directory/$program/$kind.built"
done
cat "$directory/$program/plain"/*.c "$directory/$program/plain"/*.html "$directory/$program/plain"/doc/*.html \
	> "$directory/$program/text" 2> /dev/null
exit 0
