#!/bin/sh
# Which functions the plugin leaves out: seen in the object code, not in what the plugin says.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
need_plugin
need objdump

# chosen WHAT FILE EXPECTED [OPTION]...: compile, and compare the functions that carry hooks where all their calls are
# measured (calls=all): then the choice is made from the source. The choice from the finished code: compiled.sh.
chosen() {
	what=$1 file=$2 expected=$3; shift 3
	"${compiler:-gcc}" -finstrument-functions "-fplugin=$plugin" $plug-calls=all "$@" -c "$file" -o object.o 2> err || bad "$what: $(cat err)"
	same "$what" "$(printf '%s\n' $expected | sort)" "$(hooks object.o)"
	same "$what: stderr" "" "$(cat err)"
}

plug=-fplugin-arg-fathom_gcc_plugin
cat > c.c <<'EOF'
#include <math.h>
#include <stdlib.h>
#include <string.h>
extern int far_away(int);
static inline int kept_inline(int x) { for (int i = 0; i < x; i++) x ^= i; return x; }
inline int c99_inline(int x) { for (int i = 0; i < x; i++) x ^= i; return x; }
__attribute__((always_inline)) inline static int always(int x) { for (int i = 0; i < x; i++) x ^= i; return x; }
__attribute__((no_instrument_function)) int as_asked(int x) { for (int i = 0; i < x; i++) x ^= i; return x; }
int tiny(int x) { return x + 1; }
int three_steps(const double *a) { int s = 0; for (int i = 0; i < 3; i++) s += a[i]; return s; }
double simple_math(double x) { return sqrt(x) + fabs(x); }
int calls_tiny(int x) { return tiny(x) + kept_inline(3) * 0 + tiny(x + 1); }
int only_tiny(int x) { return tiny(x) + tiny(x + 1); }
int has_loop(const double *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int while_loop(int n) { while (n > 100) n = tiny(n) / 2; return n; }
int jumps(int n) { again: if (--n > 50) goto again; return n; }
int endless(void) { for (;;) ; }
int calls_away(int x) { return far_away(x); }
int calls_loop(const double *a) { return has_loop(a, 10); }
int through_pointer(int (*f)(int)) { return f(1); }
int recursive(int x) { return x ? recursive(x - 1) + 1 : 0; }
int gives_up(int x) { if (x) exit(3); return 0; }
int much(int a, int b) {
	a = a * b + a / b; b = a * b - a % b; a = a * b + a / b; b = a * b - a % b; a ^= b << 3; b |= a >> 2;
	a = a * b + a / b; b = a * b - a % b; a = a * b + a / b; b = a * b - a % b; a ^= b << 3; b |= a >> 2;
	return a ^ b;
}
int too_much(int a, int b) {
	for (int i = 0; i < 8; i++) for (int k = 0; k < 4; k++) { a = a * b + a / b; b = a * b - a % b; }
	return a ^ b;
}
double one_after_another(const double *a, double s) {
	for (int i = 0; i < 8; i++) s += a[i];
	for (int i = 0; i < 8; i++) s *= a[i];
	for (int i = 0; i < 8; i++) s -= a[i];
	for (int i = 0; i < 8; i++) s += a[i] * a[i];
	return s;
}
double one_inside_another(const double *a, double s) {
	for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) for (int k = 0; k < 6; k++) s += a[i + j + k];
	return s;
}
void copies_much(double *to, const double *from, size_t n) { memcpy(to, from, n * sizeof(*to)); }
void clears_much(double *to, size_t n) { memset(to, 0, n * sizeof(*to)); }
void copies_little(double *to, const double *from) { memcpy(to, from, 8 * sizeof(*to)); }
static int (*resolve(void))(int) { for (int i = 0; i < 9999; i++) if (far_away(i)) return tiny; return only_tiny; }
int indirect(int) __attribute__((ifunc("resolve")));
__attribute__((naked)) void bare(void) { __asm__("ret"); __asm__("nop"); }
int main(void) { return 0; }
EOF
usual="calls_away calls_loop calls_tiny clears_much copies_much endless has_loop jumps main recursive through_pointer while_loop"
larger="$usual one_inside_another too_much"
for level in -O0 -O1 -O2 -O3 -Os "-O2 -g -fPIC" "-O2 -fno-inline" "-O3 -flto -ffat-lto-objects"; do
	# shellcheck disable=SC2086
	chosen "C $level" c.c "$usual" $level
done
chosen "no smallest size" c.c "$larger tiny three_steps simple_math only_tiny gives_up much one_after_another copies_little" \
	$plug-min-insns=0
chosen "small smallest size" c.c "$larger much one_after_another" $plug-min-insns=60
chosen "middling smallest size" c.c "$larger" $plug-min-insns=600
"gcc" -O2 "-fplugin=$plugin" -c c.c -o object.o; same "without -finstrument-functions" "" "$(hooks object.o)"

# The rules of a filter; see test_filter.c for their syntax.
printf 'exclude *\ninclude tiny\ninclude c99*\ninclude kept_inline\ninclude resolve\ninclude bare\n' > rules
chosen "filter by name" c.c "main tiny kept_inline" -O0 $plug-filter=rules
echo 'exclude file c.c' > rules; chosen "filter by file" c.c "main" $plug-filter=rules
echo "exclude file */${PWD##*/}/c.c" > rules; chosen "filter by a file's path" c.c "main" $plug-filter=rules
printf 'exclude *\ninclude file c.c\n' > rules; chosen "include file" c.c "$larger tiny three_steps simple_math only_tiny gives_up much one_after_another copies_little kept_inline" $plug-filter=rules
printf 'SCOREP_FILE_NAMES_BEGIN\nEXCLUDE *\nINCLUDE */c.c\nSCOREP_FILE_NAMES_END\n' > rules; chosen "include file in a block" c.c "$usual" $plug-filter=rules

# What is left out is compiled as if there were no instrumentation.
sed '/^int main/d' c.c > plain.c
echo 'exclude *' > rules
for level in -O0 -O2 "-O3 -fPIC"; do
	# shellcheck disable=SC2086
	gcc $level -c plain.c -o plain.o && gcc $level -finstrument-functions "-fplugin=$plugin" $plug-filter=rules -c plain.c -o object.o
	objdump -dr plain.o | sed '/file format/d' > plain.text; objdump -dr object.o | sed '/file format/d' > object.text
	cmp -s plain.text object.text || bad "$level: the code of functions that are left out differs"
	[ -s plain.text ] || bad "$level: nothing to compare"
done

# The plugin's own mistakes end the compilation with one line each.
for pair in 'min-insns=x|a number from 0 to 1000000 is allowed' 'min-insns=-1|is allowed' 'hooks=soon|late or early is allowed' 'calls=few|compiled or all is allowed' 'nonsense|knows .min-insns=N.' 'filter=/no/such|/no/such: No such file'; do
	"gcc" -finstrument-functions "-fplugin=$plugin" "$plug-${pair%%|*}" -c c.c -o object.o 2> err && bad "${pair%%|*}: accepted"
	contains "${pair%%|*}" "$(cat err)" "${pair#*|}"
done
"gcc" -finstrument-functions "-fplugin=$plugin" $plug-calls=all $plug-verbose -c c.c -o object.o 2> err
contains "verbose" "$(cat err)" '^fathom: left out tiny: too small$'
contains "verbose" "$(cat err)" '^fathom: instrumented has_loop$'

if have g++; then
compiler=g++
cat > cxx.cc <<'EOF'
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>
extern int far_away(int);
struct Base { int v; Base(int x) : v(x) {} virtual ~Base() {} virtual int work(int n); int get() const { return v; }
	int in_class_small(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } };
struct Large { double a[99], b[99];
	__attribute__((noinline)) double in_class_large(int n) {
		double s = 0;
#define STEP(k) for (int i = 1; i < n; i++) { a[i] = b[i - 1] * k + a[i - 1] / (b[i] + k); b[i] += a[i] * a[i] - s; s += a[i] + b[i]; if (s > k) s -= b[i - 1]; }
		STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11) STEP(12)
		STEP(13) STEP(14) STEP(15) STEP(16) STEP(17) STEP(18) STEP(19) STEP(20)
		return s; } };
struct Mesh { std::vector<double> m_x, m_y, m_z; double &x(int i) { return m_x[i]; } double &y(int i) { return m_y[i]; }
	double &z(int i) { return m_z[i]; } };
void gather(Mesh &mesh, const int *corners, double *x, double *y, double *z) { for (int c = 0; c < 8; c++) {
	x[c] = mesh.x(corners[c]); y[c] = mesh.y(corners[c]); z[c] = mesh.z(corners[c]); } }
double use_large(Large &l) { return l.in_class_large(9); }
int Base::work(int n) { int s = 0; for (int i = 0; i < n; i++) s += far_away(i); return s; }
struct Other { virtual int also(int) { return 1; } };
struct Both : Other, virtual Base { Both(); int work(int n) override; };
Both::Both() : Base(far_away(1)) { for (int i = 0; i < v; i++) v += far_away(i); }
int Both::work(int n) { if (n > 3) throw std::runtime_error("large"); return far_away(n); }
namespace space { template <class T> T sum(const std::vector<T> &v) { T s{}; for (auto x : v) s += x; return s; }
	template <class T> T one(T x) { return x + 1; }
	static int hidden(int n) { for (int i = 0; i < n; i++) n -= far_away(i); return n; } }
int uses(std::vector<int> &v) { std::sort(v.begin(), v.end()); return space::sum(v) + space::one(3) + space::hidden(9); }
int lambda(int n) { auto f = [&](int k) { for (int i = 0; i < k; i++) n += far_away(i); return n; }; return f(3); }
std::string text(int n) { std::string s; for (int i = 0; i < n; i++) s += 'x'; return s; }
static struct Start { Start() { for (int i = 0; i < 9; i++) far_away(i); } } start;
int main() { try { Both b; return b.work(9); } catch (std::exception &) { return 1; } }
EOF
usual="_Z4textB5cxx11i _Z4usesRSt6vectorIiSaIiEE _Z6lambdai _Z9use_largeR5Large _ZN4Base4workEi _ZN4Both4workEi _ZN4BothC1Ev
	_ZN4BothC2Ev _ZN5Large14in_class_largeEi _ZN5space3sumIiEET_RKSt6vectorIS1_SaIS1_EE _ZN5spaceL6hiddenEi main"
for level in -O0 -O2 "-O2 -fno-exceptions -DNOTHING" "-O1 -g -std=c++20"; do
	case $level in *no-exceptions*) grep -v 'try {' cxx.cc | sed 's/throw std::runtime_error("large")/return 1/' > cxx2.cc; echo 'int main() { return 0; }' >> cxx2.cc
		# shellcheck disable=SC2086
		chosen "C++ $level" cxx2.cc "$usual" -fno-inline $level ;;
	*)	# shellcheck disable=SC2086
		chosen "C++ $level" cxx.cc "$usual" -fno-inline $level ;;
	esac
done
printf 'exclude *\ninclude space::sum*\ninclude _ZN4Both4workEi\ninclude Base::work(int)\ninclude space::one<int>\n' > rules
chosen "C++ filter" cxx.cc "_ZN5space3oneIiEET_S1_ _ZN5space3sumIiEET_RKSt6vectorIS1_SaIS1_EE _ZN4Both4workEi _ZN4Base4workEi main" -fno-inline $plug-filter=rules
fi

if have gfortran; then
compiler=gfortran
cat > f.f90 <<'EOF'
module m
  interface
    subroutine far_away(x)
      real :: x
    end subroutine
  end interface
  type :: thing
    real :: v
  contains
    procedure :: method
  end type
contains
  subroutine outer(n, s)
    integer, intent(in) :: n
    real, intent(out) :: s
    integer :: k
    s = 0
    do k = 1, n
      call inner(k)
    end do
    call small(1)
  contains
    subroutine inner(i)
      integer, intent(in) :: i
      integer :: j
      do j = 1, i
        s = s + j * n
      end do
      call far_away(s)
    end subroutine
    subroutine small(i)
      integer, intent(in) :: i
      s = s + i
    end subroutine
  end subroutine
  pure function cross(a, b) result(c)
    real, intent(in) :: a(3), b(3)
    real :: c(3)
    c(1) = a(2) * b(3) - a(3) * b(2)
    c(2) = a(3) * b(1) - a(1) * b(3)
    c(3) = a(1) * b(2) - a(2) * b(1)
  end function
  subroutine method(this, n)
    class(thing) :: this
    integer :: n, i
    do i = 1, n
      this%v = this%v + i
    end do
  end subroutine
  elemental real function twice(x)
    real, intent(in) :: x
    twice = 2 * x
  end function
  subroutine few(a, b)
    real, intent(in) :: a(8)
    real, intent(inout) :: b(8)
    b = b + a
    b = b * a
    b = b - 2 * a
  end subroutine
  recursive subroutine deeper(n)
    integer :: n
    if (n > 0) call deeper(n - 1)
  end subroutine
end module
program p
  use m
  real :: s
  call outer(3, s)
  call of_program(3)
  print *, s
contains
  subroutine of_program(n)
    integer :: n, i
    do i = 1, n
      s = s + i
    end do
  end subroutine
end program
EOF
for level in -O0 "-O2 -fno-inline" "-g -fcheck=all"; do
	# shellcheck disable=SC2086
	chosen "Fortran $level" f.f90 "MAIN__ __m_MOD_outer inner.1 __m_MOD_method __m_MOD_deeper of_program.2" $level
	[ "$(readelf -SW object.o | awk '/GNU-stack/ { print $0 ~ / X / }')" != 1 ] || bad "Fortran $level: needs an executable stack"
done
printf 'exclude *\ninclude inner\ninclude m::deep*\n' > rules
chosen "Fortran filter" f.f90 "MAIN__ inner.1 __m_MOD_deeper" -O0 $plug-filter=rules
fi
verdict
