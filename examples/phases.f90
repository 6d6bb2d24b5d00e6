! What a program can tell fathom itself, in Fortran, by the module: build it with `fathom gfortran`. Without fathom,
! fathom.F90 from its headers is one more source of the program; its procedures do nothing then.
program phases
  use fathom
  implicit none
  real(8) :: cells(1000)
  integer :: step

  call fathom_region_begin("setup")
  cells = 0
  call fathom_region_end("setup")
  do step = 1, 8
    call fathom_phase_begin("step", step)
    call relax(1 + mod(step, 2))
    if (step == 4) call output("text")
    call fathom_phase_end("step")
  end do
  call fathom_recording_off()
  call relax(3)
  if (fathom_recording()) print *, 'this is never said'
  call fathom_recording_on()
  call fathom_trace_keep()
  print '(f0.3)', sum(cells)

contains

  subroutine relax(sweeps)
    integer, intent(in) :: sweeps
    integer :: s, i

    call fathom_function_begin("relax")
    call fathom_parameter("sweeps", sweeps)
    call fathom_loop_begin("sweep")
    do s = 1, sweeps
      do i = 2, size(cells) - 1
        cells(i) = (cells(i - 1) + cells(i + 1) + 1) / 2
      end do
    end do
    call fathom_loop_end("sweep")
    call fathom_function_end("relax")
  end subroutine

  subroutine output(form)
    character(len=*), intent(in) :: form

    call fathom_region_begin("output")
    call fathom_parameter("format", form)
    call fathom_parameter("bytes", 8_8 * size(cells))
    call fathom_region_end("output")
  end subroutine
end program
