#!/bin/sh
# No include circles, neither of files nor of folders. A reader can then start below and needs nothing that he has not
# read yet. A file and its header (a.c, a.h) count as one; a depends on b if either of them includes b.h. A folder
# depends on those that its files include from, except on the folders that it is in and those inside it: the files of
# a part that stand outside of its subfolders may be used by them and use them.
. "${srcdir:?}/test/lib.sh" || exit 99

# Who includes whom in a tree: "file file" without endings, as paths from the root.
includes() {
	(cd "$1" && find lib wrappers tools instrument -type f -name '*.h' | sed 's/\.h$//') > all_files
	(cd "$1" && find lib wrappers tools instrument -type f \( -name '*.[ch]' -o -name '*.cc' \) -exec \
		grep -Hn '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' {} + 2> /dev/null) |
		sed -E 's/^([^:]*)\.(c|cc|h):[0-9]+:[^"]*"([^"]*)\.h".*/\1 \3/' | sort -u | awk '
		function folder(path) { sub(/[^\/]*$/, "", path); return path }
		BEGIN {
			while ((getline line < "all_files") > 0)
				is_file[line] = 1
		}
		{
			# As the compiler looks: beside the file, below the folders of the -I options, and the root.
			n = split(folder($1) $2 "|lib/" $2 "|wrappers/" $2 "|wrappers/openmp/" $2 "|instrument/" $2 "|" $2,
				  place, "|")
			for (j = 1; j <= n; j++)
				if (place[j] in is_file)
					break
			if (j <= n && place[j] != $1)
				print $1, place[j]
		}'
}

# The same of folders.
folder_includes() {
	includes "$1" | awk '
		function is_inside(inner, outer) { return index(inner "/", outer "/") == 1 }
		{
			sub(/\/[^\/]*$/, "", $1)
			sub(/\/[^\/]*$/, "", $2)
			if (!is_inside($1, $2) && !is_inside($2, $1))
				print $1, $2
		}' | sort -u
}

# Reads "a b": a depends on b. Prints each circle: its members in one line.
circles() {
	awk '
		# Tarjan: the nodes that can be reached from a node and reach it.
		function visit(v,   n, i, edge, w, line, size) {
			order[v] = low[v] = ++count
			stack[++height] = v
			waits[v] = 1
			n = split(uses[v], edge, " ")
			for (i = 1; i <= n; i++) {
				w = edge[i]
				if (!(w in order)) {
					visit(w)
					if (low[w] < low[v])
						low[v] = low[w]
				} else if (waits[w] && order[w] < low[v]) {
					low[v] = order[w]
				}
			}
			if (low[v] != order[v])
				return
			do {
				w = stack[height--]
				waits[w] = 0
				line = line " " w
				size++
			} while (w != v)
			if (size > 1)
				print substr(line, 2)
		}
		{ from[NR] = $1; uses[$1] = uses[$1] " " $2 }
		END {
			for (i = 1; i <= NR; i++)
				if (!(from[i] in order))
					visit(from[i])
		}'
}

includes "$srcdir" > edges
[ "$(wc -l < edges)" -gt 1000 ] || die "only $(wc -l < edges) include lines found below $srcdir"
circles < edges > found
while IFS= read -r files; do bad "these files include each other in a circle: $files"; done < found
folder_includes "$srcdir" | circles > found
while IFS= read -r folders; do bad "these folders include each other in a circle: $folders"; done < found

# The check itself: circles that are planted must be found.
mkdir tree
(cd "$srcdir" && tar cf - lib wrappers tools instrument) | (cd tree && tar xf -)
echo '#include "event/frame.h"' >> tree/lib/event/location.c
includes tree | circles | grep -q 'lib/event/location' || bad "a circle of files that was planted was not found"
echo '#include "profile/unification/union.h"' >> tree/lib/profile/recording/folding.c
folder_includes tree | circles | grep -q 'lib/profile/recording' ||
	bad "a circle of folders that was planted was not found"
verdict
