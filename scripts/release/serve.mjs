import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';

/**
 * Serves the files of a folder on 127.0.0.1.
 * @param {string} folder
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function serveFolder(folder) {
  const server = createServer(({ url }, response) => {
    const file = join(folder, basename(url));
    if (existsSync(file)) createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
