/*
 * profile: the data of the page: metrics, call paths, locations and values.
 *
 * A row is the own values of a metric at a call path, one for each column; a column is a location, or a few neighbouring
 * ones in large runs. Rows that the page lacks are zero. Sums over all columns are exact, single columns may be rounded
 * (tools/view/value_table.h).
 */
class Profile {
	constructor(definitions, values) {
		Object.assign(this, definitions);
		this.first = null;	/* of two compared runs, the first; this profile is then the second */
		this.columnCount = this.columns.count;
		this.callPathCount = this.cnodes.region.length;
		this.findChildren();
		this.findColumns();
		this.tables = this.metrics.map(() => null);
		this.readValues(values);
		this.cache = new Map();
		this.columnCache = new Map();
	}

	static async read() {
		const definitions = JSON.parse(new TextDecoder().decode(await unpack("definitions")));
		const profile = new Profile(definitions, await unpack("values"));

		if (definitions.comparison)
			profile.first = new Profile(definitions, await unpack("first"));
		return profile;
	}

	findChildren() {
		const count = this.callPathCount, parent = this.cnodes.parent;

		this.children = Array.from({ length: count }, () => []);
		this.subtreeEnd = new Int32Array(count);
		this.roots = [];
		this.isTasks = new Uint8Array(count);	/* the root of a tree of explicit tasks, whose time is not that of its parent */
		for (const c of this.cnodes.tasks)
			this.isTasks[c] = 1;
		for (let c = 0; c < count; c++)
			(parent[c] < 0 ? this.roots : this.children[parent[c]]).push(c);
		for (let c = count - 1; c >= 0; c--) {
			const last = this.children[c].at(-1);
			this.subtreeEnd[c] = last === undefined ? c + 1 : this.subtreeEnd[last];
		}
	}

	/* Finds the columns of each element of the system tree: "node N", "group N", "column N". */
	findColumns() {
		const size = this.columns.locations, groups = this.locations.group;

		this.columnGroups = [];		/* by column: its first and last group */
		for (let column = 0; column < this.columnCount; column++) {
			const last = Math.min((column + 1) * size, groups.length) - 1;
			this.columnGroups.push([groups[column * size], groups[last]]);
		}
	}

	readValues(bytes) {
		const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		const pad = at => at + 7 & ~7;

		for (let at = 0; at + 20 <= bytes.length;) {
			const [metric, own, shared, base, rounded] = [0, 4, 8, 12, 16].map(i => view.getUint32(at + i, true));
			const table = { base, isShared: new Uint8Array(this.callPathCount), rowOf: new Int32Array(this.callPathCount).fill(-1), rounded: rounded !== 0 };

			at += 20;
			for (let i = 0; i < own; i++, at += 4)
				table.rowOf[view.getUint32(at, true)] = i;
			for (let i = 0; i < shared; i++, at += 4)
				table.isShared[view.getUint32(at, true)] = 1;
			at = pad(at);
			table.sums = new Float64Array(bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + own * 8));
			at += own * 8;
			if (rounded) {
				table.most = new Float32Array(bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + own * 4));
				at += own * 4;
				table.cells = new Int8Array(bytes.buffer, bytes.byteOffset + at, own * this.columnCount);
				at += own * this.columnCount;
			} else {
				table.cells = new Float32Array(bytes.buffer.slice(bytes.byteOffset + at,
					bytes.byteOffset + at + own * this.columnCount * 4));
				at += own * this.columnCount * 4;
			}
			at = pad(at);
			this.tables[metric] = table;
		}
	}

	/* Returns whether the page has values of a metric, or can compute them. */
	hasValues(metric) {
		const formula = this.metrics[metric].ratio || this.metrics[metric].formula;
		return formula !== undefined || this.tables[metric] !== null;
	}

	isSum(metric) {
		return this.metrics[metric].kind === "sum";
	}

	/* Returns the table and the row of a call path, or null: it has none. */
	find(metric, callPath) {
		let table = this.tables[metric];

		if (table && table.isShared[callPath])
			table = this.tables[table.base];
		return table && table.rowOf[callPath] >= 0 ? [table, table.rowOf[callPath]] : null;
	}

	/* Returns the own value of a metric at a call path over columns (a list; null: all of them). NaN: never. */
	own(metric, callPath, columns) {
		const found = this.find(metric, callPath), kind = this.metrics[metric].kind;

		if (!found)
			return kind === "sum" ? 0 : NaN;
		const [table, row] = found;
		if (!columns)
			return table.sums[row];
		return join(kind, columns.map(column => this.cell(table, row, column)));
	}

	cell(table, row, column) {
		const value = table.cells[row * this.columnCount + column];

		if (!table.rounded)
			return value;
		return value === -128 ? NaN : value / 127 * table.most[row];
	}

	/* Returns the values of a metric for every call path, own and inclusive: {own, inclusive, total}. For minima and
	 * maxima, which are values of a visit, both are the same. */
	values(metric, columns) {
		const key = metric + ":" + (columns ? columns.join() : "all");
		let result = this.cache.get(key);

		if (!result) {
			const definition = this.metrics[metric];

			result = definition.ratio ? this.ratioValues(definition.ratio, columns) :
				definition.formula ? this.formulaValues(definition.formula, columns) :
				this.plainValues(metric, columns);
			if (this.cache.size > 64)
				this.cache.clear();
			this.cache.set(key, result);
		}
		return result;
	}

	/* Returns the own values of a metric for every call path. */
	ownValues(metric, columns) {
		const count = this.callPathCount, own = new Float64Array(count), table = this.tables[metric], width = this.columnCount;

		if (this.metrics[metric].kind !== "sum" || !table) {
			for (let c = 0; c < count; c++)
				own[c] = this.own(metric, c, columns);
			return own;
		}
		for (let c = 0; c < count; c++) {
			const from = table.isShared[c] ? this.tables[table.base] : table, row = from.rowOf[c];
			if (row < 0)
				continue;
			if (!columns) {
				own[c] = from.sums[row];
				continue;
			}
			let sum = 0;
			for (let i = 0; i < columns.length; i++)
				sum += from.cells[row * width + columns[i]];
			own[c] = from.rounded ? sum / 127 * from.most[row] : sum;
		}
		return own;
	}

	plainValues(metric, columns) {
		const count = this.callPathCount, own = this.ownValues(metric, columns), kind = this.metrics[metric].kind;
		const inclusive = own.slice();
		let total = kind === "sum" ? 0 : NaN;

		if (kind !== "sum") {
			total = join(kind, [...own]);
			return { own, inclusive, total };
		}
		for (let c = count - 1; c >= 0; c--) {
			const parent = this.cnodes.parent[c];

			/* The tree of explicit tasks stands below a root, but its time is not that of the root. */
			if (parent >= 0 && !this.isTasks[c])
				inclusive[parent] += inclusive[c];
			total += this.cnodes.counted[c] ? own[c] : 0;
		}
		return { own, inclusive, total };
	}

	/* Returns the same as values for the change from the first of two compared runs to the second. For an ordinary
	 * profile, these are its values. */
	changes(metric, columns) {
		if (!this.first)
			return this.values(metric, columns);
		const key = "change " + metric + ":" + (columns ? columns.join() : "all");
		let result = this.cache.get(key);

		if (!result) {
			const after = this.values(metric, columns), before = this.first.values(metric, columns);
			const change = (a, b) => (Number.isNaN(a) ? 0 : a) - (Number.isNaN(b) ? 0 : b);
			result = {
				own: after.own.map((value, c) => change(value, before.own[c])),
				inclusive: after.inclusive.map((value, c) => change(value, before.inclusive[c])),
				total: change(after.total, before.total)
			};
			this.cache.set(key, result);
		}
		return result;
	}

	/* Returns whether values may be negative: they are coloured by a scale with a middle. */
	get isSigned() {
		return this.first !== null || ["diff"].includes(this.report.attributes["fathom::algebra"]);
	}

	/* Returns the largest absolute change of a metric: the end of the scale. */
	largestChange(metric, columns) {
		const changes = this.changes(metric, columns);

		if (changes.largest === undefined)
			changes.largest = changes.inclusive.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0);
		return changes.largest;
	}

	/* Returns in which of two compared runs alone a call path is: "A", "B", or "" for both. */
	onlyIn(callPath) {
		return this.comparison ? ["", "A", "B"][this.comparison.only[callPath]] : "";
	}

	ratioValues(ratio, columns) {
		const above = this.values(ratio.of, columns), below = this.values(ratio.to, columns);
		const divide = (a, b) => b ? ratio.factor * a / b : NaN;

		return {
			own: above.own.map((value, c) => divide(value, below.own[c])),
			inclusive: above.inclusive.map((value, c) => divide(value, below.inclusive[c])),
			total: divide(above.total, below.total)
		};
	}

	formulaValues(formula, columns) {
		const inputs = formula.metrics.map(metric => this.values(metric, columns));
		const compute = part => this.roots.length ? Float64Array.from({ length: this.callPathCount }, (unused, c) =>
			formula.compute(inputs.map(input => input[part][c]))) : new Float64Array(0);

		return {
			own: compute("own"), inclusive: compute("inclusive"),
			total: formula.compute(inputs.map(input => input.total))
		};
	}

	/* Returns the value of a metric for every column, at a call path and, if isInclusive, all below it. callPath -1: of
	 * the whole run. */
	byColumn(metric, callPath, isInclusive) {
		const key = "columns " + metric + ":" + callPath + ":" + isInclusive;
		let values = this.columnCache.get(key);

		if (!values) {
			values = this.computeColumns(metric, callPath, isInclusive);
			if (this.columnCache.size > 256)
				this.columnCache.clear();
			this.columnCache.set(key, values);
		}
		return values;
	}

	computeColumns(metric, callPath, isInclusive) {
		const first = callPath < 0 ? 0 : callPath;
		const end = callPath < 0 ? this.callPathCount : isInclusive ? this.subtreeEnd[callPath] : callPath + 1;
		const definition = this.metrics[metric];

		if (definition.ratio || definition.formula) {
			const inputs = definition.ratio ? [definition.ratio.of, definition.ratio.to] : definition.formula.metrics;
			const columns = inputs.map(input => this.byColumn(input, callPath, isInclusive));
			const compute = definition.ratio ? ([a, b]) => b ? definition.ratio.factor * a / b : NaN :
				definition.formula.compute;
			return Float64Array.from({ length: this.columnCount }, (unused, i) => compute(columns.map(list => list[i])));
		}
		const kind = definition.kind, values = new Float64Array(this.columnCount).fill(kind === "sum" ? 0 : NaN);
		for (let c = first; c < end; c++) {
			const found = this.cnodes.counted[c] || callPath >= 0 ? this.find(metric, c) : null;

			if (!found)
				continue;
			if (kind === "sum") {
				const [{ cells, rounded, most }, row] = found, factor = rounded ? most[row] / 127 : 1, begin = row * this.columnCount;
				for (let i = 0; i < this.columnCount; i++)
					values[i] += factor * cells[begin + i];
				continue;
			}
			for (let i = 0; i < this.columnCount; i++)
				values[i] = join(kind, [values[i], this.cell(found[0], found[1], i)]);
		}
		return values;
	}

	name(callPath) {
		const name = this.regions.name[this.cnodes.region[callPath]], given = this.parameters[callPath];
		return given ? name + " (" + given + ")" : name;
	}

	/* Returns "file.c:12" of a region; "" if it is not known. */
	place(region) {
		const file = this.regions.file[region], line = this.regions.line[region];

		if (file < 0)
			return "";
		return this.files[file].replace(/.*\//, "") + (line > 0 ? ":" + line : "");
	}

	/* Returns the call path of the page that stands for one of the profile: the page may have loops and inlined functions as
	 * further call paths. */
	partOf(callPath) {
		return this.report.origins ? this.report.origins.indexOf(callPath) : callPath;
	}

	/* Returns the region of the function in which a call path is: of a loop or inlined function, that of the function around
	 * it; of other call paths, their own. */
	functionOf(callPath) {
		if (!this.functions) {
			const { region, parent } = this.cnodes, scopes = new Set(this.regions.scopes);

			this.functions = region.slice();	/* callers stand before what they call */
			region.forEach((of, c) => { if (scopes.has(of) && parent[c] >= 0) this.functions[c] = this.functions[parent[c]]; });
		}
		return this.functions[callPath];
	}

	/* Returns the region whose text contains a call path: of a loop, the function or inlined function around it. */
	regionWithText(callPath) {
		const { region, parent } = this.cnodes, isLoop = of => this.regions.role[of] === "loop" && this.regions.scopes.includes(of);

		while (parent[callPath] >= 0 && isLoop(region[callPath]))
			callPath = parent[callPath];
		return region[callPath];
	}

	/* Returns the names of the call paths from the root to this one. */
	path(callPath) {
		const names = [];

		for (let c = callPath; c >= 0; c = this.cnodes.parent[c])
			names.unshift(this.name(c));
		return names;
	}

	/* Returns whether a call path was sampled and not recorded: its time is an estimate. */
	isSampled(callPath) {
		if (this.report.attributes["fathom::sampled_call_paths"] === undefined)
			return false;
		const visits = this.metricNumber("visits");

		return visits >= 0 && this.find(visits, callPath) === null && this.cnodes.parent[callPath] >= 0;
	}

	metricNumber(name) {
		return this.metrics.findIndex(metric => metric.name === name);
	}

	columnName(column) {
		const [first, last] = this.columnGroups[column];
		const rank = group => this.groups[group].rank;

		if (this.columns.locations > 1)
			return first === last ? "rank " + rank(first) : "ranks " + rank(first) + "-" + rank(last);
		const several = this.locations.group.filter(group => group === first).length > 1;
		return (this.groups.length > 1 ? "rank " + rank(first) : "") +
			(several || this.groups.length === 1 ? (this.groups.length > 1 ? ", " : "") + this.locations.name[column] : "");
	}
}

/* Puts values of a metric together: their sum, minimum or maximum. NaN is "never" for the last two. */
function join(kind, values) {
	if (kind !== "minimum" && kind !== "maximum")
		return values.reduce((sum, value) => sum + value, 0);
	const known = values.filter(value => !Number.isNaN(value));
	return known.length ? (kind === "minimum" ? Math.min : Math.max)(...known) : NaN;
}

/* Returns the bytes that an element of the page contains: base64 text of data compressed by deflate. */
async function unpack(id) {
	const text = atob(document.getElementById(id).textContent.trim());
	const bytes = Uint8Array.from(text, letter => letter.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));

	return new Uint8Array(await new Response(stream).arrayBuffer());
}
