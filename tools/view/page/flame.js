/*
 * flame: the call tree as a flame graph that hangs from the top: the width of a box is the inclusive value of its call
 * path. A click shows the part below a box.
 */
class Flame {
	constructor(page) {
		this.page = page;
		this.top = -1;		/* the call path that fills the width; -1: the whole run */
	}

	draw(view) {
		this.body = element("div", { class: "flame" });
		view.append(element("p", { class: "controls" },
			element("button", { onclick: () => { this.top = -1; this.update(); } }, "Whole run"),
			element("button", { onclick: () => { this.top = Math.max(-1, this.top < 0 ? -1 : this.page.profile.cnodes.parent[this.top]); this.update(); } }, "One level up"),
			element("span", { class: "dim" }, this.page.profile.first ? "Width: the larger of both runs. A click shows the part below." :
				"Width: the chosen metric with all that is called. A click shows the part below." + (this.page.profile.isSigned ? "" : " Colours: computation, MPI, threads, files.")),
			scaleLegend(this.page.profile) || ""),
			this.body);
		this.update();
	}

	update() {
		const { profile, selection } = this.page;
		const metric = profile.isSum(selection.metric) ? selection.metric : new Selection(profile).metric;
		const values = profile.values(metric, selection.columns), boxes = [], widths = this.widths(metric, values);
		const width = this.body.clientWidth || 1200;
		let deepest = 0;

		const place = (callPath, left, share, depth) => {
			if (share * width < 2)
				return;
			deepest = Math.max(deepest, depth);
			boxes.push(this.box(callPath, left, share, depth, values, metric));
			let at = left;
			for (const child of this.page.panes.childrenByValue(callPath)) {
				const part = widths[callPath] ? share * widths[child] / widths[callPath] : 0;
				if (!profile.isTasks[child]) {
					place(child, at, part, depth + 1);
					at += part;
				}
			}
		};
		if (this.top >= 0) {
			place(this.top, 0, 1, 0);
		} else {
			const tops = [...profile.roots, ...profile.cnodes.tasks], whole = tops.reduce((sum, c) => sum + widths[c], 0);
			let at = 0;
			for (const root of tops) {
				place(root, at, whole ? widths[root] / whole : 0, 0);
				at += whole ? widths[root] / whole : 0;
			}
		}
		this.body.style.height = (deepest + 1) * 22 + "px";
		this.body.replaceChildren(...boxes);
	}

	/* Returns the widths of boxes by call path: inclusive values; of differences, sums of absolute own values; of two compared
	 * runs, sums of the larger own values, so that call paths of either run are seen. */
	widths(metric, values) {
		const { profile, selection } = this.page;

		if (!profile.isSigned)
			return values.inclusive;
		const first = profile.first ? profile.first.values(metric, selection.columns).own : values.own.map(() => 0);
		const widths = values.own.map((own, c) => Math.max(Math.abs(own), Math.abs(first[c])));
		for (let c = profile.callPathCount - 1; c >= 0; c--)
			if (profile.cnodes.parent[c] >= 0 && !profile.isTasks[c])
				widths[profile.cnodes.parent[c]] += widths[c];
		return widths;
	}

	box(callPath, left, share, depth, values, metric) {
		const { profile, selection } = this.page, region = profile.cnodes.region[callPath];
		const change = profile.isSigned ? profile.changes(metric, selection.columns).inclusive[callPath] / (profile.largestChange(metric, selection.columns) || 1) : 0;
		const colour = profile.isSigned ? changeColour(change) + ";color:" + textOnChange(change) : activityColour(profile.regions.activity[region]);

		return element("div", {
			class: selection.isFound(callPath) ? "found" : "", "data-id": callPath,
			style: `left:${100 * left}%;width:${100 * share}%;top:${depth * 22}px;background:${colour}` +
				(profile.isSampled(callPath) ? ";opacity:.75" : ""),
			onclick: () => { this.top = callPath; selection.set({ callPath, isOwn: false }); },
			onmousemove: event => showTip(event, profile.first ? this.page.describe(callPath) : profile.name(callPath) + "\n" + profile.metrics[metric].title + ": " +
				formatValue(values.inclusive[callPath], profile.metrics[metric].unit) + " (" +
				formatPercent(values.inclusive[callPath], values.total) + "), own " +
				formatValue(values.own[callPath], profile.metrics[metric].unit) + "\n" + profile.place(region)),
			onmouseleave: hideTip
		}, profile.name(callPath));
	}
}
