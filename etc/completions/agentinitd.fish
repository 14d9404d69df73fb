# fish completion for agentinitd; made by `agentinitd completion fish`

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
    string match -q -- '-*' (commandline -ct); or not contains -- "$words" '' 'task' 'anchors' 'decisions' 'unit' 'trust' 'rc'
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
complete -c agentinitd -n "__agentinitd_at ''" -a init -d 'Make .agent-memory/ in this project and install the hooks'
complete -c agentinitd -n "__agentinitd_at ''" -a start -d 'Start the daemon'
complete -c agentinitd -n "__agentinitd_at ''" -a stop -d 'Stop the daemon'
complete -c agentinitd -n "__agentinitd_at ''" -a restart -d 'Stop the daemon and start it again'
complete -c agentinitd -n "__agentinitd_at ''" -a reload -d 'Read the config again'
complete -c agentinitd -n "__agentinitd_at ''" -a status -d 'Is it running, and is all well?'
complete -c agentinitd -n "__agentinitd_at ''" -a logs -d 'Read or follow the rebuild log'
complete -c agentinitd -n "__agentinitd_at ''" -a rebuild -d 'Run a runlevel now'
complete -c agentinitd -n "__agentinitd_at ''" -a snippet -d 'Print what the agent would get now'
complete -c agentinitd -n "__agentinitd_at ''" -a task -d 'Tasks: what is done, what is next, which one is worked on'
complete -c agentinitd -n "__agentinitd_at ''" -a anchors -d 'What the agent must not forget: list, add, edit, verify, remove, review, lint'
complete -c agentinitd -n "__agentinitd_at ''" -a decisions -d 'Record and list what was decided'
complete -c agentinitd -n "__agentinitd_at ''" -a recall -d 'Search anchors, decisions and what was told before'
complete -c agentinitd -n "__agentinitd_at ''" -a replay -d 'Read a transcript offline: compactions and rebuilds'
complete -c agentinitd -n "__agentinitd_at ''" -a agents -d 'Show which agents were found, and what is read of each'
complete -c agentinitd -n "__agentinitd_at ''" -a install -d 'Put the hooks into an agent\'s settings'
complete -c agentinitd -n "__agentinitd_at ''" -a uninstall -d 'Take our hooks out of an agent\'s settings'
complete -c agentinitd -n "__agentinitd_at ''" -a unit -d 'Have systemd or launchd run the daemon'
complete -c agentinitd -n "__agentinitd_at ''" -a doctor -d 'What is wrong with this installation, and the cure'
complete -c agentinitd -n "__agentinitd_at ''" -a trust -d 'Approve a project\'s scripts'
complete -c agentinitd -n "__agentinitd_at ''" -a rc -d 'Scripts and runlevels: show, add, del, status'
complete -c agentinitd -n "__agentinitd_at ''" -a verify -d 'Check scripts, links, headers and config; run nothing'
complete -c agentinitd -n "__agentinitd_at ''" -a reset-failed -d 'Try scripts again that failed too often'
complete -c agentinitd -n "__agentinitd_at ''" -a blame -d 'Which scripts of a rebuild took how long'
complete -c agentinitd -n "__agentinitd_at ''" -a critical-chain -d 'What a rebuild waited for, in order'
complete -c agentinitd -n "__agentinitd_at ''" -a plot -d 'Draw a rebuild, or a session\'s context over time'
complete -c agentinitd -n "__agentinitd_at ''" -a completion -d 'Print what a shell needs to complete our commands'
complete -c agentinitd -n "__agentinitd_at 'task'" -a add -d 'One more step, at the end'
complete -c agentinitd -n "__agentinitd_at 'task'" -a archive -d 'Put a task away, with its anchors and its history'
complete -c agentinitd -n "__agentinitd_at 'task'" -a block -d 'Something is in the way: a step that is blocked, or in words what blocks'
complete -c agentinitd -n "__agentinitd_at 'task'" -a complete -d 'A step is done: its title, a part of it, or its number in `task show`'
complete -c agentinitd -n "__agentinitd_at 'task'" -a done -d 'The whole task is done'
complete -c agentinitd -n "__agentinitd_at 'task'" -a list -d 'All tasks of this project; `*` marks the one it is at'
complete -c agentinitd -n "__agentinitd_at 'task'" -a new -d 'Begin a task, with a name of letters, digits, `-`, `_` and `.`'
complete -c agentinitd -n "__agentinitd_at 'task'" -a next -d 'What is to be done next'
complete -c agentinitd -n "__agentinitd_at 'task'" -a phase -d 'The phase the task is in; anchors may be limited to phases'
complete -c agentinitd -n "__agentinitd_at 'task'" -a restore -d 'State NUMBER of `task show --history` holds again; without a number the last one that was recorded'
complete -c agentinitd -n "__agentinitd_at 'task'" -a show -d 'Where a task stands, and with --history how it got there'
complete -c agentinitd -n "__agentinitd_at 'task'" -a start -d 'A step is worked on now'
complete -c agentinitd -n "__agentinitd_at 'task'" -a status -d 'The status of the whole task, in a word or two'
complete -c agentinitd -n "__agentinitd_at 'task'" -a switch -d 'Go to another task; `-` is the one without a name'
complete -c agentinitd -n "__agentinitd_at 'task'" -a unblock -d 'It is in the way no more: the words of the blocker, or a part of them'
complete -c agentinitd -n "__agentinitd_at 'anchors'" -a list -d 'What is recorded for this project and its task'
complete -c agentinitd -n "__agentinitd_at 'anchors'" -a add -d 'Write down what the agent must not forget'
complete -c agentinitd -n "__agentinitd_at 'anchors'" -a edit -d 'Change one anchor'
complete -c agentinitd -n "__agentinitd_at 'anchors'" -a verify -d 'Say that you looked, and that it is true: the age of the anchor counts from now'
complete -c agentinitd -n "__agentinitd_at 'anchors'" -a remove -d 'Take anchors out of their files; their lines are printed'
complete -c agentinitd -n "__agentinitd_at 'anchors'" -a review -d 'Go through what was captured and nobody confirmed, each with the words it was taken from'
complete -c agentinitd -n "__agentinitd_at 'anchors'" -a lint -d 'Look through the anchors of the project and of all its tasks'
complete -c agentinitd -n "__agentinitd_at 'decisions'" -a add -d 'Record a decision'
complete -c agentinitd -n "__agentinitd_at 'decisions'" -a list -d 'What holds, the newest first, each with what it replaced'
complete -c agentinitd -n "__agentinitd_at 'decisions'" -a supersede -d 'Record a decision that replaces another one'
complete -c agentinitd -n "__agentinitd_at 'unit'" -a install -d 'Write the unit, enable it and start it'
complete -c agentinitd -n "__agentinitd_at 'unit'" -a remove -d 'Stop the daemon and take our unit out; drop-ins of your own stay'
complete -c agentinitd -n "__agentinitd_at 'unit'" -a status -d 'Is the unit installed, enabled, active, and what it should be?'
complete -c agentinitd -n "__agentinitd_at 'trust'" -a allow -d 'Approve these files, or everything that waits for it in the project of this folder'
complete -c agentinitd -n "__agentinitd_at 'trust'" -a deny -d 'Never run these files, whatever they hold, until they are approved by name'
complete -c agentinitd -n "__agentinitd_at 'trust'" -a list -d 'Every decision, the newest first'
complete -c agentinitd -n "__agentinitd_at 'trust'" -a prune -d 'Forget approvals of files and projects that are gone'
complete -c agentinitd -n "__agentinitd_at 'rc'" -a add -d 'Call a script in these runlevels too; without any, in those its header names'
complete -c agentinitd -n "__agentinitd_at 'rc'" -a del -d 'Call a script no more in these runlevels'
complete -c agentinitd -n "__agentinitd_at 'rc'" -a show -d 'What each runlevel calls, in order, in the project of this folder'
complete -c agentinitd -n "__agentinitd_at 'rc'" -a status -d 'What became of each script, in the project of this folder'
complete -c agentinitd -n '__agentinitd_at trust' -a '(__fish_complete_path (commandline -ct))'
complete -c agentinitd -n __agentinitd_asks -a '(__agentinitd_values)'
