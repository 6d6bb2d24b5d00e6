#!/bin/bash
# The reference pages against the code: each metric, attribute and property that the code can write has its line, and the
# pages name none that it cannot write. All links between pages lead somewhere.
. "${srcdir:?}/test/lib.sh" || exit 99
cd "$srcdir" || exit 99
page=doc/reference/metrics.md

# Names in backquotes that stand in a page, one a line; those in lists too.
quoted() { sed '/^```/,/^```/d' "$@" | grep -o '`[^`]*`' | tr -d '`' | tr ',' '\n' | sed 's/^ *//;s/ *$//' | sort -u; }
quoted $page > "$work/page"

# What the code can write: activity classes, the metrics of profiles, formulas.
{
	sed -n '/^const struct fathom_activity_info fathom_activity_table/,/^};/s/.*= { "\([a-z0-9_]*\)", .*/\1/p' lib/define/*.c
	sed -n '/^} plain_metrics\[\] = {/,/^};/s/.*{ [A-Z_()0-9]*, FATHOM_CUBE_[A-Z0-9]*, "\([a-z_]*\)",.*/\1/p' lib/profile/result/*.c
	sed -n 's/^\t\[FATHOM_WAITS_[A-Z0-9_]*\] = { "\([a-z0-9_]*\)",.*/\1/p' lib/waits/wait_patterns.c
	sed -n '/^const struct fathom_derived fathom_derived_table/,/^};/s/^\t\(RATIO(\|PERCENT(\|{ \)"\([a-z0-9_]*\)".*/\2/p' lib/cube/derived.c
	sed -n 's/.*\.uniq_name = "\([a-z_]*\)",.*/\1/p' tools/scaling/loss_file.c
} | sort -u > "$work/metrics"
[ "$(grep -cE '^(visits|mpi|ipc|task_switches|omp_idle_threads)$' "$work/metrics")" = 5 ] || die "cannot find the metrics in the code"
comm -23 "$work/metrics" "$work/page" | while IFS= read -r name; do echo "$page lacks the metric $name"; done > "$work/lines"
# These words stand in backquotes without being metrics: values of settings and attributes.
printf '%s\n' all key main mixed monotonic rdpmc read set sum calltree tsc yes time anchor.xml > "$work/words"
grep -xE '[a-z][a-z0-9_]*' "$work/page" | grep -vxFf "$work/metrics" | grep -vxFf "$work/words" |
	while IFS= read -r name; do echo "$page names $name, which no code writes"; done >> "$work/lines"

# Attributes of profiles, of lib/profile and fathom merge; properties of traces.
attributes() { # PATTERN FILES...
	pattern=$1
	shift
	grep -ohE "\"$pattern" "$@" | tr -d '"' | sed 's/:$//' | sort -u
}
attributes 'fathom::[a-z_]+' lib/profile/*.c lib/profile/*/*.c lib/cube/*.[ch] lib/cube/*/*.[ch] lib/define/*.c tools/merge/*.c tools/remap/*.c tools/scaling/*.c > "$work/written"
grep -oE '^fathom::[a-z_]+' "$work/page" | sort -u > "$work/named"
comm -3 "$work/written" "$work/named" | tr -d '\t' | sed "s|^|$page or the code lacks the attribute |" >> "$work/lines"
attributes 'FATHOM::[A-Z_]+' lib/trace/*.c lib/trace/*/*.c tools/trace/*.c > "$work/written"
[ -s "$work/written" ] || die "cannot find the properties of traces in the code"
quoted doc/reference/files.md | grep -oE '^FATHOM::[A-Z_]+' | sort -u > "$work/named"
comm -3 "$work/written" "$work/named" | tr -d '\t' | sed "s|^|doc/reference/files.md or the code lacks the property |" >> "$work/lines"

# Links.
links() # PAGE
{
	grep -oE '\]\([^)#:]+[)#]' "$1" | sed 's/^](//;s/[)#]$//' | while IFS= read -r to; do
		[ -e "$(dirname "$1")/$to" ] || echo "$1: there is no $to"
	done
}
for file in README.md HACKING.md $(find doc -name '*.md'); do links "$file"; done >> "$work/lines"
find doc -name '*.md' ! -name README.md | while IFS= read -r file; do
	grep -q "(${file#doc/})" doc/README.md || echo "doc/README.md does not name $file"
	grep -q "$file" doc/local.mk || echo "doc/local.mk does not install $file"
done >> "$work/lines"
# Files of the source that the internals and HACKING.md name.
(cd "$srcdir" && find include lib wrappers instrument tools doc test -type f) > "$work/files"
quoted doc/internals/*.md HACKING.md | grep -xE '([a-z0-9_-]+/)*[a-z0-9_]+\.(c|h|cc|py|sh|mk|txt)' | sort -u | while IFS= read -r name; do
	case $name in mpi.h | papi.h | bench.txt) continue ;; esac	# not ours, or made
	grep -q "\(^\|/\)$name$" "$work/files" || echo "doc/internals or HACKING.md names $name, which does not exist"
done >> "$work/lines"
echo '[nothing](nowhere.md)' > "$work/planted.md"
[ -n "$(links "$work/planted.md")" ] || bad "a link to nowhere is not found"

while IFS= read -r line; do bad "$line"; done < "$work/lines"
verdict
