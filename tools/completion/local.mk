# Completion of commands and options for shells, made of the help texts of the commands. A change of any command makes
# them again.
EXTRA_DIST += tools/completion/completion.py
completions = tools/completion/fathom tools/completion/_fathom tools/completion/fathom.fish
CLEANFILES += $(completions)
completion_inputs = tools/completion/completion.py $(bin_PROGRAMS) $(pkglibexec_PROGRAMS)
make_completion = $(MKDIR_P) tools/completion && $(PYTHON3) $(srcdir)/tools/completion/completion.py

tools/completion/fathom: $(completion_inputs)
	$(AM_V_GEN)$(make_completion) bash ./fathom > $@.part && mv $@.part $@
tools/completion/_fathom: $(completion_inputs)
	$(AM_V_GEN)$(make_completion) zsh ./fathom > $@.part && mv $@.part $@
tools/completion/fathom.fish: $(completion_inputs)
	$(AM_V_GEN)$(make_completion) fish ./fathom > $@.part && mv $@.part $@

bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = tools/completion/fathom
zshcompletiondir = $(datadir)/zsh/site-functions
nodist_zshcompletion_DATA = tools/completion/_fathom
fishcompletiondir = $(datadir)/fish/vendor_completions.d
nodist_fishcompletion_DATA = tools/completion/fathom.fish
