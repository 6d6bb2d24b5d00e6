! The constructs in Fortran, free form. How to read the expectations: expect.py.
!! root constructs
!! strip shared_data::
module shared_data
  use omp_lib
  implicit none
  integer :: threads = 0
  integer, save :: own = 0
  !$omp threadprivate(own)
contains

  subroutine say(what, value)
    character(*), intent(in) :: what
    integer, intent(in) :: value
    print '(a20,i10)', what, value
  end subroutine say

  integer function work(i)
    integer, intent(in) :: i
    work = mod(i * i, 7)
  end function work

  !! loops = 1
  !!   team @loops_team = 1, T
  !!     do @loops_static = T
  !!       work = 10
  !!     do nowait @loops_dynamic = T
  !!     do @loops_ordered = T
  !!       ordered @loops_inner = 5
  !!     !$omp barrier @loops_barrier = T
  !!   teamdo @loops_combined = 1, T
  !!     work = 12
  !!   teamdo @loops_noend = 1, T
  subroutine loops()
    integer :: i, total, last, order
    total = 0
    last = 0
    order = 0
    !@loops_team
    !$omp parallel shared(total, last, order)
    !@loops_static
    !$omp do schedule(static) reduction(+:total)
    do i = 1, 10
      total = total + work(i)
    end do
    !$omp end do
    !@loops_dynamic
    !$omp do schedule(dynamic, 2) lastprivate(last)
    do i = 1, 9
      last = i
    end do
    !$omp end do nowait
    !@loops_ordered
    !$omp do ordered
    do i = 1, 5
      !@loops_inner
      !$omp ordered
      order = order * 2 + i
      !$omp end ordered
    end do
    !$omp end do
    !@loops_barrier
    !$omp barrier
    !$omp end parallel
    !@loops_combined
    !$omp parallel do reduction(+:total) private(i) &
    !$omp   schedule(guided)
    do i = 1, 12
      total = total + work(i)
    end do
    !$omp end parallel do
    !@loops_noend
    !$omp parallel do reduction(+:total) default(none)
    do i = 1, 12
      total = total + i
    end do
    call say('loops', total + last + order)
  end subroutine loops

  !! shared_out = 1
  !!   team @shared_team = 1, T
  !!     sections @sections = T
  !!       !$omp section @sections = 2
  !!         work = 1
  !!     single @single = T, 1
  !!       work = 1
  !!     single copyprivate @single_copy = T, 1
  !!     !$omp master @master = 1
  !!     !$omp workshare @workshare = T
  !!       !$omp implicit barrier @workshare = T
  !!   teamsections @combined_sections = 1, T
  !!     !$omp section @combined_sections = 2
  !!   teamworkshare @combined_workshare = 1, T
  subroutine shared_out()
    integer :: total, given, field(4), a, b
    total = 0
    given = 0
    field = 1
    !@shared_team
    !$omp parallel firstprivate(given) shared(total, field)
    !@sections
    !$omp sections
    !$omp section
    !$omp atomic
    total = total + work(3)
    !$omp section
    !$omp atomic
    total = total + 10
    !$omp end sections
    !@single
    !$omp single
    total = total + 100 * work(2)
    !$omp end single
    !@single_copy
    !$omp single
    given = 2
    !$omp end single copyprivate(given)
    !$omp atomic
    total = total + 1000 * given
    !@master
    !$omp master
    !$omp atomic
    total = total + 5
    !$omp end master
    !@workshare
    !$omp workshare
    field = field * 3
    !$omp end workshare
    !$omp end parallel
    a = 0
    b = 0
    !@combined_sections
    !$omp parallel sections
    !$omp section
    a = 7
    !$omp section
    b = 8
    !$omp end parallel sections
    !@combined_workshare
    !$omp parallel workshare
    field = field + 1
    !$omp end parallel workshare
    call say('shared out', total + a + b + sum(field))
  end subroutine shared_out

  !! exclusive = 1
  !!   omp_init_lock = 1
  !!   omp_init_nest_lock = 1
  !!   team @exclusive_team = 1, T
  !!     critical @critical_plain = T
  !!       work = T
  !!     critical (named) @critical_named = T
  !!     omp_set_lock = T
  !!     omp_unset_lock = T
  !!     omp_set_nest_lock = 2 * T
  !!     omp_unset_nest_lock = 2 * T
  !!   omp_test_lock = 2
  !!   omp_unset_lock = 1
  !!   omp_test_nest_lock = 1
  !!   omp_unset_nest_lock = 1
  !!   omp_destroy_lock = 1
  !!   omp_destroy_nest_lock = 1
  subroutine exclusive()
    integer(omp_lock_kind) :: lock
    integer(omp_nest_lock_kind) :: nest
    integer :: total, part(3)
    total = 0
    part = 0
    call omp_init_lock(lock)
    call omp_init_nest_lock(nest)
    !@exclusive_team
    !$omp parallel
    !@critical_plain
    !$omp critical
    total = total + work(2)
    !$omp end critical
    !@critical_named
    !$omp critical (named)
    part(1) = part(1) + 1
    !$omp end critical (named)
    call omp_set_lock(lock)
    part(2) = part(2) + 10
    call omp_unset_lock(lock)
    call omp_set_nest_lock(nest)
    call omp_set_nest_lock(nest)
    part(3) = part(3) + 100
    call omp_unset_nest_lock(nest)
    call omp_unset_nest_lock(nest)
    !$omp flush
    !$omp end parallel
    if (omp_test_lock(lock)) total = total + 1000
    if (omp_test_lock(lock)) total = total + 5000
    call omp_unset_lock(lock)
    total = total + 10000 * omp_test_nest_lock(nest)
    call omp_unset_nest_lock(nest)
    call omp_destroy_lock(lock)
    call omp_destroy_nest_lock(nest)
    call say('exclusive', total + part(1) + part(2) + part(3))
  end subroutine exclusive

  recursive integer function fibonacci(n) result(f)
    integer, intent(in) :: n
    integer :: a, b
    if (n < 2) then
      f = n
      return
    end if
    !@fib_first
    !$omp task shared(a)
    a = fibonacci(n - 1)
    !$omp end task
    !@fib_second
    !$omp task shared(b)
    b = fibonacci(n - 2)
    !$omp end task
    !@fib_wait
    !$omp taskwait
    f = a + b
  end function fibonacci

  !! tasks = 1
  !!   team @tasks_team = 1, T
  !!     single @tasks_single = T, 1
  !!       fibonacci = 1
  !!         !$omp create task @fib_first = 1
  !!         !$omp create task @fib_second = 1
  !!         !$omp taskwait @fib_wait = 1
  !!       !$omp create untied @tasks_untied = 5
  !!     !$omp create task @tasks_race = 200 * T
  !!p    work = 200 * T
  !!o    !$omp create task @tasks_race = 200 * T
  !! TASKS
  !!   !$omp task @fib_first = 33
  !!     fibonacci = 33
  !!       !$omp create task @fib_first = 20
  !!       !$omp create task @fib_second = 20
  !!       !$omp taskwait @fib_wait = 20
  !!   !$omp task @fib_second = 33
  !!     fibonacci = 33
  !!       !$omp create task @fib_first = 12
  !!       !$omp create task @fib_second = 12
  !!       !$omp taskwait @fib_wait = 12
  !!   !$omp untied task @tasks_untied = 5
  !!     work = 5
  !!   !$omp task @tasks_race = 200 * T
  !!     work = 200 * T
  !!o  !$omp task @tasks_race = 200 * T
  !!o    work = 200 * T
  subroutine tasks()
    integer :: total, i, got
    total = 0
    !@tasks_team
    !$omp parallel shared(total) private(i)
    !@tasks_single
    !$omp single
    got = fibonacci(8)
    do i = 1, 5
      !@tasks_untied
      !$omp task untied firstprivate(i) shared(total)
      !$omp atomic
      total = total + work(i)
      !$omp end task
    end do
    !$omp end single
    do i = 1, 400
      !@tasks_race
      !$omp task if(mod(i, 2) == 0) firstprivate(i) shared(total)
      !$omp atomic
      total = total + work(i)
      !$omp end task
    end do
    !$omp end parallel
    call say('tasks', total + got)
  end subroutine tasks

  !! nested = 1
  !!   team @outer = 1, 2
  !!     team @inner = 2, 4
  !!       work = 4
  !!   team @copyin = 1, T
  !!   team @serial = 1, 1
  !!   team @clauses = 1, T
  subroutine nested()
    integer :: total
    total = 0
    call omp_set_max_active_levels(2)
    !@outer
    !$omp parallel num_threads(2) shared(total)
    !@inner
    !$omp parallel num_threads(2)
    !$omp atomic
    total = total + work(3) + omp_get_level()
    !$omp end parallel
    !$omp end parallel
    call omp_set_max_active_levels(1)
    own = 4
    !@copyin
    !$omp parallel copyin(own) reduction(+:total)
    total = total + own
    !$omp end parallel
    !@serial
    !$omp parallel if(total < 0) reduction(+:total)
    total = total + 1
    !$omp end parallel
    !@clauses
    !$omp parallel default(none) &
    !$omp & shared(threads) &
    !$omp & num_threads(threads) &
    !$omp & if(threads > 0) &
    !$omp & reduction(+:total)
    total = total + 1
    !$omp end parallel
    call say('nested', total)
  end subroutine nested

  !! traps = 1
  !!   team @trap_simd = 1, T
  !!     do @trap_simd = T
  !!   team @trap_master = 1, T
  !!     !$omp master @trap_master = 1
  !!   team @trap_block = 1, T
  !!   teamdo @trap_associate = 1, T
  subroutine traps()
    integer :: i, total, seen
    total = 0
    seen = 0
    !@trap_simd
    !$omp parallel do simd reduction(+:total)
    do i = 1, 8
      total = total + i
    end do
    !$omp end parallel do simd
    !@trap_master
    !$omp parallel master
    total = total + 1
    !$omp end parallel master
    block
      integer :: inside
      inside = 3
      !@trap_block
      !$omp parallel reduction(+:total)
      total = total + inside
      !$omp end parallel
    end block
    associate (alias => total)
      !@trap_associate
      !$omp parallel do reduction(+:seen)
      do i = 1, 4
        seen = seen + i
      end do
      !$omp end parallel do
      alias = alias + 1
    end associate
    !$omp atomic
    total = total + 1
    !$omp end atomic
    !$omp atomic capture
    seen = total
    total = total + 2
    !$omp end atomic
    call say('traps', total + seen)
  end subroutine traps
end module shared_data

program constructs
  use shared_data
  implicit none
  threads = omp_get_max_threads()
  call loops()
  call shared_out()
  call exclusive()
  call tasks()
  call nested()
  call traps()
end program constructs
