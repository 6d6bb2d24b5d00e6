#!/bin/sh
# Programs of others can take our profiles: formulas stand in the remapping specification alone, names have letters where
# cube_canonize looks for them (foreign.py says what each program demands). Other tests ask the same of their profiles.
. "${srcdir:?}/test/lib.sh" || exit 99
here=$srcdir/test/cube
command -v "$PYTHON3" > /dev/null || skip "no python3"
FATHOM_NAME=names.exp
export FATHOM_NAME

# Functions whose names broke cube_canonize -p, and a user region; what it gives has a mean, which is a formula.
"$CXX" -g -O1 -finstrument-functions -DFATHOM_USER -I"$srcdir/include" "$here/foreign.cc" -o names $fathom_libs ||
	die "cannot build foreign.cc"
./names 2> err || die "names: exit $?: $(cat err)"
tar xOf names.exp/profile.cubex anchor.xml > anchor.xml
tar xOf names.exp/profile.cubex remapping.spec > remapping.spec
for name in 'void put&lt;Box&lt;int&gt;, Box&lt;Box&lt;int&gt;&gt;&gt;(Box&lt;Box&lt;int&gt;&gt;&amp;, int)' \
	'{anonymous namespace}::hidden(int)' 'int(*chosen&lt;int&gt;(int))(int)' '{setup}'; do
	grep -Fq "<name>$name</name>" anchor.xml || bad "no region $name: $(grep '<name>' anchor.xml)"
done
! grep -q DERIVED anchor.xml || bad "anchor.xml has a formula"
contains "the specification" "$(tr -d '\n' < remapping.spec)" \
	'<metric type="POSTDERIVED" convertible="false">.*<uniq_name>load::mean</uniq_name>.*<cubepl>metric::load\(\) / metric::load::count\(\)</cubepl>'
check_profile names.exp/profile.cubex

# Our own reader works the formula out without it.
"$FATHOM" report --metric load::mean --flat names.exp > report || bad "report --metric load::mean: exit $?"
contains "report" "$(cat report)" ' 2 +1 +- +main '

# A filter takes a name as the report shows it.
printf 'exclude {anonymous namespace}::hidden(int)\n' > names.filter
FATHOM_NAME=less.exp FATHOM_FILTER=names.filter ./names 2> err || bad "with a filter: exit $?: $(cat err)"
tar xOf less.exp/profile.cubex anchor.xml | grep -q hidden && bad "the filter let hidden pass"

# A thread was in some call paths only: the others have no longest visit, which cube_sanity must not find below zero.
cat > threads.c <<'C'
#include <pthread.h>

static void *body(void *data)
{
	return data;
}

int main(void)
{
	pthread_t thread;

	return pthread_create(&thread, 0, body, 0) || pthread_join(thread, 0);
}
C
"$CC" -g -O1 -finstrument-functions threads.c -o threads $fathom_libs -pthread || die "cannot build threads.c"
FATHOM_NAME=threads.exp ./threads 2> err || bad "threads: exit $?: $(cat err)"
check_profile threads.exp/profile.cubex
"$FATHOM" report --flat --metric max_time threads.exp > report || bad "report --metric max_time: exit $?"
same "report --metric max_time: values without a visit" 0 "$(grep -c ' 0 ' report)"

# What it tells the good from the bad by: a formula in anchor.xml, a name without letters, no specification.
"$PYTHON3" - names.exp/profile.cubex <<'E2' || bad "cannot make bad files"
import io, sys, tarfile
members = {m.name: tarfile.open(sys.argv[1]).extractfile(m.name).read() for m in tarfile.open(sys.argv[1])}
def make(path, **changes):
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as out:
        for name, content in members.items():
            old, new = changes.get(name.partition(".")[0], (b"", b""))
            if new is None:
                continue
            assert old in content
            info = tarfile.TarInfo(name)
            info.size = len(content.replace(old, new)) if old else len(content)
            out.addfile(info, io.BytesIO(content.replace(old, new) if old else content))
make("formula.cubex", anchor=(b'type="EXCLUSIVE"', b'type="POSTDERIVED"'))
make("letters.cubex", anchor=(b"{setup}", b"(setup)"))
make("unspecified.cubex", remapping=(b"", None))
make("lacks.cubex", remapping=(b"<uniq_name>imbalance</uniq_name>", b"<uniq_name>balance</uniq_name>"))
E2
for fault in formula:POSTDERIVED letters:setup unspecified:remapping lacks:imbalance; do
	"$PYTHON3" "$here/foreign.py" "${fault%:*}.cubex" > said && bad "${fault%:*}.cubex passes"
	contains "${fault%:*}.cubex" "$(cat said)" "${fault#*:}"
done
verdict
