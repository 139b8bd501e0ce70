import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError, usageError } from '../../errors.ts';
import type { Context } from '../../kit/context.ts';
import { namesSeen } from '../../kit/known.ts';
import { asCliError } from '../../kit/report.ts';
import { type LivePorts, runLive } from '../../live/run.ts';
import { beginLive, type LiveService, type Mark, RANGES } from '../../live/state.ts';
import type { Client } from '../../service/call.ts';
import type { ChangeEntry } from '../../spec/fields/documents.ts';
import { deploymentsSeen } from '../shared/deployments-seen.ts';
import { claimOutput } from '../shared/output-file.ts';
import { pastChanges } from '../shared/past-changes.ts';
import { judgeConditions } from './judge.ts';
import { type MetricsRequest, readRequest } from './request.ts';
import { chartOf } from './show-usage.ts';
import { toSvg } from './svg.ts';
import { askUsage, readUsage, type Usage } from './usage.ts';

/** More services make a row that nobody reads. */
const MAX_SERVICES = 8;

/** More signs hide the time axis. */
const MAX_RESTARTS = 20;
const MAX_RANGE_MS = 30 * 24 * 3_600_000;

/** Columns below which the charts say less than the table of {@link watch}. */
const MIN_COLUMNS = 60;

/** Whether this terminal has room and keys for the live view. */
export function hasLiveView({ io }: Context): boolean {
  return io.hasFullScreen && io.out.realColumns >= MIN_COLUMNS;
}

/** Shows the usage until `q`, or until the condition of `--fail-if` holds for a service of the line; see {@link runLive}. */
export async function showLive(
  context: Context,
  request: MetricsRequest,
  beside: readonly string[],
  pauseOf: (request: MetricsRequest) => number,
): Promise<CliError | undefined> {
  const { settings } = context;
  const { since, history } = request.options;
  const range = since ?? (history ? '1d' : '1h');
  const requests = new Map<string, MetricsRequest>();
  for (const one of [range, ...RANGES]) {
    const step = one === range ? request.options.step : undefined;
    requests.set(one, await readRequest(context, { ...request.options, service: request.service, since: one, step }));
  }
  const pauses = Object.fromEntries([...requests].map(([one, asked]) => [one, pauseOf(asked)]));
  const named = [request.service, ...beside];
  const services = servicesOf(context, named);
  return runLive(
    portsOf(context, requests, named),
    beginLive({ services, organization: settings.org()?.value, range, pauses }),
  );
}

/**
 * The services of the line. With one, also others that this machine has seen.
 * @throws CliError `usage` for too many
 */
function servicesOf(context: Context, named: readonly string[]): readonly LiveService[] {
  if (named.length > MAX_SERVICES) throw usageError(`--watch shows up to ${MAX_SERVICES} services.`, 'Name fewer.');
  const seen = namesSeen(context, 'services').map(({ name, about }) => ({ id: name, name: about }));
  const own = named.map((name) => seen.find(({ id }) => id === name) ?? { id: name });
  const others = named.length > 1 ? [] : seen.filter(({ id }) => !named.includes(id));
  return [...own, ...others].slice(0, MAX_SERVICES);
}

function portsOf(context: Context, requests: ReadonlyMap<string, MetricsRequest>, named: readonly string[]): LivePorts {
  const { io, system } = context;
  const usages = new Map<string, Usage>();
  return {
    clock: system.clock,
    signal: system.signal,
    view: () => io.view(io.out),
    open: (content, press) => io.fullScreen(content, press),
    async ask(service, range, signal) {
      const request = { ...(requests.get(range) as MetricsRequest), service };
      const usage = readUsage(context, request, await askUsage(context, await clientFor(context, signal), request));
      usages.set(service, usage);
      const charts = usage.series.map((one) => chartOf(one, usage.asked));
      const failure = named.includes(service) ? judgeConditions(request, usage) : undefined;
      return { reading: { range, charts, at: system.clock.now() }, failure: failure && about(service, failure, named) };
    },
    marks: async (service, signal) => marksOf(context, service, await clientFor(context, signal)),
    async save(service) {
      const usage = usages.get(service);
      if (usage === undefined) throw new CliError('no_data', 'There is no answer to draw yet.');
      const file = await claimOutput(context, newFile(system.cwd, service, system.clock.now()));
      await file.write(toSvg(usage));
      return `Drawn in ${file.path}`;
    },
    async page(service) {
      const { dashboardPage } = await import('../open.ts');
      const page = dashboardPage(context, 'service', service);
      return (await io.openBrowser(page)) ? `Opening ${page}` : `Open this page: ${page}`;
    },
    async restart(service) {
      const { restart } = await import('../restart.ts');
      const { failure, done } = await restart(context, await clientFor(context, system.signal), service);
      if (failure !== undefined) throw failure;
      return done ?? '';
    },
    say: (text) => io.note(text),
  };
}

/** Says which of several a condition holds for. */
function about(service: string, error: CliError, { length }: readonly string[]): CliError {
  return length > 1 ? new CliError(error.code, `${service}: ${error.message}`, error.details) : error;
}

/** A client that shows nothing of its own: the view has the screen. */
async function clientFor({ api, settings }: Context, signal: AbortSignal): Promise<Client> {
  const make = await api.gatedClients({ signal, org: settings.org(), atOnce: 1 });
  return make({ deadlinePerCall: true });
}

/** What this machine knows of: deployments that it has seen, when they were made, and restarts that it has sent. */
async function marksOf(context: Context, service: string, client: Client): Promise<readonly Mark[]> {
  const restarts = restartsOf(context, service);
  try {
    const deployments = await deploymentsSeen(context, client, service);
    const made = deployments.flatMap(({ id, createdAt }): Mark[] =>
      createdAt === null ? [] : [{ time: Date.parse(createdAt), sign: 'D', text: id }],
    );
    return [...made, ...restarts];
  } catch (error) {
    if (asCliError(error).code === 'interrupted') throw error;
    return restarts;
  }
}

/** The restarts of the longest range that may have happened, the latest first. */
function restartsOf(context: Context, service: string): readonly Mark[] {
  const from = context.system.clock.now() - MAX_RANGE_MS;
  const address = context.settings.apiUrl().value;
  const found: Mark[] = [];
  for (const { at, ...change } of pastChanges(context)) {
    const time = Date.parse(at);
    if (time < from || found.length === MAX_RESTARTS) break;
    const isOwn = change.command === 'restart' && change.service === service && change.address === address;
    const text = RESTARTED[change.result];
    if (isOwn && text !== undefined) found.push({ time, sign: 'R', text });
  }
  return found;
}

/** What each result of a restart is called; a restart that did not happen is no mark. */
const RESTARTED: Readonly<Partial<Record<ChangeEntry['result'], string>>> = {
  done: 'restarted',
  pending: 'restarted',
  accepted: 'restarted',
  unknown: 'perhaps restarted',
};

/** A name that no file has: what was saved before stays. */
function newFile(folder: string, service: string, now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const stem = `${service.replaceAll(/[^\w.-]/g, '_')}-${time}`;
  let path = `${stem}.svg`;
  for (let count = 2; existsSync(resolve(folder, path)); count += 1) path = `${stem}-${count}.svg`;
  return path;
}
