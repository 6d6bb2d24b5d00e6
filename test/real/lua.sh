#!/bin/sh
# Lua, C: an interpreter that recurses deeply and ends errors by longjmp, out of any depth of calls.
. "${srcdir:?}/test/real/lib.sh"
fetch lua5.4 plain default all

# The default build has no debug information: names come from the symbol table.
build plain/src make linux MYCFLAGS=-O0
build default/src make linux CC="$(with_fathom gcc) -std=gnu99"
# Its tables hash addresses, so no two runs are the same: calls are counted in the measured run.
all_functions build all/src make linux CC="$(counting_too gcc) -std=gnu99" MYCFLAGS="-g -O1"

cat > script.lua <<'LUA'
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print("fib", fib(20))

-- Errors from several depths, through C functions too, and errors while an error is handled.
local function fall(depth) if depth == 0 then error({ at = "bottom" }) end return (fall(depth - 1)) end
local caught = 0
for i = 1, 2000 do
	local fine, what = pcall(fall, i % 40)
	if not fine and what.at == "bottom" then caught = caught + 1 end
	fine = pcall(string.rep, "x", -1, i, {})
	fine, what = pcall(string.gsub, "abc", ".", function(c) error("in gsub " .. c, 0) end)
	if what == "in gsub a" then caught = caught + 1 end
	fine, what = xpcall(table.sort, function(text) return text.at and "handled" end, { 3, 1, 2 }, fall)
	if what == "handled" then caught = caught + 1 end
end
print("caught", caught)
print("endless", (pcall(function() local function f() return 1 + f() end return f() end)))
print("deep in C", (pcall(function() local function f(s) return (s:gsub(".", f)) end return f("x") end)))

-- Coroutines: left by yield, by errors, and never ended.
local sum = 0
for i = 1, 500 do
	local co = coroutine.wrap(function() for k = 1, 10 do coroutine.yield(k) end end)
	for k = 1, i % 10 do sum = sum + co() end
	local ok, what = coroutine.resume(coroutine.create(function() pcall(coroutine.yield, 1) error("end") end))
	sum = sum + (ok and what or 0)
end
print("coroutines", sum)

local t = {}
for i = 1, 20000 do t[i] = string.format("%05d %g", (i * 7919) % 20011, i / 7) end
table.sort(t)
print("sorted", t[1], t[#t])
print("gsub", (select(2, table.concat(t, " "):gsub("%d+", function(d) return d + 1 end))))
print("loads", #load("return " .. ("("):rep(100) .. "{}" .. (")"):rep(100))(), load("x = = 1"))
collectgarbage()
error("and the script ends with one")
LUA
for kind in plain default all; do
	timed "$kind" in_dir $kind/src ./lua ../../script.lua > $kind.out 2> $kind.err
	echo "exit code $?" >> $kind.out
	same "$kind: output" "$(cat plain.out)" "$(cat $kind.out)"
	same "$kind: said" "$(cat plain.err)" "$(grep -v '^fathom: profile in' $kind.err)"
done
contains "the script" "$(cat plain.out)" "^caught.6000"
contains "the script" "$(cat plain.out)" "^exit code 1"
profile_of default/src
profile_of all/src
calls_counted all counts
visits_equal all "$profile" counts --by-line luaD_rawrunprotected luaV_execute

# An error leaves the levels it left: all pcalls of the loop return to the same one.
"$FATHOM" report --json "$profile" > profile.json
same "call paths of pcall below the interpreter's first level" 1 "$("$PYTHON3" - <<'PY'
import json
document = json.load(open("profile.json"))
nodes = document["call_tree"]
def names(i):
    while i is not None:
        yield nodes[i]["name"]
        i = nodes[i]["parent"]
paths = [n for n in nodes if n["name"] == "luaB_pcall" and list(names(n["id"])).count("luaV_execute") == 1]
print(sum(1 for n in paths if n["exclusive"].get("visits", 0) >= 4000))
PY
)"
verdict
