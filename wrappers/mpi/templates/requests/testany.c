/* sees: count requests index flag status; Fortran: by hand */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	struct fathom_mpi_completion completion;
	int err;

	@status@ = fathom_mpi_completion_begin(&completion, scope, @count@, @requests@, @status@, 1);
	@then@;
	if (err != MPI_SUCCESS || @*flag@)
		fathom_mpi_completed_any(&completion, err, @*index@, @status@);
	fathom_mpi_completion_end(&completion);
	fathom_mpi_exit(scope);
	@return@;
}
