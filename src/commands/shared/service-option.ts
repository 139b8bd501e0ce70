import { Option } from 'commander';

/** `--service <id>`: which service a command works on. */
export function serviceOption(): Option {
  return new Option('--service <id>', 'id of the service (default: SVC_SERVICE, or the linked one)');
}
