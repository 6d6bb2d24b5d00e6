! Free form: everything OPARI2 takes, and what it does not take by itself.
module work
  implicit none (type, external)
  integer, private :: counter = 0
contains
  subroutine my_omp_set_lock_twice(k)
    integer, intent(inout) :: k
    k = 2 * k
  end subroutine
  pure integer function plus(a, b)
    integer, intent(in) :: a, b
    plus = a + b
  end function
  subroutine inside(n)
    integer, intent(in) :: n
    associate (m => n)
      !$omp parallel num_threads(2)
      !$omp atomic
      counter = counter + m
      !$omp end atomic
      !$omp end parallel
    end associate
    block
      integer :: j, last
      !$OMP PARALLEL DO SIMD REDUCTION(+:counter) LASTPRIVATE(last) &
      !$OMP   SCHEDULE(static) ! a comment
      do j = 1, 10
        counter = counter + plus(j, 0)
        last = j
      end do
      !$omp end parallel do simd
      counter = counter + last
    end block
  end subroutine
  integer function count()
    count = counter
  end function
end module

program free
  use omp_lib
  use work
  implicit none
  integer :: i, n, old, sum(4)
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest
  n = 3
  old = 0
  sum = 0
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
  call omp_set_nest_lock(nest)
  print *, omp_test_lock(lock), omp_test_nest_lock(nest)
  call omp_unset_lock(lock)
  call my_omp_set_lock_twice(n)
  call inside(n)
  print *, 'omp_set_lock !$omp parallel', count()
!$omp parallel do default(none) private(i) shared(sum) &
!$omp num_threads(2) &
!$omp if(.true.)
  do i = 1, 4
    sum(i) = i
  end do
!$omp end parallel do
  print *, sum
!$omp parallel workshare
  sum = sum * 2
!$omp end parallel workshare
!$omp parallel num_threads(4) &
!$omp& shared(sum, n)
  !$omp do ordered
  do i = 1, 4
    !$omp ordered
    print *, i
    !$omp end ordered
  end do
  !$omp end do
  !$omp sections
  !$omp section
    sum(1) = 1
  !$omp section
    sum(2) = 2
  !$omp end sections
  !$omp single
  do i = 1, 100
    !$omp task if(mod(i, 3) == 0) shared(old) firstprivate(i)
    !$omp critical (adding)
    old = old + i
    !$omp end critical (adding)
    !$omp end task
  end do
  !$omp taskwait
  print *, old
  !$omp end single
  !$omp master
    n = n + 1
  !$omp end master
  !$omp barrier
  !$omp flush
!$omp end parallel
!$omp parallel master num_threads(2)
  print *, omp_get_num_threads()
!$omp end parallel master
!$omp parallel do ordered(1) num_threads(2)
  do i = 2, 4
!$omp ordered depend(sink: i - 1)
    sum(i) = sum(i - 1) + 1
!$omp ordered depend(source)
  end do
!$omp end parallel do
  print *, sum, n
!$ print *, 'sentinel'
end program
