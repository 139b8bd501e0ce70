/** Refuses a request with a status and the value of `error` in the body. */
export class Refusal extends Error {
  readonly status: number;
  readonly error: string | Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    error: string | Readonly<Record<string, string>>,
    headers: Record<string, string> = {},
  ) {
    super(typeof error === 'string' ? error : Object.values(error).join('; '));
    this.name = 'Refusal';
    this.status = status;
    this.error = error;
    this.headers = headers;
  }
}

/** Refuses a resource that does not exist, or that the chosen organization cannot see. */
export function notFound(kind: string, id: string): Refusal {
  return new Refusal(404, `There is no ${kind} "${id}" in this organization.`);
}
