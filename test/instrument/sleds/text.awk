# Reads assembler text of GCC with -dp, which names the pattern of each instruction. Prints the functions with sleds, and
# a line WRONG for each entry, return and tail call that has not the sled it should have, or has one too many.
function wrong(what) { print "WRONG: " name ": " what " (line " NR ")" }
function number() { return "\t.long\t.Lfathom" own " - (. - 3)" }
BEGIN { own = "" }
/^\t\.type\t[^,]*, @function$/ {
	next_name = $2; sub(/,$/, "", next_name)
	if (next_name !~ /\.cold$/) { name = next_name; own = "" }
	before = "start"
	next
}
# What is no instruction: labels of debug information, directives.
/^#/ || /^\t\.(loc|file|cfi_|p2align|text|section|globl|hidden|weak|size|align)/ || /^\.L(VL|LB|BB|BE|BI|FB|FE|EHB|EHE|COLDB|HOTB|CFI)[0-9]+:$/ { next }
/^\t\.(pushsection|popsection)/ { exit }
$0 == name ":" || $0 == name ".cold:" { next }
/^\tendbr64/ && before == "start" { next }
/^\t\.Lfathom[0-9]+:$/ {
	if (before != "start" || own != "") wrong("a sled that is not at the entry")
	own = $1; sub(/^\.Lfathom/, "", own); sub(/:$/, "", own)
	if (own in seen) wrong("the number of another function")
	seen[own] = 1
	before = $0; print name
	next
}
/__fathom_sled_enter$/ { if (before !~ /^\t\.Lfathom/) wrong("an entry without a label"); before2 = before; before = $0; next }
{ is_return = /  simple_return/ || /\tjmp\t__x86_return_thunk/; is_tail = /  \*?sibcall/ }
wants { if ($0 != wants) wrong("behind the return not " wants); wants = wants == bytes ? number() : ""; before = "other"; next }
is_return || is_tail {
	bytes = "\t.byte\t0x0f, 0x1f, 0x80"
	if (own == "") {
		if (before ~ /sled|0x0f|Lfathom/) wrong("a sled that is nobody's")
	} else if (before == number() && before2 == bytes && before3 == "\tcall\t__fathom_sled_tail") {
		;		# in front, as it may be everywhere
	} else if (/^\tret\t.*simple_return_internal$/ && before == "\tcall\t__fathom_sled_exit") {
		wants = bytes
	} else {
		wrong("no sled before " $1)
	}
	if (own != "") left++
	before = "other"
	next
}
# A sled is followed by nothing but what it is for; seen at the next return.
/__fathom_sled_(exit|tail)$/ { if (own == "") wrong("a sled without a function"); sleds++ }
{ before3 = before2; before2 = before; before = $0 }
END { if (sleds != left) print "WRONG: " sleds " sleds for " left " ways out" }
