/*
 * selection: what the reader of the page has chosen: a metric, a call path and a part of the system. Every view shows
 * values of what is chosen, and is told of changes.
 */
class Selection {
	constructor(profile) {
		this.profile = profile;
		this.metric = this.firstMetric();
		this.callPath = -1;		/* -1: the whole run */
		this.isOwn = false;		/* the chosen call path alone, because the reader has expanded it */
		this.system = "all";		/* see systemColumns */
		this.search = "";
		this.listeners = [];
	}

	firstMetric() {
		/* fathom report gives no time if the times of the file cannot be used. */
		for (const name of this.profile.report.summary.time === null ? ["visits"] : ["time", "visits"])
			if (this.profile.metricNumber(name) >= 0 && this.profile.hasValues(this.profile.metricNumber(name)))
				return this.profile.metricNumber(name);
		return Math.max(0, this.profile.metrics.findIndex((unused, metric) => this.profile.hasValues(metric)));
	}

	set(changes) {
		Object.assign(this, changes);
		for (const listener of this.listeners)
			listener();
	}

	get unit() {
		return this.profile.metrics[this.metric].unit;
	}

	/* Returns the chosen columns, or null for all of them. */
	get columns() {
		return systemColumns(this.profile, this.system);
	}

	/* Returns the value of a metric for what is chosen. */
	valueOf(metric) {
		const values = this.profile.values(metric, this.columns);

		if (this.callPath < 0)
			return values.total;
		return (this.isOwn ? values.own : values.inclusive)[this.callPath];
	}

	/* Returns the value of a metric for what is chosen in the first of two compared runs; 0 if there is one run. */
	firstValueOf(metric) {
		if (!this.profile.first)
			return 0;
		const values = this.profile.first.values(metric, this.columns);

		if (this.callPath < 0)
			return values.total;
		return (this.isOwn ? values.own : values.inclusive)[this.callPath];
	}

	/* Returns whether a call path's region contains the searched text. */
	isFound(callPath) {
		return this.search !== "" && this.profile.name(callPath).toLowerCase().includes(this.search);
	}
}

/* Returns the columns of an element of the system tree: "all" (null), "node N", "group N" or "column N". */
function systemColumns(profile, key) {
	const [kind, number] = [key.split(" ")[0], Number(key.split(" ")[1])];
	const inside = group => {
		if (kind === "group")
			return group === number;
		for (let node = profile.groups[group].node; node >= 0; node = profile.nodes[node].parent)
			if (node === number)
				return true;
		return false;
	};

	if (kind === "all")
		return null;
	if (kind === "column")
		return [number];
	return profile.columnGroups.flatMap(([first, last], column) => inside(first) || inside(last) ? [column] : []);
}
