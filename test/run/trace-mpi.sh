#!/bin/bash
# Traces of MPI programs: clocks, and communicators of all kinds, on different numbers of ranks.
# Runs alone: up to 8 ranks.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
need_mpi
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"
export FATHOM_MODE=trace
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state"

cp "$srcdir/test/run/cases/communicators.c" .
"$MPICC" -g -O1 -finstrument-functions communicators.c -o comms $mpilibs || die "cannot build communicators.c"

# parent NAME: what the communicator of this name was made from; part NAME: how many ranks its group has
parent() { awk -v n="\"$1\"" '/^COMM / && index($0, "Name: " n " ") { sub(/.*Parent: /, ""); sub(/, Flags.*/, ""); sub(/ <[0-9]*>$/, ""); print }' defs; }
group() { awk -v n="\"$1\"" '/^COMM / && index($0, "Name: " n " ") { sub(/.*Group: "[^"]*" </, ""); sub(/>.*/, ""); print }' defs; }
members() { awk -v g="$(group "$1")" '$1 == "GROUP" && $2 == g { sub(/.*Flags: [A-Z]*, /, ""); print $1 }' defs; }

for n in 1 2 3 4 8; do
	rm -rf fathom-*
	"$MPIRUN" -n $n ./comms > out 2> err || bad "$n ranks: the program fails: $(cat err)"
	same "$n ranks: lines said" 1 "$(lines_said err)"
	dir=$(experiment) || exit 1
	sound "$n ranks" "$dir"
	otf2-print -G "$dir/traces.otf2" > defs

	# Two offsets at different times for each location, none where there is one process.
	otf2-print -C "$dir/traces.otf2" | grep '^CLOCK_OFFSET' > clocks
	same "$n ranks: clock offsets" $((n > 1 ? 2 * n : 0)) "$(wc -l < clocks)"
	same "$n ranks: equal times" "" "$(awk '{ print $2, $4 }' clocks | sort | uniq -d)"
	same "$n ranks: on one host" $((n > 1 ? 1 : 0)) "$(awk '{ print $6 }' clocks | sort -u | wc -l)"

	# All messages were looked at, for they are few of each kind.
	if [ $n -gt 1 ]; then
		otf2-print -I "$dir/traces.otf2" | awk '/^Property name/ { n = $3 } /^Property value/ { print n, $3 }' > properties
		same "$n ranks: messages looked at" "FATHOM::CLOCK_CHECKED_MESSAGES $(grep -Ec '^MPI_I?SEND ' events.txt)" "$(grep CHECKED properties)"
		same "$n ranks: processors" 1 "$(grep -Ec '^FATHOM::PROCESSORS [0-9]+([.][0-9]+)?$' properties)"
		same "$n ranks: too early" "FATHOM::CLOCK_VIOLATIONS 0" "$(grep VIOLATIONS properties)"
	fi

	# Names, parents and members.
	same "$n ranks: the world" UNDEFINED "$(parent MPI_COMM_WORLD)"
	same "$n ranks: only one world" 1 "$(grep -c 'Name: "MPI_COMM_WORLD"' defs)"
	[ $n -gt 1 ] || continue
	same "$n ranks: ranks of the world" $n "$(members MPI_COMM_WORLD)"
	same "$n ranks: dup" '"MPI_COMM_WORLD"' "$(parent copy)"
	same "$n ranks: idup" '"MPI_COMM_WORLD"' "$(parent "of the world")"
	same "$n ranks: idup of a dup" '"copy"' "$(parent "of the copy")"
	same "$n ranks: one group for all of the same members" "$(group MPI_COMM_WORLD)" "$(group "of the copy")"
	same "$n ranks: grid" '"MPI_COMM_WORLD"' "$(parent grid)"
	same "$n ranks: merged" '"between"' "$(parent merged)"
	[ "$(group backwards)" != "$(group MPI_COMM_WORLD)" ] || bad "$n ranks: the order of members is lost"
	same "$n ranks: create_group" $((n / 2 + 1)) "$(members "first half")"
	same "$n ranks: the same with another tag" "$(group "first half")" "$(group "first half again")"
	same "$n ranks: inter-communicators" 2 "$(grep -c '^INTER_COMM' defs)"
	contains "$n ranks: common communicator" "$(grep 'name: "between"' defs)" 'Common Communicator: "MPI_COMM_WORLD"'
	[ $n -lt 3 ] || same "$n ranks: split" $(((n + 1) / 2)) "$(members even)"
	[ $n -lt 4 ] || same "$n ranks: the other part" $((n / 2)) "$(members odd)"
	same "$n ranks: groups that read alike" "" "$(grep '^GROUP' defs | sed 's/^GROUP *[0-9]* *//' | sort | uniq -d)"
	same "$n ranks: coordinates in the grid" $n "$(grep -c '^CART_COORDINATE.*Topology: "grid"' defs)"
	contains "$n ranks: the last rank of the grid" "$(grep '^CART_COORDINATE.*Topology: "grid"' defs | tail -1)" "Rank: $((n - 1)) "
	contains "$n ranks: periodic, then not" "$(grep -m2 '^CART_DIMENSION' defs | sed 's/.*Periodicity: //' | tr '\n' ' ')" 'TRUE FALSE'
done

# What makes and ends communicators is not recorded: then neither are these.
for groups in p2p,request,coll,rma,io,env,type,misc p2p,request,coll,rma,io,comm,type,misc coll; do
	rm -rf fathom-*
	FATHOM_MPI=$groups "$MPIRUN" -n 3 ./comms > out 2> err || bad "FATHOM_MPI=$groups: the program fails: $(cat err)"
	dir=$(experiment) && sound "FATHOM_MPI=$groups" "$dir"
done

# Each rank meets functions, strings and communicators in another order, and has another number of threads.
cat > order.c <<'C'
#include <mpi.h>
#include <pthread.h>
__attribute__((noinline)) void apple(void) { __asm__ volatile(""); }
__attribute__((noinline)) void pear(void) { __asm__ volatile(""); }
__attribute__((noinline)) void plum(void) { __asm__ volatile(""); }
static void *thread(void *unused) { apple(); return unused; }
int main(int argc, char **argv)
{
	int rank;
	MPI_Comm mine, all;
	pthread_t threads[3];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank) { plum(); plum(); pear(); } else { apple(); }
	for (int i = 0; i < rank; i++) MPI_Comm_dup(MPI_COMM_SELF, &mine);
	for (int i = 0; i < rank; i++) pthread_create(&threads[i], NULL, thread, NULL);
	for (int i = 0; i < rank; i++) pthread_join(threads[i], NULL);
	MPI_Comm_dup(MPI_COMM_WORLD, &all);
	MPI_Barrier(all);
	if (rank) { apple(); } else { pear(); plum(); }
	MPI_Finalize();
	return 0;
}
C
"$MPICC" -g -O1 -finstrument-functions order.c -o order -pthread $mpilibs || die "cannot build order.c"
rm -rf fathom-*
"$MPIRUN" -n 3 ./order > out 2> err || bad "order: the program fails: $(cat err)"
dir=$(experiment) || exit 1
sound order "$dir"
enters "$dir" > counts
same "apple" "1 + 1 + 1" "$(for r in 0 1 2; do otf2-print -L $r "$dir/traces.otf2" | grep -c '^ENTER .*"apple"'; done | tr '\n' ' ' | sed 's/ $//; s/ / + /g')"
same "pear" 3 "$(awk '$2 == "pear" { print $1 }' counts)"
same "plum" 5 "$(awk '$2 == "plum" { print $1 }' counts)"
same "barriers on the copy" 3 "$(otf2-print "$dir/traces.otf2" | grep -c 'MPI_COLLECTIVE_END.*BARRIER')"
same "its communicator" 1 "$(otf2-print "$dir/traces.otf2" | grep 'MPI_COLLECTIVE_END.*BARRIER' | sed 's/.*Communicator: //; s/, Root.*//' | sort -u | wc -l)"

# Two threads of each process make communicators at the same time; which is which does not depend on who is faster.
cat > threads.c <<'C'
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
static MPI_Comm base[2]; static pthread_barrier_t b;
static void *work(void *a)
{
	long i = (long)a; MPI_Comm c; int r, n, in;
	for (int k = 0; k < 20; k++) {
		MPI_Comm_dup(base[i], &c);
		MPI_Comm_set_name(c, i ? "of one" : "of zero");
		MPI_Comm_rank(c, &r); MPI_Comm_size(c, &n);
		MPI_Sendrecv(&r, 1, MPI_INT, (r+1)%n, (int)i, &in, 1, MPI_INT, (r+n-1)%n, (int)i, c, MPI_STATUS_IGNORE);
		MPI_Barrier(c);
		MPI_Comm_free(&c);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	int p, r; pthread_t t[2];
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &p);
	if (p != MPI_THREAD_MULTIPLE) return 3;
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	for (int i = 0; i < 2; i++) MPI_Comm_dup(MPI_COMM_WORLD, &base[i]);
	MPI_Comm_set_name(base[0], "zero"); MPI_Comm_set_name(base[1], "one");
	for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, (void *)(r % 2 ? 1 - i : i));
	for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
	MPI_Finalize();
	return 0;
}
C
"$MPICC" -g -O1 -finstrument-functions threads.c -o threads -pthread $mpilibs || die "cannot build threads.c"
rm -rf fathom-*
"$MPIRUN" -n 3 ./threads > out 2> err || bad "threads: the program fails: $(cat err)"
dir=$(experiment) || exit 1
sound threads "$dir"
otf2-print -G "$dir/traces.otf2" | sed -n 's/^COMM .*Name: "\(of [a-z]*\)".*Parent: \("[a-z]*"\).*/\1 \2/p' | sort | uniq -c > pairs
same "threads: each thread's from its own" '20 of one "one" 20 of zero "zero"' "$(echo $(cat pairs))"
verdict
