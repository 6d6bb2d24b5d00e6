/* sees: comm win memory */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_records(scope, err))
		fathom_mpi_window_agreed(@comm@);
	if (fathom_mpi_follows_windows(scope, err))
		fathom_mpi_window_made(@comm@, @*win@, @memory@);
	fathom_mpi_exit(scope);
	@return@;
}
