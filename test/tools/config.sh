#!/bin/sh
# fathom config: every setting, its value, what is wrong.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"
for name in $(env | sed -n 's/^\(FATHOM_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done

works "$config"
fits "list" 80 out
for name in FATHOM_MODE FATHOM_DIR FATHOM_NAME FATHOM_CLOCK FATHOM_RECURSION FATHOM_NODES FATHOM_VERBOSE FATHOM_MPI FATHOM_PTHREAD; do
	same "$name is listed once" 1 "$(grep -c "^  $name " out)"
done
same "nothing is set" 0 "$(grep -c '^\*' out)"
FATHOM_VERBOSE=2 works "$config"
contains "a set one" "$(cat out)" '^\* FATHOM_VERBOSE = 2$'
same "only that" 1 "$(grep -c '^\*' out)"
contains "its default" "$(cat out)" 'a number from 0 to 2; default: 0$'
works "$config" FATHOM_CLOCK FATHOM_MODE
same "by name" "FATHOM_MODE FATHOM_CLOCK" "$(sed -n 's/^. \(FATHOM_[A-Z]*\).*/\1/p' out | xargs)"

# wrong NAME=VALUE PATTERN: listed all the same, then said.
wrong() {
	env "$1" "$config" > out 2> err
	same "$1: exit code" 1 $?
	same "$1: lines" 1 "$(wc -l < err)"
	contains "$1" "$(cat err)" "$2"
	[ "$(grep -c FATHOM_ out)" -ge 8 ] || bad "$1: nothing listed"
}
wrong FATHOM_MODE=profil '^fathom config: FATHOM_MODE=profil .*profile'
wrong FATHOM_VERBOSE=3 '^fathom config: FATHOM_VERBOSE=3 .*from 0 to 2'
wrong FATHOM_NODES= '^fathom config: FATHOM_NODES= '
wrong FATHOM_VERBOS=1 '^fathom config: FATHOM_VERBOS .*FATHOM_VERBOSE'
wrong FATHOM_MPI=p2p,cool '^fathom config: FATHOM_MPI=p2p,cool .*coll'
refused "unknown name" 2 '^fathom config: FATHOM_MOD: no such setting \(did you mean FATHOM_MODE\?\)' "$config" FATHOM_MOD
refused "hopeless name" 2 '^fathom config: qqqqqqqqqqqqqqqqqqqqq: no such setting' "$config" qqqqqqqqqqqqqqqqqqqqq
refused "option" 2 '^fathom config: --all: no such option; see fathom config --help$' "$config" --all

works "$config" --help
fits "--help" 80 out
FATHOM_MODE=none works "$config" --json
"$PYTHON3" -c '
import json
settings = {s["name"]: s for s in json.load(open("out"))}
mode, nodes, name = settings["FATHOM_MODE"], settings["FATHOM_NODES"], settings["FATHOM_NAME"]
assert mode["value"] == "none" and mode["set"] is True and set(mode["words"]) == {"profile", "trace", "none"}
assert nodes["type"] == "number" and nodes["least"] == 1 and nodes["set"] is False and nodes["value"] == nodes["default"]
assert name["default"] is None and name["value"] is None
assert all(s["what"].endswith(".") for s in settings.values())
' || bad "--json"

# The page of settings is made from the table of a build with all parts.
if has_part phases && has_part budget && has_part topologies && has_part late-hooks; then
	"$config" --json | "${PYTHON3:-python3}" "$srcdir/doc/reference/settings.py" > settings.md
	cmp -s settings.md "$srcdir/doc/reference/settings.md" ||
		bad "doc/reference/settings.md: make it again (fathom config --json | doc/reference/settings.py > ...): $(diff settings.md "$srcdir/doc/reference/settings.md" | head -5)"
fi

# The man page has every setting, and is correct roff.
works "$config" --man
cp out settings.7
"$config" | sed -n 's/^  \(FATHOM_[A-Z_]*\) .*/\1/p' > names
[ "$(wc -l < names)" -ge 8 ] || bad "names"
while read -r name; do grep -q "^\.B $name\$" settings.7 || bad "the man page lacks $name"; done < names
cmp -s settings.7 "$builddir/doc/man/fathom-settings.7" || [ ! -f "$builddir/doc/man/fathom-settings.7" ] || bad "the built man page is another"
if have groff; then
	for page in settings.7 "$srcdir"/doc/man/fathom-config.1 "$srcdir"/doc/man/fathom-merge.1 "$srcdir"/doc/man/fathom-report.1; do
		same "roff of $page" '' "$(groff -man -ww -z "$page" 2>&1)"
	done
fi
verdict
