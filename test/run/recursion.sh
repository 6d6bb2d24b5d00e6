#!/bin/sh
# 100,000 levels of recursion, a million call paths.
. "${srcdir:?}/test/lib.sh" || exit 99

cat > deep.c <<'C'
#include <stdio.h>
static volatile int sink;
static int down(int n) { sink = n; if (n > 1) down(n - 1); return sink; }
int main(void) { down(100000); puts("up"); return 0; }
C
cat > wide.py <<'P'
n = 1000
print("#include <stdio.h>\nstatic volatile int sink;")
for i in range(n):
    print(f"static void b{i}(void) {{ sink++; }}")
print("static void (*const all_b[])(void) = {" + ",".join(f"b{i}" for i in range(n)) + "};")
for i in range(n):
    print(f"static void a{i}(void) {{ for (int i = 0; i < {n}; i++) all_b[i](); }}")
print("static void (*const all_a[])(void) = {" + ",".join(f"a{i}" for i in range(n)) + "};")
print(f'int main(void) {{ for (int i = 0; i < {n}; i++) all_a[i](); printf("%d\\n", sink); return 0; }}')
P
"$PYTHON3" wide.py > wide.c || die "cannot make wide.c"
ulimit -s 65536 2> /dev/null || skip "the stack limit cannot be raised for a deep recursion"
instrument deep.c -o deep
"$CC" -O0 -finstrument-functions wide.c -o wide $fathom_libs || die "cannot build wide.c"

same "output of deep" up "$(./deep 2> err)"
dir=$(experiment) || exit 1
same "call paths of deep" "cnodes 100002" "$("$builddir/test/run/dump" -s "$dir/profile.cubex" | tail -1)"
rm -rf fathom-*
same "output of deep, folded" up "$(FATHOM_RECURSION=fold ./deep 2> err)"
dir=$(experiment) || exit 1
same "visits, folded" 100000 "$(value visits deep/main/down "$dir/profile.cubex")"
rm -rf fathom-*
same "output of wide" 1000000 "$(./wide 2> err)"
dir=$(experiment) || exit 1
same "call paths of wide" "cnodes 1001002" "$("$builddir/test/run/dump" -s "$dir/profile.cubex" | tail -1)"
same "visits of a path of wide" 1 "$(value visits wide/main/a500/b700 "$dir/profile.cubex")"
rm -rf fathom-*
same "output of wide with few nodes" 1000000 "$(FATHOM_NODES=10k ./wide 2> err)"
dir=$(experiment) || exit 1
check_profile "$dir/profile.cubex"
total=$(values visits "$dir/profile.cubex" | awk '{ s += $1 } END { print s }')
[ "$total" -ge 11000 ] || bad "visits with few nodes: $total"
contains "few nodes" "$("$builddir/test/run/dump" -s "$dir/profile.cubex")" "^attribute fathom::dropped_nodes=9[0-9]{5}$"
verdict
