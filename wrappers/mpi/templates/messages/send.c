/* sees: peer tag comm */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_records(scope, err))
		fathom_mpi_sent(@comm@, @peer@, @tag@, @bytes@);
	fathom_mpi_exit(scope);
	@return@;
}
