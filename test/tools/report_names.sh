#!/bin/sh
# Names that are too long lose template arguments, arguments, types and name spaces, but not the function's name.
. "${srcdir:?}/test/lib.sh" || exit 99

cat > names <<'T'
80 void miniFE::assemble<miniFE::Matrix<double, int>, double>(miniFE::Matrix<double, int>&, double)
60 void miniFE::assemble<miniFE::Matrix<double, int>, double>(miniFE::Matrix<double, int>&, double)
30 void miniFE::assemble<miniFE::Matrix<double, int>, double>(miniFE::Matrix<double, int>&, double)
22 void miniFE::assemble<miniFE::Matrix<double, int>, double>(miniFE::Matrix<double, int>&, double)
16 void miniFE::assemble<miniFE::Matrix<double, int>, double>(miniFE::Matrix<double, int>&, double)
13 void miniFE::assemble<miniFE::Matrix<double, int>, double>(miniFE::Matrix<double, int>&, double)
9 void miniFE::assemble<miniFE::Matrix<double, int>, double>(miniFE::Matrix<double, int>&, double)
5 void miniFE::assemble<miniFE::Matrix<double, int>, double>(miniFE::Matrix<double, int>&, double)
30 Lattice<double, 3>::Lattice(unsigned long, unsigned long, Boundary const&)
24 Lattice<double, 3>::Lattice(unsigned long, unsigned long, Boundary const&)
25 a<b>::operator<<(std::ostream&, a<b> const&)
15 operator new(unsigned long)
20 a::b::operator unsigned long(int, int) const
40 outer(int)::{lambda(double, double)#1}::operator()(double, double) const
20 std::vector<int, std::allocator<int> >::push_back(int const&)
17 ns::(anonymous namespace)::helper(int)
20 a_name_of_c_that_is_much_too_long
T
cat > expected <<'T'
void miniFE::assemble<~>(miniFE::Matrix<~>&, double)
void miniFE::assemble<~>(miniFE::Matrix<~>&, double)
void miniFE::assemble<~>(~)
miniFE::assemble<~>(~)
~assemble<~>(~)
~assemble<~>
~assemble
~a~le
Lattice<double, 3>::Lattice(~)
Lattice<~>::Lattice(~)
a<b>::operator<<(~)
operator new(~)
~b::opera~igned long
outer(int)::{lambda~e)#1}::operator()(~)
~push_back(~)
~helper(~)
a_name_of~h_too_long
T
LC_ALL=C "$builddir/test/tools/names" < names > got || bad "names"
diff -u expected got || bad "names are cut otherwise"
verdict
