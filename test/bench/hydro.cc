/*
 * hydro: what explicit hydrodynamics codes in C++ are like, small.
 *
 *	./hydro [EDGE]		so many elements along each edge of the cube; 24 takes some seconds
 *
 * A point explosion (Sedov) in the corner of a cube of cold gas, one octant of the whole: a Lagrangian mesh of hexahedra,
 * which is used as one without structure. Fields live in a class and are reached through inline accessors only; each
 * element is worked on by small functions. That is what makes such codes hard to measure: with hooks in
 * every accessor most of the time is measuring.
 *
 * Nodes carry velocities, elements energies. The corner forces that accelerate the nodes also do the work that changes
 * the elements' energies, so that the total energy stays what it was but for rounding. The explosion's energy
 * is chosen so that the shock is at the radius t^(2/5), as Sedov and Taylor say for a gas with 1.4 as its ratio of specific
 * heats. Energy, symmetry and the place of the shock are checked; exit code 1: wrong.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef double Real_t;
typedef int Index_t;

static const Index_t CORNERS = 8;
static const Index_t MODES = 4;				/* of hourglasses */
static const Real_t SPECIFIC_HEATS = 1.4;
static const Real_t EXPLOSION = 0.851072 / 8;		/* energy of the octant: radius 1 at the time 1 */
static const Real_t END = 0.4;				/* of time: the shock is at 0.69 of the edge, which is 1 */

/* All nodes and elements. */
class Domain {
public:
	explicit Domain(Index_t edge);

	Index_t nodes() const { return m_nodes; }
	Index_t elements() const { return m_elements; }
	Index_t edge() const { return m_edge; }
	Index_t node_at(Index_t i, Index_t j, Index_t k) const { return (k * (m_edge + 1) + j) * (m_edge + 1) + i; }
	Index_t element_at(Index_t i, Index_t j, Index_t k) const { return (k * m_edge + j) * m_edge + i; }
	const Index_t *corners(Index_t e) const { return &m_corners[CORNERS * e]; }

	/* Of nodes. */
	Real_t &x(Index_t n) { return m_x[n]; }
	Real_t &y(Index_t n) { return m_y[n]; }
	Real_t &z(Index_t n) { return m_z[n]; }
	Real_t &xd(Index_t n) { return m_xd[n]; }
	Real_t &yd(Index_t n) { return m_yd[n]; }
	Real_t &zd(Index_t n) { return m_zd[n]; }
	Real_t &fx(Index_t n) { return m_fx[n]; }
	Real_t &fy(Index_t n) { return m_fy[n]; }
	Real_t &fz(Index_t n) { return m_fz[n]; }
	Real_t &node_mass(Index_t n) { return m_node_mass[n]; }
	bool is_on_x(Index_t n) const { return m_walls[n] & 1; }
	bool is_on_y(Index_t n) const { return m_walls[n] & 2; }
	bool is_on_z(Index_t n) const { return m_walls[n] & 4; }

	/* Of elements. */
	Real_t &energy(Index_t e) { return m_energy[e]; }
	Real_t &pressure(Index_t e) { return m_pressure[e]; }
	Real_t &viscosity(Index_t e) { return m_viscosity[e]; }
	Real_t &volume(Index_t e) { return m_volume[e]; }
	Real_t &mass(Index_t e) { return m_mass[e]; }
	Real_t &sound(Index_t e) { return m_sound[e]; }
	Real_t &length(Index_t e) { return m_length[e]; }
	Real_t &divergence(Index_t e) { return m_divergence[e]; }
	Real_t density(Index_t e) { return mass(e) / volume(e); }
	/* Of an element's corner. */
	Real_t &corner_fx(Index_t e, Index_t c) { return m_corner_fx[CORNERS * e + c]; }
	Real_t &corner_fy(Index_t e, Index_t c) { return m_corner_fy[CORNERS * e + c]; }
	Real_t &corner_fz(Index_t e, Index_t c) { return m_corner_fz[CORNERS * e + c]; }

	Real_t &time() { return m_time; }
	Real_t &step() { return m_step; }
	Index_t &cycle() { return m_cycle; }

private:
	void build_mesh();

	Index_t m_edge, m_nodes, m_elements, m_cycle;
	Real_t m_time, m_step;
	std::vector<Index_t> m_corners;
	std::vector<unsigned char> m_walls;
	std::vector<Real_t> m_x, m_y, m_z, m_xd, m_yd, m_zd, m_fx, m_fy, m_fz, m_node_mass;
	std::vector<Real_t> m_energy, m_pressure, m_viscosity, m_volume, m_mass, m_sound, m_length, m_divergence;
	std::vector<Real_t> m_corner_fx, m_corner_fy, m_corner_fz;
};

/* Eight corners gathered from the nodes: coordinates, velocities or forces. */
struct Hexahedron {
	Real_t x[CORNERS], y[CORNERS], z[CORNERS];
};

/* --- geometry --------------------------------------------------------------------------------- */

/* Corners of the six faces, seen from outside against the clock. */
static const Index_t FACES[6][4] = {
	{ 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 }, { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 },
};

/* How the corners move in the four ways that change neither volume nor mean gradient. */
static const Real_t HOURGLASS[MODES][CORNERS] = {
	{ 1, 1, -1, -1, -1, -1, 1, 1 },
	{ 1, -1, -1, 1, -1, 1, 1, -1 },
	{ 1, -1, 1, -1, 1, -1, 1, -1 },
	{ -1, 1, -1, 1, 1, -1, 1, -1 },
};

static void gather_coordinates(Domain &domain, Index_t e, Hexahedron &at)
{
	const Index_t *corners = domain.corners(e);

	for (Index_t c = 0; c < CORNERS; c++) {
		at.x[c] = domain.x(corners[c]);
		at.y[c] = domain.y(corners[c]);
		at.z[c] = domain.z(corners[c]);
	}
}

static void gather_velocities(Domain &domain, Index_t e, Hexahedron &v)
{
	const Index_t *corners = domain.corners(e);

	for (Index_t c = 0; c < CORNERS; c++) {
		v.x[c] = domain.xd(corners[c]);
		v.y[c] = domain.yd(corners[c]);
		v.z[c] = domain.zd(corners[c]);
	}
}

static Real_t triple_product(Real_t ax, Real_t ay, Real_t az, Real_t bx, Real_t by, Real_t bz, Real_t cx, Real_t cy, Real_t cz)
{
	return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/* Six times the volume between the origin and a face, whose middle is the mean of its corners a, b, c, d. */
static Real_t face_volume(const Hexahedron &at, const Index_t face[4])
{
	Index_t a = face[0], b = face[1], c = face[2], d = face[3];

	return triple_product(0.25 * (at.x[a] + at.x[b] + at.x[c] + at.x[d]), 0.25 * (at.y[a] + at.y[b] + at.y[c] + at.y[d]),
			      0.25 * (at.z[a] + at.z[b] + at.z[c] + at.z[d]), at.x[c] - at.x[a], at.y[c] - at.y[a],
			      at.z[c] - at.z[a], at.x[d] - at.x[b], at.y[d] - at.y[b], at.z[d] - at.z[b]);
}

static Real_t element_volume(const Hexahedron &at)
{
	Real_t sum = 0;

	for (Index_t f = 0; f < 6; f++)
		sum += face_volume(at, FACES[f]);
	return sum / 6;
}

/* What one coordinate of a face's corner a adds to the derivative of the volume; the next corner is b. */
static Real_t corner_term(Real_t area, Real_t db1, Real_t db2, Real_t m1, Real_t m2)
{
	return (0.25 * area - (db1 * m2 - db2 * m1)) / 6;
}

/* A face's part of the derivatives. */
static void add_face_derivatives(const Hexahedron &at, const Index_t face[4], Hexahedron &b)
{
	Real_t mx = 0, my = 0, mz = 0, ux, uy, uz, vx, vy, vz, ax, ay, az;

	for (Index_t i = 0; i < 4; i++) {
		mx += 0.25 * at.x[face[i]];
		my += 0.25 * at.y[face[i]];
		mz += 0.25 * at.z[face[i]];
	}
	ux = at.x[face[2]] - at.x[face[0]];
	uy = at.y[face[2]] - at.y[face[0]];
	uz = at.z[face[2]] - at.z[face[0]];
	vx = at.x[face[3]] - at.x[face[1]];
	vy = at.y[face[3]] - at.y[face[1]];
	vz = at.z[face[3]] - at.z[face[1]];
	ax = uy * vz - uz * vy;
	ay = uz * vx - ux * vz;
	az = ux * vy - uy * vx;
	for (Index_t i = 0; i < 4; i++) {
		/* From the corner before to the one behind. */
		Index_t here = face[i], next = face[(i + 1) % 4], last = face[(i + 3) % 4];
		Real_t dx = at.x[last] - at.x[next], dy = at.y[last] - at.y[next], dz = at.z[last] - at.z[next];

		b.x[here] += corner_term(ax, dy, dz, my, mz);
		b.y[here] += corner_term(ay, dz, dx, mz, mx);
		b.z[here] += corner_term(az, dx, dy, mx, my);
	}
}

/* How the volume changes as each corner moves: eight times the derivatives of the shape functions in the middle. */
static void shape_derivatives(const Hexahedron &at, Hexahedron &b)
{
	for (Index_t c = 0; c < CORNERS; c++)
		b.x[c] = b.y[c] = b.z[c] = 0;
	for (Index_t f = 0; f < 6; f++)
		add_face_derivatives(at, FACES[f], b);
}

static Real_t sum_of_products(const Real_t *a, const Real_t *b)
{
	Real_t sum = 0;

	for (Index_t c = 0; c < CORNERS; c++)
		sum += a[c] * b[c];
	return sum;
}

/* The volume over the largest of its faces, more or less. */
static Real_t characteristic_length(const Hexahedron &at, Real_t volume)
{
	Real_t most = 0;

	for (Index_t f = 0; f < 6; f++) {
		const Index_t *face = FACES[f];
		Real_t ux = at.x[face[2]] - at.x[face[0]], vx = at.x[face[3]] - at.x[face[1]];
		Real_t uy = at.y[face[2]] - at.y[face[0]], vy = at.y[face[3]] - at.y[face[1]];
		Real_t uz = at.z[face[2]] - at.z[face[0]], vz = at.z[face[3]] - at.z[face[1]];
		Real_t ax = uy * vz - uz * vy, ay = uz * vx - ux * vz, az = ux * vy - uy * vx;
		Real_t square = ax * ax + ay * ay + az * az;

		most = square > most ? square : most;
	}
	return volume / (0.5 * std::sqrt(most));
}

/* --- forces ----------------------------------------------------------------------------------- */

/* Resistance to hourglass motion, which the pressure does not feel: as damping, Flanagan and Belytschko's way. */
static void add_hourglass_forces(const Hexahedron &at, const Hexahedron &v, const Hexahedron &b, Real_t volume,
				 Real_t damping, Hexahedron &f)
{
	for (Index_t mode = 0; mode < MODES; mode++) {
		const Real_t *h = HOURGLASS[mode];
		Real_t hx = sum_of_products(h, at.x) / volume, hy = sum_of_products(h, at.y) / volume;
		Real_t hz = sum_of_products(h, at.z) / volume, gamma[CORNERS], qx, qy, qz;

		for (Index_t c = 0; c < CORNERS; c++)
			gamma[c] = h[c] - (hx * b.x[c] + hy * b.y[c] + hz * b.z[c]);
		qx = damping * sum_of_products(gamma, v.x);
		qy = damping * sum_of_products(gamma, v.y);
		qz = damping * sum_of_products(gamma, v.z);
		for (Index_t c = 0; c < CORNERS; c++) {
			f.x[c] -= gamma[c] * qx;
			f.y[c] -= gamma[c] * qy;
			f.z[c] -= gamma[c] * qz;
		}
	}
}

static Real_t artificial_viscosity(Real_t density, Real_t sound, Real_t length, Real_t divergence)
{
	Real_t jump = length * divergence;

	return divergence < 0 ? density * (2.0 * jump * jump - 0.5 * sound * jump) : 0;
}

static void store_corner_forces(Domain &domain, Index_t e, const Hexahedron &f)
{
	const Index_t *corners = domain.corners(e);

	for (Index_t c = 0; c < CORNERS; c++) {
		domain.corner_fx(e, c) = f.x[c];
		domain.corner_fy(e, c) = f.y[c];
		domain.corner_fz(e, c) = f.z[c];
		domain.fx(corners[c]) += f.x[c];
		domain.fy(corners[c]) += f.y[c];
		domain.fz(corners[c]) += f.z[c];
	}
}

static void element_forces(Domain &domain, Index_t e)
{
	Hexahedron at, v, b, f;
	Real_t volume = domain.volume(e), stress, damping;

	gather_coordinates(domain, e, at);
	gather_velocities(domain, e, v);
	shape_derivatives(at, b);
	domain.length(e) = characteristic_length(at, volume);
	domain.divergence(e) = (sum_of_products(b.x, v.x) + sum_of_products(b.y, v.y) + sum_of_products(b.z, v.z)) / volume;
	domain.viscosity(e) = artificial_viscosity(domain.density(e), domain.sound(e), domain.length(e),
						   domain.divergence(e));
	stress = domain.pressure(e) + domain.viscosity(e);
	for (Index_t c = 0; c < CORNERS; c++) {
		f.x[c] = stress * b.x[c];
		f.y[c] = stress * b.y[c];
		f.z[c] = stress * b.z[c];
	}
	damping = 0.03 * domain.mass(e) * domain.sound(e) / domain.length(e);
	add_hourglass_forces(at, v, b, volume, damping, f);
	store_corner_forces(domain, e, f);
}

static void calc_forces(Domain &domain)
{
	for (Index_t n = 0; n < domain.nodes(); n++)
		domain.fx(n) = domain.fy(n) = domain.fz(n) = 0;
	for (Index_t e = 0; e < domain.elements(); e++)
		element_forces(domain, e);
}

/* --- motion ----------------------------------------------------------------------------------- */

/* The work that the corner forces do in a step at the mean of old and new velocities; half of it for each. */
static void element_work(Domain &domain, Index_t e)
{
	const Index_t *corners = domain.corners(e);
	Real_t work = 0;

	for (Index_t c = 0; c < CORNERS; c++)
		work += domain.corner_fx(e, c) * domain.xd(corners[c]) + domain.corner_fy(e, c) * domain.yd(corners[c]) +
			domain.corner_fz(e, c) * domain.zd(corners[c]);
	domain.energy(e) -= 0.5 * domain.step() * work;
}

static void calc_work(Domain &domain)
{
	for (Index_t e = 0; e < domain.elements(); e++)
		element_work(domain, e);
}

static void accelerate_nodes(Domain &domain)
{
	for (Index_t n = 0; n < domain.nodes(); n++) {
		Real_t push = domain.step() / domain.node_mass(n);

		domain.xd(n) += domain.is_on_x(n) ? 0 : push * domain.fx(n);
		domain.yd(n) += domain.is_on_y(n) ? 0 : push * domain.fy(n);
		domain.zd(n) += domain.is_on_z(n) ? 0 : push * domain.fz(n);
	}
}

static void move_nodes(Domain &domain)
{
	for (Index_t n = 0; n < domain.nodes(); n++) {
		domain.x(n) += domain.step() * domain.xd(n);
		domain.y(n) += domain.step() * domain.yd(n);
		domain.z(n) += domain.step() * domain.zd(n);
	}
}

/* --- state ------------------------------------------------------------------------------------ */

static Real_t equation_of_state(Real_t density, Real_t energy)
{
	return energy > 0 ? (SPECIFIC_HEATS - 1) * density * energy : 0;
}

static Real_t sound_speed(Real_t pressure, Real_t density)
{
	return std::sqrt(SPECIFIC_HEATS * pressure / density);
}

static void element_state(Domain &domain, Index_t e)
{
	Hexahedron at;

	gather_coordinates(domain, e, at);
	domain.volume(e) = element_volume(at);
	if (!(domain.volume(e) > 0)) {
		std::fprintf(stderr, "hydro: element %d has turned inside out\n", e);
		std::exit(1);
	}
	domain.pressure(e) = equation_of_state(domain.density(e), domain.energy(e) / domain.mass(e));
	domain.sound(e) = sound_speed(domain.pressure(e), domain.density(e));
}

static void calc_state(Domain &domain)
{
	for (Index_t e = 0; e < domain.elements(); e++)
		element_state(domain, e);
}

/* How long a step an element allows: sound does not cross it, and its volume changes by a tenth at most. */
static Real_t element_step(Domain &domain, Index_t e)
{
	Real_t speed = domain.sound(e) - 4 * domain.length(e) * (domain.divergence(e) < 0 ? domain.divergence(e) : 0);
	Real_t courant = speed > 0 ? 0.3 * domain.length(e) / speed : END;
	Real_t change = domain.divergence(e) != 0 ? 0.1 / std::fabs(domain.divergence(e)) : END;

	return courant < change ? courant : change;
}

static void calc_step(Domain &domain)
{
	Real_t least = 1.1 * domain.step();

	for (Index_t e = 0; e < domain.elements(); e++) {
		Real_t step = element_step(domain, e);

		least = step < least ? step : least;
	}
	domain.step() = domain.time() + least > END ? END - domain.time() : least;
}

static void advance(Domain &domain)
{
	calc_forces(domain);
	calc_step(domain);
	calc_work(domain);
	accelerate_nodes(domain);
	calc_work(domain);
	move_nodes(domain);
	calc_state(domain);
	domain.time() += domain.step();
	domain.cycle()++;
}

/* --- begin and end ---------------------------------------------------------------------------- */

Domain::Domain(Index_t edge) : m_edge(edge), m_nodes((edge + 1) * (edge + 1) * (edge + 1)), m_elements(edge * edge * edge),
	m_cycle(0), m_time(0), m_step(1e-4 / edge), m_corners(CORNERS * m_elements), m_walls(m_nodes)
{
	for (auto field : { &m_x, &m_y, &m_z, &m_xd, &m_yd, &m_zd, &m_fx, &m_fy, &m_fz, &m_node_mass })
		field->assign(m_nodes, 0);
	for (auto field : { &m_energy, &m_pressure, &m_viscosity, &m_volume, &m_mass, &m_sound, &m_length, &m_divergence })
		field->assign(m_elements, 0);
	for (auto field : { &m_corner_fx, &m_corner_fy, &m_corner_fz })
		field->assign(CORNERS * m_elements, 0);
	build_mesh();
	for (Index_t e = 0; e < m_elements; e++) {
		Hexahedron at;

		gather_coordinates(*this, e, at);
		mass(e) = element_volume(at);		/* density 1 */
		for (Index_t c = 0; c < CORNERS; c++)
			node_mass(corners(e)[c]) += mass(e) / CORNERS;
	}
	energy(0) = EXPLOSION;
	calc_state(*this);
}

void Domain::build_mesh()
{
	for (Index_t k = 0; k <= m_edge; k++)
		for (Index_t j = 0; j <= m_edge; j++)
			for (Index_t i = 0; i <= m_edge; i++) {
				Index_t n = node_at(i, j, k);

				x(n) = Real_t(i) / m_edge;
				y(n) = Real_t(j) / m_edge;
				z(n) = Real_t(k) / m_edge;
				/* The octants beyond are mirrors; far away nothing happens. */
				m_walls[n] = (i == 0 || i == m_edge) | (j == 0 || j == m_edge) << 1 | (k == 0 || k == m_edge) << 2;
			}
	for (Index_t e = 0; e < m_elements; e++) {
		Index_t i = e % m_edge, j = e / m_edge % m_edge, k = e / m_edge / m_edge, *corner = &m_corners[CORNERS * e];

		for (Index_t up = 0; up < 2; up++) {
			*corner++ = node_at(i, j, k + up);
			*corner++ = node_at(i + 1, j, k + up);
			*corner++ = node_at(i + 1, j + 1, k + up);
			*corner++ = node_at(i, j + 1, k + up);
		}
	}
}

static Real_t total_energy(Domain &domain)
{
	Real_t sum = 0;

	for (Index_t e = 0; e < domain.elements(); e++)
		sum += domain.energy(e);
	for (Index_t n = 0; n < domain.nodes(); n++)
		sum += 0.5 * domain.node_mass(n) * (domain.xd(n) * domain.xd(n) + domain.yd(n) * domain.yd(n) +
						    domain.zd(n) * domain.zd(n));
	return sum;
}

/* Nothing tells x, y and z apart: the most that elements differ whose places are the same but for that. */
static Real_t asymmetry(Domain &domain)
{
	Real_t most = 0;

	for (Index_t k = 0; k < domain.edge(); k++)
		for (Index_t j = 0; j < domain.edge(); j++)
			for (Index_t i = 0; i < domain.edge(); i++) {
				Real_t here = domain.energy(domain.element_at(i, j, k));

				most = std::fmax(most, std::fabs(here - domain.energy(domain.element_at(j, k, i))));
				most = std::fmax(most, std::fabs(here - domain.energy(domain.element_at(j, i, k))));
			}
	return most / domain.energy(0);
}

/* The mean radius of the elements that are compressed most: four fifths of the most, or more. */
static Real_t shock_radius(Domain &domain)
{
	Real_t densest = 0, sum = 0, radius = 0;

	for (Index_t e = 0; e < domain.elements(); e++)
		densest = std::fmax(densest, domain.density(e));
	for (Index_t e = 0; e < domain.elements(); e++) {
		Hexahedron at;
		Real_t x = 0, y = 0, z = 0;

		if (domain.density(e) < 0.8 * densest)
			continue;
		gather_coordinates(domain, e, at);
		for (Index_t c = 0; c < CORNERS; c++) {
			x += at.x[c] / CORNERS;
			y += at.y[c] / CORNERS;
			z += at.z[c] / CORNERS;
		}
		sum += domain.mass(e);
		radius += domain.mass(e) * std::sqrt(x * x + y * y + z * z);
	}
	return radius / sum;
}

int main(int argc, char **argv)
{
	Index_t edge = argc > 1 ? std::atoi(argv[1]) : 24;

	if (edge < 2 || edge > 200) {
		std::fprintf(stderr, "hydro: %s: from 2 to 200 elements along an edge\n", argv[1]);
		return 2;
	}
	Domain domain(edge);
	while (domain.time() < END)
		advance(domain);

	Real_t drift = std::fabs(total_energy(domain) / EXPLOSION - 1), uneven = asymmetry(domain);
	Real_t radius = shock_radius(domain), wanted = std::pow(END, 0.4);
	std::printf("%d elements, %d steps to %.3f\n", domain.elements(), domain.cycle(), domain.time());
	std::printf("energy %.9e, of the origin %.9e\n", total_energy(domain), domain.energy(0));
	std::printf("shock at %.4f, by theory %.4f\n", radius, wanted);
	/* Rounding differs by direction, and grows; the shock is two or three elements wide. */
	bool is_right = drift < 1e-9 && uneven < 1e-6 && std::fabs(radius - wanted) < 1.5 / edge;
	if (!is_right)
		std::fprintf(stderr, "hydro: energy is off by %g, symmetry by %g, the shock by %g elements\n", drift, uneven,
			     std::fabs(radius - wanted) * edge);
	return is_right ? 0 : 1;
}
