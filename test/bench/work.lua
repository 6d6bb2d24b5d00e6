-- What Lua does in the benchmarks: calls, strings, tables, sorting, errors. arg[1]: how often.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local sum = 0
for round = 1, tonumber(arg[1]) do
	sum = sum + fib(20)
	local t = {}
	for i = 1, 1000 do t[i] = string.format("%05d %g", (i * 7919 + round) % 20011, i / 7) end
	table.sort(t)
	local text, count = table.concat(t, " "):gsub("%d+", function(d) return d + 1 end)
	local fine, what = pcall(function() local deep = nil; return deep.field end)
	sum = sum + count + #text + (fine and 1 or 0)
end
print("sum", sum)
