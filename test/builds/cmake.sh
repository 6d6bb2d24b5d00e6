#!/bin/sh
# find_package(fathom) and fathom_instrument, from the build tree: C, C++, Fortran, MPI and OpenMP targets, a library, and
# one target that is not to be measured; by the command, and by flags.
. "$srcdir/test/builds/lib.sh"
command -v cmake > /dev/null || skip "no cmake (Debian: cmake)"
package=$builddir/lib/cmake/fathom
[ -f "$package/fathom-config.cmake" ] || die "no CMake package in the build tree"

cat > CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.18)
project(sample C CXX)
include(CheckLanguage)
check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
endif()
find_package(fathom 0.1 REQUIRED)
find_package(OpenMP)
set(targets serial objects part)
add_library(part STATIC part.c)
add_library(other_part SHARED part.c)
add_executable(serial serial.c)
target_link_libraries(serial part)
add_executable(untouched serial.c)
target_link_libraries(untouched other_part)
add_executable(objects objects.cc)
if(CMAKE_Fortran_COMPILER)
  add_executable(fields fields.f90)
  list(APPEND targets fields)
endif()
if(OpenMP_C_FOUND)
  add_executable(team team.c)
  target_link_libraries(team OpenMP::OpenMP_C)
  list(APPEND targets team)
endif()
if(MPI_C_COMPILER)
  find_package(MPI REQUIRED COMPONENTS C)
  add_executable(ranks ranks.c)
  target_link_libraries(ranks MPI::MPI_C)
  list(APPEND targets ranks)
  if(CMAKE_Fortran_COMPILER AND MPI_Fortran_COMPILER)
    find_package(MPI REQUIRED COMPONENTS Fortran)
    add_executable(ranksf ranks.f90)
    target_link_libraries(ranksf MPI::MPI_Fortran)
    list(APPEND targets ranksf)
  endif()
endif()
add_subdirectory(below)
fathom_instrument(${targets} within shape ${ways})
C
# A project below this one, with a shared library and a program.
mkdir below
cat > below/CMakeLists.txt <<'C'
project(below C)
add_library(shape SHARED shape.c)
add_executable(within within.c)
target_link_libraries(within PRIVATE shape)
C
echo 'int area(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }' > below/shape.c
echo 'int area(int n); int main(void) { return area(1000) < 0; }' > below/within.c
languages="-DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=$CC -DCMAKE_CXX_COMPILER=$CXX"

# see DIRECTORY LAUNCHER: what was built there
see() {
	measured "$1: C" "../$1/serial" serial/main/solve/part_of_library
	measured "$1: C++" "../$1/objects" 'objects/main/.*sweep.*'
	not_measured "$1: not to be measured" "../$1/untouched"
	measured "$1: a project below" "../$1/below/within" within/main/area
	[ ! -x "$1/fields" ] || measured "$1: Fortran" "../$1/fields" 'fields/fields/.*relax.*'
	[ -z "$2" ] || measured "$1: MPI" "$2 -n 2 ../$1/ranks" main/MPI_Init main/share/MPI_Allreduce
	[ ! -x "$1/ranksf" ] || measured "$1: MPI, Fortran" "$2 -n 2 ../$1/ranksf" ranks/MPI_Allreduce
}

mpi() { printf '%s' "${1:+-DMPI_C_COMPILER=$1} ${2:+-DMPI_Fortran_COMPILER=$2}"; }
# shellcheck disable=SC2046,SC2086
said "cmake" cmake -S . -B command $languages -Dfathom_DIR="$package" $(mpi "${MPICC:-}" "${MPIFC:-}")
said "make" cmake --build command
see command "${MPIRUN:-}"
if [ -x command/team ] && command -v opari2 > /dev/null; then
	measured "command: OpenMP" ../command/team 'team/main/fork_some/!.omp parallel .*'
fi
# Nothing is built a second time.
cmake --build command > log 2>&1
grep -q 'Building' log && bad "a second build compiles again: $(grep Building log)"

# The MPI is that of the target.
if have_openmpi; then
	openmpi_environment
	# shellcheck disable=SC2046,SC2086
	said "cmake, flags" cmake -S . -B flags $languages -Dways=FLAGS -Dfathom_DIR="$package" $(mpi "$OPENMPI_CC" "${OPENMPI_FC:-}")
	said "make, flags" cmake --build flags
	see flags "${OPENMPI_RUN:-}"
	ldd flags/ranks | grep -q libfathom-mpi-openmpi || bad "flags: not the wrappers of Open MPI: $(ldd flags/ranks)"
else
	# shellcheck disable=SC2046,SC2086
	said "cmake, flags" cmake -S . -B flags $languages -Dways=FLAGS -Dfathom_DIR="$package" $(mpi "${MPICC:-}" "${MPIFC:-}")
	said "make, flags" cmake --build flags
	see flags "${MPIRUN:-}"
fi

# Options, a launcher of the user's, and another generator.
sed 's/^fathom_instrument.*/fathom_instrument(serial part OPTIONS --no-compiler)/' CMakeLists.txt > new && mv new CMakeLists.txt
printf '#!/bin/sh\necho "$1" >> "%s/launched"\nexec "$@"\n' "$work" > launcher; chmod +x launcher
generator=
command -v ninja > /dev/null && generator="-G Ninja"
# shellcheck disable=SC2086
said "cmake, options" cmake -S . -B options $generator $languages -DCMAKE_C_COMPILER_LAUNCHER="$work/launcher" -Dfathom_DIR="$package"
said "make, options" cmake --build options --target serial
not_measured "options: --no-compiler" ../options/serial
ldd options/serial | grep -q libfathom || bad "options: not linked with fathom"
grep -q fathom launched || bad "the user's own launcher was not called: $(cat launched 2>&1)"

# refused PATTERN LINE: what the last line of the project is refused for
refused() {
	sed "s/^fathom_instrument.*/$2/" CMakeLists.txt > new && mkdir -p wrong && cp new wrong/CMakeLists.txt && cp -r *.c *.cc *.f90 below wrong
	# shellcheck disable=SC2086
	cmake -S wrong -B wrong/b $languages -Dfathom_DIR="$package" > log 2>&1 && bad "$2: accepted"
	tr -s ' \n' '  ' < log > line
	contains "$2" "$(cat line)" "$1"
	rm -rf wrong
}
refused 'fathom_instrument: nobody: there is no such target' 'fathom_instrument(nobody)'
refused 'fathom_instrument.*: which target\?' 'fathom_instrument(FLAGS)'
refused 'fathom_instrument: fathom::fathom: nothing is compiled for it' 'fathom_instrument(fathom::fathom)'
sed 's/find_package(fathom 0.1/find_package(fathom 7/' CMakeLists.txt > new && mv new CMakeLists.txt
# shellcheck disable=SC2086
cmake -S . -B version $languages -Dfathom_DIR="$package" > log 2>&1 && bad "a version that is not there: accepted"
verdict
