// Writes openapi.json and the files of schema/ from the table of fields and the table of
// operations.

/** @typedef {typeof import('../../src/contract/schema.ts')} SchemaModule */
/** @typedef {import('../../src/contract/operations.ts').Operation} Operation */
/** @typedef {import('../../src/contract/fields/field.ts').Fields} Fields */
/** @typedef {{ answer: Fields, body?: Fields, query?: Fields }} OperationFields */
/**
 * @typedef {Pick<SchemaModule, 'DIALECT' | 'toSchema' | 'toDocumentSchema'> & Pick<typeof
 * import('../../src/contract/fields/operations.ts'), 'POLL_ERROR' | 'SERVICE_ERROR'> & { OPERATIONS:
 * Readonly<Record<string, Operation>>, OPERATION_FIELDS: Readonly<Record<string, OperationFields>>,
 * DOCUMENTS: Readonly<Record<string, Fields>>, LINES: Readonly<Record<string, Fields>> }} Spec
 */

/** Set on what the API document does not show. */
const ASSUMED = { 'x-assumed': true };

/** The statuses that the document gives for operation 5. The others answer "in the same shape". */
const FAILURES = {
  400: 'Invalid request',
  401: 'Missing, invalid or expired credentials',
  403: 'Not allowed for this token or organization',
  404: 'Not found',
  429: 'Rate limited',
};

/**
 * Returns the description of the twelve operations in OpenAPI 3.1.
 * @param {Spec} spec
 * @param {string} version
 */
export function openApi(spec, version) {
  /** @type {Record<string, Record<string, unknown>>} */
  const paths = {};
  for (const operation of Object.values(spec.OPERATIONS)) {
    const methods = paths[operation.path];
    paths[operation.path] = {
      ...methods,
      [operation.method.toLowerCase()]: operationOf(spec, operation),
    };
  }
  return toText({
    openapi: '3.1.0',
    info: {
      title: 'Hosting platform',
      version,
      description:
        'The twelve operations of the API whose shape is documented. `x-assumed: true` marks what its document does not show and svc assumes. Answers may have more fields than are listed.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The address of the platform; paths begin behind it.' }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token; it begins with `svc_`.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'svc.session-token',
          description: 'A session of the dashboard.',
        },
      },
      parameters: {
        Organization: {
          name: 'X-Service-Org',
          in: 'header',
          description:
            'Id or slug of an organization, for tokens that can access several; default: the first one.',
          schema: { type: 'string' },
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'Makes it safe to repeat the request.',
          schema: { type: 'string' },
        },
      },
      schemas: { Error: spec.toSchema(spec.SERVICE_ERROR), ...componentsOf(spec) },
    },
  });
}

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds to wait, or a date',
    required: true,
    schema: { type: 'string' },
  },
};

/** @param {Spec} spec */
function componentsOf({ OPERATION_FIELDS, toSchema }) {
  return Object.fromEntries(
    Object.entries(OPERATION_FIELDS).flatMap(([name, { answer, body }]) => [
      ...(body === undefined ? [] : [[nameOf(name, 'Body'), toSchema(body)]]),
      [nameOf(name, 'Answer'), toSchema(answer)],
    ]),
  );
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 */
function operationOf(
  { OPERATION_FIELDS, POLL_ERROR, toSchema },
  { name, path, number, credentials, retry, command },
) {
  const { body, query = {} } = OPERATION_FIELDS[name] ?? {};
  const described = number === 5 ? {} : ASSUMED;
  const queries = Object.entries(toSchema(query)['properties'] ?? {}).map(([key, schema]) => {
    const { description, 'x-assumed': assumed, ...rest } = schema;
    return {
      name: key,
      in: 'query',
      required: true,
      description,
      ...(assumed && ASSUMED),
      schema: rest,
    };
  });
  const isOpen = credentials === 'none';
  const failures = Object.entries(FAILURES).filter(
    ([status]) => !isOpen || status === '400' || status === '429',
  );
  const failure = (/** @type {string} */ status, /** @type {string} */ description) => ({
    description,
    ...described,
    ...(status === '429' && { headers: RETRY_AFTER }),
    content: jsonOf(reference('Error')),
  });
  return {
    operationId: name,
    summary: inWords(name),
    description: `Operation ${number} of the API document; \`svc ${command}\`.`,
    security: isOpen ? [] : [{ token: [] }, ...(credentials === 'token' ? [] : [{ session: [] }])],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => pathParameter(key, path)),
      ...queries,
      ...(isOpen ? [] : [{ $ref: '#/components/parameters/Organization' }]),
      ...(retry === 'keyed' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(body && {
      requestBody: { required: true, content: jsonOf(reference(nameOf(name, 'Body'))) },
    }),
    responses: {
      200: {
        description: 'Done',
        ...described,
        content: jsonOf(reference(nameOf(name, 'Answer'))),
      },
      ...Object.fromEntries(failures.map(([status, text]) => [status, failure(status, text)])),
      ...(name === 'pollDeviceLogin' && {
        400: {
          description: 'There is no token yet, or the login has ended',
          content: jsonOf(toSchema(POLL_ERROR)),
        },
      }),
    },
  };
}

/** @param {string} key @param {string} path */
function pathParameter(key, path) {
  const what = { domain: 'domain name', deploymentId: 'id of the deployment' }[key];
  const description =
    what ?? (path.includes('/databases/') ? 'id of the database' : 'id of the service');
  return { name: key, in: 'path', required: true, description, schema: { type: 'string' } };
}

/** @param {unknown} schema */
function jsonOf(schema) {
  return { 'application/json': { schema } };
}

/** @param {string} name */
function reference(name) {
  return { $ref: `#/components/schemas/${name}` };
}

/** `createOrder` becomes `Create order`. @param {string} name */
function inWords(name) {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {string} name @param {string} end */
function nameOf(name, end) {
  return name[0]?.toUpperCase() + name.slice(1) + end;
}

/**
 * Returns the schema of each document, event and line that svc prints, by file.
 * @param {Spec} spec
 * @returns {Readonly<Record<string, string>>}
 */
export function schemaFiles({ DOCUMENTS, LINES, DIALECT, toSchema, toDocumentSchema }) {
  const all = [
    ...Object.entries(DOCUMENTS).map(([name, fields]) => ({
      name,
      schema: toDocumentSchema(fields),
    })),
    ...Object.entries(LINES).map(([name, fields]) => ({ name, schema: toSchema(fields) })),
  ];
  return Object.fromEntries(
    all.map(({ name, schema }) => {
      const file = name.replaceAll(/[ _]/g, '-');
      return [
        `schema/${file}.json`,
        toText({ $schema: DIALECT, $id: `urn:svc:schema:${file}`, ...schema }),
      ];
    }),
  );
}

/** @param {unknown} value */
function toText(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
