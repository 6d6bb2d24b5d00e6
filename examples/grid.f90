! More of what a program can tell fathom, in Fortran, by the module: amounts and values at points, a topology.
program grid
  use fathom
  implicit none
  integer, parameter :: cells = 64
  real(8) :: field(cells), residual
  integer :: sweep

  call fathom_topology("mesh", 2, [4, 2], [.true., .false.], ["x", "y"])
  call fathom_topology_process("mesh", 2, [3, 1])
  call fathom_topology("threads", 1, [4], [.false.], [" "])
  call fathom_topology_thread("threads", 1, [3])
  field = 0
  field(1) = 1
  do sweep = 1, 5
    call fathom_phase_begin("sweep", int(sweep, 8))
    call fathom_point("left", "sweeps", "Sweeps left", 6 - sweep)
    call fathom_point("order", "", "Which sweep it is", int(sweep - 3, 8))
    residual = relax()
    call fathom_phase_end("sweep")
  end do
  print '(f0.6)', residual

contains

  real(8) function relax()
    real(8) :: mean
    integer :: i

    call fathom_region_begin("relax")
    relax = 0
    do i = 2, cells - 1
      mean = (field(i - 1) + field(i + 1)) / 2
      relax = relax + abs(mean - field(i))
      field(i) = mean
    end do
    call fathom_metric("cells", "cells", "Cells updated", cells - 2)
    call fathom_metric("bytes", "bytes", "Bytes written", 8_8 * (cells - 2))
    call fathom_metric("work", "flop", "Floating point operations", 4.0d0 * (cells - 2))
    call fathom_metric("half", "", "Half of it", 0.5)
    call fathom_point("residual", "", "What is left to do", relax)
    call fathom_point("rough", "", "The same, less exact", real(relax))
    call fathom_region_end("relax")
  end function
end program
