/* colours: scales that people with colour-blindness can read: the same order in lightness as in colour. */

const SCALE = [[0, 34, 78], [33, 66, 107], [87, 93, 109], [124, 123, 120], [165, 156, 116], [210, 192, 96], [254, 232, 56]];

/* On a dark page, small values are lighter, so that they stand out from it. */
const SCALE_ON_DARK = [[52, 92, 168], [72, 108, 158], [98, 122, 148], [128, 137, 136], [165, 156, 116], [210, 192, 96], [254, 232, 56]];

/* Returns the colour of a share from 0 to 1: dark blue to yellow (cividis). */
function scaleColour(share) {
	const scale = document.documentElement.classList.contains("dark") ? SCALE_ON_DARK : SCALE;
	const place = Math.min(Math.max(share || 0, 0), 1) * (scale.length - 1), low = Math.min(Math.floor(place), scale.length - 2);
	const mix = scale[low].map((part, i) => Math.round(part + (scale[low + 1][i] - part) * (place - low)));

	return "rgb(" + mix.join() + ")";
}

/* Returns the background of a legend from 0 to 1. */
function scaleGradient() {
	return "linear-gradient(to right, " + SCALE.map((part, i) => scaleColour(i / (SCALE.length - 1))).join() + ")";
}

/* Returns the colour of text on a colour of the scale. */
function textOn(share) {
	return share < 0.45 ? "#ffffff" : "#10151c";
}

/* From less, blue, over nothing, grey, to more, orange: a pair of colours that all kinds of colour-blindness tell apart. */
const CHANGE_SCALE = [[5, 84, 163], [104, 160, 214], [205, 210, 216], [240, 166, 84], [190, 84, 0]];

/* Returns the colour of a change: -1 is the largest decrease, 1 the largest increase. Small changes are made visible by a
 * root. */
function changeColour(share) {
	const root = Math.sign(share || 0) * Math.sqrt(Math.min(1, Math.abs(share || 0)));
	const place = (root + 1) / 2 * (CHANGE_SCALE.length - 1), low = Math.min(Math.floor(place), CHANGE_SCALE.length - 2);
	const mix = CHANGE_SCALE[low].map((part, i) => Math.round(part + (CHANGE_SCALE[low + 1][i] - part) * (place - low)));

	return "rgb(" + mix.join() + ")";
}

function changeGradient() {
	return "linear-gradient(to right, " + CHANGE_SCALE.map(part => "rgb(" + part.join() + ")").join() + ")";
}

/* Returns the colour of text on a change. */
function textOnChange(share) {
	return Math.abs(share || 0) > 0.35 ? "#ffffff" : "#10151c";
}

/* The colours of activity classes: one for each kind of time, from a palette safe for colour-blind readers. */
const ACTIVITY_COLOURS = [
	[/^mpi/, "#e69f00"], [/^omp|^pthread|^java|^shmem/, "#56b4e9"], [/^io/, "#cc79a7"], [/^overhead|^libwrap/, "#b0b7c0"],
	[/^cuda|^opencl|^openacc|^hip/, "#0072b2"], [/^/, "#5fb58a"]
];

function activityColour(activity) {
	return ACTIVITY_COLOURS.find(([pattern]) => pattern.test(activity))[1];
}
