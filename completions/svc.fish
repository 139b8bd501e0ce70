# Completion of svc for fish. It asks svc what may follow, and evaluates nothing of the answer.

function __svc_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l lines (command $words[1] complete -- $words[2..-1] "$typed" 2>/dev/null)
    if string match -q ':files*' -- "$lines[1]"
        set -l before (string replace -r '^:files ?' '' -- $lines[1])
        set -l length (math (string length -- "$before") + 1)
        for path in (__fish_complete_path (string sub -s $length -- "$typed"))
            echo -- $before$path
        end
    else if string match -q ':command*' -- "$lines[1]"
        set -l start (math (string replace ':command ' '' -- $lines[1]) + 2)
        set -l inner (string escape -- $words[$start..-1])
        test $start -gt (count $words); and set inner
        complete -C (string join ' ' -- $inner "$typed")
    else
        string join \n -- $lines
    end
end

complete -c svc -f -a '(__svc_complete)'
