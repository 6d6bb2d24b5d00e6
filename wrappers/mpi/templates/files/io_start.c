/* sees: file what where how request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	uint64_t place = fathom_mpi_file_place(scope, @file@, @where@);
	@real@;

	if (fathom_mpi_traces(scope, err))
		fathom_mpi_file_started(@file@, @what@, @how@, place, @bytes@, @*request@);
	else if (err == MPI_SUCCESS)
		fathom_mpi_request_of_file(scope, @what@, @*request@);
	fathom_mpi_exit(scope);
	@return@;
}
