/*
 * panes: three linked trees: metrics, call paths and the system. Each shows its values for what is chosen in the other
 * two. A closed row has the value of all below it, an open row its own value alone.
 */
class Panes {
	constructor(page) {
		this.page = page;
		this.profile = page.profile;
		this.selection = page.selection;
		this.metricTree = new Tree(this.metricModel(), "Metrics");
		this.callTree = new Tree(this.callModel(), "Call paths");
		this.systemTree = new Tree(this.systemModel(), "System");
		for (const root of this.profile.roots)
			this.callTree.open.add(root);
		for (let metric = 0; metric < this.profile.metrics.length; metric++)
			if (this.profile.metrics[metric].parent < 0 && ["time"].includes(this.profile.metrics[metric].name))
				this.metricTree.open.add(metric);
		this.systemTree.open.add("all");
		for (let node = 0; node < this.profile.nodes.length && this.profile.nodes.length < 20; node++)
			this.systemTree.open.add("node " + node);
	}

	draw(view) {
		const heading = tree => !this.profile.first ? null : element("div", { class: "row heads" }, ...[
			tree.model.showsBefore ? element("span", { class: "value" }, "A") : null, tree.model.hidesValue ? null : element("span", { class: "value" }, "B"),
			element("span", { class: "value change" }, "change"), element("span", { class: "percent" }, ""), tree === this.callTree ? scaleLegend(this.profile) : null
		].filter(part => part !== null));
		const pane = (title, hint, tree) => element("section", { class: "pane" },
			element("h2", {}, title, element("small", {}, hint)), heading(tree), tree.element);

		view.append(element("div", { class: "panes" },
			pane("Metrics", "of what is chosen right", this.metricTree),
			pane("Call paths", "closed: with all they call; open: their own", this.callTree),
			pane("System", "of the chosen metric and path", this.systemTree)));
		this.update();
		this.callTree.show();
	}

	update() {
		this.systemValues = this.firstSystemValues = null;
		this.metricTree.update();
		this.callTree.update();
		this.systemTree.update();
	}

	metricModel() {
		const { profile, selection } = this;
		const before = !profile.first ? {} : {
			before: (metric, isOpen) => selection.firstValueOf(metric) -
				(isOpen ? childLists[metric].reduce((sum, child) => sum + selection.firstValueOf(child), 0) : 0)
		};
		const shown = profile.metrics.map((unused, metric) => profile.hasValues(metric));
		const children = metric => profile.metrics.flatMap((candidate, m) => candidate.parent === metric && shown[m] ? [m] : []);
		const childLists = profile.metrics.map((unused, metric) => children(metric));

		return {
			roots: () => profile.metrics.flatMap((metric, m) => shownRoot(m) ? [m] : []),
			children: metric => childLists[metric] || [],
			value: (metric, isOpen) => selection.valueOf(metric) -
				(isOpen ? childLists[metric].reduce((sum, child) => sum + selection.valueOf(child), 0) : 0),
			total: () => Math.abs(selection.valueOf(rootOf(selection.metric))),
			isShare: metric => rootOf(metric) === rootOf(selection.metric) && profile.isSum(metric),
			unit: metric => profile.metrics[metric].unit,
			label: metric => profile.metrics[metric].title,
			tip: metric => profile.metrics[metric].name + "\n" + profile.metrics[metric].description,
			isFound: () => false,
			isChosen: metric => metric === selection.metric,
			choose: metric => selection.set({ metric }),
			...profile.isSigned ? { scale: () => Math.max(...profile.metrics.map((unused, metric) => shown[metric] && profile.isSum(metric) &&
				rootOf(metric) === rootOf(selection.metric) ? Math.abs(selection.valueOf(metric) - selection.firstValueOf(metric)) || 0 : 0)) } : {},
			...before
		};

		function shownRoot(metric) {
			return shown[metric] !== false && profile.hasValues(metric) && profile.metrics[metric].parent < 0;
		}
		function rootOf(metric) {
			while (profile.metrics[metric].parent >= 0)
				metric = profile.metrics[metric].parent;
			return metric;
		}
	}

	callModel() {
		const { profile, selection } = this;
		const values = () => profile.values(selection.metric, selection.columns);
		const order = new Map();
		let ordered = null;

		const size = value => profile.isSigned ? Math.abs(value) || 0 : value || 0;

		/* Sorted by inclusive value, the largest (or farthest from 0) first; the order is kept as long as the values are the same. */
		const children = callPath => {
			const wanted = profile.changes(selection.metric, selection.columns);
			if (ordered !== wanted) {
				order.clear();
				ordered = wanted;
			}
			if (!order.has(callPath))
				order.set(callPath, profile.children[callPath].slice().sort((a, b) =>
					size(ordered.inclusive[b]) - size(ordered.inclusive[a]) || a - b));
			return order.get(callPath);
		};
		this.childrenByValue = children;
		return {
			roots: () => profile.roots,
			children,
			value: (callPath, isOpen) => (isOpen ? values().own : values().inclusive)[callPath],
			total: () => profile.isSigned ? Math.abs(values().total) : values().total,
			isShare: () => profile.isSum(selection.metric),
			unit: () => selection.unit,
			label: callPath => profile.isSampled(callPath) ?
				element("span", { class: "sampled" }, "~ " + profile.name(callPath)) : profile.name(callPath),
			tip: callPath => this.page.describe(callPath),
			isFound: callPath => selection.isFound(callPath),
			isChosen: callPath => callPath === selection.callPath,
			choose: (callPath, isOpen) => selection.set({ callPath, isOwn: isOpen }),
			...profile.isSigned ? { scale: () => profile.largestChange(selection.metric, selection.columns) } : {},
			...!profile.first ? {} : {
				showsBefore: true, only: callPath => profile.onlyIn(callPath),
				before: (callPath, isOpen) => {
					const first = profile.first.values(selection.metric, selection.columns);
					return (isOpen ? first.own : first.inclusive)[callPath];
				}
			}
		};
	}

	systemModel() {
		const { profile, selection } = this;
		const below = new Map([["all", []]]);
		const add = (parent, key) => below.set(parent, [...below.get(parent) || [], key]);
		const columnsOf = new Map();

		profile.nodes.forEach((node, n) => { below.set("node " + n, []); add(node.parent < 0 ? "all" : "node " + node.parent, "node " + n); });
		if (profile.columns.locations === 1)
			profile.groups.forEach((group, g) => { below.set("group " + g, []); add(group.node < 0 ? "all" : "node " + group.node, "group " + g); });
		for (let column = 0; column < profile.columnCount; column++) {
			const group = profile.columnGroups[column][0];
			const node = profile.groups[group].node;
			add(profile.columns.locations === 1 ? "group " + group : node < 0 ? "all" : "node " + node, "column " + column);
		}
		for (let group = 0; group < profile.groups.length; group++)
			if ((below.get("group " + group) || []).length === 1)
				below.set("group " + group, []);
		const columns = key => {
			if (!columnsOf.has(key))
				columnsOf.set(key, systemColumns(profile, key));
			return columnsOf.get(key);
		};
		const byColumn = () => this.systemValues ||= profile.byColumn(selection.metric, selection.callPath, !selection.isOwn);
		const kind = () => profile.metrics[selection.metric].kind;
		const firstByColumn = () => this.firstSystemValues ||= profile.first.byColumn(selection.metric, selection.callPath, !selection.isOwn);
		const valueIn = (source, table, key) => {
			const list = columns(key);

			if (profile.metrics[selection.metric].ratio || profile.metrics[selection.metric].formula) {
				const found = source.values(selection.metric, list);
				return selection.callPath < 0 ? found.total : (selection.isOwn ? found.own : found.inclusive)[selection.callPath];
			}
			return join(kind(), (list || [...table.keys()]).map(column => table[column]));
		};
		const value = key => valueIn(profile, byColumn(), key);
		const firstValue = key => valueIn(profile.first, firstByColumn(), key);

		return {
			roots: () => ["all"],
			children: key => below.get(key) || [],
			value: (key, isOpen) => isOpen ? profile.isSum(selection.metric) ? 0 : value(key) : value(key),
			total: () => profile.isSigned ? Math.abs(value("all")) : value("all"),
			isShare: () => profile.isSum(selection.metric),
			unit: () => selection.unit,
			label: key => systemName(profile, key),
			tip: key => systemName(profile, key) + (profile.first ? "\n" + formatValue(firstValue(key), selection.unit) + " → " + formatValue(value(key), selection.unit) : ""),
			isFound: () => false,
			isChosen: key => key === selection.system,
			choose: key => selection.set({ system: key }),
			...profile.isSigned ? { scale: () => profile.first ? Math.abs(value("all") - firstValue("all")) : Math.abs(value("all")) } : {},
			...profile.first ? { hidesValue: true, before: (key, isOpen) => isOpen && profile.isSum(selection.metric) ? 0 : firstValue(key) } : {}
		};
	}
}

/* Returns what the colours of changes mean. */
function scaleLegend(profile) {
	return !profile.isSigned ? null : element("span", { class: "scale" }, "less", element("i", { style: "background:" + changeGradient() }), "more");
}

/* Returns the name of an element of the system tree. */
function systemName(profile, key) {
	const number = Number(key.split(" ")[1]);

	if (key === "all")
		return "all";
	if (key.startsWith("node"))
		return profile.nodes[number].class + " " + profile.nodes[number].name;
	if (key.startsWith("group"))
		return "rank " + profile.groups[number].rank;
	return profile.columnName(number);
}
