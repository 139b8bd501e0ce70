// Plays what thousands of pipelines and one rate limiter do to each other, in virtual time, and writes it into
// docs/reliability.md. Takes about a minute.
//   npm run simulate               prints it, too
//   npm run simulate -- --check    writes nothing, and fails if the page is not current

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/reliability.md');
const [START, END] = ['<!-- pipelines -->', '<!-- /pipelines -->'];

/** @type {typeof import('../test/each/crowd.ts')} */
const { SIZES, describeCrowd } = await load('test/each/crowd.ts');
const crowds = SIZES.map(describeCrowd);
const text = `| Pipelines | How they repeat | Restarted | Given up | Half ended after | All ended after | Refused requests |
| ---: | --- | ---: | ---: | ---: | ---: | ---: |
${crowds.flatMap(({ rows }) => rows).join('\n')}

Refused requests for each service that was restarted, with ${SIZES.at(-1)?.toLocaleString('en-US')} pipelines:

\`\`\`text
${crowds.at(-1)?.bars.join('\n')}
\`\`\`
`;
console.log(text);
const before = readFileSync(page, 'utf8');
const [from, to] = [before.indexOf(START), before.indexOf(END)];
if (from < 0 || to < from) throw new Error(`${page} has no part between ${START} and ${END}`);
const after = `${before.slice(0, from)}${START}\n${text}${before.slice(to)}`;
if (!process.argv.includes('--check')) writeFileSync(page, after);
else if (after !== before) {
  console.error('docs/reliability.md is not current: npm run simulate');
  process.exitCode = 1;
}

/**
 * Loads TypeScript.
 * @param {string} file
 */
async function load(file) {
  const entryPoints = [join(root, file)];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'esm', platform: 'node' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')}`);
}
