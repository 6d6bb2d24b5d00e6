#!/bin/bash
# Findings whose evidence depends on the machine, in profiles with known values: samples in the allocator, and counters
# of modified cache lines.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"

# Prints the findings of a profile: kind, place, seconds, and all time / (all time - seconds).
findings() {
	"$report" --json "$1" | "$PYTHON3" -c '
import json, sys
for finding in json.load(sys.stdin)["findings"]:
    bound = finding["speed_up_at_most"]
    assert "the run would be at most %.2f times as fast." % bound in finding["text"], finding["text"]
    print(finding["kind"], finding["name"], "%g" % finding["seconds"], "%.4f" % bound, sep="|")'
}
expect() {
	got=$(findings "$2")
	[ "$got" = "$3" ] || bad "$1: the findings are '$got', not '$3'"
}

# Writes a profile from lines whose fields are separated by "|".
make_profile() { tr '|' '\t' | "$builddir/test/tools/make_table" "$1" "$2" || die "make_table"; }

# 200 samples, some of them in the allocator: two of three for fill, through a function of the C++ library.
allocation() {
	vector='std::vector::push_back(int const&)'
	make_profile 1 "$1" <<- END
		attribute Creator fathom 0.1.0
		program|measurement|artificial|time=0|visits=1
		program>main|compiler|function|time=1|visits=1|samples=$((200 - $2))
		program>main>fill|compiler|function|time=0|visits=7|samples=0
		program>main>fill>$vector|compiler|function|time=0|samples=0
		program>main>fill>$vector>operator new(unsigned long)|compiler|function|time=0.25|samples=$(($2 * 2 / 3 - 10))
		program>main>fill>$vector>operator new(unsigned long)>malloc|compiler|function|time=0.25|samples=10
		program>main>free|compiler|function|time=0.25|samples=$(($2 - $2 * 2 / 3))
	END
}
allocation churn.cubex 60
expect "allocation churn" churn.cubex "allocation churn|fill|0.75|1.7500"
"$report" churn.cubex > churn.txt || bad "the report fails"
tr -s ' \n' ' ' < churn.txt | grep -q "of 200 samples, 60 are in malloc, free or what belongs to them (between 24.1% and 36.7%" ||
	bad "the sentence lacks the confidence interval: $(cat churn.txt)"
allocation few.cubex 24		# 12 %, but the interval begins at 8.2 %
expect "too few samples to be sure" few.cubex ""

# A counter of lines that other processors have modified: 40 ns for each.
sharing() {
	make_profile "$2" "$1" <<- END
		program|measurement|artificial|time=0|visits=1
		program>main|compiler|function|time=1|visits=1|$3=$4
		program>main>count|compiler|function|time=1|visits=1|$3=$((9 * $4))
	END
}
sharing shared.cubex 1x2 MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM 1000000
expect "modified lines" shared.cubex "false sharing|count|0.8|1.2500"
sharing preset.cubex 1x2 PAPI_CA_ITV 1000000
expect "PAPI's preset" preset.cubex "false sharing|count|0.8|1.2500"
sharing rare.cubex 1x2 MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM 100000
expect "few modified lines" rare.cubex ""
sharing ranks.cubex 2 MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM 1000000
expect "processes without threads" ranks.cubex ""
sharing other.cubex 1x2 PAPI_L2_TCM 1000000
expect "another counter" other.cubex ""
verdict
