#!/bin/bash
# fathom import: profiles of TAU with known values, depths of call paths, several metrics and user events; PERI-XML; traces of
# Paraver, also those of a real program of another tool; round trips through fathom export; bad input loses nothing.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
import=$builddir/fathom-import export=$builddir/fathom-export make_table=$builddir/test/tools/make_table

# values FILE: its values, see import.py.
values() { "$PYTHON3" "$srcdir/test/tools/import.py" "$@"; }

# imported NAME SOURCE: imports, and says nothing on stderr. The words on stdout are in the file out.
imported() { rm -f "$1"; "$import" -o "$1" "$2" > out 2> err || bad "$2: $(cat err)"; same "$2: complaints" '' "$(cat err)"; }

# --- TAU ---
mkdir tau flat multi multi/MULTI__TIME multi/MULTI__PAPI_TOT_CYC
cat > tau/profile.0.0.0 << 'T'
7 templated_functions_MULTI_TIME
# Name Calls Subrs Excl Incl ProfileCalls # <metadata><attribute><name>a</name><value>b</value></attribute></metadata>
".TAU application" 1 1 10 1010 0 GROUP="TAU_DEFAULT"
".TAU application  => int main(int, char **) C [{/a/main.c} {3,1}-{9,1}]" 1 2 100 1000 0 GROUP="TAU_CALLPATH"
"int main(int, char **) C [{/a/main.c} {3,1}-{9,1}]" 1 2 100 1000 0 GROUP="TAU_DEFAULT"
".TAU application  => int main(int, char **) C [{/a/main.c} {3,1}-{9,1}] => MPI_Send()" 2 0 9E+02 9E+02 0 GROUP="MPI | TAU_CALLPATH"
"MPI_Send()" 2 0 9E+02 9E+02 0 GROUP="MPI"
"[CONTEXT] int main(int, char **) C" 5 0 500 500 0 GROUP="TAU_SAMPLE_CONTEXT"
"[SAMPLE] f [{/a/main.c} {4}]" 5 0 500 500 0 GROUP="TAU_SAMPLE"
0 aggregates
2 userevents
# eventname numevents max min mean sumsqr
"Message size sent to all nodes" 2 8 8 8 128
"Message size sent : int main(int, char **) C [{/a/main.c} {3,1}-{9,1}] => MPI_Send()" 2 8 8 8 128
T
# Call paths of depth two: solve is called from two functions, and what calls it stands for itself.
cat > tau/profile.1.0.2 << 'T'
5 templated_functions_MULTI_TIME
# Name Calls Subrs Excl Incl ProfileCalls #
"main" 1 1 5 100 0 GROUP="TAU_DEFAULT"
"main => solve" 1 0 30 30 0 GROUP="TAU_CALLPATH"
"help => solve" 3 0 60 60 0 GROUP="TAU_CALLPATH"
"help" 1 3 5 65 0 GROUP="TAU_DEFAULT"
"solve" 4 0 95 95 0 GROUP="TAU_DEFAULT"
0 aggregates
T
imported tau.cubex tau
contains "sampled entries" "$(cat out)" 'tau: 2 sampled entries are left out'
contains "what was written" "$(cat out)" 'tau\.cubex: [0-9]+ call paths, 2 threads, 6 metrics'
cat > expected << 'T'
Message_size_sent 0 0 .TAU application/main/MPI_Send 16
Message_size_sent:_number 0 0 .TAU application/main/MPI_Send 2
Message_size_sent_to_all_nodes 0 0 .TAU application 16
Message_size_sent_to_all_nodes:_number 0 0 .TAU application 2
time 0 0 .TAU application 1e-05
time 0 0 .TAU application/main 0.0001
time 0 0 .TAU application/main/MPI_Send 0.0009
time 1 2 help 5e-06
time 1 2 help/solve 6e-05
time 1 2 main 5e-06
time 1 2 main/solve 3e-05
time 1 2 solve 5e-06
visits 0 0 .TAU application 1
visits 0 0 .TAU application/main 1
visits 0 0 .TAU application/main/MPI_Send 2
visits 1 2 help 1
visits 1 2 help/solve 3
visits 1 2 main 1
visits 1 2 main/solve 1
T
same "values of profiles of TAU" "$(cat expected)" "$(values tau.cubex)"
contains "the place of a function" "$("$report" --all tau.cubex 2>&1)" 'main +main\.c:3'
contains "the activity of a call" "$("$report" tau.cubex 2>&1)" 'MPI'

# Two metrics; the time is read first, whatever the order of the names.
for metric in TIME PAPI_TOT_CYC; do
	[ $metric = TIME ] && own=250 || own=777
	printf '1 templated_functions_MULTI_%s\n# Name Calls Subrs Excl Incl ProfileCalls #\n"main" 3 0 %d %d 0 GROUP="A"\n0 aggregates\n' \
		$metric $own $own > multi/MULTI__$metric/profile.0.0.0
done
imported multi.cubex multi
same "values of two metrics" "PAPI_TOT_CYC 0 0 main 777,time 0 0 main 0.00025,visits 0 0 main 3" \
	"$(values multi.cubex | paste -sd,)"

# There and back: every value of every call path and thread.
printf '%s\n' 'main compiler function time=2,1,3,4 visits=1' 'main>solve compiler function time=1,0,2.25,0.125 visits=3' > lines
printf '%s\n' 'main>solve>MPI_Send mpi point2point time=1,2,1,3 visits=3' 'main>MPI_Barrier mpi barrier time=0.5 visits=2' \
	'main>MPI_Barrier>main compiler function time=1 visits=2' >> lines
"$make_table" 2x2 whole.cubex < lines || die "make_table"
works "$export" --to tau -o whole.tau whole.cubex
same "files of TAU" "profile.0.0.0 profile.0.0.1 profile.1.0.0 profile.1.0.1 " "$(ls whole.tau | tr '\n' ' ')"
imported back.cubex whole.tau
same "there and back through TAU" "$(values whole.cubex)" "$(values back.cubex)"
refused "a directory that exists" 1 '^fathom export: whole\.tau: File exists \(the profiles are written into a new directory\)$' \
	"$export" --to tau -o whole.tau whole.cubex
refused "profiles of TAU on stdout" 2 'needs -o DIRECTORY' "$export" --to tau whole.cubex

# --- PERI-XML ---
works "$export" --to peri-xml -o whole.xml whole.cubex
imported peri.cubex whole.xml
same "own times of functions by process" "$(values --regions whole.cubex)" \
	"$(values --regions peri.cubex)"
cat > known.xml << 'X'
<?xml version="1.0"?>
<p:data xmlns:p="http://example.org/peri"><p:EventDef id="7"><p:procedure>a &lt; b</p:procedure><p:type>loop</p:type>
<p:startline>12</p:startline><p:module>x.c</p:module></p:EventDef>
<p:metricDef id="3"><p:name>WALL_CLOCK</p:name></p:metricDef><p:other id="x"/>
<p:process id="5"><p:eventInstance id="7"><p:metric id="3"> 2.5 </p:metric></p:eventInstance></p:process></p:data>
X
imported known.cubex known.xml
same "a known file" "time 5 PROGRAM/a < b 2.5" "$(values --regions known.cubex)"

# --- bad input ---
for bad_file in \
	'1 templated_functions_MULTI_TIME' \
	'x' \
	'2 templated_functions_MULTI_TIME
# Name Calls Subrs Excl Incl ProfileCalls #
"main" 3 0 1 1 0 GROUP="A"' \
	'1 templated_functions_MULTI_TIME
# Name Calls Subrs Excl Incl ProfileCalls #
"main" 3 0 one 1 0 GROUP="A"' \
	'1 templated_functions_MULTI_TIME
# Name Calls Subrs Excl Incl ProfileCalls #
"main" 3 0 inf 1 0 GROUP="A"' \
	'1 templated_functions_MULTI_TIME
# Name Calls Subrs Excl Incl ProfileCalls #
"main" 3 0 1 1 0 GROUP="A"
1 userevents'; do
	rm -rf broken && mkdir broken && printf '%s\n' "$bad_file" > broken/profile.0.0.0
	refused "a damaged profile" 1 '^fathom import: broken/profile\.0\.0\.0:[0-9]+: ' "$import" -o no.cubex broken
	[ ! -e no.cubex ] || bad "a damaged profile left a result"
done
mkdir empty
refused "nothing of TAU" 1 'empty: has no profile of TAU' "$import" --from tau -o no.cubex empty
refused "an unknown source" 2 'empty: its format is not seen' "$import" -o no.cubex empty
refused "a result that exists" 1 'tau\.cubex: exists already' "$import" -o tau.cubex tau
refused "a wrong ending" 2 'ends in \.cubex' "$import" -o no.txt tau
refused "no result" 2 'no result is named' "$import" tau
refused "no source" 2 'no source is named' "$import" -o no.cubex
refused "an unknown format" 2 'no such format \(tau, peri-xml, paraver\)' "$import" --from vampir -o no.cubex tau
for text in '<a><metric id="1">3</metric></a>' '<a>' '<a/>' '<a><eventDef/></a>' '<a><eventDef id="-1"/></a>' \
	'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' \
	'<a><eventDef id="1"/><metricDef id="1"/><process id="0"><eventInstance id="1"><metric id="1">x</metric></eventInstance></process></a>'; do
	echo "$text" > broken.xml
	refused "damaged XML" 1 '^fathom import: broken\.xml:[0-9]+: ' "$import" -o no.cubex broken.xml
done

# --- lists of TAU ---
works "$builddir/fathom-score" --write stay.tau --as tau whole.cubex
contains "an include list" "$(tr '\n' ' ' < stay.tau)" 'BEGIN_INCLUDE_LIST .*main .*END_INCLUDE_LIST'
works "$builddir/fathom-filter" --check stay.tau --on whole.cubex
works "$builddir/fathom-score" --write stay.scorep --as scorep whole.cubex
works "$builddir/fathom-filter" --check stay.scorep --on whole.cubex
refused "--as alone" 2 'the file of --write' "$builddir/fathom-score" --as tau whole.cubex
refused "an unknown tool" 2 'no such tool \(fathom, tau, scorep\)' "$builddir/fathom-score" --write x --as vampir whole.cubex

# --- Paraver ---
if ! grep -q '^#define HAVE_OTF2 1' "$builddir/config.h"; then
	left_out "traces of Paraver: built without OTF2"
	verdict
fi
# The known answer of the format's description: states and a message.
cat > known.prv << 'P'
#Paraver (01/01/2026 at 12:00):100_ns:1(2):1:2(1:1,1:1),0
1:1:1:1:1:0:100:1
1:2:1:2:1:0:5:1
1:2:1:2:1:5:20:3
3:1:1:1:1:10:10:2:1:2:1:5:20:8:5
1:2:1:2:1:20:100:1
P
works "$import" -o known.trace known.prv
contains "a trace of states" "$(cat out)" 'its states became regions'
works "$builddir/fathom-check" known.trace
contains "its events" "$(cat out)" 'good: 10 events of 2 locations, 1 messages'
# Nested functions, values that return to the caller, calls, a collective operation, counters; microseconds.
cat > events.prv << 'P'
#Paraver (01/01/2026 at 12:00):1000:0:1:2(2:1,1:1),1
c:1:9:2:1:2
2:0:1:1:1:0:60000019:1
2:0:1:1:2:0:60000019:3
2:0:1:2:1:0:60000019:1
2:0:1:1:1:100:60000019:2:42000050:500
2:0:1:2:1:100:50000001:2
2:0:1:1:1:200:60000019:1:42000050:700
2:0:1:1:1:300:50000001:1:30000100:4
3:0:1:1:1:300:300:0:1:2:1:100:400:64:7
2:0:1:1:1:350:50000001:0
2:0:1:2:1:400:50000001:0
2:0:1:1:1:500:50000002:10:50100001:8:50100002:8:50100004:9
2:0:1:2:1:600:50000002:10:50100001:8:50100002:8:50100004:9
2:0:1:1:1:700:50000002:0
2:0:1:2:1:700:50000002:0
2:0:1:1:1:900:60000019:0
2:0:1:1:2:900:60000019:0
2:0:1:2:1:900:60000019:0
P
cat > events.pcf << 'P'
EVENT_TYPE
9    60000019    User function
VALUES
0    End
1    main
2    solve
3    helper

EVENT_TYPE
9    50000001    MPI Point-to-point
VALUES
0    Outside MPI
1    MPI_Send
2    MPI_Recv

EVENT_TYPE
9    50000002    MPI Collective Comm
VALUES
0    Outside MPI
10    MPI_Allreduce

EVENT_TYPE
7    42000050    PAPI_TOT_INS
P
works "$import" -o events.trace events.prv
contains "places are left out" "$(cat out)" '1 events are left out'
works "$builddir/fathom-check" events.trace
contains "its events" "$(cat out)" 'good: .* of 3 locations, 1 messages, 1 collectives; no message received before'
"$builddir/fathom-report" --trace --json events.trace > report.json 2> err || bad "no report of the trace: $(cat err)"
"$PYTHON3" - << 'P' || bad "the trace of Paraver has other values"
import json
report = json.load(open("report.json"))
visits = {r["name"]: r["visits"] for r in report["regions"]}
assert visits == {"main": 2, "helper": 1, "solve": 1, "MPI_Send": 1, "MPI_Recv": 1, "MPI_Allreduce": 2}, visits
own = {r["name"]: r["own_time"] for r in report["regions"]}
for name, value in {"solve": 100e-6, "helper": 900e-6, "MPI_Send": 50e-6, "MPI_Recv": 300e-6, "MPI_Allreduce": 300e-6}.items():
    assert abs(own[name] - value) < 1e-9, (name, own)
P
"$export" --to paraver -o again.prv events.trace 2> err || bad "no export: $(cat err)"
same "functions after export and import" "$(grep -c ':60000019:' events.prv)" "$(grep -c ':60000019:' again.prv)"
same "the message after export and import" "$(grep '^3:' events.prv | cut -d: -f14-)" "$(grep '^3:' again.prv | cut -d: -f14-)"
for line in '1:1:1:3:1:0:5:1' '2:1:1:1:1:0:5' '2:1:1:1:1:x:5:1' '4:1' '3:1:1:1:1:10:10:2:1:2:9:5:20:8:5' 'c'; do
	{ sed 1q known.prv; echo "$line"; } > broken.prv
	[ "$line" = c ] && echo "hello" > broken.prv
	refused "a damaged trace" 1 '^fathom import: broken\.prv:[0-9]+: ' "$import" -o no.trace broken.prv
	[ ! -e no.trace ] || bad "a damaged trace left a result"
done
refused "a trace that exists" 1 'events\.trace: exists already' "$import" -o events.trace events.prv

# Traces of real programs: regions, messages and collective operations are as many as in the original.
data=$srcdir/../shared/data
if [ -d "$data" ] && have otf2-print; then
	counts() { otf2-print "$1" | awk '$1 == "ENTER" || $1 == "LEAVE" { n[$1]++ } $1 ~ /^MPI_I?SEND$/ { n["send"]++ }
		$1 ~ /^MPI_I?RECV$/ { n["receive"]++ } END { print n["ENTER"], n["LEAVE"], n["send"], n["receive"] }'; }
	for name in mix lulesh tasks; do
		works "$export" --to paraver -o $name.prv "$data/$name-trace/traces.otf2"
		"$import" -o $name.trace $name.prv > out 2> err || bad "$name: $(cat err)"
		"$builddir/fathom-check" $name.trace > out 2>&1 || bad "$name: $(cat out)"
		same "$name: events" "$(counts "$data/$name-trace/traces.otf2")" "$(counts $name.trace/traces.otf2)"
	done
	for name in mix lulesh; do
		works "$export" --to tau -o $name.tau "$data/$name-profile/profile.cubex"
		imported $name.cubex $name.tau
		same "$name: time of regions" "$(values --total "$data/$name-profile/profile.cubex")" \
			"$(values --total $name.cubex)"
	done
else
	left_out "traces and profiles of real programs: they, or otf2-print, are not here"
fi
verdict
