/* sees: file what where */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	uint64_t place = fathom_mpi_file_place(scope, @file@, @where@);
	@real@;

	if (fathom_mpi_traces(scope, err))
		fathom_mpi_file_begun(@file@, @what@, place, @bytes@);
	fathom_mpi_exit(scope);
	@return@;
}
