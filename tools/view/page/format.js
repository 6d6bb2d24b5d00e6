/* format: numbers for people, and small functions for elements of the page. */

/* Returns a number with a prefix of its unit, in four digits at most, as fathom report does: "1.234 s", "12.3 ms". */
function formatValue(value, unit) {
	if (value === null || Number.isNaN(value))
		return "-";
	if (unit === "sec")
		return formatSeconds(value);
	const suffix = unit === "bytes" ? "B" : "";
	const size = Math.abs(value);
	const steps = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]];

	for (const [factor, prefix] of steps) {
		if (size >= (prefix === "k" && suffix ? 1e3 : factor)) {
			const divisor = prefix === "k" ? 1e3 : factor;
			return significant(value / divisor, 4) + " " + prefix + suffix;
		}
	}
	return (Number.isInteger(value) ? String(value) : significant(value, 4)) + (suffix ? " " + suffix : "");
}

function formatSeconds(value) {
	const size = Math.abs(value);

	if (size === 0)
		return "0 s";
	if (size >= 1)
		return significant(value, 4) + " s";
	if (size >= 1e-3)
		return significant(value * 1e3, 4) + " ms";
	if (size >= 1e-6)
		return significant(value * 1e6, 3) + " us";
	return significant(value * 1e9, 3) + " ns";
}

function significant(value, digits) {
	const whole = Math.max(1, Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
	return value.toFixed(Math.max(0, digits - whole));
}

/* Returns a change with its sign. */
function formatChange(value, unit) {
	return (value > 0 ? "+" : "") + formatValue(value, unit);
}

/* Returns a change in per cent of the value before. */
function formatRelativeChange(before, after) {
	if (!before)
		return "";
	const percent = 100 * (after / before - 1);
	return (percent > 0 ? "+" : "") + (Math.abs(percent) < 1000 ? percent.toFixed(1) + "%" : percent > 0 ? ">999%" : "<-999%");
}

function formatPercent(part, whole) {
	return whole ? (100 * part / whole).toFixed(1) + "%" : "";
}

/* Makes an element: element("td", {class: "number"}, "text", child, ...). Properties that begin with "on" are
 * listeners. */
function element(tag, properties, ...children) {
	const made = document.createElement(tag);

	for (const [key, value] of Object.entries(properties || {})) {
		if (key.startsWith("on"))
			made.addEventListener(key.slice(2), value);
		else if (value !== false && value !== null && value !== undefined)
			made.setAttribute(key, value);
	}
	made.append(...children.filter(child => child !== null && child !== undefined));
	return made;
}

/* Shows a text beside the pointer until hideTip is called. */
function showTip(event, text) {
	const tip = document.getElementById("tip");

	tip.textContent = text;
	tip.hidden = false;
	tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
	tip.style.top = Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8) + "px";
}

function hideTip() {
	document.getElementById("tip").hidden = true;
}
