# What the tests of counters share, after test/lib.sh.
faults=perf::PAGE-FAULTS

# measured NAME METRICS [WORD...]: run a program with counters; its experiment is NAME, what fathom says is in NAME.err.
measured() {
	name=$1 metrics=$2
	shift 2
	FATHOM_NAME=$name FATHOM_METRICS=$metrics "$@" > "$name.out" 2> "$name.err" || bad "$name: it ends with $?: $(head -3 "$name.err")"
	[ ! -f "$name/profile.cubex" ] || check_profile "$name/profile.cubex"
}

# own METRIC FILE PATTERN: what the call paths that match (grep -E) have of it themselves, together.
own() { values "$1" "$2" | awk -v p="$3" '{ v = $1; sub(/^[^ ]+ /, ""); if ($0 ~ p) s += v } END { print s + 0 }'; }

# near WHAT LEAST GOT MORE: at least so much, and not more than so much more.
near() { [ "$3" -ge "$2" ] && [ "$3" -le $(($2 + $4)) ] || bad "$1: $3, expected $2 to $(($2 + $4))"; }

# The kernel may refuse even its own events: then say so.
may_count() { measured probe "$1" ./"$2"; ! grep -q "not counted" probe.err || skip "$(cat probe.err | head -1)"; rm -rf probe*; }
