C     Fixed form: the three sentinels, continuation lines, conditional
C     compilation, threadprivate COMMON blocks, a statement label.
C     How to read the expectations: expect.py.
!! root fixed
      program fixed
      integer total, n, i, given
      common /own/ given
!$omp threadprivate(/own/)
      integer omp_get_max_threads
      external omp_get_max_threads
      n = 1
!$    n = omp_get_max_threads()
      total = 0
!! team @team = 1, T
!!   do @loop = T
!!     work = 8
!!   critical (name) @critical = T
!!   !$omp barrier @barrier = T
!@team
c$omp parallel shared(total) private(i)
!@loop
*$omp do schedule(dynamic,
*$omp+ 2)
      do 10 i = 1, 8
!$omp atomic
      total = total + i
      call work(i)
   10 continue
!$omp end do
!@critical
!$omp critical (name)
      total = total + 100
!$omp end critical (name)
!@barrier
!$omp barrier
c$omp end parallel
      print *, 'loop', total
!! teamdo @combined = 1, T
!!   work = 6
!@combined
!$omp parallel do reduction(+:total)
!$omp& if(n .gt. 0)
!$omp& num_threads(n)
      do 20 i = 1, 6
         total = total + i
         call work(i)
   20 continue
      print *, 'combined', total
!! team @copyin = 1, T
      given = 3
!@copyin
!$omp parallel copyin(/own/) reduction(+:total)
      total = total + given
!$omp end parallel
      print *, 'copyin', total
!! team @task_team = 1, T
!!   single @task_single = T, 1
!!     !$omp create task @task = 4
!!     !$omp taskwait @wait = 1
!! TASKS
!!   !$omp task @task = 4
!!     work = 4
!@task_team
!$omp parallel shared(total)
!@task_single
!$omp single
      do 30 i = 1, 4
!@task
!$omp task firstprivate(i) shared(total)
      call work(i)
!$omp atomic
      total = total + i
!$omp end task
   30 continue
!@wait
!$omp taskwait
!$omp end single
!$omp end parallel
      print *, 'tasks', total
      end

      subroutine work(i)
      integer i
      if (i .lt. 0) print *, i
      end
