! Regions that are not nested, in Fortran, see examples.sh.
program nest
  use fathom
  implicit none
  call fathom_region_begin("outer")
  call fathom_loop_begin("inner loop")
  call fathom_region_end("outer")
  call fathom_loop_end("inner loop")
  call fathom_phase_begin("step", 1)
  call fathom_function_begin("in phase")
  call fathom_phase_end("step")
  call fathom_region_end("never begun  ")
end program
