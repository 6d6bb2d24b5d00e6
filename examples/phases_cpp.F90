! The same by the preprocessor: nothing is left of it without fathom, and regions know the lines they are in.
#ifdef FATHOM_USER
#include <fathom/fathom.inc>
#else
#define FATHOM_REGION_BEGIN(name)
#define FATHOM_REGION_END(name)
#define FATHOM_FUNCTION_BEGIN(name)
#define FATHOM_FUNCTION_END(name)
#define FATHOM_LOOP_BEGIN(name)
#define FATHOM_LOOP_END(name)
#define FATHOM_PHASE_BEGIN(name,number)
#define FATHOM_PHASE_END(name)
#define FATHOM_PARAMETER_INT(name,value)
#define FATHOM_PARAMETER_STRING(name,value)
#define FATHOM_RECORDING_OFF()
#define FATHOM_RECORDING_ON()
#define FATHOM_TRACE_KEEP()
#endif
program phases
  implicit none
  real(8) :: cells(1000)
  integer :: step

  FATHOM_REGION_BEGIN("setup")
  cells = 0
  FATHOM_REGION_END("setup")
  do step = 1, 8
    FATHOM_PHASE_BEGIN("step", step)
    call relax(1 + mod(step, 2))
    if (step == 4) call output("text")
    FATHOM_PHASE_END("step")
  end do
  FATHOM_RECORDING_OFF()
  call relax(3)
  FATHOM_RECORDING_ON()
  FATHOM_TRACE_KEEP()
  print '(f0.3)', sum(cells)

contains

  subroutine relax(sweeps)
    integer, intent(in) :: sweeps
    integer :: s, i

    FATHOM_FUNCTION_BEGIN("relax")
    FATHOM_PARAMETER_INT("sweeps", sweeps)
    FATHOM_LOOP_BEGIN("sweep")
    do s = 1, sweeps
      do i = 2, size(cells) - 1
        cells(i) = (cells(i - 1) + cells(i + 1) + 1) / 2
      end do
    end do
    FATHOM_LOOP_END("sweep")
    FATHOM_FUNCTION_END("relax")
  end subroutine

  subroutine output(form)
    character(len=*), intent(in) :: form

    FATHOM_REGION_BEGIN("output")
    FATHOM_PARAMETER_STRING("format", form)
    FATHOM_PARAMETER_INT("bytes", 8 * size(cells))
    FATHOM_REGION_END("output")
  end subroutine
end program
