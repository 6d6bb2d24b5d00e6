/* sees: comm message */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (err == MPI_SUCCESS)
		fathom_mpi_message_matched(scope, @comm@, @*message@);
	fathom_mpi_exit(scope);
	@return@;
}
