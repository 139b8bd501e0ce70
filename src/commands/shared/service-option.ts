/** `--service <id>`: which service a command works on. */
export const SERVICE_OPTION = [
  '--service <id>',
  'id of the service (default: SVC_SERVICE, or the linked one)',
] as const;
