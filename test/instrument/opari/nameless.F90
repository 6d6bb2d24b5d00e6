! A main program without its statement, for the preprocessor.
#define REGION parallel
#define N 4
use, intrinsic :: iso_fortran_env, only: int64
integer(int64) :: k
include 'nameless.inc'
k = 0
#ifdef _OPENMP
!$omp parallel do reduction(+:k)
#endif
do i = 1, N
  k = k + i + offset
end do
print *, k, __LINE__
end
