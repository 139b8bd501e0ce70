# Completion of svc for PowerShell 5.1 and newer. @generated@
# Made of the same data as the completions of the other shells, but not tested as they are.

Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($typed, $line, $position)

  # What may follow a command, and what it means.
  $commands = @{
@commands@
  }
  $global = @{ @global@ }
  # The options that take a value, and what is known of it.
  $values = @{
@values@
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
