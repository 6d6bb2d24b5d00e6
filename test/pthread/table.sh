#!/bin/sh
# What the generator says of a table that is wrong, and that it makes the same of the same.
. "${srcdir:?}/test/lib.sh" || exit 99
generate=$srcdir/wrappers/pthread/generate.py
table=$srcdir/wrappers/pthread/calls.txt

mkdir one two
"$PYTHON3" "$generate" --table "$table" --out one || bad "the table is refused"
"$PYTHON3" "$generate" --table "$table" --out two || bad "the table is refused"
for file in calls.h calls.c fathom-pthread.wrap; do
	cmp -s "one/$file" "two/$file" || bad "$file differs"
done
calls=$(awk '!/^#/ && NF' "$table" | wc -l)
same "options for the linker" "$calls" "$(grep -c '^--wrap=[a-z0-9_]*$' one/fathom-pthread.wrap)"
same "wrappers, but two" "$((calls - 2))" "$(grep -c '^FATHOM_API' one/calls.c)"

# refused LINE WORDS: the line is named, with WORDS
refused() {
	printf '# a table\npthread_join threads thread_wait management plain int (pthread_t thread, void **result)\n%s\n' "$1" > wrong.txt
	mkdir -p out
	if "$PYTHON3" "$generate" --table wrong.txt --out out 2> said; then
		bad "accepted: $1"
	fi
	same "$1: lines said" 1 "$(wc -l < said)"
	contains "$1" "$(cat said)" "^generate.py: wrong.txt:3: .*$2"
	same "$1: files made" "" "$(ls out)"
}
refused 'pthread_x threads wrapper mutex plain' '5 columns'
refused 'pthread_x thread wrapper mutex plain int (int x)' 'group thread is none of threads locks once'
refused 'pthread_x threads wrapper lock plain int (int x)' 'activity lock is none of management mutex'
refused 'pthread_x threads wrapper mutex simple int (int x)' 'shape simple is none of plain acquire release wait forget join callback exit own'
refused 'Pthread_x threads wrapper mutex plain int (int x)' 'Pthread_x is not the name of a call'
refused 'pthread_x threads wrapper mutex plain long (int x)' 'long \(int x\) is not a prototype'
refused 'pthread_x threads wrapper mutex plain int int x' 'is not a prototype'
refused 'pthread_x threads wrapper mutex plain int (int *)' 'a parameter of pthread_x has no name'
refused 'pthread_x threads wrapper mutex exit int (int x)' 'does not return, and returns int'
refused 'pthread_join threads wrapper mutex plain int (int x)' 'pthread_join is there twice'
"$PYTHON3" "$generate" --table nowhere.txt --out out 2> said && bad "a table that is not there"
contains "a table that is not there" "$(cat said)" '^generate.py: .*nowhere.txt'
verdict
