import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { portOf } from '../port.mjs';

/**
 * Serves the files of a folder on 127.0.0.1.
 * @param {string} folder
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function serveFolder(folder) {
  const server = createServer(({ url }, response) => {
    const file = join(folder, basename(url ?? ''));
    if (existsSync(file)) createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${portOf(server)}`, close: () => server.close() };
}
