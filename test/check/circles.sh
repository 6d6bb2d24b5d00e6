#!/bin/sh
# No include circles: a file and its header (a.c, a.h) count as one; a depends on b if either of them includes b.h.
# A reader can then start below and needs nothing that he has not read yet.
. "${srcdir:?}/test/lib.sh" || exit 99

# Each circle of a tree: its files in one line.
circles() {
	(cd "$1" && find lib wrappers tools instrument -type f \( -name '*.[ch]' -o -name '*.cc' \) -exec \
		grep -Hn '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' {} + 2> /dev/null) |
		sed -E 's/^([^:]*)\.(c|cc|h):[0-9]+:[^"]*"([^"]*)\.h".*/\1 \3/' | sort -u | awk '
		function folder(path) { sub(/[^\/]*$/, "", path); return path }
		# Tarjan: the files that can be reached from a file and reach it.
		function visit(v,   n, i, other, edge, w, line, size) {
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
		{ file[NR] = $1; header[NR] = $2; is_file[$1] = 1 }
		END {
			while ((getline line < known_files) > 0)
				is_file[line] = 1
			for (i = 1; i <= NR; i++) {
				# As the compiler looks: beside the file, below lib, wrappers, and the root.
				split(folder(file[i]) header[i] "|lib/" header[i] "|wrappers/" header[i] "|wrappers/openmp/" \
				      header[i] "|" header[i], place, "|")
				for (j = 1; j <= 5; j++)
					if (place[j] in is_file)
						break
				if (j <= 5 && place[j] != file[i])
					uses[file[i]] = uses[file[i]] " " place[j]
			}
			for (i = 1; i <= NR; i++)
				if (!(file[i] in order))
					visit(file[i])
		}' known_files="$work/all_files"
}

(cd "$srcdir" && find lib wrappers tools instrument -type f -name '*.h' | sed 's/\.h$//') > all_files
circles "$srcdir" > found
while IFS= read -r files; do bad "these files include each other in a circle: $files"; done < found

# The check itself: a circle that is planted must be found.
mkdir tree
(cd "$srcdir" && tar cf - lib wrappers tools instrument) | (cd tree && tar xf -)
echo '#include "event/frame.h"' >> tree/lib/event/location.c
circles tree | grep -q 'lib/event/location' || bad "a circle that was planted was not found"
verdict
