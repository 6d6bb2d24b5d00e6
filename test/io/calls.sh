#!/bin/sh
# Input and output calls: regions, bytes, and what the program sees.
. "${srcdir:?}/test/lib.sh" || exit 99
here=$srcdir/test/io
[ -e "$builddir/.libs/libfathom-io.so" ] || skip "no shared libraries (configured with --disable-shared)"
export FATHOM_SAMPLING=off

# total METRIC NAME: over the call paths that end with NAME, in $file.
total() { values "$1" "$file" | awk -v n="/$2\$" '$0 ~ n { s += $1 } END { print s + 0 }'; }

# compared NAME COMMAND...: prints what the plain program prints; the result's profile is $file.
compared() {
	name=$1
	shift
	FATHOM_NAME=$name "$@" > "$name.out" 2> "$name.err" || bad "$name fails: $(cat "$name.err")"
	cmp -s plain.out "$name.out" || bad "$name prints $(diff plain.out "$name.out")"
	file=$name/profile.cubex
	[ -f "$file" ] || die "$name: no profile: $(cat "$name.err")"
	check_profile "$file"
}

# Options change the C library's functions that the program calls: read or __read_chk, open or open64.
for level in "" "-O2 -D_FORTIFY_SOURCE=2" "-D_FILE_OFFSET_BITS=64"; do
	"$CC" -g -O1 $level "$here/calls.c" -o plain && "$FATHOM" --io "$CC" -g -O1 $level "$here/calls.c" -o measured ||
		die "cannot build calls.c"
	./plain > plain.out || die "calls.c fails"
	rm -rf linked run
	compared linked ./measured
	same "visits of write $level" 2 "$(total visits use_posix/write)"
	same "visits of close $level" 4 "$(total visits use_posix/close)"
	same "visits of open $level" 2 "$(total visits use_posix/open)"
	# Bytes: write 10, pwrite 5, writev 30, pwritev 30, read 10, pread 5, readv 30, preadv 30; errors have none.
	same "bytes written by POSIX calls $level" 75 \
		"$(values io_bytes_written "$file" | awk '/\/use_posix\/p?writev?$/ { s += $1 } END { print s }')"
	same "bytes read by POSIX calls $level" 75 \
		"$(values io_bytes_read "$file" | awk '/\/use_posix\/p?readv?$/ { s += $1 } END { print s }')"
	# stdio: fwrite 10, fputs 5, fprintf 6, vfprintf 5; fread 10, fgets 5, getline 6.
	same "bytes of fwrite $level" 10 "$(total io_bytes_written use_stdio/fwrite)"
	same "bytes of fputs $level" 5 "$(total io_bytes_written use_stdio/fputs)"
	same "bytes of fprintf $level" 6 "$(total io_bytes_written use_stdio/fprintf)"
	same "bytes of vfprintf $level" 5 "$(total io_bytes_written vfprintf)"
	same "bytes read by stdio $level" "10 5 6" "$(total io_bytes_read use_stdio/fread) $(total io_bytes_read use_stdio/fgets) $(
		total io_bytes_read 'use_stdio/get(line|delim)')"
	same "call paths with time of reading $level" 7 "$(values io_reading_time "$file" | grep -c '/use_[a-z]*/[a-z]*$')"
	# Without instrumentation, the calls are below the root.
	compared run "$FATHOM" run --io ./plain
	same "run: bytes of write $level" 10 "$(values io_bytes_written "$file" | awk '/\/write$/ { s += $1 } END { print s }')"
done

# What fathom itself does with files, and what the setting leaves out, is not there.
values visits linked/profile.cubex | grep -q 'linked/[a-z]*$' && bad "calls of fathom: $(values visits linked/profile.cubex)"
rm -rf off
FATHOM_IO=off compared off ./measured
same "with FATHOM_IO=off" "" "$(values visits off/profile.cubex | grep '/read$')"
echo 'exclude io write' > write.filter
rm -rf filtered
FATHOM_FILTER=write.filter compared filtered ./measured
same "with a filter" "0 2" "$(total visits use_posix/write) $(total visits use_posix/open)"
if [ -e "$builddir/.libs/libfathom-trace.so" ]; then
	FATHOM_NAME=traced FATHOM_MODE=trace ./measured > traced.out 2> traced.err || bad "trace: $(cat traced.err)"
	cmp -s plain.out traced.out || bad "traced prints $(diff plain.out traced.out)"
	"$builddir/fathom-check" traced > said 2>&1 || bad "trace: $(tail -3 said)"
	if have otf2-print; then
		otf2-print traced/traces.otf2 > records 2>&1 || bad "otf2-print: $(tail -3 records)"
		otf2-print -G traced/traces.otf2 > definitions 2>&1
		# The failed calls have no handle; those that fail on an open file are operations without bytes.
		for expected in "IO_CREATE_HANDLE 4" "IO_DESTROY_HANDLE 4" "IO_OPERATION_BEGIN 19" "IO_OPERATION_COMPLETE 19" \
			"IO_SEEK 1"; do
			same "${expected% *} records" "${expected#* }" "$(grep -c "^${expected% *} " records)"
		done
		same "handles" 4 "$(grep -c '^IO_HANDLE ' definitions)"
		same "files" 3 "$(grep -c '^IO_REGULAR_FILE ' definitions)"
		contains "paradigms" "$(grep '^IO_PARADIGM ' definitions)" 'POSIX I/O' 'ISO C I/O'
		same "bytes written" 101 "$(awk '/^IO_OPERATION_BEGIN/ { w = /Mode: WRITE/ }
			/^IO_OPERATION_COMPLETE/ && w && match($0, /Bytes Result: [0-9]+/) { s += substr($0, RSTART + 14, RLENGTH - 14) }
			END { print s }' records)"
	fi
fi

# What MPI does with files is MPI's.
if have_mpi; then
	cat > mpi.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	MPI_File file;
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_File_open(MPI_COMM_WORLD, "mpi.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
	MPI_File_write_at(file, rank * 4, &rank, 4, MPI_BYTE, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	if (rank == 0)
		puts("done");
	MPI_Finalize();
	return 0;
}
C
	"$FATHOM" --io "$MPICC" -g mpi.c -o mpi || die "cannot build mpi.c"
	same "MPI prints" "done" "$(FATHOM_NAME=of-mpi "$MPIRUN" -n 2 ./mpi 2> mpi.err)"
	file=of-mpi/profile.cubex
	same "calls in a program with MPI" puts "$(values io_time "$file" | sed -n 's,.*/\([a-z]*\)$,\1,p' | grep -v '^main$' |
		sort -u | tr '\n' ' ' | sed 's/ $//')"
	same "bytes of MPI" 8 "$(total io_bytes_written MPI_File_write_at)"
fi

# A static program has the C library's calls in it.
"$FATHOM" --io "$CC" -static "$here/calls.c" -o static > out 2>&1 && bad "--io with -static is accepted"
contains "--io with -static" "$(cat out)" '^fathom: --io: the input and output of static programs cannot be measured'
"$FATHOM" "$CC" "$here/calls.c" --io -o late > out 2>&1 && bad "--io behind the compiler is accepted"
contains "--io behind the compiler" "$(cat out)" '^fathom: --io'
verdict
