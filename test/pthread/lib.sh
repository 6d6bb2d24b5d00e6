# What the tests of thread calls share. Sourced by them; it sources what all tests share.
. "${srcdir:?}/test/lib.sh" || exit 99
here=$srcdir/test/pthread
[ -e "$builddir/.libs/libfathom-pthread.so" ] || skip "no shared libraries (configured with --disable-shared)"

# thread_build PROGRAM SOURCE [OPTION]...: PROGRAM.plain, and PROGRAM with every function measured. The libraries
# are linked by hand, as the driver does it.
thread_build() {
	program=$1 source=$2
	shift 2
	compiler=$CC all=-finstrument-functions
	case $source in
	*.cc) compiler=$CXX all="$all $all-exclude-file-list=/usr/include" ;;
	esac
	"$compiler" -g -O1 "$source" -o "$program.plain" -pthread "$@" || die "cannot build $source"
	"$compiler" -g -O1 $all "$source" -o "$program" -pthread "$@" \
		"-L$builddir/.libs" "-Wl,-rpath,$builddir/.libs" -Wl,--push-state,--no-as-needed \
		-lfathom-pthread -lfathom-compiler -lfathom -Wl,--pop-state || die "cannot build $source for measurement"
}

# run_both PROGRAM [ARGUMENT]...: measured it prints what it prints alone and ends as it does. The experiment
# is in $result; what the measured one said on stderr in said.
run_both() {
	program=$1
	shift
	"./$program.plain" "$@" > plain.out 2> plain.said
	plain_code=$?
	result=of-$program${1:+-$(basename "$1")}
	FATHOM_NAME=$result "./$program" "$@" > out 2> said
	same "$program $*: exit code" "$plain_code" "$?"
	cmp -s plain.out out || bad "$program $*: prints $(cat out), alone $(cat plain.out)"
	[ -f "$result/profile.cubex" ] || { bad "$program $*: no profile: $(cat said)"; return 1; }
	check_profile "$result/profile.cubex"
}

# visits_are NAME < "COUNT PATH" lines, the path below the program: exactly these.
visits_are() {
	sort -k2 > expected
	values visits "$result/profile.cubex" | sed '1d; s, [^/]*/, ,' | sort -k2 > got
	diff expected got > differences || bad "$1: visits expected < and found >: $(cat differences)"
}
