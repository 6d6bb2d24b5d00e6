/* sees: source comm status */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	MPI_Status own;
	int err;

	@status@ = fathom_mpi_status(scope, @status@, &own);
	@then@;
	if (fathom_mpi_records(scope, err))
		fathom_mpi_received(@comm@, @source@, @status@);
	fathom_mpi_exit(scope);
	@return@;
}
