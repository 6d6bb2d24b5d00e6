#!/bin/bash
# Completion of commands and options in bash, zsh and fish: all commands and all options of their tables are there.
. "${srcdir:?}/test/lib.sh" || exit 99
made=$builddir/tools/completion
export PATH=$builddir:$PATH

# --- bash: the function is called as bash calls it.
. "$made/fathom"
# completed WORD...: the words that stand in the line; the last one is completed
completed()
{
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_fathom
	printf '%s\n' "${COMPREPLY[@]}" | sort -u | tr '\n' ' '
}
touch "some file.cubex" && mkdir some.exp
same "a command" "report " "$(completed fathom rep)"
contains "all commands" "$(completed fathom '')" '^analyze check .*view whatif $'
contains "a compiler" "$(completed fathom ba)" 'bash '
same "a command to explain" "diff " "$(completed fathom help dif)"
same "an option" "--metric " "$(completed fathom report --met)"
contains "all options" "$(completed fathom diff a b --)" '^--all .*--fail-above --help .*--version .*--width $'
same "an option of the driver" "--openmp --openmp-atomic " "$(completed fathom --openm)"
same "the value of an option of the driver" "off ompt " "$(completed fathom --openmp = o)"
same "a value" "always auto " "$(completed fathom report --color a)"
same "a value behind =" "always auto never " "$(completed fathom report --color =)"
contains "formats of fathom export" "$(completed fathom export --to '')" 'callgrind .*chrome .*collapsed .*csv .*speedscope '
same "a format" "speedscope " "$(completed fathom export --to sp)"
same "a table" "ranks regions " "$(completed fathom export --to csv --table r)"
same "a file" "some file.cubex some.exp " "$(completed fathom report some)"
same "the value of -o" "some file.cubex some.exp " "$(completed fathom view -o some)"
same "nothing for a name" "" "$(completed fathom report --callers so | tr -d ' ')"
same "an option of run" "--verbose " "$(completed fathom run --v)"
same "arguments of a program" "some file.cubex some.exp " "$(completed fathom run ./prog some)"
same "arguments of a compiler" "some file.cubex some.exp " "$(completed fathom gcc -o some)"
same "a compiler behind an option" "some file.cubex some.exp " "$(completed fathom --mpi = off gcc some)"
same "registered" "complete -F _fathom fathom" "$(complete -p fathom)"

# Every option in the tables of the commands; "colour" is another spelling of one that is offered.
"$PYTHON3" - "$srcdir/tools" > tables << 'PY'
import glob, os, re, sys
rows = r'\{ "([\w-]+)", \w+_argument,'
# The rows that tables of several commands share are macros.
header = open(sys.argv[1] + "/common/argument.h", encoding="utf-8").read()
shared = {name: re.findall(rows, text) for name, text in re.findall(r"#define (FATHOM_\w+_OPTIONS) ((?:.*\\\n)+.*)", header)}
assert shared and all(shared.values()), shared
for folder in sorted(glob.glob(sys.argv[1] + "/*/")):
    for path in glob.glob(folder + "*.c"):
        for table in re.findall(r"struct option \w+\[\] = \{(.*?)\n\t?\};", open(path, encoding="utf-8").read(), re.S):
            for name in re.findall(rows, table) + [name for macro in shared if macro in table for name in shared[macro]]:
                print(os.path.basename(folder[:-1]), name)
PY
[ "$(wc -l < tables)" -gt 60 ] || bad "only $(wc -l < tables) options are found in the tables"
while read -r command option; do
	[ "$option" != colour ] && [ -x "$builddir/fathom-$command" ] || continue
	! "$FATHOM" help "$command" 2> help.err > /dev/null && grep -q 'was built without' help.err && continue
	_fathom_options "$command" | grep -qw -- "--$option" || bad "fathom $command --$option is not completed (its help does not name it)"
done < tables
commands=$("$FATHOM" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 14 ] || bad "commands: $commands"
for command in $commands; do
	contains "bash: $command" "$(completed fathom "$command")" "$command "
	contains "zsh: $command" "$(cat "$made/_fathom")" "'$command:"
	contains "fish: $command" "$(cat "$made/fathom.fish")" " -a $command -d"
done

# --- zsh
same "zsh: the first line" "#compdef fathom" "$(head -n 1 "$made/_fathom")"
if have zsh; then
	zsh -n "$made/_fathom" 2> err || bad "zsh: $(cat err)"
	same "zsh: complaints" "" "$(cat err)"
fi
contains "zsh: a file" "$(cat "$made/_fathom")" "'\(-o --output\)--output=\[write the page to FILE.*\]:FILE:_files'"
contains "zsh: values" "$(cat "$made/_fathom")" "'--color=\[.*\]:WHEN:\(auto always never\)'"

# --- fish
if have fish; then
	export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work
	fish --no-config -n "$made/fathom.fish" 2> err || bad "fish: $(cat err)"
	offered() { fish --no-config -c "source '$made/fathom.fish'; complete -C '$1'" 2> err | sed 's/\t.*//' | sort | tr '\n' ' '; cat err >&2; }
	same "fish: a command" "report " "$(offered 'fathom rep')"
	same "fish: an option" "--metric " "$(offered 'fathom report --met')"
	same "fish: a value" "always auto " "$(offered 'fathom report --color a')"
	same "fish: a format" "speedscope " "$(offered 'fathom export --to sp')"
fi
contains "fish: a file" "$(cat "$made/fathom.fish")" "__fathom_command view' -s o -l output -r -F -d"
contains "fish: values" "$(cat "$made/fathom.fish")" "__fathom_command report' -l color -x -a 'auto always never'"
verdict
