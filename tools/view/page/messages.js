/* messages: which rank sent how much to which: a matrix of senders and receivers, and the largest pairs as a table. */

const MESSAGE_VALUES = [["bytes", "Bytes", "bytes", 3], ["messages", "Messages", "occ", 2],
	["sender", "Sender waits for receiver", "sec", 4], ["receiver", "Receiver waits for sender", "sec", 5]];

class MessagesView {
	constructor(page) {
		this.page = page;
		this.shown = "bytes";
		this.isLogarithmic = false;
		this.chosen = null;		/* [row, column] that the keys move to */
	}

	get data() {
		return this.page.profile.messages;
	}

	/* Returns the cell of the matrix; undefined: no messages. */
	cell(row, column) {
		return this.data.cells.find(cell => cell[0] === row && cell[1] === column);
	}

	get rowCount() {
		return Math.ceil(this.data.ranks / this.data.group);
	}

	rowName(row) {
		const { group, ranks } = this.data, last = Math.min((row + 1) * group, ranks) - 1;
		return group === 1 ? "rank " + row : "ranks " + row * group + " to " + last;
	}

	draw(view) {
		const { data } = this;

		if (!data) {
			view.append(element("p", { class: "dim" }, "The profile has no messages between ranks: the program sent none with point-to-point calls, or FATHOM_MESSAGES=0 was set."));
			return;
		}
		const choice = element("select", { id: "message-value", "aria-label": "Value", onchange: () => { this.shown = choice.value; this.update(); } },
			...MESSAGE_VALUES.filter(([, , unit]) => unit !== "sec" || data.waiting).map(([key, title]) => element("option", { value: key, selected: key === this.shown }, title)));
		const box = element("input", { type: "checkbox", onchange: () => { this.isLogarithmic = box.checked; this.update(); } });

		box.checked = this.isLogarithmic;
		this.body = element("div");
		view.append(element("p", { class: "controls" }, choice, element("label", {}, box, " logarithmic scale"),
			element("span", { class: "scale" }, "0", element("i", { style: "background:" + scaleGradient() }), element("span", { id: "message-most" }))), this.body);
		this.update();
	}

	update() {
		const { data } = this;

		if (!data)
			return;
		const [, title, unit, at] = MESSAGE_VALUES.find(([key]) => key === this.shown);
		const most = Math.max(...data.cells.map(cell => cell[at]), 0), least = Math.min(...data.cells.map(cell => cell[at]).filter(value => value > 0), most);
		const share = value => !(value > 0) ? 0 : this.isLogarithmic ? (Math.log(value / least) + 0.3) / (Math.log(most / least) + 0.3) : value / most;

		document.getElementById("message-most").textContent = formatValue(most, unit);
		this.body.replaceChildren(element("h2", {}, title + ", by sender and receiver"), ...this.remarks(), this.matrix(share, at, unit),
			element("p", { id: "message-cell", "aria-live": "polite", class: "dim" }, "Arrow keys move in the matrix."), element("h2", {}, "Pairs with most bytes"), this.table());
	}

	/* What the matrix lacks, and how its ranks are grouped. */
	remarks() {
		const { data } = this, lines = [];

		if (data.group > 1)
			lines.push("Each row and column is the sum of " + data.group + " neighbouring ranks, because the run is large.");
		if (data.others[0])
			lines.push(formatValue(data.others[0], "occ") + " more messages (" + formatValue(data.others[1], "bytes") + ") went to ranks that are not listed, because a thread lists only FATHOM_MESSAGES ranks.");
		if (data.unknown[0])
			lines.push(formatValue(data.unknown[0], "occ") + " more messages (" + formatValue(data.unknown[1], "bytes") + ") went to processes outside of MPI_COMM_WORLD.");
		if (!data.waiting)
			lines.push("How long ranks waited for each other is not known: wait states were not searched.");
		lines.push("Messages of point-to-point calls; collective operations and one-sided communication are not in it.");
		return lines.map(line => element("p", { class: "dim" }, line));
	}

	describeCell(row, column) {
		const cell = this.cell(row, column) || [row, column, 0, 0, 0, 0];
		const text = this.rowName(row) + " to " + this.rowName(column) + ": " + formatValue(cell[2], "occ") + " messages, " + formatValue(cell[3], "bytes");

		return text + (this.data.waiting ? ", sender waits " + formatSeconds(cell[4]) + ", receiver waits " + formatSeconds(cell[5]) : "");
	}

	/* Rows are senders, columns are receivers. */
	matrix(share, at, unit) {
		const count = this.rowCount, left = 70, top = 20;
		const size = Math.max(4, Math.min(36, Math.floor(560 / count))), style = getComputedStyle(document.body);
		const made = element("canvas", { id: "message-matrix", tabindex: 0, role: "img", style: "width:" + (left + count * size + 2) + "px;height:" + (top + count * size + 2) + "px",
			"aria-label": "Matrix of messages: rows are senders, columns are receivers; the table below has the largest pairs" });
		const place = event => [Math.floor((event.offsetY - top) / size), Math.floor((event.offsetX - left) / size)];
		const isInside = ([row, column]) => row >= 0 && row < count && column >= 0 && column < count;
		const paint = () => {
			const scale = devicePixelRatio || 1, context = made.getContext("2d");

			made.width = (left + count * size + 2) * scale;
			made.height = (top + count * size + 2) * scale;
			context.scale(scale, scale);
			context.strokeStyle = style.color;
			context.globalAlpha = 0.35;
			context.strokeRect(left - .5, top - .5, count * size + 1, count * size + 1);
			context.globalAlpha = 1;
			for (const cell of this.data.cells) {
				if (!(cell[at] > 0))
					continue;
				context.fillStyle = scaleColour(share(cell[at]));
				context.fillRect(left + cell[1] * size, top + cell[0] * size, size - (size > 8 ? 1 : 0), size - (size > 8 ? 1 : 0));
			}
			context.fillStyle = style.color;
			context.font = "11px sans-serif";
			context.textAlign = "right";
			for (let i = 0, step = Math.ceil(14 / size); i < count; i += step)
				context.fillText(String(i * this.data.group), left - 6, top + i * size + Math.min(size - 1, 11) + (size > 12 ? (size - 12) / 2 : 0));
			context.textAlign = "left";
			for (let i = 0, step = Math.ceil(34 / size); i < count; i += step)
				context.fillText(String(i * this.data.group), left + i * size + 1, top - 6);
			context.fillText("from \\ to", 2, top - 6);
			if (this.chosen) {
				context.lineWidth = 2;
				context.strokeStyle = style.color;
				context.strokeRect(left + this.chosen[1] * size, top + this.chosen[0] * size, size, size);
			}
		};
		const choose = cell => {
			this.chosen = cell;
			paint();
			document.getElementById("message-cell").textContent = this.describeCell(...cell);
		};

		made.addEventListener("mousemove", event => isInside(place(event)) ? showTip(event, this.describeCell(...place(event))) : hideTip());
		made.addEventListener("mouseleave", hideTip);
		made.addEventListener("click", event => { if (isInside(place(event))) choose(place(event)); });
		made.addEventListener("keydown", event => {
			const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
			const next = step && (this.chosen ? [this.chosen[0] + step[0], this.chosen[1] + step[1]] : [0, 0]);

			if (!next)
				return;
			event.preventDefault();
			if (isInside(next))
				choose(next);
		});
		requestAnimationFrame(paint);
		return made;
	}

	table() {
		const { data } = this, head = ["From", "To", "Messages", "Bytes", ...(data.waiting ? ["Sender waits", "Receiver waits"] : [])];
		const row = pair => element("tr", {}, element("td", { class: "number" }, String(pair[0])), element("td", { class: "number" }, String(pair[1])),
			...[["occ", 2], ["bytes", 3], ...(data.waiting ? [["sec", 4], ["sec", 5]] : [])].map(([unit, at]) => element("td", { class: "number" }, formatValue(pair[at], unit))));

		return element("div", {}, element("table", { id: "message-pairs" }, element("thead", {}, element("tr", {}, ...head.map(title => element("th", { class: "number" }, title)))),
			element("tbody", {}, ...data.pairs.map(row))),
			data.pair_count > data.pairs.length ? element("p", { class: "dim" }, "and " + (data.pair_count - data.pairs.length) + " more pairs (fathom report --messages --all)") : null);
	}
}
