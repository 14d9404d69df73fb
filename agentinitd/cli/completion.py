"""`agentinitd completion`: the script that lets a shell complete our commands.

Names of commands stand in it, so that Python need not be started for them; values are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import click

Tree = Mapping[str, Mapping[str, str]]
"""The words before → the names that may follow, each with a line about it."""

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what lets a shell complete our commands, options, sessions, tasks, anchors and rebuilds.

    \b
    bash: agentinitd completion bash > ~/.local/share/bash-completion/completions/agentinitd
    zsh:  agentinitd completion zsh > ~/.zfunc/_agentinitd    (a folder of $fpath, before compinit)
    fish: agentinitd completion fish > ~/.config/fish/completions/agentinitd.fish

    For this shell alone: eval "$(agentinitd completion bash)"
    """
    from agentinitd.cli.main import cli

    click.echo(SCRIPTS[shell](tree_of(cli)), nl=False)


def tree_of(cli: click.Group) -> Tree:
    from agentinitd.cli.completing import subcommands
    from agentinitd.cli.main import COMMANDS

    tree: dict[str, Mapping[str, str]] = {
        "": {name: line.rstrip(".") for name, (_, line) in COMMANDS.items()}
    }
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        if isinstance(command, click.Group):
            tree[name] = subcommands(command)
    return tree


def bash_script(tree: Tree) -> str:
    cases = [
        f"        {_quoted(words)}) names={_quoted(' '.join(names))} ;;" for words, names in tree.items()
    ]
    return BASH.replace("@CASES@", "\n".join(cases))


def zsh_script(tree: Tree) -> str:
    cases: list[str] = []
    for words, names in tree.items():
        described = " ".join(_quoted(f"{name}:{line}") for name, line in names.items())
        cases.append(f"        {_quoted(words)}) names=({described}) ;;")
    return ZSH.replace("@CASES@", "\n".join(cases))


def fish_script(tree: Tree) -> str:
    groups = " ".join(_quoted(words) for words in tree)
    return FISH.replace("@NAMES@", "\n".join(_fish_lines(tree))).replace("@GROUPS@", groups)


def _fish_lines(tree: Tree) -> Iterator[str]:
    for words, names in tree.items():
        condition = f'"__agentinitd_at {_quoted(words)}"'
        for name, line in names.items():
            yield f"complete -c agentinitd -n {condition} -a {name} -d {_quoted_for_fish(line)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _quoted_for_fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


BASH = r"""# bash completion for agentinitd; made by `agentinitd completion bash`, works from bash 3.2 on

_agentinitd() {
    local cur="${COMP_WORDS[COMP_CWORD]}" words="${COMP_WORDS[*]:1:COMP_CWORD-1}" names='' kind value about
    COMPREPLY=()
    case "$words" in
@CASES@
    esac
    if [[ -n $names && $cur != -* ]]; then
        COMPREPLY=($(compgen -W "$names" -- "$cur"))
        return
    fi
    while IFS=$'\t' read -r kind value about; do
        # Files are left to bash, which completes them when there is nothing else.
        [[ $kind == plain && $value == "${cur#=}"* ]] && COMPREPLY+=("$value")
    done < <(_AGENTINITD_COMPLETE=words "${1/#\~/$HOME}" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

complete -o bashdefault -o default -F _agentinitd agentinitd
"""

ZSH = r"""#compdef agentinitd
# zsh completion for agentinitd; made by `agentinitd completion zsh`

_agentinitd() {
    local -a names values files
    local answer line kind value about
    case "${(j: :)words[2,CURRENT-1]}" in
@CASES@
    esac
    if (( $#names )) && [[ ${words[CURRENT]} != -* ]]; then
        _describe command names
        [[ ${words[2]} == trust && $CURRENT -eq 3 ]] && _files
        return
    fi
    answer=$(_AGENTINITD_COMPLETE=words ${(Q)words[1]} "${(@Q)words[2,CURRENT]}" 2>/dev/null)
    for line in "${(@f)answer}"; do
        IFS=$'\t' read -r kind value about <<< "$line"
        case "$kind" in
            plain) values+=("${value//:/\\:}${about:+:$about}") ;;
            file) files=(-f) ;;
            dir) files=(-/) ;;
        esac
    done
    (( $#values )) && _describe value values
    (( $#files )) && _path_files $files
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _agentinitd "$@"
else
    compdef _agentinitd agentinitd
fi
"""

FISH = r"""# fish completion for agentinitd; made by `agentinitd completion fish`

function __agentinitd_words
    set -l words (commandline -opc)
    set -e words[1]
    string join ' ' -- $words
end

function __agentinitd_at
    set -l words (__agentinitd_words)
    not string match -q -- '-*' (commandline -ct); and test "$words" = "$argv"
end

function __agentinitd_asks
    set -l words (__agentinitd_words)
    string match -q -- '-*' (commandline -ct); or not contains -- "$words" @GROUPS@
end

function __agentinitd_values
    set -l words (commandline -opc) (commandline -ct)
    for line in (env _AGENTINITD_COMPLETE=words $words 2>/dev/null)
        set -l parts (string split \t -- $line)
        switch $parts[1]
            case plain
                printf '%s\t%s\n' $parts[2] $parts[3]
            case file
                __fish_complete_path (commandline -ct)
            case dir
                __fish_complete_directories (commandline -ct)
        end
    end
end

complete -c agentinitd -f
@NAMES@
complete -c agentinitd -n '__agentinitd_at trust' -a '(__fish_complete_path (commandline -ct))'
complete -c agentinitd -n __agentinitd_asks -a '(__agentinitd_values)'
"""

SCRIPTS: dict[str, Callable[[Tree], str]] = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
