module m
  use omp_lib
  implicit none
  integer, save :: tp
!$omp threadprivate(tp)
  interface gen
    module procedure one
  end interface
  type t
    integer :: v = 0
  contains
    procedure :: inc => t_inc
  end type
contains
  subroutine one(k)
    integer, intent(inout) :: k; integer :: n
!$omp parallel do reduction(+:k) &
!$omp num_threads(2)
    do n = 1, 3
      k = k + n
    enddo
!$omp end parallel do
  contains
    integer function i()
      i = 3
    end function
  end subroutine
  subroutine t_inc(this)
    class(t), intent(inout) :: this
!$omp critical
    this%v = this%v + 1
!$omp end critical
  end subroutine
end module
program p
  use m, only: gen, t, tp
  use omp_lib, only: omp_get_thread_num, omp_get_max_threads
  implicit none (type)
  integer :: k, i, j, a(4,4)
  character(len=*), parameter :: s = "a & b ! no comment"
  type(t) :: x
  k = 1
  tp = 4
  a = 0
!$omp parallel copyin(tp) private(i,j) shared(k, a, x) num_threads(2)
!$omp do collapse(2) private(i, j) schedule(static, 1)
  do i = 1, 4
    do j = 1, 4
      a(i, j) = i * j + tp
    end do
  end do
!$omp end do nowait
  call x%inc()
!$omp barrier
!$omp sections private(i)
  i = 3
!$omp section
  j = 4
!$omp end sections
!$omp single
  k = k + 1
!$omp end single
!$omp end parallel
  print *, k, sum(a), x%v, s
!$omp parallel sections num_threads(2)
!$omp section
  k = 7
!$omp section
  continue
!$omp end parallel sections
  do concurrent (i = 1:4)
    a(i, 1) = 0
  end do
  if (k == 7) then
!$omp parallel if(.false.)
    print *, 'if', k
!$omp end parallel
  else
    print *, 'else'
  end if
outer: do i = 1, 2
!$omp parallel do
    do j = 1, 4
      a(j, i) = j; if (j == 2) cycle
    end do
  end do outer
  print *, a(:, 2)
!$omp task depend(out: k) shared(k)
  k = 8
!$omp end task
!$omp taskwait
!$omp atomic capture
  i = k
  k = k + 1
!$omp end atomic
!$omp atomic update
  k = k + 1
  print *, k, i
end program
