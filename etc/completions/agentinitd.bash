# bash completion for agentinitd; made by `agentinitd completion bash`, works from bash 3.2 on

_agentinitd() {
    local cur="${COMP_WORDS[COMP_CWORD]}" words="${COMP_WORDS[*]:1:COMP_CWORD-1}" names='' kind value about
    COMPREPLY=()
    case "$words" in
        '') names='init start stop restart reload status logs rebuild snippet task anchors decisions recall replay agents install uninstall unit doctor trust rc verify reset-failed blame critical-chain plot completion' ;;
        'task') names='add archive block complete done list new next phase restore show start status switch unblock' ;;
        'anchors') names='list add edit verify remove review lint' ;;
        'decisions') names='add list supersede' ;;
        'unit') names='install remove status' ;;
        'trust') names='allow deny list prune' ;;
        'rc') names='add del show status' ;;
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
