# What the tests of the fathom command share; sourced after test/lib.sh.
plugin=$builddir/instrument/gcc-plugin/.libs/fathom_gcc_plugin.so
libraries=$builddir/.libs

# Programs of these tests that run leave nothing, unless a test wants it.
export FATHOM_MODE=none
unset FATHOM_DRIVER_OPTIONS FATHOM_INSTRUMENT_MIN_INSNS

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
args() { sed -e "s,$libraries,LIBS,g" -e "s,$plugin,PLUGIN,g" "$work/args" | tr '\n' ' ' | sed 's/ $//'; }

# hooks OBJECT: the functions with calls of the hooks, one a line, as the linker names them.
hooks() {
	objdump -dr "$1" | awk '/^[0-9a-f]+ <.*>:$/ { f = $2; sub(/^</, "", f); sub(/>:$/, "", f) }
		/__cyg_profile_func_enter/ { print f }' | sort -u
}
