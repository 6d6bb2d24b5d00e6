module steps
  implicit none
contains
  recursive function down(n) result(r)
    integer, intent(in) :: n
    integer :: r
    r = 1
    if (n > 0) r = r + down(n - 1)
  end function
  function scaled(a, z) result(r)
    real(8), intent(in) :: a(:)
    complex(8), intent(in) :: z
    complex(8) :: r
    r = sum(a) * z
  end function
end module
program calls
  use steps
  implicit none
  integer :: i
  complex(8) :: z
  z = (1d0, 2d0)
  do i = 1, 10
    z = scaled([real(i, 8), 2d0], z) / 10
  end do
  print '(i0, 2es24.16)', down(9), z
end program
