import { type Globals, sameTarget } from '../../kit/globals.ts';
import { shellWord } from '../../shell-line.ts';

/** What was typed for `svc domains add`, besides the domain. */
interface TypedStaging {
  readonly service?: string | undefined;
  readonly records?: string | undefined;
  readonly skipInvalid?: boolean;
}

/** Writes the command that stages a domain, with what was typed. */
export function addCommand(
  domain: string,
  { service, records, skipInvalid = false }: TypedStaging,
  globals: Globals,
): string {
  return sameTarget(
    [
      ...['svc', 'domains', 'add', domain],
      ...(service === undefined ? [] : ['--service', service]),
      '--import',
      ...(records === undefined ? [] : ['--records', records]),
      ...(skipInvalid ? ['--skip-invalid'] : []),
    ],
    globals,
  );
}

/** What was typed for `svc domains status`, besides the domain. */
export interface TypedCheck {
  readonly nameservers?: readonly string[];
  readonly records?: string | undefined;
}

/** Writes the command that checks a move, with what it would not know by itself. */
export function statusCommand(domain: string, { nameservers = [], records }: TypedCheck = {}): string {
  const words = [
    ...nameservers.flatMap((name) => ['--nameserver', name]),
    ...(records === undefined ? [] : ['--records', records]),
  ];
  return ['svc', 'domains', 'status', domain, ...words].map((word) => shellWord(word)).join(' ');
}
