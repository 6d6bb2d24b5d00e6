/* sees: comm newcomm request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (err == MPI_SUCCESS)
		fathom_mpi_request_of_idup(scope, @comm@, @newcomm@, @*request@);
	fathom_mpi_exit(scope);
	@return@;
}
