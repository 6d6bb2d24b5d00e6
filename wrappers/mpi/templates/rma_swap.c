/* sees: target */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_records(scope, err) && @target@ != MPI_PROC_NULL)
		fathom_event_rma(@bytes@, @bytes@);
	fathom_mpi_exit(scope);
	@return@;
}
