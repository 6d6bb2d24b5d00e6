/*
 * lines: the samples of processor time by source line, and by program and library. They are those of the whole run: the
 * chosen metric and the chosen ranks do not change them.
 */

/* Returns what a view of samples says above its table. */
function sampleRemark(profile, what) {
	return element("p", { class: "dim" }, "Processor time of all ranks and threads" + (profile.first ? " of B" : "") + ", estimated by samples" + what);
}

/* Returns the lines as a table. search: a part of the file or function, in small letters. */
function lineTable(page, search) {
	const { profile } = page, { lines, line_count: all, objects, total } = profile.samples;
	const rows = lines.map(([object, name, file, line, own, calls]) => ({
		own, calls, name, file, line, object: fileName(objects[object][0]), place: file ? fileName(file) + (line ? ":" + line : "") : "(unknown line)"
	})).filter(row => !search || (row.place + " " + row.name).toLowerCase().includes(search));

	return element("div", {}, sampleRemark(profile, ": in the line itself, and in what it calls that is not recorded."), sortableTable([
		{ title: "own", number: true, value: row => row.own, text: row => row.own ? formatSeconds(row.own) : "-" },
		{ title: "%", number: true, value: row => row.own, text: row => formatPercent(row.own, total) },
		{ title: "calls", number: true, value: row => row.calls, text: row => row.calls ? formatSeconds(row.calls) : "-" },
		{ title: "line", number: false, value: row => row.file + String(row.line).padStart(8), text: row => row.place },
		{ title: "function", number: false, value: row => row.name, text: row => row.name },
		{ title: "text", number: false, value: row => lineText(profile, row), text: row => lineText(profile, row) },
		{ title: "in", number: false, value: row => row.object, text: row => row.object }
	], rows, row => page.showSource(regionOfLine(profile, row)), 0, 500),
	all > lines.length ? element("p", { class: "dim" }, all - lines.length + " lines with less time are not in the page.") : null);
}

/* Returns the programs and libraries as a table. */
function objectTable(page, search) {
	const { profile } = page, { objects, total } = profile.samples;
	const rows = objects.map(([path, seconds, refused]) => ({ path, seconds, refused: refused || "" })).filter(row => row.seconds > 0 && (!search || row.path.toLowerCase().includes(search)));

	return element("div", {}, sampleRemark(profile, " in the code of each."), sortableTable([
		{ title: "own", number: true, value: row => row.seconds, text: row => formatSeconds(row.seconds) },
		{ title: "%", number: true, value: row => row.seconds, text: row => formatPercent(row.seconds, total) },
		{ title: "program or library", number: false, value: row => fileName(row.path), text: row => fileName(row.path) },
		{ title: "path", number: false, value: row => row.path, text: row => row.path + (row.refused ? " (lines are not known: " + row.refused + ")" : "") }
	], rows, null, 0, 500));
}

function fileName(path) {
	return path.replace(/.*\//, "");
}

/* Returns the number of the region in whose source text a line is; -1: there is none. Of several, that which begins last. */
function regionOfLine(profile, { file, line }) {
	const { regions } = profile;
	let best = -1;

	for (const key of Object.keys(profile.sources)) {
		const region = Number(key), { first, lines } = profile.sources[key];
		if (profile.files[regions.file[region]] === file && line >= first && line < first + lines.length && (best < 0 || first > profile.sources[best].first))
			best = region;
	}
	return best;
}

/* Returns the text of a line, if the page has it. */
function lineText(profile, row) {
	if (row.text === undefined) {
		const region = regionOfLine(profile, row), source = profile.sources[region];
		row.text = source ? source.lines[row.line - source.first].trim() : "";
	}
	return row.text;
}
