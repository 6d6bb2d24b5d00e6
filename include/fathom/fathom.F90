! fathom.F90: what a Fortran program can tell the measurement itself. See doc/guides/api.md and fathom_user(3).
!
! Compiled by fathom (FATHOM_USER is defined then), the module says what libfathom has. Compiled otherwise, its
! procedures do nothing: a program that uses them can bring this file along and needs nothing of fathom.
module fathom
  implicit none
  public

  interface fathom_phase_begin
    procedure fathom_phase_begin_i4, fathom_phase_begin_i8
  end interface
  interface fathom_parameter
    procedure fathom_parameter_i4, fathom_parameter_i8, fathom_parameter_text
  end interface

  interface fathom_metric
    procedure fathom_metric_i4, fathom_metric_i8, fathom_metric_r4, fathom_metric_r8
  end interface
  interface fathom_point
    procedure fathom_point_i4, fathom_point_i8, fathom_point_r4, fathom_point_r8
  end interface

#ifdef FATHOM_USER
  interface
#else
contains
#endif

    ! A region from here to its end, which may be in another procedure.
    subroutine fathom_region_begin(name)
      character(len=*), intent(in) :: name
    end subroutine
    subroutine fathom_region_end(name)
      character(len=*), intent(in) :: name
    end subroutine

    ! The same, and it is a function or a loop.
    subroutine fathom_function_begin(name)
      character(len=*), intent(in) :: name
    end subroutine
    subroutine fathom_function_end(name)
      character(len=*), intent(in) :: name
    end subroutine
    subroutine fathom_loop_begin(name)
      character(len=*), intent(in) :: name
    end subroutine
    subroutine fathom_loop_end(name)
      character(len=*), intent(in) :: name
    end subroutine

    ! An iteration of a phase; fathom_phase_begin(name, number).
    subroutine fathom_phase_begin_i4(name, number)
      character(len=*), intent(in) :: name
      integer(4), intent(in) :: number
    end subroutine
    subroutine fathom_phase_begin_i8(name, number)
      character(len=*), intent(in) :: name
      integer(8), intent(in) :: number
    end subroutine
    subroutine fathom_phase_end(name)
      character(len=*), intent(in) :: name
    end subroutine

    ! What happens from here to the end of the region that this is in is kept apart by the value;
    ! fathom_parameter(name, value).
    subroutine fathom_parameter_i4(name, value)
      character(len=*), intent(in) :: name
      integer(4), intent(in) :: value
    end subroutine
    subroutine fathom_parameter_i8(name, value)
      character(len=*), intent(in) :: name
      integer(8), intent(in) :: value
    end subroutine
    subroutine fathom_parameter_text(name, value)
      character(len=*), intent(in) :: name
      character(len=*), intent(in) :: value
    end subroutine

    ! An amount that belongs to the innermost region; regions have the sum.
    ! fathom_metric(name, unit, description, value).
    subroutine fathom_metric_i4(name, unit, description, value)
      character(len=*), intent(in) :: name, unit, description
      integer(4), intent(in) :: value
    end subroutine
    subroutine fathom_metric_i8(name, unit, description, value)
      character(len=*), intent(in) :: name, unit, description
      integer(8), intent(in) :: value
    end subroutine
    subroutine fathom_metric_r4(name, unit, description, value)
      character(len=*), intent(in) :: name, unit, description
      real(4), intent(in) :: value
    end subroutine
    subroutine fathom_metric_r8(name, unit, description, value)
      character(len=*), intent(in) :: name, unit, description
      real(8), intent(in) :: value
    end subroutine

    ! A value that something has at this point; regions have how often that was, the least, greatest and mean value.
    ! fathom_point(name, unit, description, value).
    subroutine fathom_point_i4(name, unit, description, value)
      character(len=*), intent(in) :: name, unit, description
      integer(4), intent(in) :: value
    end subroutine
    subroutine fathom_point_i8(name, unit, description, value)
      character(len=*), intent(in) :: name, unit, description
      integer(8), intent(in) :: value
    end subroutine
    subroutine fathom_point_r4(name, unit, description, value)
      character(len=*), intent(in) :: name, unit, description
      real(4), intent(in) :: value
    end subroutine
    subroutine fathom_point_r8(name, unit, description, value)
      character(len=*), intent(in) :: name, unit, description
      real(8), intent(in) :: value
    end subroutine

    ! The work is laid out in a grid of so many dimensions, with sizes(i) places each; the process, or this thread, is
    ! at that place of it, counted from 0. Names may be blank.
    subroutine fathom_topology(name, dimensions, sizes, periodic, names)
      character(len=*), intent(in) :: name
      integer(4), intent(in) :: dimensions
      integer(4), intent(in) :: sizes(dimensions)
      logical(4), intent(in) :: periodic(dimensions)
      character(len=*), intent(in) :: names(dimensions)
    end subroutine
    subroutine fathom_topology_process(name, dimensions, place)
      character(len=*), intent(in) :: name
      integer(4), intent(in) :: dimensions
      integer(4), intent(in) :: place(dimensions)
    end subroutine
    subroutine fathom_topology_thread(name, dimensions, place)
      character(len=*), intent(in) :: name
      integer(4), intent(in) :: dimensions
      integer(4), intent(in) :: place(dimensions)
    end subroutine

    ! Whether what this thread does is recorded: from here on not, or again; and at present.
    subroutine fathom_recording_off()
    end subroutine
    subroutine fathom_recording_on()
    end subroutine
    logical(4) function fathom_recording()
#ifndef FATHOM_USER
      fathom_recording = .false.
#endif
    end function

    ! The newest events of a trace stay in full (FATHOM_TRACE_RING).
    subroutine fathom_trace_keep()
    end subroutine

#ifdef FATHOM_USER
  end interface
#endif
end module fathom
