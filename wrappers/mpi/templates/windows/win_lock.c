/* sees: win target kind */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_follows_windows(scope, err))
		fathom_mpi_window_locked(@win@, @target@, @kind@);
	fathom_mpi_exit(scope);
	@return@;
}
