#!/bin/sh
# Who may include whom. The table is that of doc/internals/architecture.md; each file's include lines say what it
# uses, so the rule can be seen in every file and is held here.
. "${srcdir:?}/test/lib.sh" || exit 99

# folder: the folders, with all below them, and the single headers it may include, besides its own.
cat > table <<'T'
include/fathom:
lib/platform:
lib/define: platform/
lib/comm: platform/
lib/cube: define/activity.h platform/ filter/spelling.h
lib/otf2: platform/
lib/callgraphs: otf2/ platform/
lib/bursts: otf2/ platform/
lib/clusters:
lib/periods:
lib/folding:
lib/frames: otf2/ platform/
lib/replay: define/collective.h
lib/symbols: define/region.h platform/
lib/system: define/ comm/ platform/
lib/filter:
lib/metric: define/ comm/ platform/
lib/waits: define/ comm/ platform/
lib/event: define/ metric/ platform/ comm/comm.h
lib/sample: event/ define/ symbols/ platform/
lib/run: event/ profile/ sample/ trace/ waits/ define/ comm/ filter/ metric/ symbols/ system/ platform/
lib/profile: waits/ bursts/burst_format.h event/cost.h event/result.h event/sample.h event/sampled_frames.h event/switch.h event/substrate.h event/location.h event/teams/idleness.h event/locks/locks.h event/teams/tasks.h define/ comm/ system/ cube/ platform/
lib/trace: event/substrate.h event/sample.h event/sampled_frames.h event/result.h event/location.h event/teams/tasks.h event/event.h event/frame.h event/thread.h define/ comm/ system/ otf2/records.h platform/
lib: event/substrate.h profile/profile.h trace/trace.h platform/
wrappers/compiler: fathom/ symbols/ event/cost.h event/event.h run/filtering.h run/runtime.h event/switch.h event/teams/team.h filter/filter.h define/ platform/compiler.h platform/vectors.h platform/lock.h platform/module.h platform/log.h platform/arena.h platform/settings.h platform/sibling_library.h
wrappers/mpi: fathom/ event/event.h run/runtime.h define/ comm/comm.h platform/compiler.h platform/lock.h platform/log.h platform/arena.h platform/settings.h
wrappers/openmp/pomp2: fathom/ event/event.h event/locks/locks.h event/teams/team.h event/teams/waiting.h event/teams/task.h event/thread.h run/runtime.h define/ platform/compiler.h platform/lock.h platform/log.h platform/arena.h
wrappers/openmp/ompt: fathom/ event/event.h event/locks/locks.h event/teams/team.h event/teams/waiting.h event/teams/task.h event/thread.h run/runtime.h define/ platform/compiler.h platform/lock.h platform/module.h platform/log.h platform/arena.h
wrappers/pthread: fathom/ event/event.h event/locks/locks.h event/thread.h run/runtime.h define/ platform/compiler.h platform/lock.h platform/log.h platform/arena.h platform/settings.h
wrappers/io: fathom/ event/event.h run/runtime.h define/ platform/compiler.h platform/arena.h platform/lock.h platform/settings.h
wrappers/user: fathom/ event/event.h event/nesting.h define/ platform/compiler.h platform/lock.h platform/arena.h platform/catalog.h platform/log.h
instrument: filter/filter.h
tools/algebra: tools/common/ cube/ define/activity.h platform/
tools/analyze: tools/common/ callgraphs/ otf2/ cube/ waits/ comm/ define/activity.h event/event_data.h platform/
tools/common: comm/ callgraphs/ cube/ otf2/ frames/ define/activity.h filter/filter.h platform/ system/capacity.h symbols/code_structure.h
tools/check: tools/common/ callgraphs/ otf2/ platform/
tools/clusters: comm/ tools/common/ callgraphs/ otf2/ bursts/ clusters/ cube/ define/activity.h platform/
tools/config: tools/common/ platform/
tools/diff: tools/track/ tools/clusters/cluster_options.h otf2/memory.h tools/algebra/ tools/common/ cube/ define/activity.h filter/filter.h platform/ system/capacity.h
tools/export: tools/common/ callgraphs/ otf2/ cube/ define/activity.h filter/filter.h platform/ system/capacity.h
tools/filter: tools/common/ cube/ filter/filter.h platform/ symbols/symbols.h
tools/import: tools/common/ otf2/ cube/ define/activity.h platform/
tools/fold: tools/clusters/ tools/common/ callgraphs/ otf2/ bursts/ clusters/ folding/ platform/
tools/list: tools/common/ callgraphs/ otf2/ cube/ define/activity.h filter/filter.h platform/ system/capacity.h
tools/merge: bursts/burst_format.h tools/algebra/ tools/common/ cube/ platform/ system/capacity.h
tools/metrics: tools/common/ platform/ sample/source.h metric/metric_lookup.h metric/metric_groups.h
tools/remap: tools/common/ cube/ define/activity.h filter/filter.h platform/ system/capacity.h
tools/report: tools/common/ callgraphs/ otf2/ cube/ define/activity.h filter/filter.h platform/ system/capacity.h system/subtree_merge.h system/sequence.h system/byte_stack.h system/name_pattern.h symbols/code_structure.h
tools/scaling: tools/common/ cube/ define/activity.h filter/filter.h platform/ system/capacity.h
tools/score: tools/common/ cube/ filter/filter.h platform/
tools/serve: tools/common/ comm/ frames/ otf2/ platform/ cube/
tools/timeline: tools/common/ frames/ otf2/ platform/
tools/trace: tools/common/ bursts/ callgraphs/ periods/ frames/ otf2/ filter/filter.h platform/
tools/track: tools/clusters/ tools/common/ otf2/ bursts/ clusters/ platform/
tools/view: frames/ tools/algebra/ tools/common/ otf2/ cube/ define/activity.h filter/filter.h platform/ system/capacity.h symbols/code_structure.h
tools/whatif: tools/clusters/ tools/common/ bursts/ callgraphs/ otf2/ replay/ cube/ define/activity.h system/capacity.h filter/filter.h platform/
tools/restore: tools/common/command.h event/ run/ profile/ trace/ otf2/records.h define/ comm/ system/system_path.h platform/ symbols/symbols.h
T

# Headers of others that belong to one part: header, then where it may be.
cat > foreign <<'T'
mpi.h wrappers/mpi
elfutils/ lib/symbols
dwarf.h lib/symbols
gelf.h wrappers/compiler
libelf.h wrappers/compiler
Zydis/ lib/symbols wrappers/compiler
libiberty/ lib/symbols instrument/gcc-plugin
otf2/ lib/otf2 lib/trace tools
papi.h lib/metric
expat.h lib/cube tools/import
zlib.h lib/cube tools/export tools/view
jansson.h tools
cairo.h tools/timeline
microhttpd.h tools/serve
cmocka.h test
T

# "file include-line" for all sources below these folders of a tree.
includes() {
	tree=$1
	shift
	(cd "$tree" && find "$@" -type f \( -name '*.[ch]' -o -name '*.cc' \) -exec \
		grep -Hn '^[[:space:]]*#[[:space:]]*include' {} + 2> /dev/null) |
		sed -E 's/^([^:]*):([0-9]+):[^"<]*(["<])([^">]*).*/\1:\2 \3 \4/'
}

# Violations of the table, one a line.
wrong_layers() {
	includes "$1" include lib wrappers instrument tools | awk -v tree="$1" '
		function exists(path) { return system("test -f \"" tree "/" path "\"") == 0 }
		# The longest folder of the table that the file is in.
		function part_of(file,   p, best) {
			best = ""
			for (p in allowed)
				if (index(file, p "/") == 1 && length(p) > length(best))
					best = p
			return best
		}
		NR == FNR {
			part = $1
			sub(/:$/, "", part)
			$1 = ""
			allowed[part] = $0 " "
			next
		}
		$2 == "\"" {
			file = $1
			sub(/:[0-9]*$/, "", file)
			header = $3
			part = part_of(file)
			own = part
			sub(/^(lib|wrappers|include)\//, "", own)
			if (part == "") {
				print $1 ": is in no folder of the table"
				next
			}
			if (header == "config.h" || header == "" || index(header, own "/") == 1)
				next
			folder = header
			if (!sub(/\/[^\/]*$/, "", folder)) {
				# No folder: its neighbour, or one of GCC to the plugin.
				neighbour = file
				sub(/[^\/]*$/, "", neighbour)
				if (!exists(neighbour header) && !exists(part "/" header) && index(neighbour, "instrument/gcc-plugin/") != 1)
					print $1 ": " header ": not a file beside it"
				next
			}
			if (part == "instrument" && exists("instrument/" header))
				next
			if (index(allowed[part], " " header " "))
				next
			for (upper = folder; upper != "" && !index(allowed[part], " " upper "/ "); )
				if (!sub(/\/[^\/]*$/, "", upper))
					upper = ""
			if (upper != "")
				next
			print $1 ": " part " may not include " header
		}' table -
	includes "$1" include lib wrappers instrument tools test | awk '
		NR == FNR { header[NR] = $1; $1 = ""; where[NR] = $0; count = NR; next }
		$2 == "<" {
			for (i = 1; i <= count; i++) {
				if (index($3, header[i]) != 1)
					continue
				n = split(where[i], place, " ")
				good = index($1, "test/") == 1
				for (j = 1; j <= n; j++)
					good = good || index($1, place[j] "/") == 1
				if (!good)
					print $1 ": " $3 " may only be used in" where[i]
			}
		}' foreign -
}

wrong_layers "$srcdir" > found
while read -r line; do bad "$line"; done < found

# The check itself: each of these must be found, and nothing else. "file|line to plant"
mkdir tree
(cd "$srcdir" && tar cf - include lib wrappers instrument tools) | (cd tree && tar xf -)
wrong_layers tree > before
while IFS='|' read -r file line; do
	[ -f "tree/$file" ] || die "$file is not there to plant a fault in"
	printf '%s\n' "$line" >> "tree/$file"
	echo "$file:$(wc -l < "tree/$file"):" >> planted
done <<'T'
lib/platform/arena.c|#include "define/region.h"
lib/define/region.c|#include "event/event.h"
lib/cube/writer/writer.c|#include "define/region.h"
lib/event/event.c|#include "profile/recording/callpath.h"
lib/event/location.c|#include "run/signals/signal_stack.h"
lib/profile/process_tree/call_tree.c|#include "event/state.h"
lib/profile/process_tree/call_tree.c|# include	"trace/records/record.h"
lib/comm/binomial_tree.c|#include <mpi.h>
lib/substrates.c|#include "mpi/comm.h"
wrappers/compiler/hooks.c|#include "profile/recording/callpath.h"
wrappers/compiler/hooks.c|#include "event/substrate.h"
wrappers/compiler/hooks.c|#include "mpi/message.h"
wrappers/mpi/comm.c|#include "cube/writer/writer.h"
instrument/driver/options.c|#include "platform/log.h"
lib/filter/filter.c|#include "platform/log.h"
tools/report/main.c|#include "run/runtime.h"
tools/report/main.c|#include "tools/check/check.h"
tools/report/main.c|#include <elfutils/libdwfl.h>
tools/report/main.c|#include "nothing.h"
lib/platform/log.c|#include <cmocka.h>
T
wrong_layers tree > after
same "faults found of those planted" "$(sort planted)" "$(diff before after | sed -n 's/^> \([^:]*:[0-9]*:\).*/\1/p' | sort)"
verdict
