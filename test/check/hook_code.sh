#!/bin/sh
# The machine code of the hooks, as built: no lock, no atomic read-modify-write, no division, no system
# call, no vector register, no call but to what is known to be rare or wanted, and thread-local data without a call.
. "${srcdir:?}/test/lib.sh" || exit 99
command -v objdump > /dev/null || skip "no objdump (Debian: binutils)"
case $("$CC" -dumpmachine) in x86_64-*) ;; *) skip "the instructions to look for are those of x86-64" ;; esac
libs=$builddir/.libs
[ -e "$libs/libfathom.so" ] && [ -e "$libs/libfathom-compiler.so" ] || skip "no shared libraries"
nm -D "$libs/libfathom.so" | grep -Eq ' __(asan|tsan|ubsan|msan)_' && skip "built with a sanitizer"
cflags=$(sed -n 's/^CFLAGS = //p' "$builddir/Makefile")
case " $cflags " in *" -O0 "* | *--coverage* | *-fprofile-arcs*) skip "built without optimisation: CFLAGS = $cflags" ;; esac
case " $cflags " in *" -O"*) ;; *) skip "built without optimisation: CFLAGS = $cflags" ;; esac

# What a hook may call or jump to, besides itself and *.cold: the ways that are taken once or rarely, the
# clock of machines without a counter, and the next stage. Calls through a pointer are marked (*). What reads counters may
# call the system (system). Functions that are not listed here are not checked: a new stage needs a line for each of its functions.
cat > allowed <<'T'
fathom_event_enter	fathom_enter_region_slow (*)
fathom_event_enter_block	fathom_enter_region_slow (*)
fathom_event_enter_early	fathom_enter_region_slow (*)
fathom_event_enter_late	fathom_enter_region_slow_kept (*)
fathom_event_exit	fathom_event_sampling_point fathom_exit_region_slow exit_by_system_clock (*)
fathom_event_exit_early	fathom_exit_region_slow exit_by_system_clock (*)
fathom_event_exit_late	fathom_event_sampling_point_kept fathom_exit_region_late_slow_kept exit_by_system_clock (*)
fathom_event_exit_late_code	(*)
callpath_enter	callpath_enter_another
callpath_enter_another	callpath_enter_any
callpath_enter_any	fathom_callpath_child other_child fathom_clock_monotonic_ns
fathom_callpath_child	other_child
callpath_enter_at	callpath_enter_another_at
callpath_enter_another_at	fathom_callpath_child other_child
enter_and_pass	enter_another_and_pass (*)
enter_another_and_pass	fathom_callpath_child other_child (*)
enter_at_and_pass	fathom_callpath_child (*)
exit_and_pass	(*)
end_enter	fathom_clock_monotonic_ns
end_enter_at
end_exit
other_child	find fathom_callpath_make_child_kept
callpath_exit
exit_at_sampling_point	fathom_budget_sampling_point_kept
fathom_callpath_count	fathom_callpath_make_tally
meter_enter	fathom_counters_read_part_kept (*)
meter_exit	fathom_counters_read_part_kept (*)
metered_enter	(*)
burst_enter	enter_boundary enter_outer fathom_clock_monotonic_ns (*)
burst_enter_at	enter_boundary enter_outer (*)
burst_exit	exit_rare (*)
enter_boundary	end_burst begin_burst
enter_outer	begin_burst
exit_rare	end_burst begin_burst begin_if_computing computes recorded_frame
computes	recorded_frame
begin_burst
end_burst	fathom_burst_log_make_room_kept
metered_enter_at	(*)
metered_exit	(*)
fathom_perf_read	read_pages read_groups fathom_perf_take_group (system)
read_groups	fathom_perf_take_group fathom_perf_take_turn_kept (system)
fathom_perf_take_group	fathom_perf_take_turn_kept
read_pages
read_usage	(system)
enter_region	fathom_trace_enter_rarely_kept
leave_region	fathom_trace_leave_rarely_kept
enter_region_and_pass	fathom_trace_enter_rarely_kept (*)
leave_region_and_pass	fathom_trace_leave_rarely_kept (*)
enter_pending	fathom_trace_enter_slowly_kept (*)
leave_pending	fathom_trace_leave_slowly_kept (*)
__cyg_profile_func_enter	enter_otherwise fathom_event_enter_early
__cyg_profile_func_exit	exit_otherwise fathom_event_exit_early
enter_otherwise	enter_slowly fathom_hook_check_kept fathom_event_enter
exit_otherwise	exit_slowly fathom_hook_check_kept fathom_event_exit
fathom_hook_sled_enter	sled_enter_otherwise fathom_event_enter_late
fathom_hook_sled_exit	sled_exit_otherwise fathom_event_exit_late
sled_enter_otherwise	find_or_add find fathom_hook_add_kept fathom_hook_check_kept fathom_event_enter_late
sled_exit_otherwise	find fathom_hook_check_kept fathom_event_exit_late
find_or_add	find fathom_hook_add_kept
fathom_sled_enter	fathom_hook_sled_enter fathom_hook_sled_enter_kept
fathom_sled_exit	fathom_event_exit_late_code fathom_hook_sled_exit_kept
fathom_sled_tail	fathom_event_exit_late_code fathom_hook_sled_exit_kept
T

# code FILE NAME [PARTS]: its instructions, "address instruction operands", from begin to end by the symbol table; with
# PARTS also those of what the compiler has split off.
code() {
	objdump -d --no-show-raw-insn "$1" | awk -v name="<$2>:" -v part="<$2.part." -v parts="${3:-}" '
		/^[0-9a-f]+ </ { on = $2 == name || parts && index($2, part) == 1 }
		on && /^ *[0-9a-f]+:\t/ { sub(/^ */, ""); print }'
}

fixed=$(sed -n 's/^#define HAVE_FIXED_REGISTERS //p' "$builddir/config.h")
# faults NAME ALLOWED < CODE: what must not be there, one a line.
faults() {
	awk -F '\t' -v name="$1" -v allowed=" $2 " -v fixed="$fixed" '
		{ text = $2; sub(/ *#.*/, "", text) }
		text ~ /__tls_get_addr/ { print "calls __tls_get_addr: " text }
		text ~ /(^|[^a-z])lock( |$)/ { print "has a locked instruction: " text }
		text ~ /^(xchg|xadd|cmpxchg)/ && text ~ /\(/ { print "has an atomic exchange: " text }
		text ~ /^i?div/ { print "divides: " text }
		text ~ /%[xyz]?mm[0-9]|%st|%k[0-7]/ { print "uses a vector register: " text }
		# A system call changes r11: it is put back.
		fixed && text ~ /%r(8|9|10|11)/ && !(index(allowed, "(system)") && text ~ /^mov +(%r11,%r[a-z0-9]+|%r[a-z0-9]+,%r11)$/) { print "uses a register that is not its own: " text }
		text ~ /^(syscall|sysenter|int )/ && !index(allowed, "(system)") { print "calls the system: " text }
		text ~ /^(data16 |rex\.W |addr32 |bnd |notrack )*(call|jmp)/ {
			sub(/^(data16 |rex\.W |addr32 |bnd |notrack )*/, "", text)
			target = text
			if (text ~ /^(call|jmp) *\*/) {
				# A call of another library goes through the table: named behind the #.
				target = "(*)"
				if (match($2, /<[^>]*@[^>]*>/))
					target = substr($2, RSTART + 1, RLENGTH - 2)
			} else if (match(text, /<[^>]*>/)) {
				target = substr(text, RSTART + 1, RLENGTH - 2)
			}
			sub(/@.*/, "", target)
			inside = target
			sub(/\+0x[0-9a-f]*$/, "", inside)
			if (inside == name || inside ~ /\.cold(\.[0-9]+)?$/)
				next
			sub(/\.(part|constprop|isra)\.[0-9]+$/, "", inside)
			if (!index(allowed, " " inside " "))
				print "calls " inside ": " text
		}'
}

# Without sleds there is one caller of find_or_add, and the compiler puts it in there.
has_part late-hooks || sed -i '/^[a-z_]*sled_/d; /^find_or_add/d' allowed

while IFS='	' read -r name targets; do
	case $name in
	__cyg* | *sled* | find_or_add | *_otherwise) library=$libs/libfathom-compiler.so ;;
	enter_region* | leave_region* | enter_pending | leave_pending) library=$libs/libfathom-trace.so ;;
	*) library=$libs/libfathom.so ;;
	esac
	[ -e "$library" ] || continue
	code "$library" "$name" > body
	[ "$(wc -l < body)" -ge 4 ] || { bad "$name is not to be found in $library"; continue; }
	grep -q '\bret\|\bjmp' body || bad "the code of $name has no end"
	faults "$name" "$targets" < body > found
	while IFS= read -r line; do bad "$name $line"; done < found
	[ "$(wc -l < body)" -le 80 ] || bad "$name has $(wc -l < body) instructions"
done < allowed

# Where one thread follows another (it acquires a lock, joins a team, receives a message), the counter is read behind
# a fence, or the processor may read it too early. Compilers may copy functions into each other: names are alternatives.
# They may also jump from the fence to a reading that other ways share.
fenced() {
	library=$1 found=
	shift
	[ -e "$library" ] || return 0
	for name; do
		code "$library" "$name" parts | awk -F '\t' '
			$2 ~ /^lfence/ { fence = NR }
			$2 ~ /^(rdtsc|jmp)/ && fence && NR - fence <= 3 { good = 1 }
			END { exit !good }' && found=$name
	done
	[ -n "$found" ] || bad "no fence in front of rdtsc: $*"
}
fenced "$libs/libfathom.so" fathom_event_lock_acquired gain acquire
fenced "$libs/libfathom.so" fathom_event_join
fenced "$libs/libfathom.so" fathom_event_team_begin work
fenced "$libs/libfathom.so" fathom_event_task_begin
fenced "$libs/libfathom.so" fathom_event_thread_begin
fenced "$libs/libfathom.so" fathom_event_thread_wait
fenced "$libs/libfathom-trace.so" fathom_trace_receive
fenced "$libs/libfathom-trace.so" fathom_trace_receive_matched
fenced "$libs/libfathom-trace.so" fathom_trace_collective

# The check itself: a hook with each fault in it.
cat > faulty.c <<'C'
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
extern __thread long away;
static long total;
long takes_tls(void) { return away++; }
long locks(void) { return __atomic_fetch_add(&total, 1, __ATOMIC_SEQ_CST); }
long exchanges(void) { return __atomic_exchange_n(&total, 1, __ATOMIC_SEQ_CST); }
long divides(long a, long b) { return a / b; }
long calls_system(void) { long r; __asm__ volatile("syscall" : "=a"(r) : "a"(39) : "rcx", "r11", "memory"); return r; }
long calls(void) { return (long)malloc(8) + 1; }
long jumps(void) { return (long)malloc(8); }
double adds(double a) { return total + a; }
long fine(long a) { return total + a; }
C
"$CC" -O2 -fPIC -shared -ftls-model=global-dynamic faulty.c -o faulty.so || die "cannot build faulty.c"
for name in takes_tls locks exchanges divides calls_system calls jumps adds; do
	code faulty.so "$name" | faults "$name" "" > found
	[ -s found ] || bad "the fault in $name was not found"
done
code faulty.so fine | faults fine "" > found
[ -s found ] && bad "faults where there are none: $(cat found)"
verdict
