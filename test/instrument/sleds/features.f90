! What Fortran has of entries and returns: contained procedures, modules, results of every shape; prints what they give.
module m
  implicit none
  type :: thing
    real :: v = 1
  contains
    procedure :: method
    final :: ends
  end type
  interface operator(+)
    module procedure plus
  end interface
contains
  subroutine outer(n, s)
    integer, intent(in) :: n
    real, intent(out) :: s
    integer :: k
    s = 0
    do k = 1, n
      call inner(k)
    end do
    s = s + applied(of_host, 3.0)
  contains
    subroutine inner(i)
      integer, intent(in) :: i
      integer :: j
      do j = 1, i
        s = s + j * n
      end do
    end subroutine
    real function of_host(x)
      real, intent(in) :: x
      of_host = x * n
    end function
  end subroutine
  real function applied(f, x)
    interface
      real function f(x)
        real, intent(in) :: x
      end function
    end interface
    real, intent(in) :: x
    applied = f(x) + 1
  end function
  function vector(n) result(a)
    integer, intent(in) :: n
    real :: a(n)
    integer :: i
    do i = 1, n
      a(i) = i * 2
    end do
  end function
  complex function turned(z)
    complex, intent(in) :: z
    turned = z * (0, 1)
  end function
  function word(n) result(w)
    integer, intent(in) :: n
    character(len=n) :: w
    w = repeat('x', n)
  end function
  real function method(this, n)
    class(thing) :: this
    integer :: n, i
    do i = 1, n
      this%v = this%v + i
    end do
    method = this%v
  end function
  subroutine ends(this)
    type(thing), intent(inout) :: this
    this%v = 0
  end subroutine
  type(thing) function plus(a, b)
    type(thing), intent(in) :: a, b
    plus%v = a%v + b%v
  end function
  elemental real function twice(x)
    real, intent(in) :: x
    twice = 2 * x
  end function
  recursive integer function fibonacci(n) result(f)
    integer, intent(in) :: n
    f = n
    if (n > 1) f = fibonacci(n - 1) + fibonacci(n - 2)
  end function
  subroutine several(n, *)
    integer, intent(in) :: n
    if (n > 2) return 1
  end subroutine
end module
integer function with_entry(n)
  integer, intent(in) :: n
  integer :: other
  with_entry = n + 1
  return
entry other(n)
  other = n + 2
end function
program p
  use m
  implicit none
  real :: s
  type(thing) :: t
  integer, external :: with_entry, other
  call outer(3, s)
  print *, s, sum(vector(5)), turned((1.0, 2.0)), word(3)
  t = t + t
  print *, t%method(4), sum(twice([1.0, 2.0])), fibonacci(8), with_entry(1), other(1)
  call several(3, *10)
  print *, 'not here'
10 call of_program(3)
contains
  subroutine of_program(n)
    integer :: n, i
    do i = 1, n
      s = s + i
    end do
    print *, s
  end subroutine
end program
