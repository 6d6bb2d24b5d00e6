/* sees: comm path mode file */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_records(scope, err))
		fathom_mpi_comm_agreed(@comm@);
	if (fathom_mpi_traces(scope, err))
		fathom_mpi_file_opened(@comm@, @path@, @#path@, @mode@, @*file@);
	fathom_mpi_exit(scope);
	@return@;
}
