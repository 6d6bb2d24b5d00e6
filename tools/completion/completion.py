"""Writes the completion of fathom's commands and options for a shell.

    completion.py bash|zsh|fish FATHOM > FILE

The commands are those that `FATHOM help` lists; their options, values and descriptions are those of `FATHOM help
COMMAND`. A new command or option therefore needs no line here.

An option stands in a help text in a line such as "  -o, --output FILE  write to FILE", with more lines of its description
below, or in the usage. Words for its value are taken from "--mpi=on|off", and from a description that lists them alone
("auto, always or never"). A word in capitals that begins with FILE, DIRECTORY or a similar noun is a path.
"""
import re
import subprocess
import sys

PATHS = ("FILE", "DIR", "RUN", "PROGRAM", "TRACE")
DESCRIPTION_MOST = 90


class Option:
    """An option: its words ("-o", "--output"), the placeholder of its value ("" if it takes none), whether the value
    may be missing, words for the value, its description."""

    def __init__(self, words, placeholder, description=""):
        self.words = words
        self.placeholder = placeholder
        self.description = description
        self.is_optional = False
        self.values = []
        self.values_of_list = False     # the values are what `fathom COMMAND --list` prints in the first column

    @property
    def is_path(self):
        return self.placeholder.startswith(PATHS)


def shortened(text):
    text = re.sub(r"\s+", " ", text).strip()
    if len(text) <= DESCRIPTION_MOST:
        return text
    return text[:DESCRIPTION_MOST].rsplit(" ", 1)[0].rstrip(",;:(")


def listed_words(description):
    """The words of "auto, always or never" or "csv: calltree (default), regions or values"; none of other sentences."""
    text = re.sub(r" \(default\)", "", re.sub(r"^\w+: ", "", description.split(";")[0]))
    if not re.fullmatch(r"[a-z0-9_]+(, [a-z0-9_]+)*,? or [a-z0-9_]+", text):
        return []
    return re.split(r",? or |, ", text)


def parse_words(text):
    """The options of "-o, --output FILE", "--no-compiler, --filter=FILE" or "--help, --version"."""
    options, short = [], []
    for part in text.split(", "):
        match = re.fullmatch(r"(-\w|--[\w-]+)(?:([ =])(\S+))?", part.strip())
        if not match:
            continue
        word, value = match.group(1), match.group(3) or ""
        if not word.startswith("--"):
            short.append(word)
            continue
        option = Option(short + [word], value)
        if re.fullmatch(r"[a-z0-9|]+", value):
            option.values = value.split("|")
        options.append(option)
        short = []
    return options


def parse_options(text):
    """The options in a help text."""
    options, at, last = {}, None, []

    def add(option):
        known = options.get(option.words[-1])
        if not known or len(known.words) < len(option.words):
            options[option.words[-1]] = option
            return option
        return known

    usage = re.match(r"usage:.*?(?:\n\n|\Z)", text, re.S)
    for match in re.finditer(r"(?<![\w-])(--[a-z][\w-]*|-[a-z])(?:[ =]([A-Z][A-Z0-9.|a-z]*))?", usage.group(0) if usage else ""):
        if match.group(1).startswith("--"):
            add(Option([match.group(1)], match.group(2) or ""))
    for line in text.split("\n"):
        match = re.match(r"^( {2,8})(-\S.*?)(?:( {2,})(\S.*))?$", line)
        if match:
            last = [add(o) for o in parse_words(match.group(2))]
            at = len(match.group(1) + match.group(2) + (match.group(3) or ""))
            for option in last:
                option.description = match.group(4) or ""
            continue
        more = re.match(r"^( {4,})(\S.*)$", line)
        if last and more and (not last[0].description or len(more.group(1)) == at):
            at = len(more.group(1))
            for option in last:
                option.description += (" " if option.description else "") + more.group(2)
        else:
            last = []
    for option in list(options.values()):
        for other in re.findall(r"; (--[a-z][\w-]*)$", option.description):
            add(Option([other], ""))
        stated = re.findall(re.escape(option.words[-1]) + r"=([a-z]+)", option.description)
        if stated and not option.placeholder:
            option.values, option.is_optional, option.placeholder = stated, True, "VALUE"
        if option.placeholder and not option.values:
            option.values = listed_words(option.description)
        option.values_of_list = "--list names all" in option.description
    return options


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def read_help(fathom, command):
    """The help text of a command; nothing for one that this build has without its function, which it says then."""
    done = subprocess.run([fathom, "help", command], capture_output=True, encoding="utf-8")
    if done.returncode and "was built without" not in done.stderr:
        sys.exit(f"{fathom} help {command}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def read_commands(fathom):
    """[(command, description, [Option])], and the options of fathom itself."""
    text = run(fathom, "help")
    section = re.search(r"\nCommands:\n(.*?)\n\n", text, re.S).group(1)
    commands = []
    for name, description in re.findall(r"^  (\S+) +(.*)$", section, re.M):
        options = {} if name == "help" else parse_options(read_help(fathom, name))
        for word in ["--help"] if name in ("run", "flags") else ["--help", "--version"]:    # all commands have these
            options.setdefault(word, Option([word], ""))
        commands.append((name, description, [] if name == "help" else list(options.values())))
    own = list(parse_options(text.replace(section, "")).values()) + [Option(["--help"], ""), Option(["--version"], "")]
    return commands, own


# --- bash

BASH = r'''# fathom: completion for bash. Made by completion.py from the help texts of the commands.

# Prints the options of a command; "" is fathom itself.
_fathom_options()
{
	case $1 in
%(options)s
	esac
}

# Prints the words for the value of an option, "FILE" for a path, or nothing. Returns 1 if the option takes no value.
_fathom_values()
{
	case "$1 $2" in
%(values)s
	*) return 1 ;;
	esac
}

# Completes a file name; with an argument, also the name of a command of the system.
_fathom_files()
{
	compopt -o filenames 2> /dev/null
	mapfile -t COMPREPLY < <(compgen ${1:+-c} -f -- "$current")
}

_fathom()
{
	local current=${COMP_WORDS[COMP_CWORD]} command= option= words i
	COMPREPLY=()
	# The command is the first word that is no option. An "=" is a word of its own, because COMP_WORDBREAKS has it.
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-*) ;;
		=) ((i++)) ;;
		*) command=${COMP_WORDS[i]}; break ;;
		esac
	done
	if [[ $current == = ]]; then
		option=${COMP_WORDS[COMP_CWORD - 1]} current=
	elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]] && ((COMP_CWORD > 1)); then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == -* ]]; then
		option=${COMP_WORDS[COMP_CWORD - 1]}
	fi
	case $command in
	'' | %(names)s) ;;
	*) _fathom_files; return ;;	# a compiler, whose arguments are its own
	esac
	if [[ $command == run ]]; then	# behind its program stand the arguments of that program
		for ((i++; i < COMP_CWORD; i++)); do
			case ${COMP_WORDS[i]} in
			-*) ;;
			=) ((i++)) ;;
			*) _fathom_files; return ;;
			esac
		done
	fi
	if [[ $option ]] && words=$(_fathom_values "$command" "$option"); then
		if [[ $words == FILE ]]; then
			_fathom_files
		else
			COMPREPLY=($(compgen -W "$words" -- "$current"))
		fi
	elif [[ $current == -* ]]; then
		COMPREPLY=($(compgen -W "$(_fathom_options "$command")" -- "$current"))
	elif [[ ! $command || $command == help ]]; then
		COMPREPLY=($(compgen -W "%(commands)s" -- "$current"))
		# No command of fathom begins like this: a compiler.
		[[ $command || ${#COMPREPLY[@]} -gt 0 || ! $current ]] || _fathom_files with-commands
	elif [[ $command == run ]]; then
		_fathom_files with-commands
	else
		_fathom_files
	fi
}
complete -F _fathom fathom
'''


def bash(commands, own):
    options, values = [], []
    for name, _, listed in [("", "", own)] + commands:
        words = " ".join(w for o in listed for w in o.words)
        options.append("\t%s) echo '%s' ;;" % (name or "''", words))
        for option in listed:
            if not option.placeholder or option.is_optional and not option.values:
                continue
            pattern = " | ".join("'%s %s'" % (name, w) for w in option.words)
            if option.values_of_list:
                print_words = "fathom %s --list 2> /dev/null | sed 's/ .*//'" % name
            elif option.values:
                print_words = "echo '%s'" % " ".join(option.values)
            else:
                print_words = "echo FILE" if option.is_path else ":"
            values.append("\t%s) %s ;;" % (pattern, print_words))
    names = [name for name, _, _ in commands]
    return BASH % {"options": "\n".join(options), "values": "\n".join(values), "names": " | ".join(names),
                   "commands": " ".join(names)}


# --- zsh

ZSH = r'''#compdef fathom
# fathom: completion for zsh. Made by completion.py from the help texts of the commands.

_fathom_commands()
{
	local -a commands
	commands=(
%(commands)s
	)
	_describe -t commands 'command of fathom' commands
	_command_names -e
}

_fathom()
{
	local curcontext=$curcontext state line
	typeset -A opt_args

	_arguments -C \
%(own)s
		'1: :_fathom_commands' \
		'*:: :->arguments' && return
	[[ $state == arguments ]] || return
	case $words[1] in
%(cases)s
	help) _arguments '1: :_fathom_commands' ;;
	*) _files ;;
	esac
}

_fathom "$@"
'''


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", shortened(text)).replace("'", "'\\''")


def zsh_option(option, command):
    if not option.placeholder:
        value = ""
    elif option.values_of_list:
        value = ":%s:($(fathom %s --list 2> /dev/null | sed 's/ .*//'))" % (zsh_text(option.placeholder), command)
        value = value.replace("'", "'\\''")
    elif option.values:
        value = ":%s:(%s)" % (zsh_text(option.placeholder), " ".join(option.values))
    else:
        value = ":%s:%s" % (zsh_text(option.placeholder), "_files" if option.is_path else "")
    if option.is_optional:
        value = ":" + value
    specs = []
    for word in option.words:
        suffix = ("=-" if option.is_optional else "=") if option.placeholder and word.startswith("--") else ""
        if option.placeholder and not word.startswith("--"):
            suffix = "+"
        others = "(%s)" % " ".join(w for w in option.words) if len(option.words) > 1 else ""
        specs.append("\t\t'%s%s%s[%s]%s' \\" % (others, word, suffix, zsh_text(option.description), value))
    return "\n".join(specs)


def zsh(commands, own):
    cases = []
    for name, _, options in commands:
        if name == "help":
            continue
        last = ("'1:program:_command_names -e' '*::argument:_files'" if name == "run" else "'*:file:_files'")
        cases.append("\t%s)\n\t\t_arguments -s \\\n%s\n\t\t%s ;;" %
                     (name, "\n".join(zsh_option(o, name) for o in options), last))
    return ZSH % {"commands": "\n".join("\t\t'%s:%s'" % (name, zsh_text(what)) for name, what, _ in commands),
                  "own": "\n".join(zsh_option(o, "") for o in own), "cases": "\n".join(cases)}


# --- fish

FISH = r'''# fathom: completion for fish. Made by completion.py from the help texts of the commands.

# Succeeds if the first word that is no option is the given one; without one, if there is no such word yet.
function __fathom_command
	for word in (commandline -opc)[2..-1]
		string match -q -- '-*' $word; and continue
		test "$word" = "$argv[1]"
		return
	end
	test -z "$argv[1]"
end

'''


def fish_text(text):
    return "'%s'" % shortened(text).replace("\\", "\\\\").replace("'", "\\'")


def fish(commands, own):
    lines = []
    for name, what, _ in commands:
        lines.append("complete -c fathom -n '__fathom_command' -a %s -d %s" % (name, fish_text(what)))
    names = " ".join(name for name, _, _ in commands)
    lines.append("complete -c fathom -n '__fathom_command help' -f -a '%s'" % names)
    for name, _, options in [("", "", own)] + commands:
        for option in options:
            line = "complete -c fathom -n '__fathom_command%s'" % (" " + name if name else "")
            for word in option.words:
                line += " -l %s" % word[2:] if word.startswith("--") else " -s %s" % word[1:]
            if option.placeholder and not option.is_optional:
                line += " -r -F" if option.is_path and not option.values else " -x"
            if option.values_of_list:
                line += " -a \"(fathom %s --list 2> /dev/null | string replace -r ' .*' '')\"" % name
            elif option.values:
                line += " -a '%s'" % " ".join(option.values)
            if option.description:
                line += " -d " + fish_text(option.description)
            lines.append(line)
    return FISH + "\n".join(lines) + "\n"


def main():
    write = {"bash": bash, "zsh": zsh, "fish": fish}[sys.argv[1]]
    sys.stdout.write(write(*read_commands(sys.argv[2])))


if __name__ == "__main__":
    main()
