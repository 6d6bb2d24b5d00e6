/* sees: count requests flag statuses; Fortran: by hand */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	struct fathom_mpi_completion completion;
	int err;

	@statuses@ = fathom_mpi_completion_begin(&completion, scope, @count@, @requests@, @statuses@, @count@);
	@then@;
	if (err != MPI_SUCCESS || @*flag@)
		fathom_mpi_completed_all(&completion, err, @statuses@);
	fathom_mpi_completion_end(&completion);
	fathom_mpi_exit(scope);
	@return@;
}
