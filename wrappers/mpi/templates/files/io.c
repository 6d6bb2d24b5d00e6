/* sees: file what where how status */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	uint64_t place = fathom_mpi_file_place(scope, @file@, @where@);
	MPI_Status own;
	int err;

	@status@ = fathom_mpi_status(scope, @status@, &own);
	@then@;
	if (fathom_mpi_records(scope, err))
		fathom_mpi_moved(@what@, @status@);
	if (fathom_mpi_traces(scope, err))
		fathom_mpi_file_moved(@file@, @what@, @how@, place, @bytes@, @status@);
	fathom_mpi_exit(scope);
	@return@;
}
