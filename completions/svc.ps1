# Completion of svc for PowerShell 5.1 and newer. Generated from the command tree by "npm run docs"; do not edit.
# Made of the same data as the completions of the other shells, but not tested as they are.

Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($typed, $line, $position)

  # What may follow a command, and what it means.
  $commands = @{
    '' = @{ words = @{ 'login' = 'Sign in by approving a code in a browser'; 'logout' = 'Forget the stored token on this machine'; 'whoami' = 'Show who you are signed in as, and with which token'; 'profiles' = 'Keep several accounts or addresses side by side'; 'orgs' = 'List your organizations and choose the one to act in'; 'buy' = 'Order plans, domains and renewals, and start the payment'; 'billing' = 'See how renewals are paid'; 'domains' = 'Move a domain''s DNS to the service'; 'metrics' = 'Show what a service uses: the latest values, or their history'; 'restart' = 'Restart a service with its current image'; 'deployments' = 'Look at deployments'; 'db' = 'Look at databases and connect to them'; 'wp' = 'Run WordPress actions'; 'link' = 'Make a service the default in this folder and those below it'; 'unlink' = 'Forget the default service and organization of this folder'; 'api' = 'Send any request to the service, signed in as usual'; 'config' = 'See and change settings'; 'doctor' = 'Show what is set up, what is not, and how to fix it'; 'completion' = 'Complete commands, options and values with Tab'; 'sandbox' = 'Try things without risk, on a small copy of the service'; 'help' = 'Show help on a command or a topic' }; options = @{} }
    'login' = @{ words = @{}; options = @{ '--name' = 'name of this machine on the approval page (default: its host name)'; '--no-browser' = 'do not open a browser; the link is always shown'; '--with-token' = 'read an API token from stdin instead'; '--print-token' = 'print the token on stdout and store nothing'; '--no-wait' = 'start a login and exit; finish it with svc login --complete'; '--complete' = 'wait for the login that --no-wait started' } }
    'logout' = @{ words = @{}; options = @{ '--all' = 'forget every stored token, also those in damaged files' } }
    'whoami' = @{ words = @{}; options = @{} }
    'profiles' = @{ words = @{ 'list' = 'Show the stored sign-ins, but never their tokens'; 'use' = 'Make a stored sign-in the current one'; 'remove' = 'Forget a stored sign-in; its token stays valid at the service' }; options = @{ '--csv' = 'print the sign-ins as comma-separated values' } }
    'profiles list' = @{ words = @{}; options = @{ '--csv' = 'print the sign-ins as comma-separated values' } }
    'profiles use' = @{ words = @{}; options = @{} }
    'profiles remove' = @{ words = @{}; options = @{} }
    'orgs' = @{ words = @{ 'list' = 'Show the organizations you can act in'; 'use' = 'Act in this organization from now on' }; options = @{ '--csv' = 'print the organizations as comma-separated values' } }
    'orgs list' = @{ words = @{}; options = @{ '--csv' = 'print the organizations as comma-separated values' } }
    'orgs use' = @{ words = @{}; options = @{} }
    'buy' = @{ words = @{}; options = @{ '--plan' = 'plan to order'; '--domain' = 'domain to order'; '--label' = 'a name for what you order'; '--quantity' = 'how many to order, from 1 to 999'; '--renew' = 'renew it instead of ordering a new one'; '--item' = 'one of several items; keys: plan, domain, label, quantity, renew'; '--items' = 'read the items from a JSON array, as the API takes them'; '--payment' = 'mobile_money or credit_card (free orders only)'; '--network' = 'mobile money network'; '--phone' = 'phone number to pay from'; '--currency' = 'currency to pay in: local or USD'; '--promo' = 'id of a promo code'; '--autopay' = 'save the number, and pay renewals from it automatically'; '--lang' = 'language of the payment page: fr or en'; '--no-browser' = 'do not open the payment page'; '--field' = 'set another field of the body; a.b=c nests, key:=json sends JSON'; '--idempotency-key' = 'key under which the service places the order once (default: a new one)'; '--dry-run' = 'show the request without sending it'; '--pending' = 'list them'; '--resume' = 'send one of them again, with the same key'; '--new-order' = 'place a new order even if it looks like one of them'; '--csv' = 'print the purchases of --pending as comma-separated values' } }
    'billing' = @{ words = @{ 'autopay' = 'Show whether renewals are paid automatically, and how' }; options = @{} }
    'billing autopay' = @{ words = @{}; options = @{} }
    'domains' = @{ words = @{ 'import' = 'Scan a domain''s DNS and show what can be moved'; 'add' = 'Stage a domain''s records at a service, to move it there'; 'status' = 'Ask the DNS how far a move has come' }; options = @{} }
    'domains import' = @{ words = @{}; options = @{ '--output' = 'write what was found to this file, to edit and stage it later'; '--format' = 'a plan (json) or a zone file (zone); without --output it is printed'; '--csv' = 'print the records as comma-separated values' } }
    'domains add' = @{ words = @{}; options = @{ '--service' = 'id of the service (default: SVC_SERVICE, or the linked one)'; '--import' = 'scan the domain''s current DNS and stage what is found'; '--records' = 'stage these records instead: a plan, a JSON array or a zone file; - for stdin'; '--skip-invalid' = 'leave out records that the service cannot hold'; '--wait' = 'wait until the nameservers are switched and the records answer'; '--wait-timeout' = 'wait at most this long (default: 1h)'; '--dry-run' = 'show the request without sending it' } }
    'domains status' = @{ words = @{}; options = @{ '--nameserver' = 'a new nameserver, host or host:port; may be repeated (default: those of the last staging on this machine)'; '--wait' = 'wait until the move is complete or something is broken'; '--wait-timeout' = 'wait at most this long (default: 1h)'; '--csv' = 'print the new nameservers as comma-separated values' } }
    'metrics' = @{ words = @{}; options = @{ '--history' = 'show all points of the last 24 hours'; '--since' = 'start of the history: 6h (ago), 2026-03-01, 2026-03-01T12:00:00Z'; '--until' = 'end of the history (default: now)'; '--step' = 'time between two points (default: chosen to suit the range)'; '--series' = 'show only these series, as in cpu,memory'; '--watch' = 'draw the usage again and again until Ctrl-C; on a terminal only'; '--output' = 'write the history as a picture'; '--open' = 'open that picture'; '--fail-if' = 'exit with code 9 if this holds, as in ''cpu>80'' (the latest value) or ''p95(cpu)>60'''; '--any' = 'let --fail-if judge every point, not the latest alone'; '--csv' = 'print the history as comma-separated values' } }
    'restart' = @{ words = @{}; options = @{} }
    'deployments' = @{ words = @{ 'inspect' = 'Show a deployment and whether it is live' }; options = @{} }
    'deployments inspect' = @{ words = @{}; options = @{ '--service' = 'id of the service (default: SVC_SERVICE, or the linked one)' } }
    'db' = @{ words = @{ 'inspect' = 'Show a database, its plan, and how to connect to it'; 'connect' = 'Open a database in psql, mysql or redis-cli' }; options = @{} }
    'db inspect' = @{ words = @{}; options = @{ '--reveal' = 'show the password'; '--env' = 'print the connection as lines for a .env file, with the password in the clear' } }
    'db connect' = @{ words = @{}; options = @{} }
    'wp' = @{ words = @{ 'run' = 'Run a managed action, such as a cache flush or a backup' }; options = @{} }
    'wp run' = @{ words = @{}; options = @{ '--service' = 'id of the service (default: SVC_SERVICE, or the linked one)'; '--param' = 'parameter of the action; key:=json for anything but text; may be repeated'; '--wait' = 'wait until the action is done'; '--wait-timeout' = 'wait at most this long (default: 10m)'; '--dry-run' = 'show the request without sending it' } }
    'link' = @{ words = @{}; options = @{} }
    'unlink' = @{ words = @{}; options = @{} }
    'api' = @{ words = @{}; options = @{ '-X' = 'HTTP method (default: GET, or POST with a body)'; '--method' = 'HTTP method (default: GET, or POST with a body)'; '--field' = 'field of the body, or of the query for GET; key:=json for anything but text'; '--input' = 'send this file as the body; - is standard input'; '-H' = 'a header, as in ''Name: value''; may be repeated'; '--header' = 'a header, as in ''Name: value''; may be repeated'; '--include' = 'show the status and the headers of the answer first'; '--paginate' = 'follow the pages (Link header, next, nextCursor): the first page, its list extended by the others'; '--dry-run' = 'show the request without sending it' } }
    'config' = @{ words = @{ 'list' = 'Show the settings in effect and their sources'; 'get' = 'Print one setting in effect'; 'set' = 'Change a setting for every folder'; 'unset' = 'Remove a setting, so that its default applies again' }; options = @{ '--csv' = 'print the settings as comma-separated values' } }
    'config list' = @{ words = @{}; options = @{ '--csv' = 'print the settings as comma-separated values' } }
    'config get' = @{ words = @{ 'api-url' = 'api-url'; 'org' = 'org'; 'service' = 'service'; 'assume.metrics.start' = 'assume.metrics.start'; 'assume.metrics.end' = 'assume.metrics.end'; 'assume.metrics.step' = 'assume.metrics.step'; 'assume.metrics.points' = 'assume.metrics.points'; 'assume.checkout.paymentMethod' = 'assume.checkout.paymentMethod'; 'assume.checkout.currency' = 'assume.checkout.currency'; 'assume.checkout.language' = 'assume.checkout.language'; 'assume.checkout.failed' = 'assume.checkout.failed'; 'assume.checkout.pending' = 'assume.checkout.pending'; 'assume.job.path' = 'assume.job.path'; 'assume.job.done' = 'assume.job.done'; 'assume.job.failed' = 'assume.job.failed'; 'assume.deployment.live' = 'assume.deployment.live' }; options = @{} }
    'config set' = @{ words = @{ 'api-url' = 'api-url'; 'org' = 'org'; 'service' = 'service'; 'assume.metrics.start' = 'assume.metrics.start'; 'assume.metrics.end' = 'assume.metrics.end'; 'assume.metrics.step' = 'assume.metrics.step'; 'assume.metrics.points' = 'assume.metrics.points'; 'assume.checkout.paymentMethod' = 'assume.checkout.paymentMethod'; 'assume.checkout.currency' = 'assume.checkout.currency'; 'assume.checkout.language' = 'assume.checkout.language'; 'assume.checkout.failed' = 'assume.checkout.failed'; 'assume.checkout.pending' = 'assume.checkout.pending'; 'assume.job.path' = 'assume.job.path'; 'assume.job.done' = 'assume.job.done'; 'assume.job.failed' = 'assume.job.failed'; 'assume.deployment.live' = 'assume.deployment.live' }; options = @{} }
    'config unset' = @{ words = @{ 'api-url' = 'api-url'; 'org' = 'org'; 'service' = 'service'; 'assume.metrics.start' = 'assume.metrics.start'; 'assume.metrics.end' = 'assume.metrics.end'; 'assume.metrics.step' = 'assume.metrics.step'; 'assume.metrics.points' = 'assume.metrics.points'; 'assume.checkout.paymentMethod' = 'assume.checkout.paymentMethod'; 'assume.checkout.currency' = 'assume.checkout.currency'; 'assume.checkout.language' = 'assume.checkout.language'; 'assume.checkout.failed' = 'assume.checkout.failed'; 'assume.checkout.pending' = 'assume.checkout.pending'; 'assume.job.path' = 'assume.job.path'; 'assume.job.done' = 'assume.job.done'; 'assume.job.failed' = 'assume.job.failed'; 'assume.deployment.live' = 'assume.deployment.live' }; options = @{} }
    'doctor' = @{ words = @{}; options = @{ '--csv' = 'print the checks as comma-separated values' } }
    'completion' = @{ words = @{ 'bash' = 'bash'; 'zsh' = 'zsh'; 'fish' = 'fish'; 'powershell' = 'powershell'; 'install' = 'install' }; options = @{} }
    'sandbox' = @{ words = @{ 'start' = 'Serve the sandbox on this machine until Ctrl-C'; 'exec' = 'Run a command against a fresh sandbox, and exit with its code'; 'tour' = 'Show every documented command at work, against a fresh sandbox' }; options = @{ '--port' = 'port on 127.0.0.1; 0 picks a free one (default: 4750)'; '--data' = 'keep the state in this file'; '--fault' = 'break requests on purpose, as in restart:503*2; may be repeated'; '--interval' = 'time between the polls of a login'; '--dns-server' = 'scan the zones of this name server' } }
    'sandbox start' = @{ words = @{}; options = @{ '--port' = 'port on 127.0.0.1; 0 picks a free one (default: 4750)'; '--data' = 'keep the state in this file'; '--fault' = 'break requests on purpose, as in restart:503*2; may be repeated'; '--interval' = 'time between the polls of a login'; '--dns-server' = 'scan the zones of this name server' } }
    'sandbox exec' = @{ words = @{}; options = @{} }
    'sandbox tour' = @{ words = @{}; options = @{} }
    'help' = @{ words = @{ 'environment' = 'Environment variables'; 'exit-codes' = 'Exit codes'; 'json' = 'JSON for scripts'; 'assumptions' = 'What svc assumes about the service'; 'ci' = 'svc in CI' }; options = @{} }
  }
  $global = @{ '-V' = 'print the version'; '--version' = 'print the version'; '--json' = 'print the answer as JSON, exactly as it came'; '--jq' = 'filter the JSON with jq; strings print without quotes'; '--api-url' = 'address of the service [SVC_API_URL]'; '--org' = 'act in this organization [SVC_ORG]'; '--profile' = 'use this stored sign-in [SVC_PROFILE]'; '-y' = 'confirm without asking'; '--yes' = 'confirm without asking'; '--no-input' = 'never ask a question [SVC_NO_INPUT]'; '-q' = 'print results and errors only'; '--quiet' = 'print results and errors only'; '--debug' = 'show requests and traces, without secrets [SVC_DEBUG]'; '--no-color' = 'print without colours [NO_COLOR]'; '--no-retry' = 'send every request only once [SVC_NO_RETRY]'; '--timeout' = 'give up after this long (default: 90s)'; '-h' = 'show help'; '--help' = 'show help' }
  # The options that take a value, and what is known of it.
  $values = @{
    '--jq' = @{}
    '--api-url' = @{}
    '--org' = @{}
    '--profile' = @{}
    '--timeout' = @{}
    '--name' = @{}
    '--plan' = @{}
    '--domain' = @{}
    '--label' = @{}
    '--quantity' = @{}
    '--item' = @{}
    '--items' = @{}
    '--payment' = @{ 'mobile_money' = 'mobile_money'; 'credit_card' = 'credit_card' }
    '--network' = @{}
    '--phone' = @{}
    '--currency' = @{ 'local' = 'local'; 'USD' = 'USD' }
    '--promo' = @{}
    '--lang' = @{ 'fr' = 'fr'; 'en' = 'en' }
    '--field' = @{}
    '--idempotency-key' = @{}
    '--output' = @{}
    '--format' = @{ 'json' = 'json'; 'zone' = 'zone' }
    '--service' = @{}
    '--records' = @{}
    '--wait-timeout' = @{}
    '--nameserver' = @{}
    '--since' = @{}
    '--until' = @{}
    '--step' = @{}
    '--series' = @{}
    '--fail-if' = @{}
    '--param' = @{}
    '-X' = @{ 'GET' = 'GET'; 'POST' = 'POST'; 'PUT' = 'PUT'; 'PATCH' = 'PATCH'; 'DELETE' = 'DELETE'; 'HEAD' = 'HEAD'; 'OPTIONS' = 'OPTIONS' }
    '--method' = @{ 'GET' = 'GET'; 'POST' = 'POST'; 'PUT' = 'PUT'; 'PATCH' = 'PATCH'; 'DELETE' = 'DELETE'; 'HEAD' = 'HEAD'; 'OPTIONS' = 'OPTIONS' }
    '--input' = @{}
    '-H' = @{}
    '--header' = @{}
    '--port' = @{}
    '--data' = @{}
    '--fault' = @{}
    '--interval' = @{}
    '--dns-server' = @{}
  }

  $command = ''
  $option = ''
  foreach ($element in $line.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $position) { break }
    $text = $element.ToString()
    if ($option -ne '') { $option = ''; continue }
    if ($text -eq '--') { return }
    if ($text.StartsWith('-')) {
      if ($values.Keys -ccontains $text) { $option = $text }
      continue
    }
    $next = "$command $text".Trim()
    if ($commands.ContainsKey($next)) { $command = $next }
  }

  $lead = ''
  if ($option -eq '' -and $typed -match '^(--[\w-]+)=(.*)$') {
    $option = $Matches[1]
    $lead = "$option="
    $typed = $Matches[2]
  }
  if ($option -ne '') { $tables = @($values[$option]) }
  elseif ($typed.StartsWith('-')) { $tables = @($commands[$command].options, $global) }
  else { $tables = @($commands[$command].words) }

  foreach ($table in $tables) {
    if ($null -eq $table) { continue }
    foreach ($name in $table.Keys | Where-Object { $_.StartsWith($typed) } | Sort-Object) {
      [System.Management.Automation.CompletionResult]::new("$lead$name", $name, 'ParameterValue', $table[$name])
    }
  }
}
