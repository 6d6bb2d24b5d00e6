# What the tests of the unwinder share; sourced behind test/lib.sh.
case $("$CC" -dumpmachine) in x86_64-*) ;; *) skip "samples have frames on x86-64 only" ;; esac

# unwinder NAME FLAG...: compiles the unwinder into NAME.a with these flags.
unwinder() {
	unwinder_name=$1
	shift
	for unwinder_file in sample/cfi sample/cfi_expression sample/frame_guess sample/frame_tables sample/readable_memory \
		sample/unwind platform/arena; do
		"$CC" -std=gnu11 -g -D_GNU_SOURCE "$@" -I"$builddir" -I"$srcdir/lib" -fPIC -c "$srcdir/lib/$unwinder_file.c" \
			-o "$unwinder_name-$(basename $unwinder_file).o" || die "$unwinder_file"
	done
	ar rc "$unwinder_name.a" "$unwinder_name"-*.o || die "$unwinder_name.a"
}
