/*
 * timeline: the picture of a trace: threads from top to bottom, time from left to right, and in each cell what the thread
 * did for most of its time, at a chosen depth of the call path. A window of the time is shown; it is filled from the
 * coarsest picture of the page that is fine enough. One thread can be shown alone, with all levels of its call path.
 */

/* The first kinds have colours of their own, as in the page of fathom clusters; all others share one. */
const COLOURED_KINDS = 10, OTHER_KINDS_COLOUR = "#888888";

/* Okabe and Ito's palette, for the regions with most cells; all others are grey. */
const TIMELINE_COLOURS = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"];

/* For the strips of wait states. */
const WAIT_COLOUR = "#c2001f";

/* For lines through the members of collective operations; from so many messages on, several are one line. */
const COLLECTIVE_COLOUR = "#8a3fd1", MESSAGES_MOST = 1000;

/* Returns a number of a curve for people, with its unit. */
function formatCurve(value, unit) {
	const digits = value >= 1e6 || value && value < 0.01 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
	return digits + " " + unit;
}

/* One picture of the whole time: the runs of each row, with their ends in columns. */
class TimelinePicture {
	constructor(columns, cells) {
		this.columns = columns;
		this.nodes = cells.map(runs => Int32Array.from({ length: runs.length / 2 }, (_, i) => runs[2 * i]));
		this.ends = cells.map(runs => {
			let at = 0;
			return Float64Array.from({ length: runs.length / 2 }, (_, i) => at += runs[2 * i + 1]);
		});
	}

	/* Returns the number of the run of a row that has a column; behind the last one, their number. */
	runAt(row, column) {
		const ends = this.ends[row];
		let low = 0, high = ends.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (ends[middle] <= column)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	/* Returns the node that a row is on for most of a part of the time, which is given in shares of the whole; -1: none. */
	nodeIn(row, from, to) {
		const nodes = this.nodes[row], ends = this.ends[row], begin = from * this.columns, end = to * this.columns;
		let run = this.runAt(row, begin), at = begin, best = -1, most = 0;
		const sums = new Map();
		for (; run < ends.length && at < end; at = ends[run++]) {
			const sum = (sums.get(nodes[run]) || 0) + Math.min(ends[run], end) - at;
			sums.set(nodes[run], sum);
			if (sum > most) {
				most = sum;
				best = nodes[run];
			}
		}
		return best;
	}
}

class Timeline {
	constructor(trace) {
		this.trace = trace;
		this.depth = 0;			/* 0: the innermost region; else so many levels from the root */
		this.chosen = [0, 0];		/* row and column that the keys move to */
		this.thread = -1;		/* the row that is shown alone; -1: all rows */
		this.pictures = [{ columns: trace.columns, cells: trace.cells }, ...(trace.finer || [])].map(({ columns, cells }) => new TimelinePicture(columns, cells));
		this.paths = trace.nodes.region.map((region, node) => {
			const path = [];
			for (let at = node; at >= 0; at = trace.nodes.parent[at])
				path.unshift(trace.nodes.region[at]);
			return path;
		});
		this.deepest = this.paths.reduce((most, path) => Math.max(most, path.length), 1);
		this.marks = trace.marks;	/* wait states and the critical path; null: not known */
		this.hasMarks = true;		/* they are shown */
		this.details = trace.details;	/* messages, collective operations, curves; null: not known */
		this.hasMessages = true;
		this.byKind = false;		/* the colours are those of kinds of bursts, not of regions */
		this.curve = -1;		/* index in the curves of details; -1: none */
		this.show(0, 1);
	}

	/* Returns the marks of a list, which has so many numbers for each: [{begin, end: in columns of the window, at: index of
	 * the first number}]. */
	placeMarks(list, numbers) {
		const { begin } = this.marks, { columns, begin: first, end: last } = this.trace, placed = [];
		const scale = this.trace.ticks_a_second * (last - first), share = tick => ((begin + tick) / this.trace.ticks_a_second - first) / (last - first);
		for (let at = 0; at < list.length; at += numbers) {
			const left = (share(list[at]) - this.window[0]) / (this.window[1] - this.window[0]) * columns;
			const right = left + list[at + 1] / scale / (this.window[1] - this.window[0]) * columns;
			if (right > 0 && left < columns)
				placed.push({ begin: Math.max(0, left), end: Math.min(columns, right), at });
		}
		return placed;
	}

	/* Returns what the marks of a row say of a column; "" if there are none. */
	describeMarks(row, column) {
		const { marks } = this, said = [], isHere = ({ begin, end }) => Math.floor(begin) <= column && end > column;

		if (!marks || !this.hasMarks)
			return "";
		const waits = marks.waits[row], found = this.placeMarks(waits, 6).filter(isHere);
		for (const { at } of found.slice(0, 3)) {
			const [pattern, ticks, count, thread] = waits.slice(at + 2, at + 6);
			said.push(marks.patterns[pattern] + " " + formatSeconds(ticks / this.trace.ticks_a_second) + (thread < 0 ? "" : " for " + marks.threads[thread]) +
				(count > 1 ? " (" + count + " wait states, the longest is named)" : ""));
		}
		if (this.placeMarks(marks.path[row], 2).some(isHere))
			said.push("on the critical path");
		return said.map(text => "; " + text).join("");
	}

	/* Returns the column of the window at which a tick of the details is, also outside of the window. */
	detailColumn(tick) {
		const { columns, begin, end, ticks_a_second: ticks } = this.trace;
		return (((this.details.begin + tick) / ticks - begin) / (end - begin) - this.window[0]) / (this.window[1] - this.window[0]) * columns;
	}

	/* Returns the messages of the window: [{from, to: rows, send, receive: columns, bytes, messages: number}]. If there are too
	 * many to show them one by one, those of two rows in a 40th of the window are one. */
	shownMessages() {
		const list = this.details?.messages || [], { columns } = this.trace, shown = [];
		for (let at = 0; at < list.length; at += 5) {
			const send = this.detailColumn(list[at + 2]), receive = this.detailColumn(list[at + 3]);
			if (Math.min(send, receive) < columns && Math.max(send, receive) >= 0)
				shown.push({ from: list[at], to: list[at + 1], send, receive, bytes: list[at + 4], messages: 1 });
		}
		const sums = this.details?.message_sums || [];
		for (let at = 0; at < sums.length; at += 5) {	/* there were too many: they are known by intervals only */
			const column = this.detailColumn(sums[at + 2]);
			if (column < columns && column >= 0)
				shown.push({ from: sums[at], to: sums[at + 1], send: column, receive: column + columns / 80, messages: sums[at + 3], bytes: sums[at + 4] });
		}
		if (sums.length)
			return shown.sort((a, b) => b.messages - a.messages).slice(0, MESSAGES_MOST);
		if (shown.length <= MESSAGES_MOST)
			return shown;
		const joined = new Map(), width = columns / 40;
		for (const { from, to, send, receive, bytes } of shown) {
			const key = from + " " + to + " " + Math.floor(send / width);
			const sum = joined.get(key) || joined.set(key, { from, to, send: (Math.floor(send / width) + 0.5) * width, receive: 0, length: 0, bytes: 0, messages: 0 }).get(key);
			sum.bytes += bytes;
			sum.length += receive - send;
			sum.messages++;
			sum.receive = sum.send + sum.length / sum.messages;
		}
		return [...joined.values()].sort((a, b) => b.messages - a.messages).slice(0, MESSAGES_MOST);
	}

	/* Returns the collective operations of the window: [[{row, begin, end: columns}]]; none if there are too many. */
	shownCollectives() {
		const { columns } = this.trace, shown = [];
		let count = 0;
		for (const numbers of this.details?.collectives || []) {
			const members = [];
			for (let at = 0; at < numbers.length; at += 3)
				members.push({ row: numbers[at], begin: this.detailColumn(numbers[at + 1]), end: this.detailColumn(numbers[at + 2]) });
			if (members.some(({ begin, end }) => begin < columns && end >= 0) && (count += members.length) > 2 * MESSAGES_MOST)
				return [];
			if (members.some(({ begin, end }) => begin < columns && end >= 0))
				shown.push(members);
		}
		return shown;
	}

	/* Returns the values of the chosen curve by row and column, and the largest one: {rows: [[number or NaN] or null], most}. */
	shownCurve() {
		const curve = this.details?.curves[this.curve], { columns } = this.trace;
		if (!curve)
			return null;
		const first = this.detailColumn(0), last = this.detailColumn(this.details.ticks), rows = curve.rows.map(values => values && Array.from({ length: columns }, (_, column) => {
			const place = Math.floor((column + 0.5 - first) / (last - first) * values.length);
			return place < 0 || place >= values.length || values[place] === null ? NaN : values[place];
		}));
		return { name: curve.name, unit: curve.unit + (curve.is_rate ? "/s" : ""), rows, most: rows.flat().reduce((most, value) => value > most ? value : most, 0) };
	}

	describeCurve(row, column) {
		const curve = this.shownCurve(), value = curve?.rows[row]?.[column];
		return value === undefined || isNaN(value) ? "" : "; " + curve.name + " " + formatCurve(value, curve.unit);
	}

	/* Returns the kinds of bursts by row and column, 0 where none is; null: the picture does not show them. Each cell has the
	 * kind that takes most of it. */
	shownKinds() {
		const kinds = this.byKind && this.thread < 0 && this.details?.kinds, { columns } = this.trace;
		if (!kinds)
			return null;
		const first = this.detailColumn(0), step = (this.detailColumn(this.details.ticks) - first) / kinds.columns;
		return kinds.cells.map(runs => {
			const row = new Int32Array(columns), shares = new Float64Array(columns);
			for (let i = 0, at = 0; i < runs.length; i += 2) {
				const begin = first + at * step, end = first + (at += runs[i + 1]) * step;
				for (let column = Math.max(0, Math.floor(begin)); runs[i] && column < columns && column < end; column++) {
					const share = Math.min(end, column + 1) - Math.max(begin, column);
					if (share > shares[column]) {
						shares[column] = share;
						row[column] = runs[i];
					}
				}
			}
			return row;
		});
	}

	/* Returns the name of a kind, such as "kind 2: main > solve"; negative: of bursts of no kind. */
	kindName(kind) {
		return (kind > 0 ? "kind " : "") + (this.details?.kinds?.names.find(one => one.kind === kind)?.name ?? kind);
	}

	describeKind(row, column) {
		const kind = this.kindRows?.[row]?.[column];
		return kind ? "; " + this.kindName(kind) : "";
	}

	/* Returns the kinds of the picture in their order: [{kind, colour, share: of the cells with bursts}]. Kinds without a colour of
	 * their own are together, with kind null. */
	kindShares() {
		const counts = new Map(), own = new Map(this.details.kinds.names.map(({ kind, colour }) => [kind, colour]));
		let cells = 0;
		for (const row of this.kindRows)
			for (const kind of row)
				if (kind) {
					const key = kind > COLOURED_KINDS ? null : kind;
					counts.set(key, (counts.get(key) || 0) + 1);
					cells++;
				}
		const place = kind => kind === null ? 1e9 : kind < 0 ? 1e9 - kind : kind;
		return [...counts].sort((a, b) => place(a[0]) - place(b[0])).map(([kind, count]) => ({ kind, colour: own.get(kind) || OTHER_KINDS_COLOUR, share: count / cells }));
	}

	/* Paints messages, collective operations and the curve over the rows. */
	paintDetails(context, { left, step, size, dark }) {
		const { columns } = this.trace, x = column => left + Math.min(Math.max(column, 0), columns) * step, y = row => (row + 0.5) * size;
		const line = (from, fromRow, to, toRow) => { context.beginPath(); context.moveTo(x(from), y(fromRow)); context.lineTo(x(to), y(toRow)); context.stroke(); };

		context.save();
		if (this.hasMessages) {
			context.strokeStyle = COLLECTIVE_COLOUR;
			context.lineWidth = 2;
			for (const members of this.shownCollectives())
				for (let i = 1; i < members.length; i++)
					if (Math.max(members[i - 1].begin, members[i].begin) >= 0 && Math.min(members[i - 1].begin, members[i].begin) < columns)
						line(members[i - 1].begin, members[i - 1].row, members[i].begin, members[i].row);
			context.strokeStyle = dark;
			context.globalAlpha = 0.7;
			for (const { from, to, send, receive, messages } of this.shownMessages()) {
				context.lineWidth = 0.8 + 0.25 * Math.log2(messages);
				line(send, from, receive, to);
			}
			context.globalAlpha = 1;
		}
		const curve = this.shownCurve();
		for (const width of curve && curve.most > 0 ? [4, 1.6] : []) {	/* a border, and the curve itself */
			context.strokeStyle = width > 2 ? this.background : dark;
			context.lineWidth = width;
			curve.rows.forEach((values, row) => {
				context.beginPath();
				let isOpen = false;
				(values || []).forEach((value, column) => {
					const height = (row + 1) * size - 3 - Math.max(0, value) / curve.most * (size - 6);
					if (!isNaN(value))
						context[isOpen ? "lineTo" : "moveTo"](x(column + 0.5), height);
					isOpen = !isNaN(value);
				});
				context.stroke();
			});
		}
		context.restore();
	}

	/* The number of columns of the finest picture that there can be. */
	get finestColumns() {
		return this.pictures.at(-1).columns;
	}

	/* Shows a window, in shares of the whole time. It is moved into the picture, and not smaller than the finest picture
	 * has 20 columns for. */
	show(from, to) {
		const finest = this.pictures.at(-1), least = Math.min(1, 20 / this.finestColumns), width = Math.min(1, Math.max(to - from, least));
		const begin = Math.min(Math.max(0, from + (to - from - width) / 2), 1 - width), columns = this.trace.columns;
		const picture = this.pictures.find(({ columns: count }) => count * width >= columns) || finest;

		this.window = [begin, begin + width];
		this.rows = this.trace.rows.map((_, row) => Int32Array.from({ length: columns }, (_, column) =>
			picture.nodeIn(row, begin + column * width / columns, begin + (column + 1) * width / columns)));
	}

	/* Makes the window so many times larger, around a place in it from 0 to 1; moves it by a share of its width. */
	zoom(times, place = 0.5) {
		const [from, to] = this.window, width = to - from;
		this.show(from + width * place * (1 - times), from + width * place * (1 - times) + width * times);
	}

	pan(share) {
		const [from, to] = this.window, width = to - from;
		const begin = Math.min(Math.max(0, from + share * width), 1 - width);
		this.show(begin, begin + width);
	}

	/* Returns the visits of regions whose name has a text, the longest first: [{row, begin, end: in shares of the whole
	 * time, region}]. They are those of the finest picture; visits of one call path without a gap count as one. */
	find(text) {
		const { regions } = this.trace, picture = this.pictures.at(-1), found = [];
		const wanted = this.paths.map(path => path.findIndex(region => regions.name[region].toLowerCase().includes(text.toLowerCase())));
		const visitOf = node => {	/* the part of the path down to the region */
			for (let up = node < 0 || wanted[node] < 0 ? 0 : this.paths[node].length - 1 - wanted[node]; up > 0; up--)
				node = this.trace.nodes.parent[node];
			return node < 0 || wanted[node] < 0 ? -1 : node;
		};

		this.trace.rows.forEach((_, row) => {
			let open = -1, begin = 0, at = 0;
			const close = () => { if (open >= 0) found.push({ row, begin: begin / picture.columns, end: at / picture.columns, region: this.paths[open].at(-1) }); };
			picture.nodes[row].forEach((node, run) => {
				const visit = visitOf(node);
				if (visit !== open) {
					close();
					open = visit;
					begin = at;
				}
				at = picture.ends[row][run];
			});
			close();
		});
		return found.sort((a, b) => (b.end - b.begin) - (a.end - a.begin));
	}

	/* Returns the rows of the picture: [{label, regionAt(column), describe(column)}]. They stay those of the thread and window
	 * of now, because a picture may be painted later. */
	shownRows() {
		const { trace, thread } = this, cells = this.rows[thread], { name } = trace.regions;

		if (thread < 0)
			return trace.rows.map((label, row) => ({ label, regionAt: column => this.regionAt(row, column), describe: column => this.describe(row, column) }));
		const deepest = cells.reduce((most, node) => Math.max(most, node < 0 ? 0 : this.paths[node].length), 1);
		return Array.from({ length: deepest }, (_, level) => {
			const regionAt = column => { const node = cells[column]; return node < 0 || this.paths[node].length <= level ? -1 : this.paths[node][level]; };
			return { label: "level " + (level + 1), regionAt, describe: column => "level " + (level + 1) + ", " + this.describe(thread, column) + (regionAt(column) < 0 ? "" : ": " + name[regionAt(column)]) };
		});
	}

	/* Returns the region that a cell shows; -1: the thread did nothing. A shorter call path shows its innermost region. */
	regionAt(row, column) {
		const node = this.rows[row][column], path = node < 0 ? [] : this.paths[node];
		return node < 0 ? -1 : path[this.depth ? Math.min(this.depth, path.length) - 1 : path.length - 1];
	}

	/* Returns the regions of the picture with their numbers of cells, the largest first. */
	shares() {
		const counts = new Map();

		for (const row of this.shownRows())
			for (let column = 0; column < this.trace.columns; column++) {
				const region = row.regionAt(column);
				if (region >= 0)
					counts.set(region, (counts.get(region) || 0) + 1);
			}
		return [...counts].sort((a, b) => b[1] - a[1]);
	}

	time(column) {
		return this.timeOf(this.window[0] + (column + 0.5) * (this.window[1] - this.window[0]) / this.trace.columns);
	}

	/* Returns the seconds of a share of the whole time. */
	timeOf(share) {
		return this.trace.begin + share * (this.trace.end - this.trace.begin);
	}

	describe(row, column) {
		const node = this.rows[row][column], { regions } = this.trace;
		return this.trace.rows[row] + " at " + formatSeconds(this.time(column)) + ": " +
			(node < 0 ? "nothing" : this.paths[node].map(region => regions.name[region]).join(" › ")) + this.describeKind(row, column) + this.describeMarks(row, column) + this.describeCurve(row, column);
	}

	/* Returns the elements of the picture. canvas: as TimeView.canvas. */
	draw(canvas) {
		const { trace } = this, body = element("div"), remarks = [];
		const redraw = () => body.replaceChildren(...this.picture(canvas, redraw));
		const depth = element("input", { id: "timeline-depth", type: "number", min: 0, max: this.deepest, value: this.depth, "aria-label": "Depth", style: "width:4em",
			onchange: () => { this.depth = Math.min(Math.max(Number(depth.value) || 0, 0), this.deepest); redraw(); } });
		const thread = element("select", { id: "timeline-thread", "aria-label": "Thread", onchange: () => { this.thread = Number(thread.value); this.chosen = [0, this.chosen[1]]; redraw(); } },
			element("option", { value: -1 }, "all threads"), ...trace.rows.map((name, row) => element("option", { value: row }, name)));
		const marks = element("input", { id: "timeline-marks", type: "checkbox", checked: true, onchange: () => { this.hasMarks = marks.checked; redraw(); } });
		const messages = element("input", { id: "timeline-messages", type: "checkbox", checked: true, onchange: () => { this.hasMessages = messages.checked; redraw(); } });
		const curves = element("select", { id: "timeline-curve", "aria-label": "Curve", onchange: () => { this.curve = Number(curves.value); redraw(); } },
			element("option", { value: -1 }, "no curve"), ...(this.details?.curves || []).map(({ name }, i) => element("option", { value: i }, name)));
		const colours = element("select", { id: "timeline-colours", "aria-label": "Colours", onchange: () => { this.byKind = colours.value === "kinds"; redraw(); } },
			element("option", { value: "regions" }, "colours of regions"), element("option", { value: "kinds" }, "colours of kinds of bursts"));
		colours.value = this.byKind ? "kinds" : "regions";
		const said = element("span", { id: "timeline-found", class: "dim", "aria-live": "polite" });
		let visits = [], next = 0;
		const search = element("input", { id: "timeline-search", type: "search", placeholder: "find a region", "aria-label": "Find the longest visits of a region; Enter shows the next one",
			oninput: () => { visits = []; },
			onkeydown: async event => {
				if (event.key !== "Enter" || !search.value)
					return;
				event.preventDefault();
				if (!visits.length) {
					visits = await this.find(search.value);
					next = 0;
				}
				const visit = visits[next++ % (visits.length || 1)];
				if (!visit) {
					said.textContent = "no visit";
					return;
				}
				const width = visit.end - visit.begin;
				this.show(visit.begin - width, visit.end + width);
				said.textContent = "visit " + ((next - 1) % visits.length + 1) + " of " + visits.length + ", the longest first: " + trace.regions.name[visit.region] + " in " + trace.rows[visit.row] +
					", " + formatSeconds(width * (trace.end - trace.begin)) + " from " + formatSeconds(this.timeOf(visit.begin));
				redraw();
			} });
		const button = (id, text, label, action) => element("button", { id, title: label, "aria-label": label, onclick: () => { action(); redraw(); } }, text);

		if (trace.threads > trace.rows.length)
			remarks.push(trace.rows.length + " of " + trace.threads + " threads");
		if (trace.is_last)
			remarks.push("the last " + formatSeconds(trace.end - trace.begin) + " of " + formatSeconds(trace.length));
		this.refresh = redraw;		/* draws the window anew, after other code has changed it */
		redraw();
		return [element("h2", {}, "Time line of the trace" + (remarks.length ? ": " + remarks.join(", ") : "")),
			element("p", { class: "controls" }, element("label", {}, "Level of the call path (0: innermost) ", depth), thread,
				button("timeline-in", "+", "Zoom in", () => this.zoom(0.5)), button("timeline-out", "−", "Zoom out", () => this.zoom(2)),
				button("timeline-left", "◀", "Earlier", () => this.pan(-0.5)), button("timeline-right", "▶", "Later", () => this.pan(0.5)),
				button("timeline-all", "All", "The whole time", () => this.show(0, 1)),
				this.marks ? element("label", {}, marks, " Wait states") : "", this.details ? element("label", {}, messages, " Messages") : "",
				this.details?.kinds ? colours : "", this.details?.curves.length ? curves : "", search, said), body];
	}

	picture(canvas, redraw) {
		const { trace } = this, rows = this.shownRows(), shares = this.shares(), colours = new Map(shares.slice(0, TIMELINE_COLOURS.length).map(([region], i) => [region, TIMELINE_COLOURS[i]]));
		const cells = rows.length * trace.columns, left = 150, size = Math.max(6, Math.min(24, Math.floor(480 / (rows.length || 1)))), height = rows.length * size + 24;
		const style = getComputedStyle(document.body), isWhole = this.thread < 0, marked = this.marks && this.hasMarks && isWhole;
		this.background = style.backgroundColor;
		this.kindRows = this.shownKinds();
		const kindShares = this.kindRows && this.kindShares(), kindColours = this.kindRows && new Map(this.details.kinds.names.map(({ kind, colour }) => [kind, colour])), kindRows = this.kindRows;
		const place = event => [Math.floor(event.offsetY / size), Math.floor((event.offsetX - left) / ((made.clientWidth || 800) - left) * trace.columns)];
		const isInside = ([row, column]) => row >= 0 && row < rows.length && column >= 0 && column < trace.columns;
		const said = element("p", { id: "timeline-cell", class: "dim", "aria-live": "polite" }, "Arrow keys move in the picture, + and - zoom; the wheel zooms, too, and dragging moves the time.");
		const choose = cell => {
			this.chosen = cell;
			made.repaint();
			said.textContent = rows[cell[0]].describe(cell[1]);
		};
		let dragged = null;		/* column where the mouse went down */
		const made = canvas("timeline", "Threads over time; the arrow keys read the cells", height, (context, width) => {
			const step = (width - left) / trace.columns;

			rows.forEach((row, r) => {
				const colourAt = column => {
					const region = row.regionAt(column), kind = kindRows?.[r][column];
					return kindRows ? kind && (kindColours.get(kind) || OTHER_KINDS_COLOUR) : region >= 0 && (colours.get(region) || "#8a929c");
				};
				for (let column = 0, next; column < trace.columns; column = next) {
					const colour = colourAt(column);
					for (next = column + 1; next < trace.columns && colourAt(next) === colour; next++)
						;
					if (!colour)
						continue;
					context.fillStyle = colour;
					context.fillRect(left + column * step, r * size, (next - column) * step, size - 1);
				}
			});
			if (marked)
				this.paintMarks(context, { left, step, size, rows: trace.rows.length, dark: style.color });
			if (this.details && isWhole)
				this.paintDetails(context, { left, step, size, dark: style.color });
			context.fillStyle = context.strokeStyle = style.color;
			context.font = "11px sans-serif";
			for (let r = 0, every = Math.ceil(13 / size); r < rows.length; r += every)
				context.fillText(rows[r].label.slice(0, 28), 2, r * size + Math.min(size, 13), left - 6);
			context.fillText(formatSeconds(this.timeOf(this.window[0])), left, height - 6);
			context.textAlign = "right";
			context.fillText(formatSeconds(this.timeOf(this.window[1])), width, height - 6);
			context.strokeRect(left + this.chosen[1] * step - 1, this.chosen[0] * size, Math.max(step, 2) + 1, size - 1);
		}, {
			onmousemove: event => { if (isInside(place(event))) showTip(event, rows[place(event)[0]].describe(place(event)[1])); else hideTip(); },
			onmouseleave: hideTip,
			onmousedown: event => { dragged = place(event)[1]; },
			onclick: event => {
				const cell = place(event), moved = dragged === null ? 0 : dragged - cell[1];
				dragged = null;
				if (Math.abs(moved) > 5) {
					this.pan(moved / trace.columns);
					redraw();
				} else if (isInside(cell)) {
					choose(cell);
				}
			},
			onwheel: event => {
				event.preventDefault();
				this.zoom(event.deltaY < 0 ? 0.8 : 1.25, Math.min(Math.max(place(event)[1] / trace.columns, 0), 1));
				hideTip();
				redraw();
			},
			onkeydown: event => {
				const times = { "+": 0.5, "-": 2 }[event.key];
				if (times) {
					event.preventDefault();
					this.zoom(times, (this.chosen[1] + 0.5) / trace.columns);
					redraw();
					document.getElementById("timeline").focus();
					return;
				}
				const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -this.chosen[1]], End: [0, trace.columns - 1 - this.chosen[1]] }[event.key];
				const next = step && [this.chosen[0] + step[0], this.chosen[1] + step[1]];
				if (!next)
					return;
				event.preventDefault();
				if (isInside(next))
					choose(next);
			}
		});
		const entry = (colour, text) => element("span", { style: "margin-right:1em;white-space:nowrap;display:inline-block;max-width:100%;overflow:hidden;vertical-align:bottom;text-overflow:ellipsis" },
			element("i", { style: "display:inline-block;width:.8em;height:.8em;margin-right:.3em;background:" + colour }), text);
		const legend = kindShares ? kindShares.map(({ kind, colour, share }) => entry(colour, (kind === null ? "other kinds" : this.kindName(kind)) + " " + formatPercent(share, 1))) :
			shares.slice(0, TIMELINE_COLOURS.length).map(([region, count]) => entry(colours.get(region), trace.regions.name[region] + " " + formatPercent(count, cells)));

		const curve = isWhole && this.shownCurve();
		if (isWhole && this.hasMessages && (this.details?.messages?.length || this.details?.message_sums?.length))
			legend.push(element("span", { class: "timeline-mark" }, element("i", { style: "height:1px;background:currentColor" }), "messages"));
		if (isWhole && this.hasMessages && this.details?.collectives?.length)
			legend.push(element("span", { class: "timeline-mark" }, element("i", { style: "height:2px;background:" + COLLECTIVE_COLOUR }), "collective operations"));
		if (curve)
			legend.push(element("span", { id: "timeline-scale", style: "margin-right:1em" }, "curve: " + curve.name + ", up to " + formatCurve(curve.most, curve.unit)));
		if (marked)
			legend.push(element("span", { class: "timeline-mark" }, element("i", { style: "background:" + WAIT_COLOUR }), "waits"),
				element("span", { class: "timeline-mark" }, element("i", { style: "height:2px;background:currentColor" }), "critical path"));
		return [made, element("p", { id: "timeline-legend" }, ...legend), said];
	}

	/* Paints wait states as strips in the lower part of their rows, and the critical path as lines at the upper edges. */
	paintMarks(context, { left, step, size, rows, dark }) {
		for (let row = 0; row < rows; row++) {
			for (const { begin, end } of this.placeMarks(this.marks.waits[row], 6)) {
				context.fillStyle = WAIT_COLOUR;
				context.fillRect(left + begin * step, row * size + (size - 1) * 0.65, Math.max((end - begin) * step, 0.5), (size - 1) * 0.35);
			}
			for (const { begin, end } of this.placeMarks(this.marks.path[row], 2)) {
				context.fillStyle = dark;
				context.fillRect(left + begin * step, row * size, Math.max((end - begin) * step, 0.5), size > 8 ? 2 : 1);
			}
		}
	}
}
