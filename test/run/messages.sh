#!/bin/bash
# Messages between ranks: programs whose messages are known have exactly these in messages.txt and in fathom report
# --messages, for all kinds of calls and communicators, with few partners in a table, and after a kill.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi
"$FATHOM" "$MPICC" -O1 "$srcdir/test/run/messages.c" -o prog 2> err || die "cannot build: $(cat err)"

# run NAME RANKS PART [SETTING...]: into the directory NAME.
run() {
	name=$1 ranks=$2 part=$3
	shift 3
	env FATHOM_NAME="$name" "$@" timeout -s KILL 100 $MPIRUN -n "$ranks" ./prog "$part" > out 2>&1 ||
		die "$name: $(cat out)"
}

# records FILE: its lines without waiting: "with RANK PARTNER SENT BYTES RECEIVED BYTES MISSED", with blanks for commas.
records() { awk '$1 == "with" { print $2, $3, $4, $5, $6, $7, $10 } $1 == "others" || $1 == "unknown" { print $1, $2, $3, $4, $5, $6 }' "$1"; }

# expect NAME LINE...: the records of the run.
expect() {
	name=$1
	shift
	same "$name" "$(printf '%s\n' "$@")" "$(records "$name/messages.txt" 2>&1)"
}

run ring 4 ring
expect ring '0 1 1 100 0 0 0' '0 3 0 0 4 400 0' '1 0 0 0 1 100 0' '1 2 2 200 0 0 0' \
	'2 1 0 0 2 200 0' '2 3 3 300 0 0 0' '3 0 4 400 0 0 0' '3 2 0 0 3 300 0'
same "head" "fathom messages 1,ranks 4,waiting known" "$(head -3 ring/messages.txt | paste -s -d,)"

run all 8 all-to-one
expect all "$(for r in 1 2 3 4 5 6 7; do echo "0 $r 0 0 3 $((r * 120)) 0"; done)" \
	"$(for r in 1 2 3 4 5 6 7; do echo "$r 0 3 $((r * 120)) 0 0 0"; done)"

# Rank 2 i + j is at the place i, j of a grid of 4 x 2.
run halo 8 halo
expect halo "$(for r in 0 1 2 3 4 5 6 7; do
	[ $r -lt 2 ] || echo "$r $((r - 2)) 10 10000 10 10000 0"
	[ $((r % 2)) = 0 ] || echo "$r $((r - 1)) 10 5000 10 5000 0"
	[ $((r % 2)) = 1 ] || echo "$r $((r + 1)) 10 5000 10 5000 0"
	[ $r -gt 5 ] || echo "$r $((r + 2)) 10 10000 10 10000 0"
done)"

run inter 4 inter
expect inter '0 1 1 7 0 0 0' '1 0 0 0 1 7 0' '2 3 1 7 0 0 0' '3 2 0 0 1 7 0'

run calls 2 calls
expect calls '0 0 1 9 1 9 0' '0 1 8 253 6 250 0' '1 0 6 250 8 253 0' '1 1 1 9 1 9 0'

# A table of four partners, of seven: those with most messages stay, and the sums are exact.
run few 8 many FATHOM_MESSAGES=4
same "sums of a small table" "$(for r in 0 1 2 3 4 5 6 7; do echo "$r 35 350 35 350"; done)" \
	"$(awk '/^(with|others|unknown)/ { at = $1 == "with" ? 4 : 3; for (i = 0; i < 4; i++) sum[$2, i] += $(at + i) }
		END { for (r = 0; r < 8; r++) print r, sum[r, 0], sum[r, 1], sum[r, 2], sum[r, 3] }' few/messages.txt)"
same "ranks with others" 8 "$(grep -c '^others' few/messages.txt)"
same "at most four partners" "" "$(awk '$1 == "with" { n[$2]++ } END { for (r in n) if (n[r] > 4) print r }' few/messages.txt)"
# What a partner lacks is not more than it says: the k-th neighbour has k + 1 messages of 10 bytes.
same "missed messages" "" "$(awk '$1 == "with" {
	k = ($3 - $2 + 8) % 8; truth = (k + 1) * 11 + (8 - k + 1) * 11; has = $4 + $5 + $6 + $7
	if (has > truth || has + $10 < truth) print $0, truth }' few/messages.txt)"
run many 8 many
same "a large table has no others" 0 "$(grep -c '^others' many/messages.txt)"

# Rank 0 waits for rank 1 for 0.2 s, as a receiver; the wait state has the same value.
run late 2 late
wait=$(awk '$1 == "with" && $2 == 0 { print $9 }' late/messages.txt)
awk -v wait="$wait" 'BEGIN { exit !(wait > 0.15) }' || bad "rank 0 waits $wait s for rank 1"
late=$(values mpi_latesender late/profile.cubex | awk '{ sum += $1 } END { print sum }')
awk -v wait="$wait" -v late="$late" 'BEGIN { exit !(wait - late < 1e-6 && late - wait < 1e-6) }' ||
	bad "rank 0 waits $wait s for rank 1, the profile has $late s of late senders"

# Without wait states the messages are known all the same; switched off, nothing is.
run nowaits 4 inter FATHOM_WAITS=off
same "without wait states" "waiting unknown,$(records inter/messages.txt | paste -s -d,)" \
	"$(grep ^waiting nowaits/messages.txt),$(records nowaits/messages.txt | paste -s -d,)"
run off 2 calls FATHOM_MESSAGES=0
[ ! -e off/messages.txt ] || bad "FATHOM_MESSAGES=0: there is a file"
"$FATHOM" report --messages off > out 2>&1 && bad "a report without messages"
contains "no messages" "$(cat out)" 'has no messages between ranks'

# The same numbers in the reports.
"$FATHOM" report --messages --json halo > halo.json || bad "report --messages --json failed"
"$PYTHON3" - halo.json << 'PY' || bad "the JSON of messages"
import json, sys
document = json.load(open(sys.argv[1]))
pairs = {(pair["from"], pair["to"]): (pair["messages"], pair["bytes"]) for pair in document["pairs"]}
expected = {}
for rank in range(8):
    for other in (rank - 2, rank + 2):
        if 0 <= other < 8:
            expected[rank, other] = (10, 10000)
    expected[rank, rank ^ 1] = (10, 5000)
assert pairs == expected, pairs
sums = {rank["rank"]: (rank["messages_sent"], rank["bytes_sent"], rank["messages_received"]) for rank in document["ranks"]}
assert sums[0] == (20, 15000, 20) and sums[2] == (30, 25000, 30), sums
assert document["rank_count"] == 8 and document["partial_pairs"] == 0
for grid in document["grids"]:		# there is none in a build without topologies
    sums = {(sum["dimension"], sum["direction"]): (sum["messages"], sum["bytes"]) for sum in grid["neighbors"]}
    assert sums == {(0, "up"): (60, 60000), (0, "down"): (60, 60000), (1, "up"): (40, 20000), (1, "down"): (40, 20000)}, sums
    assert grid["neighbor_share"] == 1 and grid["outside"]["messages"] == 0, grid
PY
if has_part topologies; then
	"$FATHOM" report --messages halo > out || bad "report --messages failed"
	same "messages in a grid" "1, up 60 60.00 kB 37.5%|1, down 60 60.00 kB 37.5%|2, up 40 20.00 kB 12.5%|2, down 40 20.00 kB 12.5%|" \
		"$(awk '$1 == "dimension" { $1 = ""; printf "%s|", substr($0, 2) }' out)"
fi
"$FATHOM" report --messages --rank 2 halo > out || bad "report --messages --rank failed"
same "pairs of a rank" "0 2 10|2 0 10|2 4 10|4 2 10|2 3 10|3 2 10|" \
	"$(awk '/pairs of ranks/ { on = 1 } /of each rank/ { on = 0 } on && /^ +[0-9]/ { printf "%s %s %s|", $1, $2, $3 }' out)"
"$FATHOM" report --messages few > out || bad "report of a small table failed"
contains "others" "$(tr '\n' ' ' < out)" 'more messages .* ranks that are not listed'
"$FATHOM" report --messages --rank 9 halo > out 2>&1 && bad "a rank too many"
contains "a rank too many" "$(cat out)" 'only ranks 0 to 7'
for faulty in 'fathom messages 2' 'fathom messages 1/ranks 0' 'fathom messages 1/ranks 2/waiting known/with 0 2 1 1 1 1 0 0 0' \
	'fathom messages 1/ranks 2/waiting known/with 0 1 1 1 1 1 0 0' 'fathom messages 1/ranks 2/waiting known/others 0 1 1 1 1 0'; do
	printf '%s\n' "$faulty" | tr / '\n' > off/messages.txt
	"$FATHOM" report --messages off > out 2>&1 && bad "accepted: $faulty"
	contains "$faulty" "$(cat out)" 'off/messages.txt: line [0-9]: no line of a file of messages'
done

# Killed: the run snapshots have the messages. Each rank says when a snapshot must have them.
FATHOM_NAME=killed FATHOM_SNAPSHOT=100ms timeout -s KILL 100 $MPIRUN -n 4 ./prog killed > out 2>&1 &
for _ in $(seq 1000); do
	[ "$(cat ready.* 2> /dev/null | wc -l)" = 4 ] && break
	sleep 0.05
done
sleep 2
for pid in $(cat ready.*); do
	kill -KILL "$pid"
done
wait
if ls killed/rank-*.snapshot > /dev/null 2>&1; then
	"$FATHOM" merge killed > out 2>&1 || bad "merge failed: $(cat out)"
	same "killed" "$(records ring/messages.txt)" "$(records killed/messages.txt)"
else
	left_out "messages of a killed run: there are no snapshots here"
fi
verdict
