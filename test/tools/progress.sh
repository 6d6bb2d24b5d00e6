#!/bin/bash
# The line that says how far a command is: only on a terminal, only after two seconds, and gone at the end.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
work_steps=$builddir/test/tools/work
export TERM=xterm

# on_terminal COMMAND...: its output is in the file shown
on_terminal() { timeout -s KILL 60 "$PYTHON3" "$srcdir/test/tools/progress.py" "$@" > shown 2> err || die "$*: $(cat err)"; }
# expect WHAT CONDITION: a condition in Python on the texts of the terminal
expect() { "$PYTHON3" -c 'import json, sys; t = json.load(open("shown")); sys.exit(not eval(sys.argv[1]))' "$2" || bad "$1: $(cut -c 1-600 shown)"; }

on_terminal "$work_steps" 0 4
expect "all steps" 't["bytes"].count("counting: ") == 5 and all("counting: %d %%" % p in t["bytes"] for p in (0, 25, 50, 75, 100))'
expect "work of unknown size" '"guessing: 0 s" in t["bytes"]'
expect "nothing remains" 't["screen"] == ["done"] and t["code"] == 0'
on_terminal "$work_steps" 0 4 error
expect "an error message has its own line" 't["screen"] == ["fathom work: half of it", "done"]'
on_terminal "$work_steps" 1000000 1000
expect "nothing within the delay" 't["bytes"] == "done\r\n"'
# Without another delay, the line appears after two seconds: in work of three seconds or more.
on_terminal "$work_steps" default 60
expect "after two seconds" '"counting: " in t["bytes"]'
expect "nothing remains of it" 't["screen"] == ["done"]'
TERM=dumb on_terminal "$work_steps" 0 4
expect "no line where it cannot be replaced" 't["bytes"] == "done\r\n"'
on_terminal sh -c "'$work_steps' 0 4 2> file"
expect "stderr is a file" 't["screen"] == ["done"]'
same "stderr is a file: nothing in it" "" "$(cat file)"
works "$work_steps" 0 4
same "no terminal" done "$(cat out)"

# A line is not wider than the terminal, and a step costs little: 10^7 steps within the time limit of the test.
on_terminal "$work_steps" 100000 10000000
expect "many steps" 't["screen"] == ["done"]'
on_terminal "$work_steps" 0 300
expect "no line is wider than the terminal" 'max(len(l) for l in t["bytes"].replace("\x1b[K", "").split("\r")) < 40'

# The commands write nothing of it elsewhere than on a terminal.
make_fixture run run.cubex
for command in "$report run.cubex" "$report --json run.cubex" "$builddir/fathom-diff run.cubex run.cubex" \
	"$builddir/fathom-export --to gprof run.cubex" "$builddir/fathom-view -o page.html run.cubex"; do
	rm -f page.html
	works $command
	on_terminal $command
	expect "$command on a terminal" 't["code"] == 0 and t["screen"] and not t["screen"][-1].startswith("reading")'
done
verdict
