/* sees: count requests some indices statuses; Fortran: by hand */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	struct fathom_mpi_completion completion;
	int err;

	@statuses@ = fathom_mpi_completion_begin(&completion, scope, @count@, @requests@, @statuses@, @count@);
	@then@;
	fathom_mpi_completed_some(&completion, err, @*some@, @indices@, @statuses@);
	fathom_mpi_completion_end(&completion);
	fathom_mpi_exit(scope);
	@return@;
}
