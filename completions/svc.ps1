# Completion of svc for PowerShell 5.1 and newer. It asks svc what may follow, and evaluates nothing of the answer.

Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
            Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
            Select-Object -Skip 1 |
            ForEach-Object { $_.Extent.Text })
    if ($wordToComplete -eq '') {
        # Before PowerShell 7.3, an empty argument reaches a program only in quotes.
        $words += if ($PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { '' }
    }
    foreach ($line in @(& $commandAst.CommandElements[0].Extent.Text complete -- @words 2>$null)) {
        if ($line.StartsWith(':files')) {
            $before = $line.Substring([Math]::Min(7, $line.Length))
            $name = $wordToComplete.Substring([Math]::Min($before.Length, $wordToComplete.Length))
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($name) | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new(
                    $before + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
            }
        } elseif (-not $line.StartsWith(':')) {
            $word, $about = $line -split "`t", 2
            $meaning = if ($about) { $about } else { $word }
            [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $meaning)
        }
    }
}
