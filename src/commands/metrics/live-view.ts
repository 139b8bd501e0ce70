import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from '../../errors.ts';
import type { Context } from '../../kit/context.ts';
import { namesSeen } from '../../kit/known.ts';
import { asCliError } from '../../kit/report.ts';
import { type LivePorts, runLive } from '../../live/run.ts';
import { beginLive, type LiveService, type Mark, RANGES } from '../../live/state.ts';
import type { Client } from '../../service/call.ts';
import { deploymentsSeen } from '../shared/deployments-seen.ts';
import { claimOutput } from '../shared/output-file.ts';
import { judgeConditions } from './judge.ts';
import { type MetricsRequest, readRequest } from './request.ts';
import { chartOf } from './show-usage.ts';
import { toSvg } from './svg.ts';
import { askUsage, readUsage, type Usage } from './usage.ts';

/** More services make a row that nobody reads. */
const MAX_SERVICES = 8;

/** Columns below which the charts say less than the table of {@link watch}. */
const MIN_COLUMNS = 60;

/** Whether this terminal has room and keys for the live view. */
export function hasLiveView({ io }: Context): boolean {
  return io.hasFullScreen && io.out.realColumns >= MIN_COLUMNS;
}

/** Shows the usage until `q`, or until the condition of `--fail-if` holds; see {@link runLive}. */
export async function showLive(
  context: Context,
  request: MetricsRequest,
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
  const services = servicesOf(context, request.service);
  return runLive(
    portsOf(context, requests),
    beginLive({ services, organization: settings.org()?.value, range, pauses }),
  );
}

/** The service of the line, and the others that this machine has seen. */
function servicesOf(context: Context, first: string): readonly LiveService[] {
  const seen = namesSeen(context, 'services').map(({ name, about }) => ({ id: name, name: about }));
  const own = seen.find(({ id }) => id === first) ?? { id: first };
  return [own, ...seen.filter(({ id }) => id !== first)].slice(0, MAX_SERVICES);
}

function portsOf(context: Context, requests: ReadonlyMap<string, MetricsRequest>): LivePorts {
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
      return { reading: { range, charts, at: system.clock.now() }, failure: judgeConditions(request, usage) };
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

/** A client that shows nothing of its own: the view has the screen. */
async function clientFor({ api, settings }: Context, signal: AbortSignal): Promise<Client> {
  const make = await api.gatedClients({ signal, org: settings.org(), atOnce: 1 });
  return make({ deadlinePerCall: true });
}

/** The deployments that this machine has seen, when they were made; none if they cannot be read. */
async function marksOf(context: Context, service: string, client: Client): Promise<readonly Mark[]> {
  try {
    const deployments = await deploymentsSeen(context, client, service);
    return deployments.flatMap(({ id, createdAt }): Mark[] =>
      createdAt === null ? [] : [{ time: Date.parse(createdAt), sign: 'D', text: id }],
    );
  } catch (error) {
    if (asCliError(error).code === 'interrupted') throw error;
    return [];
  }
}

/** A name that no file has: what was saved before stays. */
function newFile(folder: string, service: string, now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const stem = `${service.replaceAll(/[^\w.-]/g, '_')}-${time}`;
  let path = `${stem}.svg`;
  for (let count = 2; existsSync(resolve(folder, path)); count += 1) path = `${stem}-${count}.svg`;
  return path;
}
