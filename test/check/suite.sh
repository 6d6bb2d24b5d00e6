#!/bin/sh
# What was not tested is said: run-suite counts what ran now, names what did not, and repeats a few failed tests alone; no test
# vanishes because configure left its part out, and quickstart configures again where other packages are installed than before.
. "${srcdir:?}/test/lib.sh" || exit 99
command -v make > /dev/null || skip "no make"
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

# --- run-suite, with a build directory that is made up ----------------------------------------------

# suite_of NAME: a build directory whose tests are given by t/TEST: the result, and behind it what the log says.
suite_of() {
	mkdir -p "$1/t" && cat > "$1/Makefile" <<'M'
check:
	@for t in t/*.in; do b=$${t%.in}; read -r result text < $$t; [ $$result != none ] || continue; \
	  echo ":global-test-result: $$result" > $$b.trs; printf '%b\n' "$$text" > $$b.log; done; ! grep -q '^FAIL' t/*.in
list-tests:
	@for t in t/*.in; do echo $${t%.in}; done
# A test that is run alone: its result is given by t/TEST.alone, and is the same as beside others where there is no such file.
t/%.log:
	@t=t/$*.in; [ ! -f t/$*.alone ] || t=t/$*.alone; read -r result text < $$t; \
	  echo ":global-test-result: $$result" > t/$*.trs; printf '%b\n' "$$text" > $@; [ $$result = PASS ]
M
}
suite_of good
echo 'PASS well' > good/t/a.in
echo 'SKIP SKIP: no such compiler\nSKIP t/b (exit status: 77)' > good/t/b.absent.in
echo 'PASS LEFT OUT: ranks: no MPI' > good/t/c.in
# Of a test that is not there any more.
echo ':global-test-result: PASS' > good/t/old.trs
"$srcdir/test/run-suite" good > good.out; same "all well: exit code" 0 $?
same "all well: what is said" 'skipped: t/b: no such compiler
left out: t/c: ranks: no MPI
2 passed, 0 failed, 1 skipped' "$(cat good.out)"

suite_of poor
echo 'PASS well' > poor/t/a.in
echo 'FAIL two is not three' > poor/t/b.in
echo 'none' > poor/t/c.in
"$srcdir/test/run-suite" poor > poor.out; same "two bad ones: exit code" 1 $?
same "two bad ones: what is said" 'FAILED: t/b
    two is not three
FAILED: t/c: it did not run
1 passed, 2 failed, 0 skipped' "$(cat poor.out)"

suite_of crowded
echo 'PASS well' > crowded/t/a.in
echo 'FAIL two is not three' > crowded/t/b.in
echo 'PASS two is two' > crowded/t/b.alone
"$srcdir/test/run-suite" crowded > crowded.out; same "one that passes alone: exit code" 0 $?
same "one that passes alone: what is said" 'passed only alone: t/b; its first run ended so:
    two is not three
2 passed, 0 failed, 0 skipped' "$(cat crowded.out)"
echo 'FAIL still not' > crowded/t/b.alone
"$srcdir/test/run-suite" crowded > crowded.out; same "one that fails again: exit code" 1 $?
same "one that fails again: what is said" 'FAILED: t/b
    still not
1 passed, 1 failed, 0 skipped' "$(cat crowded.out)"
# Where many tests fail, none is repeated.
for test in c d e f g; do echo 'FAIL two is not three' > crowded/t/$test.in; echo 'PASS well' > crowded/t/$test.alone; done
"$srcdir/test/run-suite" crowded > crowded.out; same "many that fail: exit code" 1 $?
same "many that fail: the last line" '1 passed, 6 failed, 0 skipped' "$(tail -n 1 crowded.out)"

mkdir broken && printf 'check:\n\t@echo no rule; false\n' > broken/Makefile
"$srcdir/test/run-suite" broken > broken.out; same "nothing runs: exit code" 1 $?
same "nothing runs: the last line" '0 passed, 1 failed, 0 skipped' "$(tail -n 1 broken.out)"

# --- the same tests, however configure came out -----------------------------------------------------

# listed NAME CMOCKA OTHERS: the tests of a Makefile that is made as if configure had found cmocka, and as if it had found OTF2 and MPI.
listed() {
	mkdir "as-$1" && cd "as-$1" || exit 99
	{
		echo "s:^srcdir=.*:srcdir='$srcdir':; s:^ac_pwd='.*:ac_pwd='$PWD':; s:^S\[\"am__include\"\].*:S[\"am__include\"]=\"#\":"
		condition CMOCKA "$2"; condition OTF2 "$3"; condition MPI "$3"
	} > edit.sed
	sed -f edit.sed "$builddir/config.status" > config.status
	sh ./config.status --file=Makefile > status.out 2>&1 || { tail -n 3 status.out >&2; bad "config.status of $1"; }
	cp Makefile made		# which nothing makes again
	make -s -f made list-tests 2> make.err | sed "s/\.absent$//" | sort > "../listed-$1"
	cd ..
}
# condition NAME yes|no: what sets an automake condition in config.status.
condition() {
	case $2 in yes) true= false='#' ;; *) true='#' false= ;; esac
	printf 's:^S\\["HAVE_%s_%s"\\].*:S["HAVE_%s_%s"]="%s":\n' "$1" TRUE "$1" TRUE "$true" "$1" FALSE "$1" FALSE "$false"
}
listed all yes yes
listed none no no
listed cmocka yes no
[ "$(wc -l < listed-all)" -gt 150 ] || bad "tests of this build: $(wc -l < listed-all)"
same "tests without cmocka, OTF2 and MPI" "$(cat listed-all)" "$(cat listed-none)"
same "tests without OTF2 and MPI" "$(cat listed-all)" "$(cat listed-cmocka)"
# Such a test is reported as skipped, with what is missing.
(cd as-none && make -s -f made test/unit/profile/process_tree/test_call_tree.absent.log > check.out 2>&1)
same "a unit test without cmocka" 'SKIP: cmocka not found when configure ran (Debian: libcmocka-dev)' "$(grep ^SKIP: as-none/test/unit/profile/process_tree/test_call_tree.absent.log)"
(cd as-cmocka && make -s -f made test/unit/trace/test_buffer.absent.log > check.out 2>&1)
contains "a unit test without OTF2" "$(cat as-cmocka/test/unit/trace/test_buffer.absent.log)" '^SKIP: OTF2 not found'

# --- quickstart ------------------------------------------------------------------------------------

# A clone in which only quickstart is real. What is installed stands in the file "packages"; apt-get adds to it.
mkdir -p clone/test/real bin && cp "$srcdir/quickstart" clone && cd clone || exit 99
touch configure.ac
cat > configure <<'C'
#!/bin/sh
echo "configure $*" >> ../log
printf 'all:\n\t@true\n' > Makefile
cmocka=$(grep -c '^libcmocka-dev' "$PACKAGES")
printf '#!/bin/sh\necho "%s"\n' "$*" > config.status; chmod +x config.status; echo "$cmocka" > cmocka
C
printf '#!/bin/sh\necho "tests with cmocka: $(cat "$1/cmocka")" >> "$1/../log"\n' > test/run-suite
echo 'echo show >> "$srcdir/log"' > test/real/show.sh
cat > ../bin/dpkg-query <<'C'
#!/bin/sh
# dpkg-query -W [-f FORMAT [PACKAGE...]]
[ "$2" != -f ] && [ $# -lt 2 ] && exec cat "$PACKAGES"
shift 3
for name; do grep -q "^$name	" "$PACKAGES" && echo 'install ok installed'; done
true
C
cat > ../bin/apt-get <<'C'
#!/bin/sh
for word; do case $word in -* | update | install) ;; *) printf '%s\t1.0\n' "$word" >> "$PACKAGES" ;; esac; done
C
printf '#!/bin/sh\n' > ../bin/update-alternatives
printf '#!/bin/sh\nexec "$@"\n' > ../bin/sudo
for tool in chromium zsh fish; do printf '#!/bin/sh\n' > ../bin/$tool; done	# no packages of the list, but installed
chmod +x configure test/run-suite ../bin/*
printf 'libc6\t2.36\n' > ../packages
quickstart() { PACKAGES=$work/packages PATH=$work/bin:$PATH ./quickstart "$@" > out 2>&1 < /dev/null || { cat out >&2; bad "quickstart $*: exit code $?"; }; }
quickstart
quickstart
same "quickstart, twice" 'configure --quiet
show
show' "$(cat log)"
rm log
quickstart test
same "quickstart test, after the packages of tests came" 'configure --quiet --enable-werror
tests with cmocka: 1' "$(sed 's/--quiet --quiet/--quiet/' log)"
rm log
quickstart test
quickstart
same "again, with nothing new" 'tests with cmocka: 1
show' "$(cat log)"
rm log
printf 'libmpich-dev\t9.9\n' >> ../packages
quickstart
same "another version of a package" 'configure --quiet --enable-werror
show' "$(sed 's/--quiet --quiet/--quiet/; s/--quiet --quiet/--quiet/' log)"
cd ..
verdict
