/* sees: file distance whence pointer */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_traces(scope, err))
		fathom_mpi_file_sought(@file@, @distance@, @whence@, @pointer@);
	fathom_mpi_exit(scope);
	@return@;
}
