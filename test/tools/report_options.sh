#!/bin/sh
# Each option of fathom report does what it says.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"

make_fixture run run.cubex
make_fixture foreign foreign.cubex

section() { sed -n "/^$1/,/^\$/p" out; }
rows() { section "$1" | sed '1,3d;/^$/d' | grep -c '^ *[0-9.]*%'; }

# How much
works "$report" run.cubex --top 4
same "--top" 4 "$(rows Regions)"
works "$report" run.cubex --top 0
same "--top 0" 0 "$(rows Regions)"
works "$report" run.cubex --all
same "--all: regions" 15 "$(rows Regions)"
same "--all: call paths" 15 "$(rows 'Call tree')"
works "$report" run.cubex --depth 2
same "--depth" 2 "$(rows 'Call tree')"
works "$report" run.cubex --min 50
same "--min" 4 "$(rows 'Call tree')"
contains "--min says what is missing" "$(cat out)" '11 of 15 call paths are not shown: they have less than 50%'
works "$report" run.cubex --min 0.5%
same "--min with a sign" 11 "$(rows 'Call tree')"
works "$report" run.cubex --flat
same "--flat: one section" 1 "$(grep -c -- '------' out)"
same "--flat: all regions" 15 "$(rows Regions)"

# What
works "$report" run.cubex --metric bytes_sent
contains "--metric" "$(section Regions)" '^100.0%  65.54 MB     8000  8.192 kB  MPI_Isend'
contains "--metric: tree" "$(section 'Call tree')" '^100.0%  65.57 MB   0.0%        4  heat$'
works "$report" run.cubex --metric list
contains "--metric list" "$(cat out)" '^bytes_sent +bytes +'
fits "--metric list" 80 out
for metric in $(sed '1,3d' out | cut -d' ' -f1 | grep .); do
	works "$report" run.cubex --metric "$metric" --flat
done
works "$report" run.cubex --flat --sort name
sed '1,3d;/^$/d' out | grep '^ *[0-9.]*%' | cut -c38- > names
LC_ALL=C sort -c names || bad "--sort name: $(cat names)"
works "$report" run.cubex --flat --sort visits
sed '1,3d;/^$/d' out | grep '^ *[0-9.]*%' | awk '{ print $4 }' > visits
sort -c -r -n visits || bad "--sort visits: $(cat visits)"
works "$report" run.cubex --flat --sort bytes_sent
contains "--sort bytes_sent: first" "$(sed -n 4p out)" ' MPI_Isend '
works "$report" run.cubex --sort visits --top 2
contains "--sort: the title" "$(cat out)" '^Regions by their own time, sorted by visits '
contains "--sort with --top" "$(section Regions)" ' 8000 .* MPI_Isend '
works "$report" run.cubex --column max_time
fits "--column" 80 out
contains "--column: the head" "$(section Regions)" '^ +own +time +visits per visit +max_time  region +place$'
contains "--column: a value" "$(section Regions)" '^ 61.1%   11.33 s     4000  2.832 ms   6.250 ms  heat::step'
contains "--column: not in the tree" "$(section 'Call tree')" '^ +incl\. +time +own +visits  call path$'
works "$report" run.cubex --flat --sort max_time --column max_time
same "--column with --sort: seconds, milliseconds, microseconds" ' s ms us ' \
	"$(sed '1,3d;/^$/d' out | grep '^ *[0-9.]*%' | cut -c45-46 | uniq | tr '\n' ' ')"
works "$report" run.cubex --metric visits --column bytes_sent --top 3
contains "--column: a sum" "$(section Regions)" '1   65.54 MB  MPI_Isend'
works "$report" run.cubex --column messages_received
contains "--column: a long name" "$(section Regions)" ' per visit mess~eived  region '
make_fixture off off.cubex
works "$report" off.cubex --column max_time
fits "--column and estimates" 80 out
contains "--column and estimates" "$(section Regions)" ' measured  visits per visit +max_time  region '
works "$report" run.cubex --all --sort name
contains "--sort name: tree" "$(section 'Call tree' | tr '\n' ' ')" 'main .*MPI_Finalize .*MPI_Init .*heat::Grid.*heat::solve.*heat::write'
works "$report" run.cubex --all --sort bytes_sent
contains "--sort bytes_sent: tree" "$(section 'Call tree' | tr '\n' ' ')" 'heat::solve.*heat::exchange.*MPI_Isend.*MPI_Allreduce.*heat::step'
works "$report" run.cubex --metric max_time
contains "--metric of maxima" "$(section Regions)" '^ +1.270 s|^ +9.809 s'
works "$report" run.cubex --metric min_time --depth 1
works "$report" run.cubex --rank 0
contains "--rank: header" "$(cat out)" '^Shown +only rank 0$'
contains "--rank: files were its" "$(cat out)" '3.000 MB .*Files'
same "--rank: no balance" 0 "$(grep -c Balance out)"
works "$report" run.cubex --rank 3
same "--rank: only its own" 0 "$(grep -c Files out)"
contains "--rank: its own time" "$(section Regions)" '^ 63.7%   3.125 s     1000'

# Callers
works "$report" run.cubex --callers heat::exchange
contains "--callers without arguments" "$(cat out)" '^100.0%.* 4000  heat::exchange'
works "$report" run.cubex --callers 'MPI_I*nd'
contains "--callers with a pattern" "$(cat out)" '^100.0%.* 8000  MPI_Isend'
works "$report" run.cubex --callers main --metric visits
works "$report" foreign.cubex --callers work
same "--callers: a task's own" 1 "$(grep -c 'work  *app.c' out)"
make_fixture recursion 1000 recursion.cubex
works "$report" recursion.cubex --flat --column max_time
contains "--column: the largest of all call paths" "$(cat out)" ' 1000  9.766 us    195.3 s  recurse '
works "$report" recursion.cubex --callers recurse
contains "--callers: recursion counts once" "$(cat out)" '^100.0%   97.67 s     1000  recurse'
same "--callers: nothing beyond its depth" 0 "$(grep -c 'end here' out)"
works "$report" recursion.cubex --callers recurse --min 0
contains "--callers: depth" "$(cat out)" 'end here'

# How it looks
works "$report" run.cubex
same "no colour in a file" 0 "$(grep -c "$(printf '\033')" out)"
for option in --color --color=always '--color always'; do
	works "$report" $option run.cubex
	[ "$(grep -c "$(printf '\033')" out)" -gt 10 ] || bad "$option: no colour"
done
for option in --no-color --color=never --color=auto '--color auto'; do
	works "$report" $option run.cubex
	same "$option" 0 "$(grep -c "$(printf '\033')" out)"
done
for width in 80 100 109 110 111 250; do
	works "$report" --width $width run.cubex
	fits "--width $width" $width out
	same "--width $width is used" $width "$(widest out)"
	for locale in C C.UTF-8; do
		LC_ALL=$locale works "$report" --width $width --metric max_time --all foreign.cubex
		fits "--width $width in $locale" $width out
		LC_ALL=$locale works "$report" --width $width --callers 'MPI_*' run.cubex
		fits "callers, --width $width in $locale" $width out
	done
done
COLUMNS=120 works "$report" run.cubex
same "COLUMNS" 120 "$(widest out)"
COLUMNS=x120 works "$report" run.cubex
same "COLUMNS that is no number" 80 "$(widest out)"
COLUMNS=5 works "$report" run.cubex
same "COLUMNS too narrow" 80 "$(widest out)"

# A reader that has seen enough is no error.
"$report" --all --width 1000 run.cubex 2> err | head -n 1 > /dev/null
same "closed pipe" '' "$(cat err)"
make_fixture chain 20000 chain.cubex
"$report" --all chain.cubex 2> err | head -n 1 > /dev/null
same "closed pipe, long report" '' "$(cat err)"
"$report" --json chain.cubex 2> err | head -n 1 > /dev/null
same "closed pipe, JSON" '' "$(cat err)"
if [ -c /dev/full ]; then
	"$report" run.cubex > /dev/full 2> err
	same "full disk: exit code" 1 $?
	contains "full disk" "$(cat err)" '^fathom report: standard output: No space left'
fi
"$report" --help > out || bad "--help"
fits "--help" 80 out
for option in $(grep -o -- '--[a-z-]*' out | sort -u); do
	grep -q -- "$(printf '%s' "$option" | sed 's/-/\\\\-/g')" "$srcdir/doc/man/fathom-report.1" ||
		bad "the man page does not know $option"
done
contains "--version" "$("$report" --version)" '^fathom [0-9]'
verdict
