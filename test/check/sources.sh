#!/bin/sh
# The sources as text: nothing that every editor shows differently, nothing left over, nothing of the
# machine they were written on.
. "${srcdir:?}/test/lib.sh" || exit 99

# All text files of the project; what autotools made beside them is not ours.
(cd "$srcdir" && {
	find include lib wrappers instrument tools test doc examples .ci -type f 2> /dev/null
	ls bootstrap configure.ac Makefile.am README.md HACKING.md LICENSE quickstart 2> /dev/null
}) | grep -v -e '/__pycache__/' -e '\.dirstamp$' -e '/\.deps/' -e '~$' | sort > all
(cd "$srcdir" && tr '\n' '\0' < "$work/all" | xargs -0 grep -Il .) > texts
grep -E '\.([ch]|cc|cpp)$' texts > c
[ "$(wc -l < c)" -gt 100 ] || die "only $(wc -l < c) C files found below $srcdir"

# complain WHAT: about each line of "file:line:text" from stdin.
complain() {
	cut -c 1-160 > lines
	while IFS= read -r line; do bad "$1: $line"; done < lines
}

# search LIST GREP-ARGUMENTS: in the files of a list, with their names.
search() {
	list=$1
	shift
	(cd "$srcdir" && tr '\n' '\0' < "$work/$list" | xargs -0 grep -Hn "$@")
}

# automake runs a test script as it is.
while IFS= read -r file; do
	case $file in test/*.sh) ;; *) continue ;; esac
	head -n 1 "$srcdir/$file" | grep -q '^#!' || continue
	[ -x "$srcdir/$file" ] || bad "cannot be run: $file"
done < texts

search texts -E '[[:blank:]]+$' | complain "blanks at the end of a line"
search texts -l "$(printf '\r')" | complain "a carriage return"

# Fewer than eight blanks behind the tabs line up what goes on from the line before. Without a tab, one: the
# star of a comment.
search c -E '^	*( {8}| +	)|^  ' | grep -v ':  *\\$' | complain "indentation without tabs"

# Tables and macros of tests may be a little wider.
(cd "$srcdir" && tr '\n' '\0' < "$work/c" | xargs -0 awk '
	FNR == 1 { most = FILENAME ~ /^test\// ? 132 : 120 }
	length($0) * 8 > most {
		columns = 0
		n = split($0, part, "\t")
		for (i = 1; i < n; i++)
			columns = int((columns + length(part[i])) / 8 + 1) * 8
		columns += length(part[n])
		if (columns > most)
			print FILENAME ":" FNR ": " columns " columns"
	}') | complain "a line too long"

grep -v '\.txt$' texts > code
(cd "$srcdir" && tr '\n' '\0' < "$work/code" | xargs -0 wc -l) | awk '$1 > 800 && $2 != "total" { print $2 ": " $1 " lines" }' | complain "a file over 800 lines"

search texts -wE 'TOD[O]|FIXM[E]|XX[X]' | complain "left over"
# One user is invented.
search texts -E '(^|[^A-Za-z0-9_.$}*/-])/(wor[k]|roo[t]|hom[e])/' | grep -v '/home/user/' |
	complain "a path of one machine"
verdict
