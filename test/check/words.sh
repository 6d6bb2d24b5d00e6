#!/bin/bash
# Names of files and variables, words that the glossary replaces, and comments of headers: words.py says what is wrong.
. "${srcdir:?}/test/lib.sh" || exit 99
command -v "${PYTHON3:=python3}" > /dev/null || skip "no $PYTHON3"

"$PYTHON3" "$srcdir/test/check/words.py" "$srcdir" > lines 2> err || bad "words.py: $(cat err)"
while IFS= read -r line; do bad "$line"; done < lines

# Each kind of fault is found where it is planted. planted FILE WHAT < CONTENTS
planted()
{
	rm -rf planted && mkdir -p planted/doc/internals "planted/$(dirname "$1")" planted/lib/define
	sed -n "/^## Glossary/,/^## Folders/p" "$srcdir/doc/internals/architecture.md" > planted/doc/internals/architecture.md
	echo 'int x;' > planted/lib/define/region.c
	cat > "planted/$1"
	[ -z "$2" ] || "$PYTHON3" "$srcdir/test/check/words.py" planted --everywhere 2> err | grep -q "$1.*$2" || bad "not found: $1: $2 $(cat err)"
}
planted lib/system/talk.c 'the name is no noun' <<< 'int y;'
planted lib/system/region.c 'has the name of lib/define/region.c' <<< 'int y;'
planted lib/system/table.c 'a variable at file scope is called known' <<< 'static struct table known;'
planted lib/system/table.c 'a variable at file scope is called own' <<< $'static struct {\n\tint x;\n} own;'
planted lib/system/table.c 'write instead: placeholder frame' <<< '/* Makes the frame hollow. */'
planted lib/system/table.c 'write instead: coroutine stack' <<< 'static int strand_count;'
planted lib/system/table.c 'write instead: patch check' <<< $'/*\n * After each\n * look the lock is free.\n */'
planted lib/system/table.h 'does not begin with a comment' <<< 'int table_size(void);'
planted lib/system/table.h 'has no comment' <<< $'/*\n * table: a table.\n */\n\nint table_size(void);'
planted lib/system/table.h 'names no context' <<< $'/*\n * table: a table.\n */\n\n/* Returns the size. */\nint table_size(void);'
# The empty function of a part that was left out needs no comment of its own.
planted lib/system/table.h '' <<< $'/*\n * table: a table.\n */\n#ifdef X\n/* Returns the size. Context: hook. */\nint table_size(void);\n#else\n\nstatic inline int table_size(void)\n{\n\treturn 0;\n}\n#endif'
"$PYTHON3" "$srcdir/test/check/words.py" planted --everywhere | grep table_size && bad "an empty function needs a comment"
planted lib/system/table.c '' <<< 'int y;'
"$PYTHON3" "$srcdir/test/check/words.py" planted --everywhere | grep "no file uses the glossary's term coroutine stack" > /dev/null ||
	bad "not found: a term of the glossary that no file uses"
verdict
