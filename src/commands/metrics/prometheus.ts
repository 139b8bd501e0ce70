import { latestIn, type Usage } from './usage.ts';

/** The latest values of a service. */
export interface Measured {
  readonly service: string;
  readonly isReadable: boolean;
  readonly latest: ReadonlyArray<{ readonly labels: Labels; readonly value: number; readonly ageSeconds: number }>;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

/** Keeps the latest values of a usage, and not its points; without a usage, it could not be read. */
export function measuredOf(service: string, usage: Usage | undefined): Measured {
  if (usage === undefined) return { service, isReadable: false, latest: [] };
  const latest = usage.series.flatMap((series) => {
    const found = latestIn(usage, series);
    if (found === undefined) return [];
    const labels = { service, series: series.name, unit: series.unit === '%' ? 'percent' : series.unit };
    return [{ labels, value: found.value, ageSeconds: Math.max(0, usage.asked.endMs - found.time) / 1_000 }];
  });
  return { service, isReadable: true, latest };
}

/**
 * Writes the latest values in the text format of Prometheus, for the textfile collector of its node exporter. The collector
 * takes no timestamps, so the age of each value is a metric of its own. Names of series are labels: what the platform
 * calls them need not be a name of Prometheus.
 */
export function toPrometheus(all: readonly Measured[]): string {
  const latest = all.flatMap((one) => one.latest);
  return [
    ...metric(
      'svc_usage_value',
      'Latest value of a series in the asked range.',
      latest.map(({ labels, value }) => [labels, value]),
    ),
    ...metric(
      'svc_usage_age_seconds',
      'Age of that value at the end of the range.',
      latest.map(({ labels, ageSeconds }) => [labels, ageSeconds]),
    ),
    ...metric(
      'svc_usage_readable',
      'Whether the usage of a service could be read.',
      all.map(({ service, isReadable }) => [{ service }, isReadable ? 1 : 0]),
    ),
  ].join('');
}

function metric(name: string, help: string, samples: readonly Sample[]): readonly string[] {
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}{${pairs.join(',')}} ${value}\n`;
  });
  return [`# HELP ${name} ${help}\n`, `# TYPE ${name} gauge\n`, ...lines];
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
