/* sees: request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (err == MPI_SUCCESS)
		fathom_mpi_request_of_file(scope, FATHOM_MPI_REQUEST_READ, @*request@);
	fathom_mpi_exit(scope);
	@return@;
}
