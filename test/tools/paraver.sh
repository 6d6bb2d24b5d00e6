#!/bin/bash
# fathom export --to paraver: a reader that was written by the description of the format finds the records of traces that
# were made, of traces of another tool, and of one with more records than are sorted in memory; bad input loses nothing.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
export=$builddir/fathom-export make=$builddir/test/tools/make_mpi_trace

# readable NAME TRACE [PRINT]: exports, and reads what is written; the reader's words are in the file said.
readable()
{
	works "$export" --to paraver -o "$1.prv" "$2"
	"$PYTHON3" "$srcdir/test/tools/paraver.py" "$1.prv" ${3:+"$3"} > said 2>&1 || bad "$1: $(tail -1 said)"
}

# Two tasks on two nodes, a message and a barrier: every line is known.
"$make" 2 1 small << 'T' || die "make_mpi_trace"
0 0 enter main
0 10 enter MPI_Send
0 12 send 1 5 8
0 20 leave MPI_Send
0 90 enter MPI_Barrier
0 90 begin
0 99 end 0 -1 0 0
0 99 leave MPI_Barrier
0 100 leave main
1 0 enter main
1 5 enter MPI_Recv
1 19 recv 0 5 8
1 20 leave MPI_Recv
1 80 enter MPI_Barrier
1 80 begin
1 99 end 0 -1 0 0
1 99 leave MPI_Barrier
1 100 leave main
T
readable small small
sed 1d small.prv > records
cat > expected << 'T'
c:1:1:2:1:2
1:2:1:2:1:0:5000:1
1:1:1:1:1:0:10000:1
2:1:1:1:1:0:60000019:1
2:2:1:2:1:0:60000019:1
1:2:1:2:1:5000:20000:3
2:2:1:2:1:5000:50000001:2
1:1:1:1:1:10000:20000:4
2:1:1:1:1:10000:50000001:1
3:1:1:1:1:10000:12000:2:1:2:1:5000:19000:8:5
1:2:1:2:1:20000:80000:1
1:1:1:1:1:20000:90000:1
2:1:1:1:1:20000:50000001:0
2:2:1:2:1:20000:50000001:0
1:2:1:2:1:80000:99000:5
2:2:1:2:1:80000:50000002:8
1:1:1:1:1:90000:99000:5
2:1:1:1:1:90000:50000002:8
T
same "records of a small trace" "$(cat expected)" "$(head -18 records)"
contains "its first line" "$(head -1 small.prv)" '^#Paraver \(.* at .*\):100000_ns:2\(1,1\):1:2\(1:1,1:2\),1$'
contains "names of nodes" "$(cat small.row)" node1

# Traces with all kinds of records, and of another tool.
make_trace good good
readable good good
contains "a counter" "$(cat said)" '^PAPI_TOT_CYC [1-9]'
for trace in lulesh mix tasks; do
	[ -d "$shared/data/$trace-trace" ] || continue
	otf2-print "$shared/data/$trace-trace/traces.otf2" > print 2> err || { left_out "$trace" "no otf2-print"; continue; }
	readable "$trace" "$shared/data/$trace-trace" print
done

# More records than memory for sorting: they are in order, too.
make_trace pairs 500000 large
"$builddir/test/tools/peak" "$export" --to paraver -o large.prv large 2> peak || bad "large: $(cat peak)"
[ "$(cat peak)" -le 160000 ] || bad "memory: $(cat peak) KiB"
"$PYTHON3" "$srcdir/test/tools/paraver.py" large.prv > said 2>&1 || bad "large: $(tail -1 said)"
contains "all calls" "$(cat said)" ' 500002 MPI calls'
rm -r large large.prv

refused "no name" 2 'needs -o FILE.prv' "$export" --to paraver small
refused "another ending" 2 'needs -o FILE.prv' "$export" --to paraver -o small.txt small
refused "a file that exists" 1 'small.(pcf|prv): exists already' "$export" --to paraver -o small.prv small
rm small.prv
echo precious > small.pcf
refused "one of the others exists" 1 'small.pcf: exists already' "$export" --to paraver -o small.prv small
same "it is kept" precious "$(cat small.pcf)"
[ ! -e small.prv ] || bad "small.prv was written"
works "$export" --to paraver --force -o small.prv small
refused "no trace" 1 'nowhere' "$export" --to paraver -o no.prv nowhere
verdict
