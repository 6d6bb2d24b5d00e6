# What the tests of the fathom command share; sourced after test/lib.sh.
plugin=$builddir/instrument/gcc-plugin/.libs/fathom_gcc_plugin.so
libraries=$builddir/.libs

# Programs of these tests that run leave nothing, unless a test wants it.
export FATHOM_MODE=none
unset FATHOM_DRIVER_OPTIONS FATHOM_INSTRUMENT_MIN_INSNS FATHOM_INSTRUMENT_HOOKS

need_plugin() { [ -f "$plugin" ] || skip "no GCC plugin in this build"; }
need() { command -v "$1" >/dev/null 2>&1 || skip "no $1"; }

# fake NAME [VERSION TARGET KIND]: a compiler in ./bin that writes its words to ./args, one a line.
fake() {
	mkdir -p bin
	cat > "bin/$1" <<EOF
#!/bin/sh
case "\$*" in
*"-### -E -x c /dev/null"*) printf 'Target: %s\n%s version %s (fake)\n' '${3:-none}' '${4:-gcc}' '${2:-0.1}' >&2; echo asked >> '$work/asked'; exit 0 ;;
-show) echo "gcc \${FAKE_SHOW:--I/inc -lmpich}"; exit 0 ;;
esac
for word; do printf '%s\n' "\$word"; done > '$work/args'
exit \${FAKE_EXIT:-0}
EOF
	chmod +x "bin/$1"
	PATH=$work/bin:$PATH
}

# The words of the last command, blanks between, our own places by name.
# args: the words that the compiler got, without what every source gets for fathom/fathom.h (user_args)
user_words='^-DFATHOM_USER$|^-idirafter[^ ]*/include$|^-I[^ ]*/include/fathom$'
user_args() { grep -E -e "$user_words" "$work/args" | sed "s,$builddir,BUILD," | tr '\n' ' ' | sed 's/ $//'; }
args() { grep -Ev -e "$user_words" "$work/args" | sed -e "s,$libraries,LIBS,g" -e "s,$plugin,PLUGIN,g" | tr '\n' ' ' | sed 's/ $//'; }

# hooks OBJECT: the functions with calls of the hooks, early or late, one a line, as the linker names them.
hooks() {
	objdump -dr "$1" | awk '/^[0-9a-f]+ <.*>:$/ { f = $2; sub(/^</, "", f); sub(/>:$/, "", f) }
		/__cyg_profile_func_enter|__fathom_sled_enter-|call.*<__fathom_sled_enter>/ { print f }' | sort -u
}

# Two builds of what is in ./src are the same for all that a build system can see.
# both DIRECTORY WORDS...: run the words in a copy of the sources, after $setup; result in DIRECTORY.*
both() {
	dir=$1; shift
	rm -rf run; cp -r src run
	# shellcheck disable=SC2154
	(cd run && eval "${setup:-:}" && exec "$@") > "$dir.out" 2> "$dir.err" < "${input:-src/helper.c}"; echo $? > "$dir.code"
	(cd run && find . -type f | sort) > "$dir.files"
	if [ -x run/a.out ]; then (cd run && ./a.out; echo "exit $?") > "$dir.ran" 2>&1; else : > "$dir.ran"; fi
	cat run/*.d run/*/*.d > "$dir.d" 2>/dev/null
}

# Temporary names differ from run to run, whoever runs the compiler; code has other offsets.
masked() { sed -E -e 's,/tmp/[A-Za-z0-9_.-]*,/tmp/X,g' -e 's,\+0x[0-9a-f]+,+0x,g' "$1"; }

# line COMPILER WORDS...: with fathom and without. Counts in lines.
lines=0
line() {
	have "$1" || return 0
	lines=$((lines + 1))
	both plain "$@"
	both ours "$FATHOM" "$@"
	for part in code out err files ran d; do
		masked "plain.$part" > expected; masked "ours.$part" > got
		cmp -s expected got || bad "$*: $part differs: $(diff expected got | head -5)"
	done
}
