#!/bin/sh
# The generator: what it writes for one call of each type, and what it says to each kind of
# mistake in the table. To accept a change: sh test/wrappers/generator.sh accept (in the source tree).
if [ "${1:-}" = accept ]; then
	accept=1 srcdir=$(cd "$(dirname "$0")/../.." && pwd) builddir=$(pwd)
fi
. "${srcdir:-.}/test/lib.sh"
golden=$srcdir/test/wrappers/golden
mpi=$srcdir/wrappers/mpi
generate() {
	"$PYTHON3" "$mpi/generate.py" --header "$golden/mpi.i" --templates "$mpi/templates" --out out "$@"
}

generate --strict --calls "$golden/calls.txt" --fortran-symbols "$golden/f08.symbols" 2> err || bad "refused: $(cat err)"
same "says nothing" "" "$(cat err)"
for file in calls.h calls.c wrap_p2p.c wrap_request.c wrap_coll.c wrap_rma.c wrap_io.c wrap_comm.c wrap_env.c \
	wrap_misc.c wrap_f08.c real_table.h real_table.c; do
	echo "=== $file"
	cat "out/$file" || bad "$file was not written"
done > got
if [ "${accept:-}" ]; then
	cp got "$golden/expected.txt"
else
	diff "$golden/expected.txt" got > difference || bad "other code than expected: $(head -20 difference)"
fi

# Each type of the real table has its example.
for type in $(find "$mpi/templates" -name '*.c' | sed 's/.*\///; s/\.c$//'); do
	grep -Eq "^MPIX?_[^ ]+ +$type " "$golden/calls.txt" || bad "golden/calls.txt has no example of type $type"
done

# refuses LINE:COLUMN MESSAGE  TABLE-LINE: as line 1 of a table
refuses() {
	printf '%s\n' "$3" > table
	generate --calls table 2> err && bad "accepted: $3"
	grep -Eq "^table:$1: .*$2" err || bad "'$3': expected 'table:$1: $2', got '$(cat err)'"
}
refuses 1:18 "column 'group' is missing" 'MPI_Send     send'
refuses 1:1 "'MPX_Send' is no MPI call" 'MPX_Send send p2p point2point - count*datatype dest tag comm'
refuses 1:10 "no template for type 'sent'" 'MPI_Send sent p2p point2point - count*datatype dest tag comm'
refuses 1:15 "group 'ptp' is none of: p2p" 'MPI_Send send ptp point2point - count*datatype dest tag comm'
refuses 1:19 "role 'p2p' is none of: function" 'MPI_Send send p2p p2p - count*datatype dest tag comm'
refuses 1:31 "activity 'p2p' is none of: - init_exit comm" 'MPI_Send send p2p point2point p2p count*datatype dest tag comm'
refuses 1:33 "needs a number of bytes" 'MPI_Send send p2p point2point - - dest tag comm'
refuses 1:35 "has no use for a number of bytes" 'MPI_Send region p2p point2point - count*datatype'
refuses 1:33 "sees 3 parameters .peer tag comm., here are 2" 'MPI_Send send p2p point2point - count*datatype dest tag'
refuses 1:62 "sees 3 parameters .* here are 4" 'MPI_Send send p2p point2point - count*datatype dest tag comm comm'
refuses 1:48 "MPI_Send has no parameter 'peer'; it has: buf count" 'MPI_Send send p2p point2point - count*datatype peer tag comm'
refuses 1:33 "has no parameter 'cnt'" 'MPI_Send send p2p point2point - cnt*datatype dest tag comm'
refuses 1:39 "has no parameter 'type'" 'MPI_Send send p2p point2point - count*type dest tag comm'
refuses 1:33 "does not end with a datatype" 'MPI_Send send p2p point2point - datatype*count dest tag comm'
refuses 1:33 "'buf' is no number" 'MPI_Send send p2p point2point - buf*datatype dest tag comm'
refuses 1:39 "neither a product like" 'MPI_Barrier collective coll barrier - barrier( comm'
refuses 1:47 "has no parameter 'x'" 'MPI_Barrier collective coll barrier - barrier(x) comm'
refuses 1:10 "skipped without a reason" 'MPI_Send skip - - - -'
refuses 1:10 "written by hand: say where" 'MPI_Send own p2p function - -'
refuses 1:11 "Fortran entry point can only be skipped" 'mpi_send_ region p2p function - -'
refuses 2:1 "MPI_Send stands in line 1 already" 'MPI_Send skip - - - - # x
MPI_Send[_c] skip - - - - # y'

refuses 1:1 "'=' needs a parameter's name and its other names" '= index'

# What another MPI does otherwise: names of parameters, handles that are addresses, a Fortran library that says PMPI_,
# extensions with and without a PMPI_ name.
cat > other.i <<'T'
typedef struct ompi_request_t *MPI_Request;
extern struct ompi_predefined_request_t ompi_request_null;
int MPI_Init(int *argc, char ***argv);
int MPI_Waitany(int count, MPI_Request array_of_requests[], int *index, MPI_Status *status);
int MPI_Pcontrol(const int level, ...);
int MPIX_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request);
int PMPIX_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request);
int MPIX_Query_cuda_support(void);
T
cat > table <<'T'
= indx           number index   # a comment
MPI_Init         own            misc     function  -  -  # by hand
MPI_Waitany      waitany        request  function  -  -  count array_of_requests indx status
MPI_Pcontrol     own            misc     function  -  -  # by hand
MPIX_Barrier_init collective_init coll   barrier   -  barrier()  comm request
T
"$PYTHON3" "$mpi/generate.py" --strict --pmpi --header other.i --calls table --out other 2> err || bad "another MPI: $(cat err)"
grep -q 'indx' other/wrap_request.c && bad "another MPI: a name that is not in its mpi.h: $(cat other/wrap_request.c)"
contains "another MPI: Waitany" "$(cat other/wrap_request.c)" 'index'
contains "another MPI: object" "$(cat other/real_table.h)" 'void \*ompi_request_null;'
contains "another MPI: handles" "$(cat other/real_table.h)" 'define OMPI_PREDEFINED_GLOBAL.type, global. ..type.fathom_mpi_real.global.'
contains "another MPI: object" "$(cat other/real_table.c)" '"ompi_request_null", offsetof.struct fathom_mpi_real, ompi_request_null.'
contains "another MPI: inner" "$(cat other/wrap_pmpi.c)" '^FATHOM_API int PMPI_Waitany.int count, MPI_Request array_of_requests\[\], int .index, MPI_Status .status.'
contains "another MPI: inner" "$(cat other/wrap_pmpi.c)" '^	return fathom_mpi_real.MPI_Waitany.count, array_of_requests, index, status.;'
contains "another MPI: varying" "$(cat other/wrap_pmpi.c)" '^FATHOM_API int PMPI_Pcontrol.const int level, \.\.\..'

contains "another MPI: extension" "$(cat other/wrap_coll.c)" '^FATHOM_API int MPIX_Barrier_init.MPI_Comm comm, '
grep -q 'cuda' other/real_table.h && bad "another MPI: a function without a PMPI name is in the table: $(cat other/real_table.h)"

# A call the table does not know: said, and with --strict refused.
printf 'MPI_Send[_c] skip - - - - # x\n' > table
generate --calls table 2> err || bad "an unknown call stops the build"
contains "unknown call" "$(cat err)" "MPI's header declares MPI_Init, but calls.txt has no line for it: not wrapped"
generate --strict --calls table 2> /dev/null && bad "--strict accepts an unknown call"
printf 'int f(void);\n' > not_mpi.i
"$PYTHON3" "$mpi/generate.py" --header not_mpi.i --out out 2> err && bad "accepts a header without MPI"
contains "other header" "$(cat err)" '^not_mpi.i:1:1: declares no MPI_Init'
"$PYTHON3" "$mpi/generate.py" --header nowhere.i --out out 2> err && bad "accepts a header that is not there"
contains "missing header" "$(cat err)" 'nowhere.i: No such file'

# A template that asks for what it does not see.
cp -r "$mpi/templates" templates
chmod -R u+w templates
printf '/* sees: peer */\n@head@\n{\n\t@tag@;\n}\n' > templates/messages/send.c
"$PYTHON3" "$mpi/generate.py" --header "$golden/mpi.i" --templates templates --calls table --out out 2> err && bad "accepts a wrong template"
contains "template" "$(cat err)" '^templates/messages/send.c:4:2: @tag@ is not among what the template sees'
cp templates/messages/recv.c templates/requests
rm templates/messages/send.c
"$PYTHON3" "$mpi/generate.py" --header "$golden/mpi.i" --templates templates --calls table --out out 2> err && bad "accepts a template twice"
contains "template twice" "$(cat err)" '^templates/requests/recv.c:1:1: there is another template of this name'
verdict
