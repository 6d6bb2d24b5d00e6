/* sees: status */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	MPI_Status own;
	int err;

	@status@ = fathom_mpi_status(scope, @status@, &own);
	@then@;
	if (fathom_mpi_records(scope, err))
		fathom_event_io(fathom_mpi_status_bytes(@status@), 0);
	fathom_mpi_exit(scope);
	@return@;
}
