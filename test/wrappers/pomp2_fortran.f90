! Each construct of Fortran that OPARI2 takes; pomp2_fortran.expected has the visits, N is the number of threads.
program constructs
  use omp_lib
  implicit none
  integer :: i, total, extra
  integer :: a(8), b(8)
  integer(omp_lock_kind) :: lock, only
  integer(omp_nest_lock_kind) :: nest

  total = 0
  extra = 0
  a = 1
  call omp_init_lock(lock); call omp_init_lock(only)
  call omp_init_nest_lock(nest)
!$omp parallel
!$omp do
  do i = 1, 10
!$omp critical (sum_it)
    total = total + 1
!$omp end critical (sum_it)
  end do
!$omp do ordered
  do i = 1, 4
!$omp ordered
    total = total + 1
!$omp end ordered
  end do
!$omp end do nowait
!$omp sections
!$omp section
!$omp atomic
  total = total + 1
!$omp section
!$omp atomic
  total = total + 1
!$omp end sections
!$omp workshare
  b = a + 1
!$omp end workshare
!$omp single
  total = total + sum(b)
!$omp end single
!$omp master
  total = total + 1
!$omp end master
!$omp barrier
!$omp flush
  call omp_set_lock(lock)
  extra = extra + 1
  call omp_unset_lock(lock)
  ! What is tested is free: how often a test fails before would not be known.
  call omp_set_nest_lock(nest)
  if (omp_test_lock(only)) &
    extra = extra + 1
  call omp_unset_lock(only)
  extra = extra + omp_test_nest_lock(nest)
  call omp_unset_nest_lock(nest)
  call omp_unset_nest_lock(nest)
!$omp end parallel
  call omp_destroy_lock(lock); call omp_destroy_lock(only)
  call omp_destroy_nest_lock(nest)
!$omp parallel do reduction(+:total)
  do i = 1, 10
    total = total + 1
  end do
!$omp parallel if(total < 0) num_threads(4)
  total = total + 1
!$omp end parallel
  call some_tasks(total)
  print '(i0,1x,i0)', total, extra / omp_get_max_threads()
contains
  subroutine some_tasks(n)
    integer, intent(inout) :: n
    integer :: j
!$omp parallel
!$omp single
    do j = 1, 20
!$omp task
!$omp atomic
      n = n + 1
!$omp end task
    end do
!$omp taskwait
!$omp end single
!$omp end parallel
  end subroutine
end program
