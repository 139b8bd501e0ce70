import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseFault, startSandbox } from '../../sandbox/server.ts';
import { runLine } from '../support/in-sandbox.ts';
import { temporaryFolder } from '../support/svc.ts';

const FOLDER = join(import.meta.dirname, '../../docs/cookbook');
const PAGES = readdirSync(FOLDER).filter((name) => name !== 'README.md');
const BLOCK = /(?<=^```console\n)[\s\S]*?(?=^```$)/gm;

/** What a shell prints between two commands of a page; it leaves `$?` as it was. */
const MARK = '\u001e';
const MARKED = `{ was=$?; printf '\\036'; (exit $was); }`;

/** Starts the sandbox that the page tells to start. */
async function sandboxOf(page: string) {
  const line = /^svc sandbox (?:shell|start).*/m.exec(page)?.[0] ?? '';
  const services = /--services (\d+)/.exec(line)?.[1];
  const faults = [...line.matchAll(/--fault '([^']+)'/g)].map(([, fault = '']) =>
    parseFault(fault),
  );
  const sandbox = await startSandbox({
    port: 0,
    faults,
    ...(services && { services: Number(services) }),
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** The commands and what each shows, as `$ command` with its output below it. */
function exchanges(block: string) {
  const parts = block.split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const [command = '', ...shown] = part.trimEnd().split('\n');
    return { command, shown };
  });
}

/** Whether a line of a page says what was shown; `…` stands for what differs each time. */
function says(line: string, shown: string): boolean {
  const parts = line.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(shown);
}

/**
 * A task of a page as it has to be: with what its commands show, typed one after the other into one
 * shell.
 */
async function asRun(page: string): Promise<string> {
  const { listing, organization, dnsServer } = await sandboxOf(page);
  const home = await temporaryFolder();
  const typed = [...page.matchAll(BLOCK)].flatMap(([block]) => exchanges(block));
  expect(typed).not.toHaveLength(0);
  const script = ['exec 2>&1', ...typed.flatMap(({ command }) => [command, MARKED])].join('\n');
  const { all } = await runLine(script, home, {
    HOME: home,
    LANG: 'C.UTF-8',
    SVC_API_URL: listing.url,
    SVC_TOKEN: listing.token,
    SVC_ORG: /^svc sandbox shell/m.test(page) ? organization : undefined,
    SVC_SERVICE: listing.services.find(({ kind }) => kind === 'wordpress')?.id,
    SVC_DNS_SERVER: dnsServer,
  });
  // Said of a run that takes a second or more, as on a busy machine.
  const steady = `${all}`
    .replaceAll(home, '/home/you')
    .replaceAll(/ in \d+s, [\d.]+\/s(?=\.)/g, '');
  const outputs = steady.split(MARK).map((output) => output.replace(/\n$/, ''));
  const answers = typed.map(({ command, shown }, at) => {
    const lines = outputs[at] ? outputs[at].split('\n') : [];
    const kept = lines.map((line, index) => (says(shown[index] ?? '', line) ? shown[index] : line));
    return [`$ ${command}`, ...kept, ''].join('\n');
  });
  return page.replaceAll(BLOCK, (block) => answers.splice(0, exchanges(block).length).join(''));
}

test.each(PAGES)('docs/cookbook/%s shows what its commands show', async (name) => {
  const file = join(FOLDER, name);
  const [title = '', ...tasks] = readFileSync(file, 'utf8').split(/^(?=## )/m);
  // Side by side, since most of the time is waiting for jobs.
  const run = await Promise.all(tasks.map(asRun));
  await expect([title, ...run].join('')).toMatchFileSnapshot(file);
});
