/* tables: regions without their callers, the callers of a region, and the list of metrics. */

/* Makes a table that can be sorted by its columns: [{title, number: boolean, value(row), text(row)}]. */
function sortableTable(columns, rows, onclick, sortColumn, most) {
	const body = element("tbody");
	let sorted = sortColumn, direction = columns[sortColumn].number ? -1 : 1;

	const fill = () => {
		const { value } = columns[sorted];
		const compare = (a, b) => typeof value(a) === "string" ? value(a).localeCompare(value(b)) :
			(Number.isNaN(value(a)) ? -Infinity : value(a)) - (Number.isNaN(value(b)) ? -Infinity : value(b));

		rows.sort((a, b) => direction * compare(a, b));
		body.replaceChildren(...rows.slice(0, most).map(row => element("tr", { class: onclick ? "link" : "", onclick: onclick ? () => onclick(row) : null },
			...columns.map(column => element("td", { class: column.number ? "number" : "name" }, column.text(row))))));
	};
	const head = columns.map((column, i) => element("th", {
		class: "sortable" + (column.number ? " number" : ""), tabindex: "0",
		onclick: () => { direction = sorted === i ? -direction : column.number ? -1 : 1; sorted = i; fill(); },
		onkeydown: event => { if (event.key === "Enter") event.target.click(); }
	}, column.title));
	fill();
	const left = rows.length - Math.min(rows.length, most);
	return element("div", {}, element("table", {}, element("thead", {}, element("tr", {}, ...head)), body),
		left ? element("p", { class: "dim" }, left + " more rows are not shown.") : null);
}

/* A change with the colour of its share of the largest one. */
function changeCell(value, unit, most) {
	const share = most ? value / most : 0;

	return element("span", { class: "changed", style: value ? "background:" + changeColour(share) + ";color:" + textOnChange(share) : "" }, formatChange(value, unit));
}

class FlatView {
	constructor(page) {
		this.page = page;
		this.groupBy = "function";
	}

	draw(view) {
		const { profile } = this.page;
		const choose = element("select", { id: "group-by", "aria-label": "Group by", onchange: () => { this.groupBy = choose.value; this.update(); } },
			...[["function", "by function"], ["region", "by region, with loops and inlined functions"], ["file", "by source file"], ["activity", "by kind of activity"],
				...profile.samples ? [["line", "by source line (samples)"], ["object", "by program and library (samples)"]] : []].map(([value, text]) =>
				element("option", { value }, text)));

		choose.value = this.groupBy;
		this.body = element("div");
		view.append(element("p", { class: "controls" }, choose,
			element("span", { class: "dim" }, "A click on a region shows who calls it" + (profile.samples ? ", on a line its source text." : "."))), this.body);
		this.update();
	}

	update() {
		const { profile, selection } = this.page, { regions } = profile;

		if (this.groupBy === "line" || this.groupBy === "object") {
			this.body.replaceChildren((this.groupBy === "line" ? lineTable : objectTable)(this.page, selection.search));
			return;
		}
		const values = profile.values(selection.metric, selection.columns);
		const visits = profile.metricNumber("visits") >= 0 ? profile.values(profile.metricNumber("visits"), selection.columns) : null;
		const first = profile.first ? profile.first.values(selection.metric, selection.columns) : null;
		const isRegion = ["function", "region"].includes(this.groupBy);
		const regionOf = c => this.groupBy === "region" ? profile.cnodes.region[c] : profile.functionOf(c);
		const keys = profile.cnodes.region.map((unused, c) => {
			const region = regionOf(c);
			if (isRegion)
				return region;
			return this.groupBy === "activity" ? regions.activity[region] : regions.file[region] < 0 ? "(unknown)" : profile.files[regions.file[region]];
		});
		const rows = new Map();

		for (let c = 0; c < profile.callPathCount; c++) {
			const region = regionOf(c), key = keys[c];
			if (!profile.cnodes.counted[c])
				continue;
			if (!rows.has(key))
				rows.set(key, { key, region, own: [], inclusive: [], visits: 0, first: 0, only: profile.onlyIn(c) });
			const row = rows.get(key);
			row.own.push(values.own[c]);
			row.first += first ? first.own[c] || 0 : 0;
			if (profile.onlyIn(c) !== row.only)
				row.only = "";
			row.visits += visits ? visits.own[c] : 0;
			if (!this.isInsideSame(c, keys))
				row.inclusive.push(values.inclusive[c]);
		}
		const { kind } = profile.metrics[selection.metric], list = [...rows.values()];
		for (const row of list) {
			row.ownValue = join(kind, row.own);
			row.inclusiveValue = join(kind, row.inclusive);
			row.name = isRegion ? regions.name[row.region] : row.key;
		}
		const share = value => profile.isSum(selection.metric) ? formatPercent(value, values.total) : "";
		const wanted = list.filter(row => !selection.search || row.name.toLowerCase().includes(selection.search));
		const most = list.reduce((largest, row) => Math.max(largest, Math.abs(row.ownValue - row.first) || 0), 0);
		this.body.replaceChildren(sortableTable([
			...first ? [
				{ title: "change", number: true, value: row => Math.abs(row.ownValue - row.first), text: row => changeCell(row.ownValue - row.first, selection.unit, most) },
				{ title: "own in A", number: true, value: row => row.first, text: row => formatValue(row.first, selection.unit) },
				{ title: "own in B", number: true, value: row => row.ownValue, text: row => formatValue(row.ownValue, selection.unit) },
				{ title: "%", number: true, value: row => row.first ? row.ownValue / row.first : 0, text: row => row.only ? "only in " + row.only : formatRelativeChange(row.first, row.ownValue) }
			] : profile.isSigned ? [
				{ title: "own", number: true, value: row => Math.abs(row.ownValue), text: row => changeCell(row.ownValue, selection.unit, most) }
			] : [
				{ title: "own", number: true, value: row => row.ownValue, text: row => formatValue(row.ownValue, selection.unit) },
				{ title: "%", number: true, value: row => row.ownValue, text: row => share(row.ownValue) }
			],
			{ title: "with callees", number: true, value: row => row.inclusiveValue, text: row => formatValue(row.inclusiveValue, selection.unit) },
			{ title: "visits", number: true, value: row => row.visits, text: row => row.visits ? formatValue(row.visits, "occ") : "-" },
			{ title: this.groupBy, number: false, value: row => row.name, text: row => row.name },
			{ title: "place", number: false, value: row => isRegion ? profile.place(row.region) : "", text: row => isRegion ? profile.place(row.region) : "" }
		], wanted, isRegion ? row => this.page.showCallers(row.region) : null, 0, 500));
	}

	/* Returns whether a call path stands below another one of the same group (recursion): its value is part of that one. */
	isInsideSame(callPath, keys) {
		const { parent } = this.page.profile.cnodes;

		for (let c = parent[callPath]; c >= 0; c = parent[c])
			if (keys[c] === keys[callPath])
				return true;
		return false;
	}
}

/* The callers of a region as a tree: its values by caller, by the caller's caller and so on. */
class CallersView {
	constructor(page) {
		this.page = page;
		this.region = -1;
	}

	draw(view) {
		this.body = element("div");
		view.append(this.body);
		this.update();
	}

	/* Finds the tree: a node is {name, callPaths: [[the region's call path, the ancestor at this level]], children}. */
	build() {
		const { profile } = this.page, { region, parent, counted } = profile.cnodes;
		const paths = [];

		for (let c = 0; c < profile.callPathCount; c++)
			if (region[c] === this.region && counted[c])
				paths.push([c, c]);
		this.nodes = [{ name: profile.regions.name[this.region], paths, depth: 0, children: null }];
	}

	children(id) {
		const node = this.nodes[id], { profile } = this.page, byName = new Map();

		if (node.children)
			return node.children;
		for (const [path, ancestor] of node.paths) {
			const caller = profile.cnodes.parent[ancestor];
			if (caller < 0)
				continue;
			const key = profile.cnodes.region[caller];
			byName.set(key, [...byName.get(key) || [], [path, caller]]);
		}
		node.children = [...byName].map(([key, paths]) => this.nodes.push({ name: profile.regions.name[key], paths, children: null }) - 1);
		return node.children;
	}

	update() {
		const { profile, selection } = this.page;

		if (selection.callPath >= 0 && this.region < 0)
			this.region = profile.cnodes.region[selection.callPath];
		if (this.region < 0) {
			this.body.replaceChildren(element("p", { class: "dim" }, "Choose a region: in the call tree, or in the list of regions."));
			return;
		}
		this.build();
		const values = profile.values(selection.metric, selection.columns), { kind } = profile.metrics[selection.metric];
		const value = id => join(kind, this.nodes[id].paths.map(([path]) => values.own[path]));
		const tree = new Tree({
			roots: () => [0], children: id => this.children(id), value, total: () => value(0),
			isShare: () => profile.isSum(selection.metric), unit: () => selection.unit, label: id => (id ? "from " : "") + this.nodes[id].name,
			tip: id => profile.path(this.nodes[id].paths[0][1]).join(" > "), isFound: () => false,
			isChosen: id => this.nodes[id].paths.some(([path]) => path === selection.callPath),
			choose: id => selection.set({ callPath: this.nodes[id].paths[0][0], isOwn: false })
		}, "Callers");
		tree.open.add(0);
		tree.element.style.height = "60vh";
		this.body.replaceChildren(element("h2", {}, "Who calls " + profile.regions.name[this.region]),
			element("p", { class: "dim" }, "Own values of the region, by the call paths from which it was called."), tree.element);
		tree.update();
	}
}

class MetricsView {
	constructor(page) {
		this.page = page;
	}

	draw(view) {
		const { profile, selection } = this.page;
		const name = element("input", { "aria-label": "Name", placeholder: "name", size: "16" });
		const text = element("input", { id: "formula", "aria-label": "Formula", placeholder: "bytes_sent / time", size: "40" });
		const said = element("span", { class: "warn", id: "formula-error" });
		const add = () => {
			try {
				const formula = parseFormula(text.value, wanted => profile.metricNumber(wanted));
				profile.metrics.push({ name: name.value || text.value, title: name.value || text.value, unit: "", kind: "formula",
					description: "Formula: " + text.value, parent: -1, formula });
				profile.tables.push(null);
				this.page.panes.metricTree.model = this.page.panes.metricModel();
				said.textContent = "";
				selection.set({ metric: profile.metrics.length - 1 });
			} catch (error) {
				said.textContent = error.message;
			}
		};
		const submit = event => { if (event.key === "Enter") add(); };

		name.addEventListener("keydown", submit);
		text.addEventListener("keydown", submit);
		this.body = element("div");
		view.append(element("p", { class: "controls" }, "New metric: ", name, " = ", text, element("button", { onclick: add }, "Add"), said),
			element("p", { class: "dim" }, "+ - * / ( ), numbers, names of metrics, and sqrt, abs, log, min, max. A formula is computed for each call path from its values."),
			this.body);
		this.update();
	}

	update() {
		const { profile, selection } = this.page;
		const rows = profile.metrics.flatMap((metric, m) => profile.hasValues(m) ? [{ metric, m }] : []);

		this.body.replaceChildren(element("table", {},
			element("thead", {}, element("tr", {}, ...["value", "name", "title", "what it is"].map((title, i) =>
				element("th", { class: i ? "" : "number" }, title)))),
			element("tbody", {}, ...rows.map(({ metric, m }) => element("tr", { class: "link" + (m === selection.metric ? " chosen" : ""), onclick: () => selection.set({ metric: m }) },
				element("td", { class: "number" }, formatValue(selection.valueOf(m), metric.unit)),
				element("td", {}, metric.name), element("td", {}, metric.title), element("td", { class: "dim" }, metric.description))))));
	}
}
