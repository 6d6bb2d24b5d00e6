/* sees: comm */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_records(scope, err))
		fathom_mpi_collective(@comm@, @bytes@);
	fathom_mpi_exit(scope);
	if (unlikely(fathom_mpi_voting))
		fathom_mpi_vote(scope, @call@, @comm@, err);
	@return@;
}
