/*
 * formula: metrics that the reader of the page types in, such as "bytes_sent / time" or "max(visits, 1)".
 *
 * Grammar: sum = product {("+" | "-") product}; product = factor {("*" | "/") factor}; factor = number | metric |
 * function "(" sum {"," sum} ")" | "(" sum ")" | "-" factor. A formula is computed from the values of a call path (and
 * of what it calls), not added up.
 */
function parseFormula(text, metricNumber) {
	const tokens = text.match(/\d+\.?\d*(?:[eE][-+]?\d+)?|[A-Za-z_][\w:.]*|\S/g) || [];
	const functions = { sqrt: Math.sqrt, abs: Math.abs, log: Math.log, min: Math.min, max: Math.max };
	const metrics = [];
	let at = 0;

	const fail = what => { throw new Error(what + (at < tokens.length ? " at \"" + tokens[at] + "\"" : " at the end")); };
	const expect = word => { if (tokens[at] !== word) fail("\"" + word + "\" is missing"); at++; };

	function sum() {
		let left = product();
		while (tokens[at] === "+" || tokens[at] === "-") {
			const minus = tokens[at++] === "-", a = left, b = product();
			left = minus ? v => a(v) - b(v) : v => a(v) + b(v);
		}
		return left;
	}
	function product() {
		let left = factor();
		while (tokens[at] === "*" || tokens[at] === "/") {
			const divide = tokens[at++] === "/", a = left, b = factor();
			left = divide ? v => b(v) ? a(v) / b(v) : NaN : v => a(v) * b(v);
		}
		return left;
	}
	function factor() {
		const token = tokens[at];

		if (token === "-") {
			at++;
			const inner = factor();
			return v => -inner(v);
		}
		if (token === "(") {
			at++;
			const inner = sum();
			expect(")");
			return inner;
		}
		if (/^\d/.test(token || "")) {
			at++;
			return () => Number(token);
		}
		if (!/^[A-Za-z_]/.test(token || ""))
			fail("a number, a metric or \"(\" is missing");
		at++;
		return tokens[at] === "(" && functions[token] ? call(functions[token]) : metric(token);
	}
	function call(compute) {
		const inputs = [];

		do {
			at++;
			inputs.push(sum());
		} while (tokens[at] === ",");
		expect(")");
		return v => compute(...inputs.map(input => input(v)));
	}
	function metric(name) {
		const number = metricNumber(name);

		if (number < 0) {
			at--;
			fail("there is no metric of this name");
		}
		let place = metrics.indexOf(number);
		if (place < 0)
			place = metrics.push(number) - 1;
		return v => v[place];
	}

	const compute = sum();
	if (at < tokens.length)
		fail("not expected");
	return { metrics, compute, text };
}
