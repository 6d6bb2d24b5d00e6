C     Fixed form, with a statement function, a main program without its statement, and what follows column 72.
      integer i, n                                                      SEQ00010
      external show
      n = 0
c$omp parallel do reduction(+:n)
c$omp+ schedule(dynamic,2)
c$omp+ num_threads(2)
      do 10 i = 1, 10
        n = n + i
 10   continue
*$omp parallel
!$omp single
      call show(n)
!$omp end single nowait
!$omp end parallel
      end
      subroutine show(n)
      integer n
      save
!$omp critical
      print *, n, 'it''s'
!$omp end critical
      end
