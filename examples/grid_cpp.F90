! The same by the preprocessor; without fathom, nothing is left of it.
#ifdef FATHOM_USER
#include <fathom/fathom.inc>
#else
#define FATHOM_REGION_BEGIN(name)
#define FATHOM_REGION_END(name)
#define FATHOM_PHASE_BEGIN(name,number)
#define FATHOM_PHASE_END(name)
#define FATHOM_METRIC_INT(name,unit,text,value)
#define FATHOM_METRIC_DOUBLE(name,unit,text,value)
#define FATHOM_POINT_INT(name,unit,text,value)
#define FATHOM_POINT_DOUBLE(name,unit,text,value)
#define FATHOM_TOPOLOGY(name,dims,sizes,periodic,names)
#define FATHOM_TOPOLOGY_PROCESS(name,dims,place)
#define FATHOM_TOPOLOGY_THREAD(name,dims,place)
#endif
program grid
  implicit none
  integer, parameter :: cells = 64, sizes(2) = [4, 2], place(2) = [3, 1]
  logical, parameter :: periodic(2) = [.true., .false.]
  character(1), parameter :: names(2) = ["x", "y"]
  real(8) :: field(cells), residual
  integer :: sweep

  FATHOM_TOPOLOGY("mesh",2,sizes,periodic,names)
  FATHOM_TOPOLOGY_PROCESS("mesh",2,place)
  FATHOM_TOPOLOGY("threads",1,sizes,periodic(2),names)
  FATHOM_TOPOLOGY_THREAD("threads",1,place)
  field = 0
  field(1) = 1
  do sweep = 1, 5
    FATHOM_PHASE_BEGIN("sweep",sweep)
    FATHOM_POINT_INT("left","sweeps","Sweeps left",6-sweep)
    residual = relax()
    FATHOM_PHASE_END("sweep")
  end do
  print '(f0.6)', residual

contains

  real(8) function relax()
    real(8) :: mean
    integer :: i

    FATHOM_REGION_BEGIN("relax")
    relax = 0
    do i = 2, cells - 1
      mean = (field(i - 1) + field(i + 1)) / 2
      relax = relax + abs(mean - field(i))
      field(i) = mean
    end do
    FATHOM_METRIC_INT("cells","cells","Cells updated",cells-2)
    FATHOM_METRIC_DOUBLE("work","flop","Operations",4.0d0*(cells-2))
    FATHOM_POINT_DOUBLE("residual","","What is left",relax)
    FATHOM_REGION_END("relax")
  end function
end program
