# Completion of svc for fish. Generated from the command tree by "npm run docs"; do not edit.
# What can be offered is written here or in svc's own lists of names: no program is started, nothing is evaluated.

set -g __svc_commands 'login' 'logout' 'whoami' 'profiles' 'profiles list' 'profiles use' 'profiles remove' 'orgs' 'orgs list' 'orgs use' 'buy' 'billing' 'billing autopay' 'domains' 'domains import' 'domains add' 'domains status' 'metrics' 'restart' 'deployments' 'deployments inspect' 'db' 'db inspect' 'db connect' 'wp' 'wp run' 'link' 'unlink' 'api' 'config' 'config list' 'config get' 'config set' 'config unset' 'doctor' 'completion' 'sandbox' 'sandbox start' 'sandbox exec' 'sandbox tour' 'help'
set -g __svc_value_options --jq --api-url --org --profile --timeout --name --plan --domain --label --quantity --item --items --payment --network --phone --currency --promo --lang --field --idempotency-key --output --format --service --records --wait-timeout --nameserver --since --until --step --series --fail-if --param -X --method --input -H --header --port --data --fault --interval --dns-server

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
complete -c svc -n '__svc_own' -s V -l version -d 'print the version'
complete -c svc -n '__svc_own' -l json -d 'print the answer as JSON, exactly as it came'
complete -c svc -n '__svc_own' -l jq -d 'filter the JSON with jq; strings print without quotes' -x
complete -c svc -n '__svc_own' -l api-url -d 'address of the service [SVC_API_URL]' -x
complete -c svc -n '__svc_own' -l org -d 'act in this organization [SVC_ORG]' -x -a '(__svc_known orgs)'
complete -c svc -n '__svc_own' -l profile -d 'use this stored sign-in [SVC_PROFILE]' -x -a '(__svc_known profiles)'
complete -c svc -n '__svc_own' -s y -l yes -d 'confirm without asking'
complete -c svc -n '__svc_own' -l no-input -d 'never ask a question [SVC_NO_INPUT]'
complete -c svc -n '__svc_own' -s q -l quiet -d 'print results and errors only'
complete -c svc -n '__svc_own' -l debug -d 'show requests and traces, without secrets [SVC_DEBUG]'
complete -c svc -n '__svc_own' -l no-color -d 'print without colours [NO_COLOR]'
complete -c svc -n '__svc_own' -l no-retry -d 'send every request only once [SVC_NO_RETRY]'
complete -c svc -n '__svc_own' -l timeout -d 'give up after this long (default: 90s)' -x
complete -c svc -n '__svc_own' -s h -l help -d 'show help'
complete -c svc -n '__svc_at \'\'' -a login -d 'Sign in by approving a code in a browser'
complete -c svc -n '__svc_at \'\'' -a logout -d 'Forget the stored token on this machine'
complete -c svc -n '__svc_at \'\'' -a whoami -d 'Show who you are signed in as, and with which token'
complete -c svc -n '__svc_at \'\'' -a profiles -d 'Keep several accounts or addresses side by side'
complete -c svc -n '__svc_at \'\'' -a orgs -d 'List your organizations and choose the one to act in'
complete -c svc -n '__svc_at \'\'' -a buy -d 'Order plans, domains and renewals, and start the payment'
complete -c svc -n '__svc_at \'\'' -a billing -d 'See how renewals are paid'
complete -c svc -n '__svc_at \'\'' -a domains -d 'Move a domain\'s DNS to the service'
complete -c svc -n '__svc_at \'\'' -a metrics -d 'Show what a service uses: the latest values, or their history'
complete -c svc -n '__svc_at \'\'' -a restart -d 'Restart a service with its current image'
complete -c svc -n '__svc_at \'\'' -a deployments -d 'Look at deployments'
complete -c svc -n '__svc_at \'\'' -a db -d 'Look at databases and connect to them'
complete -c svc -n '__svc_at \'\'' -a wp -d 'Run WordPress actions'
complete -c svc -n '__svc_at \'\'' -a link -d 'Make a service the default in this folder and those below it'
complete -c svc -n '__svc_at \'\'' -a unlink -d 'Forget the default service and organization of this folder'
complete -c svc -n '__svc_at \'\'' -a api -d 'Send any request to the service, signed in as usual'
complete -c svc -n '__svc_at \'\'' -a config -d 'See and change settings'
complete -c svc -n '__svc_at \'\'' -a doctor -d 'Show what is set up, what is not, and how to fix it'
complete -c svc -n '__svc_at \'\'' -a completion -d 'Complete commands, options and values with Tab'
complete -c svc -n '__svc_at \'\'' -a sandbox -d 'Try things without risk, on a small copy of the service'
complete -c svc -n '__svc_at \'\'' -a help -d 'Show help on a command or a topic'
complete -c svc -n '__svc_at \'login\'' -l name -d 'name of this machine on the approval page (default: its host name)' -x
complete -c svc -n '__svc_at \'login\'' -l no-browser -d 'do not open a browser; the link is always shown'
complete -c svc -n '__svc_at \'login\'' -l with-token -d 'read an API token from stdin instead'
complete -c svc -n '__svc_at \'login\'' -l print-token -d 'print the token on stdout and store nothing'
complete -c svc -n '__svc_at \'login\'' -l no-wait -d 'start a login and exit; finish it with svc login --complete'
complete -c svc -n '__svc_at \'login\'' -l complete -d 'wait for the login that --no-wait started'
complete -c svc -n '__svc_at \'logout\'' -l all -d 'forget every stored token, also those in damaged files'
complete -c svc -n '__svc_at \'profiles\'' -a list -d 'Show the stored sign-ins, but never their tokens'
complete -c svc -n '__svc_at \'profiles\'' -a use -d 'Make a stored sign-in the current one'
complete -c svc -n '__svc_at \'profiles\'' -a remove -d 'Forget a stored sign-in; its token stays valid at the service'
complete -c svc -n '__svc_at \'profiles\'' -l csv -d 'print the sign-ins as comma-separated values'
complete -c svc -n '__svc_at \'profiles list\'' -l csv -d 'print the sign-ins as comma-separated values'
complete -c svc -n '__svc_at \'profiles use\' 0' -a '(__svc_known profiles)'
complete -c svc -n '__svc_at \'profiles remove\' 0' -a '(__svc_known profiles)'
complete -c svc -n '__svc_at \'orgs\'' -a list -d 'Show the organizations you can act in'
complete -c svc -n '__svc_at \'orgs\'' -a use -d 'Act in this organization from now on'
complete -c svc -n '__svc_at \'orgs\'' -l csv -d 'print the organizations as comma-separated values'
complete -c svc -n '__svc_at \'orgs list\'' -l csv -d 'print the organizations as comma-separated values'
complete -c svc -n '__svc_at \'orgs use\' 0' -a '(__svc_known orgs)'
complete -c svc -n '__svc_at \'buy\'' -l plan -d 'plan to order' -x
complete -c svc -n '__svc_at \'buy\'' -l domain -d 'domain to order' -x
complete -c svc -n '__svc_at \'buy\'' -l label -d 'a name for what you order' -x
complete -c svc -n '__svc_at \'buy\'' -l quantity -d 'how many to order, from 1 to 999' -x
complete -c svc -n '__svc_at \'buy\'' -l renew -d 'renew it instead of ordering a new one'
complete -c svc -n '__svc_at \'buy\'' -l item -d 'one of several items; keys: plan, domain, label, quantity, renew' -x
complete -c svc -n '__svc_at \'buy\'' -l items -d 'read the items from a JSON array, as the API takes them' -r -F
complete -c svc -n '__svc_at \'buy\'' -l payment -d 'mobile_money or credit_card (free orders only)' -x -a 'mobile_money credit_card'
complete -c svc -n '__svc_at \'buy\'' -l network -d 'mobile money network' -x
complete -c svc -n '__svc_at \'buy\'' -l phone -d 'phone number to pay from' -x
complete -c svc -n '__svc_at \'buy\'' -l currency -d 'currency to pay in: local or USD' -x -a 'local USD'
complete -c svc -n '__svc_at \'buy\'' -l promo -d 'id of a promo code' -x
complete -c svc -n '__svc_at \'buy\'' -l autopay -d 'save the number, and pay renewals from it automatically'
complete -c svc -n '__svc_at \'buy\'' -l lang -d 'language of the payment page: fr or en' -x -a 'fr en'
complete -c svc -n '__svc_at \'buy\'' -l no-browser -d 'do not open the payment page'
complete -c svc -n '__svc_at \'buy\'' -l field -d 'set another field of the body; a.b=c nests, key:=json sends JSON' -x
complete -c svc -n '__svc_at \'buy\'' -l idempotency-key -d 'key under which the service places the order once (default: a new one)' -x
complete -c svc -n '__svc_at \'buy\'' -l dry-run -d 'show the request without sending it'
complete -c svc -n '__svc_at \'buy\'' -l pending -d 'list them'
complete -c svc -n '__svc_at \'buy\'' -l resume -d 'send one of them again, with the same key'
complete -c svc -n '__svc_at \'buy\'' -l new-order -d 'place a new order even if it looks like one of them'
complete -c svc -n '__svc_at \'buy\'' -l csv -d 'print the purchases of --pending as comma-separated values'
complete -c svc -n '__svc_at \'billing\'' -a autopay -d 'Show whether renewals are paid automatically, and how'
complete -c svc -n '__svc_at \'domains\'' -a import -d 'Scan a domain\'s DNS and show what can be moved'
complete -c svc -n '__svc_at \'domains\'' -a add -d 'Stage a domain\'s records at a service, to move it there'
complete -c svc -n '__svc_at \'domains\'' -a status -d 'Ask the DNS how far a move has come'
complete -c svc -n '__svc_at \'domains import\'' -l output -d 'write what was found to this file, to edit and stage it later' -r -F
complete -c svc -n '__svc_at \'domains import\'' -l format -d 'a plan (json) or a zone file (zone); without --output it is printed' -x -a 'json zone'
complete -c svc -n '__svc_at \'domains import\'' -l csv -d 'print the records as comma-separated values'
complete -c svc -n '__svc_at \'domains add\'' -l service -d 'id of the service (default: SVC_SERVICE, or the linked one)' -x -a '(__svc_known services)'
complete -c svc -n '__svc_at \'domains add\'' -l import -d 'scan the domain\'s current DNS and stage what is found'
complete -c svc -n '__svc_at \'domains add\'' -l records -d 'stage these records instead: a plan, a JSON array or a zone file; - for stdin' -r -F
complete -c svc -n '__svc_at \'domains add\'' -l skip-invalid -d 'leave out records that the service cannot hold'
complete -c svc -n '__svc_at \'domains add\'' -l wait -d 'wait until the nameservers are switched and the records answer'
complete -c svc -n '__svc_at \'domains add\'' -l wait-timeout -d 'wait at most this long (default: 1h)' -x
complete -c svc -n '__svc_at \'domains add\'' -l dry-run -d 'show the request without sending it'
complete -c svc -n '__svc_at \'domains status\'' -l nameserver -d 'a new nameserver, host or host:port; may be repeated (default: those of the last staging on this machine)' -x
complete -c svc -n '__svc_at \'domains status\'' -l wait -d 'wait until the move is complete or something is broken'
complete -c svc -n '__svc_at \'domains status\'' -l wait-timeout -d 'wait at most this long (default: 1h)' -x
complete -c svc -n '__svc_at \'domains status\'' -l csv -d 'print the new nameservers as comma-separated values'
complete -c svc -n '__svc_at \'metrics\' 0' -a '(__svc_known services)'
complete -c svc -n '__svc_at \'metrics\'' -l history -d 'show all points of the last 24 hours'
complete -c svc -n '__svc_at \'metrics\'' -l since -d 'start of the history: 6h (ago), 2026-03-01, 2026-03-01T12:00:00Z' -x
complete -c svc -n '__svc_at \'metrics\'' -l until -d 'end of the history (default: now)' -x
complete -c svc -n '__svc_at \'metrics\'' -l step -d 'time between two points (default: chosen to suit the range)' -x
complete -c svc -n '__svc_at \'metrics\'' -l series -d 'show only these series, as in cpu,memory' -x
complete -c svc -n '__svc_at \'metrics\'' -l watch -d 'draw the usage again and again until Ctrl-C; on a terminal only'
complete -c svc -n '__svc_at \'metrics\'' -l output -d 'write the history as a picture' -r -F
complete -c svc -n '__svc_at \'metrics\'' -l open -d 'open that picture'
complete -c svc -n '__svc_at \'metrics\'' -l fail-if -d 'exit with code 9 if this holds, as in \'cpu>80\' (the latest value) or \'p95(cpu)>60\'' -x
complete -c svc -n '__svc_at \'metrics\'' -l any -d 'let --fail-if judge every point, not the latest alone'
complete -c svc -n '__svc_at \'metrics\'' -l csv -d 'print the history as comma-separated values'
complete -c svc -n '__svc_at \'restart\' 0' -a '(__svc_known services)'
complete -c svc -n '__svc_at \'deployments\'' -a inspect -d 'Show a deployment and whether it is live'
complete -c svc -n '__svc_at \'deployments inspect\'' -l service -d 'id of the service (default: SVC_SERVICE, or the linked one)' -x -a '(__svc_known services)'
complete -c svc -n '__svc_at \'db\'' -a inspect -d 'Show a database, its plan, and how to connect to it'
complete -c svc -n '__svc_at \'db\'' -a connect -d 'Open a database in psql, mysql or redis-cli'
complete -c svc -n '__svc_at \'db inspect\'' -l reveal -d 'show the password'
complete -c svc -n '__svc_at \'db inspect\'' -l env -d 'print the connection as lines for a .env file, with the password in the clear'
complete -c svc -n '__svc_at \'wp\'' -a run -d 'Run a managed action, such as a cache flush or a backup'
complete -c svc -n '__svc_at \'wp run\'' -l service -d 'id of the service (default: SVC_SERVICE, or the linked one)' -x -a '(__svc_known services)'
complete -c svc -n '__svc_at \'wp run\'' -l param -d 'parameter of the action; key:=json for anything but text; may be repeated' -x
complete -c svc -n '__svc_at \'wp run\'' -l wait -d 'wait until the action is done'
complete -c svc -n '__svc_at \'wp run\'' -l wait-timeout -d 'wait at most this long (default: 10m)' -x
complete -c svc -n '__svc_at \'wp run\'' -l dry-run -d 'show the request without sending it'
complete -c svc -n '__svc_at \'link\' 0' -a '(__svc_known services)'
complete -c svc -n '__svc_at \'api\'' -s X -l method -d 'HTTP method (default: GET, or POST with a body)' -x -a 'GET POST PUT PATCH DELETE HEAD OPTIONS'
complete -c svc -n '__svc_at \'api\'' -l field -d 'field of the body, or of the query for GET; key:=json for anything but text' -x
complete -c svc -n '__svc_at \'api\'' -l input -d 'send this file as the body; - is standard input' -r -F
complete -c svc -n '__svc_at \'api\'' -s H -l header -d 'a header, as in \'Name: value\'; may be repeated' -x
complete -c svc -n '__svc_at \'api\'' -l include -d 'show the status and the headers of the answer first'
complete -c svc -n '__svc_at \'api\'' -l paginate -d 'follow the pages (Link header, next, nextCursor): the first page, its list extended by the others'
complete -c svc -n '__svc_at \'api\'' -l dry-run -d 'show the request without sending it'
complete -c svc -n '__svc_at \'config\'' -a list -d 'Show the settings in effect and their sources'
complete -c svc -n '__svc_at \'config\'' -a get -d 'Print one setting in effect'
complete -c svc -n '__svc_at \'config\'' -a set -d 'Change a setting for every folder'
complete -c svc -n '__svc_at \'config\'' -a unset -d 'Remove a setting, so that its default applies again'
complete -c svc -n '__svc_at \'config\'' -l csv -d 'print the settings as comma-separated values'
complete -c svc -n '__svc_at \'config list\'' -l csv -d 'print the settings as comma-separated values'
complete -c svc -n '__svc_at \'config get\' 0' -a 'api-url org service assume.metrics.start assume.metrics.end assume.metrics.step assume.metrics.points assume.checkout.paymentMethod assume.checkout.currency assume.checkout.language assume.checkout.failed assume.checkout.pending assume.job.path assume.job.done assume.job.failed assume.deployment.live'
complete -c svc -n '__svc_at \'config set\' 0' -a 'api-url org service assume.metrics.start assume.metrics.end assume.metrics.step assume.metrics.points assume.checkout.paymentMethod assume.checkout.currency assume.checkout.language assume.checkout.failed assume.checkout.pending assume.job.path assume.job.done assume.job.failed assume.deployment.live'
complete -c svc -n '__svc_at \'config unset\' 0' -a 'api-url org service assume.metrics.start assume.metrics.end assume.metrics.step assume.metrics.points assume.checkout.paymentMethod assume.checkout.currency assume.checkout.language assume.checkout.failed assume.checkout.pending assume.job.path assume.job.done assume.job.failed assume.deployment.live'
complete -c svc -n '__svc_at \'doctor\'' -l csv -d 'print the checks as comma-separated values'
complete -c svc -n '__svc_at \'completion\' 0' -a 'bash zsh fish powershell install'
complete -c svc -n '__svc_at \'completion\' 1' -a 'bash zsh fish powershell'
complete -c svc -n '__svc_at \'sandbox\'' -a start -d 'Serve the sandbox on this machine until Ctrl-C'
complete -c svc -n '__svc_at \'sandbox\'' -a exec -d 'Run a command against a fresh sandbox, and exit with its code'
complete -c svc -n '__svc_at \'sandbox\'' -a tour -d 'Show every documented command at work, against a fresh sandbox'
complete -c svc -n '__svc_at \'sandbox\'' -l port -d 'port on 127.0.0.1; 0 picks a free one (default: 4750)' -x
complete -c svc -n '__svc_at \'sandbox\'' -l data -d 'keep the state in this file' -r -F
complete -c svc -n '__svc_at \'sandbox\'' -l fault -d 'break requests on purpose, as in restart:503*2; may be repeated' -x
complete -c svc -n '__svc_at \'sandbox\'' -l interval -d 'time between the polls of a login' -x
complete -c svc -n '__svc_at \'sandbox\'' -l dns-server -d 'scan the zones of this name server' -x
complete -c svc -n '__svc_at \'sandbox start\'' -l port -d 'port on 127.0.0.1; 0 picks a free one (default: 4750)' -x
complete -c svc -n '__svc_at \'sandbox start\'' -l data -d 'keep the state in this file' -r -F
complete -c svc -n '__svc_at \'sandbox start\'' -l fault -d 'break requests on purpose, as in restart:503*2; may be repeated' -x
complete -c svc -n '__svc_at \'sandbox start\'' -l interval -d 'time between the polls of a login' -x
complete -c svc -n '__svc_at \'sandbox start\'' -l dns-server -d 'scan the zones of this name server' -x
complete -c svc -n '__svc_at \'sandbox exec\'' -a '(__svc_exec)'
complete -c svc -n '__svc_help_topic' -a environment -d 'Environment variables'
complete -c svc -n '__svc_help_topic' -a exit-codes -d 'Exit codes'
complete -c svc -n '__svc_help_topic' -a json -d 'JSON for scripts'
complete -c svc -n '__svc_help_topic' -a assumptions -d 'What svc assumes about the service'
complete -c svc -n '__svc_help_topic' -a ci -d 'svc in CI'
