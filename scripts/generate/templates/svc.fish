# Completion of svc for fish. @generated@
# What can be offered is written here or in svc's own lists of names: no program is started, nothing is evaluated.

set -g __svc_commands @commands@
set -g __svc_value_options @values@

# Reads the command line, once for all conditions: the command, how many arguments follow it, whether "help" or
# "sandbox exec" came before.
function __svc_read
    set -l line (commandline -pc)
    test "$line" = "$__svc_line"; and return
    set -g __svc_line $line
    set -g __svc_command ''
    set -g __svc_count 0
    set -g __svc_help no
    set -g __svc_behind
    set -l skip no
    for word in (commandline -opc)[2..-1]
        set -l next (string trim "$__svc_command $word")
        if test $skip = yes
            set skip no
        else if test "$__svc_command" = 'sandbox exec' -a \( "$__svc_behind" != '' -o $word != -- \)
            set -a __svc_behind $word
        else if contains -- $word $__svc_value_options
            set skip yes
        else if string match -q -- '-*' $word
            continue
        else if test "$next" = help
            set -g __svc_help yes
        else if contains -- $next $__svc_commands
            set -g __svc_command $next
        else
            set -g __svc_count (math $__svc_count + 1)
        end
    end
end

# Whether this command is typed, and with that many arguments where a number is given.
function __svc_at
    __svc_read
    test "$__svc_command" = "$argv[1]"; or return 1
    test (count $argv) -eq 1; or test $__svc_count -eq $argv[2]
end

function __svc_help_topic
    __svc_read
    test $__svc_help = yes -a "$__svc_command" = '' -a $__svc_count -eq 0
end

# Whether the options of svc itself may follow.
function __svc_own
    __svc_read
    test (count $__svc_behind) -eq 0
end

# Names that svc has written down, one a line.
function __svc_known
    set -l folder $HOME/.config
    test -d "$HOME/Library/Application Support"; and set folder "$HOME/Library/Application Support"
    set -q XDG_CONFIG_HOME; and test -n "$XDG_CONFIG_HOME"; and set folder $XDG_CONFIG_HOME
    set folder $folder/svc
    set -q SVC_CONFIG_DIR; and test -n "$SVC_CONFIG_DIR"; and set folder $SVC_CONFIG_DIR
    test -f $folder/known/$argv[1]; or return
    while read -l name
        string match -qr '^[A-Za-z0-9][A-Za-z0-9._:/@-]*$' -- $name; and echo $name
    end <$folder/known/$argv[1]
end

# A command of its own, behind "svc sandbox exec", completes itself.
function __svc_exec
    __svc_read
    complete -C (string join ' ' -- (string escape -- $__svc_behind) (commandline -ct))
end

complete -c svc -f
@global@
@functions@
