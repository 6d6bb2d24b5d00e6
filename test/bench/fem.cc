/*
 * fem: implicit finite elements in C++ templates, a stand-in for programs such as miniFE. The diffusion equation on a
 * cube of hexahedra: element matrices by quadrature, assembly into a sparse matrix through std::map, boundary
 * conditions, and a solution by conjugate gradients.
 *
 *	g++ -O2 fem.cc -o fem && ./fem [ELEMENTS ALONG AN EDGE]
 *
 * The exact solution is x + 2 y + 3 z, which linear elements represent exactly: the program fails if the largest error
 * of a node is more than 1e-6.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

template <class Scalar, int N> struct SmallVector {
	Scalar values[N];
	Scalar &operator[](int i) { return values[i]; }
	const Scalar &operator[](int i) const { return values[i]; }
};

template <class Scalar, int N> Scalar dot(const SmallVector<Scalar, N> &a, const SmallVector<Scalar, N> &b)
{
	Scalar sum = 0;

	for (int i = 0; i < N; i++)
		sum += a[i] * b[i];
	return sum;
}

/* A structured mesh of hexahedra. */
template <class Index> class Mesh {
public:
	explicit Mesh(Index edge) : edge_(edge) {}
	Index edge() const { return edge_; }
	Index nodes() const { return (edge_ + 1) * (edge_ + 1) * (edge_ + 1); }
	Index node(Index i, Index j, Index k) const { return (k * (edge_ + 1) + j) * (edge_ + 1) + i; }
	double place(Index n) const { return static_cast<double>(n) / static_cast<double>(edge_); }
	SmallVector<double, 3> coordinates(Index node) const
	{
		Index row = edge_ + 1;

		return { { place(node % row), place(node / row % row), place(node / row / row) } };
	}
	bool is_boundary(Index node) const
	{
		Index row = edge_ + 1, i = node % row, j = node / row % row, k = node / row / row;

		return i == 0 || j == 0 || k == 0 || i == edge_ || j == edge_ || k == edge_;
	}
	void corners(Index i, Index j, Index k, Index *into) const
	{
		for (Index c = 0; c < 8; c++)
			into[c] = node(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
	}

private:
	Index edge_;
};

/* The trilinear element on the reference cube from -1 to 1. */
template <class Scalar> struct Hexahedron {
	static Scalar sign(int corner, int axis) { return corner >> axis & 1 ? 1 : -1; }
	static SmallVector<Scalar, 3> gradient(int corner, const SmallVector<Scalar, 3> &at)
	{
		SmallVector<Scalar, 3> result;

		for (int axis = 0; axis < 3; axis++) {
			Scalar product = sign(corner, axis) / 8;

			for (int other = 0; other < 3; other++)
				product *= other == axis ? 1 : 1 + sign(corner, other) * at[other];
			result[axis] = product;
		}
		return result;
	}
};

template <class Scalar> struct ElementMatrix {
	Scalar values[8][8];
};

/* Integrates the diffusion operator over one element of the given size with eight points. */
template <class Scalar> void diffusion_matrix(Scalar size, ElementMatrix<Scalar> &matrix)
{
	const Scalar point = 1 / std::sqrt(static_cast<Scalar>(3)), weight = size / 2;

	for (auto &row : matrix.values)
		for (Scalar &value : row)
			value = 0;
	for (int p = 0; p < 8; p++) {
		SmallVector<Scalar, 3> at, gradients[8];

		for (int axis = 0; axis < 3; axis++)
			at[axis] = Hexahedron<Scalar>::sign(p, axis) * point;
		for (int c = 0; c < 8; c++)
			gradients[c] = Hexahedron<Scalar>::gradient(c, at);
		for (int r = 0; r < 8; r++)
			for (int c = 0; c < 8; c++)
				matrix.values[r][c] += weight * dot(gradients[r], gradients[c]);
	}
}

/* A matrix that is being put together: a map for each row. */
template <class Scalar, class Index> class AssemblyMatrix {
public:
	explicit AssemblyMatrix(Index rows) : rows_(static_cast<size_t>(rows)) {}
	void add(Index row, Index column, Scalar value) { rows_[static_cast<size_t>(row)][column] += value; }
	const std::map<Index, Scalar> &row(Index row) const { return rows_[static_cast<size_t>(row)]; }
	std::map<Index, Scalar> &row(Index row) { return rows_[static_cast<size_t>(row)]; }
	Index rows() const { return static_cast<Index>(rows_.size()); }

private:
	std::vector<std::map<Index, Scalar>> rows_;
};

/* The finished matrix: compressed rows. */
template <class Scalar, class Index> class SparseMatrix {
public:
	explicit SparseMatrix(const AssemblyMatrix<Scalar, Index> &from)
	{
		begins_.push_back(0);
		for (Index r = 0; r < from.rows(); r++) {
			for (const auto &entry : from.row(r)) {
				columns_.push_back(entry.first);
				values_.push_back(entry.second);
			}
			begins_.push_back(static_cast<Index>(columns_.size()));
		}
	}
	Scalar row_times(Index row, const std::vector<Scalar> &x) const
	{
		Scalar sum = 0;

		for (Index k = begins_[static_cast<size_t>(row)]; k < begins_[static_cast<size_t>(row) + 1]; k++)
			sum += values_[static_cast<size_t>(k)] * x[static_cast<size_t>(columns_[static_cast<size_t>(k)])];
		return sum;
	}
	void times(const std::vector<Scalar> &x, std::vector<Scalar> &y) const
	{
		for (Index r = 0; r + 1 < static_cast<Index>(begins_.size()); r++)
			y[static_cast<size_t>(r)] = row_times(r, x);
	}

private:
	std::vector<Index> begins_, columns_;
	std::vector<Scalar> values_;
};

template <class Mesh, class Matrix, class Index> void sum_into(const Mesh &mesh, Matrix &matrix, Index i, Index j, Index k)
{
	ElementMatrix<double> element;
	Index corners[8];

	diffusion_matrix(1.0 / static_cast<double>(mesh.edge()), element);
	mesh.corners(i, j, k, corners);
	for (int r = 0; r < 8; r++)
		for (int c = 0; c < 8; c++)
			matrix.add(corners[r], corners[c], element.values[r][c]);
}

template <class Mesh, class Matrix> void assemble(const Mesh &mesh, Matrix &matrix)
{
	for (int k = 0; k < mesh.edge(); k++)
		for (int j = 0; j < mesh.edge(); j++)
			for (int i = 0; i < mesh.edge(); i++)
				sum_into(mesh, matrix, i, j, k);
}

template <class Mesh> double exact(const Mesh &mesh, int node)
{
	SmallVector<double, 3> at = mesh.coordinates(node);

	return at[0] + 2 * at[1] + 3 * at[2];
}

/* Gives the nodes of the boundary their values, and keeps the matrix symmetric. */
template <class Mesh, class Matrix>
void impose_boundary(const Mesh &mesh, Matrix &matrix, std::vector<double> &right)
{
	for (int r = 0; r < matrix.rows(); r++) {
		bool is_fixed = mesh.is_boundary(r);

		for (auto &entry : matrix.row(r)) {
			if (is_fixed) {
				entry.second = entry.first == r;
			} else if (mesh.is_boundary(entry.first)) {
				right[static_cast<size_t>(r)] -= entry.second * exact(mesh, entry.first);
				entry.second = 0;
			}
		}
		if (is_fixed)
			right[static_cast<size_t>(r)] = exact(mesh, r);
	}
}

template <class Scalar> Scalar inner(const std::vector<Scalar> &a, const std::vector<Scalar> &b)
{
	Scalar sum = 0;

	for (size_t i = 0; i < a.size(); i++)
		sum += a[i] * b[i];
	return sum;
}

template <class Scalar> void waxpby(Scalar a, const std::vector<Scalar> &x, Scalar b, const std::vector<Scalar> &y,
				    std::vector<Scalar> &w)
{
	for (size_t i = 0; i < w.size(); i++)
		w[i] = a * x[i] + b * y[i];
}

template <class Matrix, class Scalar>
int conjugate_gradients(const Matrix &matrix, const std::vector<Scalar> &right, std::vector<Scalar> &x, int most)
{
	std::vector<Scalar> residual(right), direction(right), product(right.size());
	Scalar before = inner(residual, residual), first = before;
	int steps = 0;

	while (steps < most && before > first * 1e-24) {
		Scalar alpha, now;

		matrix.times(direction, product);
		alpha = before / inner(direction, product);
		waxpby(Scalar(1), x, alpha, direction, x);
		waxpby(Scalar(1), residual, -alpha, product, residual);
		now = inner(residual, residual);
		waxpby(Scalar(1), residual, now / before, direction, direction);
		before = now;
		steps++;
	}
	return steps;
}

int main(int argc, char **argv)
{
	int edge = argc > 1 ? std::atoi(argv[1]) : 30, steps;
	Mesh<int> mesh(edge);
	AssemblyMatrix<double, int> assembled(mesh.nodes());
	std::vector<double> right(static_cast<size_t>(mesh.nodes())), x(right.size());
	double worst = 0;

	assemble(mesh, assembled);
	impose_boundary(mesh, assembled, right);
	SparseMatrix<double, int> matrix(assembled);
	steps = conjugate_gradients(matrix, right, x, 10 * edge);
	for (int n = 0; n < mesh.nodes(); n++)
		worst = std::max(worst, std::fabs(x[static_cast<size_t>(n)] - exact(mesh, n)));
	std::printf("%d steps, largest error below 1e-6: %s\n", steps, worst < 1e-6 ? "yes" : "no");
	return worst < 1e-6 ? 0 : 1;
}
