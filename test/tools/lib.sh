# What the tests of the tools share; sourced after test/lib.sh.
report=$builddir/fathom-report
merge=$builddir/fathom-merge
config=$builddir/fathom-config
fixture=$builddir/test/tools/make_profile
unset COLUMNS NO_COLOR
export TZ=UTC

make_fixture() { "$fixture" "$@" || die "make_profile $*"; }

# refused WHAT CODE PATTERN COMMAND...: says exactly one line on stderr that matches, nothing on
# stdout, and ends with that code.
refused() {
	what=$1 code=$2 pattern=$3
	shift 3
	"$@" > out 2> err
	same "$what: exit code" "$code" $?
	same "$what: lines of complaint" 1 "$(wc -l < err)"
	same "$what: nothing on stdout" 0 "$(wc -c < out)"
	contains "$what" "$(cat err)" "$pattern"
}

# works COMMAND...: ends with 0 and complains of nothing; its output is in the file out.
works() {
	"$@" > out 2> err || bad "$*: exit code $?"
	same "$*: complaints" '' "$(cat err)"
}

# The widest line of a file, in characters of UTF-8.
widest() { "$PYTHON3" -c '
import sys, unicodedata
def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
print(max((columns(l.rstrip("\n")) for l in open(sys.argv[1], encoding="utf-8", errors="replace")), default=0))' "$1"; }

fits() {	# WHAT COLUMNS FILE
	width=$(widest "$3")
	[ "$width" -le "$2" ] || bad "$1: $width columns, not $2"
}

# Traces
check=$builddir/fathom-check
analyze=$builddir/fathom-analyze
need_otf2() { [ -x "$builddir/test/tools/make_trace" ] || skip "built without OTF2 (Debian: libopen-trace-format2-dev)"; }
make_trace() { "$builddir/test/tools/make_trace" "$@" || die "make_trace $*"; }
