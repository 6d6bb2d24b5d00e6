# What the tests of fathom score with real traces share; sourced after test/tools/lib.sh.

# measure NAME COMMAND...: profile and trace in directory NAME.run
measure() {
	name=$1; shift
	FATHOM_MODE=profile,trace FATHOM_DIR=. FATHOM_NAME=$name.run "$@" > run.out 2>&1 ||
		{ cat run.out; die "$name: exit code"; }
	[ -d "$name.run/traces" ] || die "$name: no trace: $(cat run.out)"
}

# The bytes of all event files of a rank.
events_bytes() {
	"$PYTHON3" -c '
import os, sys
directory, rank = sys.argv[1] + ".run/traces", int(sys.argv[2])
print(sum(os.path.getsize(directory + "/" + f) for f in os.listdir(directory)
	  if f.endswith(".evt") and int(f[:-4]) & 0xffffffff == rank))' "$1" "$2"
}

# near WHAT PREDICTED REAL: within 5 %
near() {
	awk -v p="$2" -v r="$3" 'BEGIN { exit !(r > 0 && p / r > 0.95 && p / r < 1.05) }' || bad "$1: $2 bytes predicted, $3 written"
}

# predicted NAME: each process, and the number of events
predicted() {
	"$builddir/fathom-score" --json "$1.run" > "$1.json" || { bad "$1: no score"; return; }
	"$PYTHON3" -c 'import json, sys
for p in json.load(open(sys.argv[1]))["processes"]: print(p["rank"], round(p["bytes"]))' "$1.json" > "$1.ranks"
	while read -r rank bytes; do
		near "$1, rank $rank" "$bytes" "$(events_bytes "$1" "$rank")"
	done < "$1.ranks"
}
