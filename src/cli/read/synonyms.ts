/** Words of other programs, what svc has for them, and a sentence if that is not the same. */
type Row = readonly [words: string, target: string, sentence?: string];

function toRows(
  targets: Readonly<Record<string, string | readonly [target: string, sentence: string]>>,
): readonly Row[] {
  return Object.entries(targets).map(([words, target]) =>
    typeof target === 'string' ? [words, target] : [words, ...target],
  );
}

/** Explains that the public API has no request for something. */
const no = (what: string, instead = 'The dashboard can.') =>
  `svc cannot ${what}: the API documents no request for it. ${instead}`;
const noList = (what: string) => no(`list ${what}`, 'Their ids are in the dashboard.');

const SERVICES = 'svc cannot list services yet. Copy the id from the dashboard, and link it.';
const ACTION = 'Actions have the names of the platform, such as cache.flush.';

/**
 * The words of other programs, each with the line of svc that does the same; dots join the words
 * of a path. A row with a sentence has no line that does it: its lines help on.
 */
export const SYNONYMS = toRows({
  'signin sign-in auth auth.login auth.init auth.refresh authenticate sso sso.login': 'login',
  'signup register configure sign.in sign.up': 'login',
  'signout sign-out sign.out logoff auth.logout': 'logout',
  'profiles.remove profiles.delete profiles.rm auth.remove': 'logout --profile',
  'me account account.get user users auth.whoami auth.status sts sts.get-caller-identity': 'whoami',
  'use switch orgs.switch teams.switch teams.use orgs.select': 'orgs use',
  'organization organizations team teams workspace workspaces orgs.ls orgs.show': 'orgs',
  'auth.switch context context.use config.use-context config.set-context': 'profiles use',
  'auth.list profiles.ls accounts config.get-contexts contexts': 'profiles list',
  'config.current-context': 'whoami',
  'services service apps app sites site projects project ls list ps compute': [
    'link --help',
    SERVICES,
  ],
  'pods pod get describe machines machine droplets instances ec2': ['link --help', SERVICES],
  'logs log tail apps.logs': [
    'open logs',
    no('show logs', 'They are in the dashboard; svc shows CPU, memory and traffic.'),
  ],
  'top top.pods top.pod stats usage monitor monitoring cloudwatch graphs': 'metrics',
  'plans plan pricing price products catalog templates': ['buy --help', noList('plans')],
  'order purchase checkout create addons addons.create': 'buy',
  'purchases invoices orders.ls order.list order.ls': 'orders',
  'order.settle': 'orders settle',
  svc: '',
  'databases postgres rds redis mysql': 'db',
  'sql psql pg.psql wp.db.cli wp.db.query postgres.connect': 'db connect',
  'pg pg.info pg.credentials databases.connection databases.get wp.config': 'db inspect',
  'db.url db.info db.get db.show db.describe db.credentials': 'db inspect',
  'db.shell db.psql db.console db.cli db.open': 'db connect',
  'update upgrade self-update': [
    'help upgrading',
    'To update, run npm install -g svc-cli, or install.sh again.',
  ],
  'init new setup': [
    'link --help',
    'A folder needs no setup. You can choose a service for it with svc link <service>.',
  ],
  'deploy push publish up rollback redeploy promote apply': [
    'deployments --help',
    'svc does not deploy. It shows deployments.',
  ],
  'ssh console exec shell port-forward compute.ssh': [
    'wp run --help, db connect --help',
    no('open a shell on a service', 'It runs WordPress actions and connects to databases.'),
  ],
  'env vars variables secrets secret config.set-env': [
    'db inspect --help',
    no('change environment variables', 'It prints the connection of a database as variables.'),
  ],
  'reboot apps.restart ps.restart machine.restart machines.restart': 'restart',
  'compute.droplet-action.reboot rollout.restart ec2.reboot-instances': 'restart',
  restore: ['open', no('restore a backup')],
  start: ['open', no('start a service')],
  'stop down': ['open', no('stop a service')],
  'scale resize': ['open', no('scale a service')],
  'delete destroy remove rm': ['open', no('delete a service')],
  'cert certs certificate ssl tls': ['open', no('manage certificates')],
  'member members invite invitations': ['open', no('manage members')],
  'files file sftp ftp upload s3 cp': ['open', no('reach files')],
  'domains.verify': ['open', no('verify a domain')],
  'job jobs wp.job wp.jobs wp.watch': 'wp status',
  wait: ['wp status --help', 'Commands that begin something wait for its end with --wait.'],
  'skill skills agent agents': 'help agents',
  'events audit history activity': 'changes',
  'token tokens auth.token': [
    'login --help',
    'API tokens are made and revoked in the dashboard: Settings > API tokens. svc login makes one for this machine.',
  ],
  'dashboard browse open.admin open.site': 'open',
  watch: 'metrics --watch',
  'backup backups db.backup wp.backup wp.db.export': 'wp run backup.create',
  'cache cache.flush cache.clear wp.cache wp.cache.flush wp.run.cache.flush': 'wp run cache.flush',
  'wp.plugin.install wp.run.plugin.install plugin.install': 'wp run plugin.install --param slug=',
  'wp.plugin wp.theme wp.core wp.db wp.user wp.site wp.cron wp.post': ['wp run --help', ACTION],
  'wp.@all wp.search-replace wp.eval wp.shell wp.option wp.rewrite': ['wp run --help', ACTION],
  'wp.ls wp.list wp.actions': [
    'wp run --help',
    no('list actions', 'Their names are in the dashboard.'),
  ],
  'transfer compute.domain.records compute.domain.records.list dns dns.list scan': 'domains import',
  'compute.domain.create nameservers': 'domains add',
  'domains.get domains.info domains.inspect domains.show domains.check': 'domains import',
  'domains.ls domains.list': ['domains --help', noList('domains')],
  'db.ls db.list': ['db --help', noList('databases')],
  'deployments.ls deployments.list releases builds': ['deployments --help', noList('deployments')],
  'release releases.info release.view apps.get-deployment': 'deployments inspect',
  'deployments.get deployments.show deployments.status deployments.info': 'deployments inspect',
  'payments renewals billing-history billing.status billing.info': 'billing autopay',
  'settings config.ls config.show config.view settings.list': 'config list',
  set: 'config set',
  'config.remove config.delete config.rm config.reset': 'config unset',
  'request curl': 'api',
  'demo tour': 'sandbox tour',
  'git git.remote connect': 'link',
  disconnect: 'unlink',
  'docs man manual commands': 'help',
  'changelog release-notes news whatsnew': 'help changelog',
  'check health diagnose ping': 'doctor',
  'autocomplete completions': 'completion',
});

/** The words that other programs use for a word of a path. */
export const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    database: 'db',
    databases: 'db',
    deployment: 'deployments',
    domain: 'domains',
    wordpress: 'wp',
    org: 'orgs',
    organization: 'orgs',
    organizations: 'orgs',
    profile: 'profiles',
    setting: 'config',
    metric: 'metrics',
    change: 'changes',
  }),
);

/**
 * Values that are typed right behind a command, and the words that svc wants before them; the last
 * column is for several values. Words that end in `=` are glued to the value.
 */
const OMITTED: ReadonlyArray<
  readonly [path: string, value: RegExp, before: string, beforeEach?: string]
> = [
  ['', /^dep_/, 'deployments inspect'],
  ['', /^db_/, 'db inspect'],
  ['', /^job_/, 'wp status'],
  ['', /^plan_/, 'buy --plan'],
  ['', /^svc_/, 'metrics'],
  ['', /^\/v\d/, 'api'],
  ['', /^[a-z0-9-]+(?:\.[a-z0-9-]+){1,126}$/i, 'domains import'],
  ['wp', /\./, 'run'],
  ['wp', /_/, 'status'],
  ['deployments', /_/, 'inspect'],
  ['db', /_/, 'inspect'],
  ['domains', /\./, 'import'],
  ['orgs', /./, 'use'],
  ['profiles', /./, 'use'],
  ['config', /./, 'get'],
  ['api', /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/i, '--method'],
  ['buy', /\./, '--domain', '--item domain='],
  ['buy', /_/, '--plan', '--item plan='],
];

/** Finds the words that were left out in front of a value. */
export function findOmitted(
  path: readonly string[],
  value: string,
  isOneOfSeveral = false,
): string | undefined {
  const row = OMITTED.find(([command, values]) => command === path.join(' ') && values.test(value));
  return isOneOfSeveral ? row?.[3] : row?.[2];
}

/** The options of other programs that ask for a form of output. */
export const FORMAT_OPTIONS: readonly string[] = ['-o', '--output', '--format', '--output-format'];

/** The words behind `-o` that are no organization and no file. */
export const FORMATS: readonly string[] = 'json yaml csv table wide text jsonpath'.split(' ');

const JQ = 'To pick parts of an answer: --jq <filter>';

/**
 * The options of other programs, each with those of svc: the first that a command has. `<>` leaves
 * the value as an argument, `-` drops the option, `=` drops its value as well, and `=--name` drops
 * the value alone. A name after a path is only meant there. A sentence says what there is instead.
 */
const OPTION_SYNONYMS = toRows({
  'restart.-f wp.run.-f domains.add.-f buy.-f': '--yes',
  'api.-d api.--data api.-f api.-F api.--form': '--field',
  'api.--body api.--data-raw api.--data-binary api.--json-body': '--input',
  'api.--request api.--verb': '--method',
  'api.-i api.--head': '--include',
  'logout.-a': '--all',
  'login.--token': '=--with-token',
  'login.--web login.-w': '-',
  'completion.-s': '<>',
  'domains.add.--file domains.add.--zone domains.add.--zone-file': '--records',
  'domains.import.--file domains.import.--out': '--output',
  'domains.status.--server domains.status.--resolver domains.status.--ns': '--nameserver',
  'orders.settle.--order orders.settle.--id': '--placed',
  'mcp.--port mcp.--host': ['=', 'It talks over standard input and output.'],
  '--wait': [
    '',
    'Only commands with work in the background can wait: svc wp run and svc domains add.',
  ],
  '-f --follow --tail --live': ['--watch --wait', 'To watch a service: svc metrics --watch'],
  '-w --watch': ['--wait', 'To watch a service: svc metrics --watch'],
  '--block --sync': '--wait',
  '--async --detach --no-block --no-wait --no-follow': '-',
  '--max-wait --wait-for': '--wait-timeout',
  '--last --range --period --window --start --from --after --since-time': '--since',
  '--end --to --before': '--until',
  '--resolution --granularity --bucket': '--step',
  '--every --refresh': '--interval',
  '--metric --metrics --fields': '--series',
  '--alert --threshold --fail-on': '--fail-if',
  '--limit --per-page --max-items --page-size --page -L': [
    '=',
    'There is no limit: all are shown.',
  ],
  '--sort-by --order-by': ['--sort', JQ],
  '--sort --filter --query --template --selector -l -t': ['', JQ],
  '--force --confirm --assume-yes --auto-approve --no-prompt': '--yes',
  '--non-interactive --no-interactive --ci': '--no-input',
  '--preview --simulate --plan-only --what-if': '--dry-run',
  '-v --verbose --trace --log-http': '--debug',
  '--log-level': '=--debug',
  '--silent': '--quiet',
  '-j --raw': '--json',
  '--plain': '--no-color',
  '--token --api-key --access-token': [
    '',
    'Put the token in SVC_TOKEN, or sign in with svc login.',
  ],
  '--app --site --project -a -i': '--service <>',
  '--id --name --app-name --service-id --db --job --job-id --deployment --resource': '<> --service',
  '--team --workspace --organization --namespace --scope --tenant -n': '--org',
  '--context --account --login': '--profile',
  '--endpoint --endpoint-url --url --server --host --hostname': '--api-url',
  '--region --zone --cluster': ['=', 'The id says it all.'],
  'help.--all help.-a': 'all',
  '-A --all --all-namespaces': ['--all-orgs', 'Name each service: the API lists none.'],
  '--show-password --show-secrets --show-values --password --credentials': '--reveal',
  '--dotenv --export': '--env',
  '--parallel --parallelism --workers --threads -P': '--concurrency',
  '--method --pay --payment-method --pay-with': '--payment',
  '--operator --carrier --provider': '--network',
  '--tel --mobile --msisdn --phone-number': '--phone',
  '--coupon --code --voucher --promo-code': '--promo',
  '--qty --count --number': '--quantity',
  '--product --sku --package': '--plan',
  '--set --arg --args --parameter --var -p': '--param',
  '--web': ['', 'To open the dashboard: svc open'],
  '-? --usage': '--help',
});

/** Finds the row of an option; one that belongs to the path wins. */
export function findOptionSynonym(path: readonly string[], name: string): Row | undefined {
  return findRow(OPTION_SYNONYMS, [...path, name].join('.')) ?? findRow(OPTION_SYNONYMS, name);
}

function findRow(rows: readonly Row[], word: string): Row | undefined {
  return rows.find(([words]) => words.split(' ').includes(word));
}

/**
 * Finds the longest row that typed words begin with: `compute domain records`, `pg:psql`. `count` is
 * how many typed words its lines replace.
 */
export function findSynonym(path: readonly string[], typed: readonly string[]) {
  const [word = '', ...following] = typed;
  const parts = word.toLowerCase().split(':');
  const names = [...path, ...parts, ...following];
  const longest = Math.min(names.length, path.length + parts.length + 3);
  for (let length = longest; length > path.length; length -= 1) {
    const row = findRow(SYNONYMS, names.slice(0, length).join('.'));
    if (!row) continue;

    const [, lines, sentence] = row;
    const count = Math.max(1, length - path.length - parts.length + 1);
    return { lines: lines.split(', '), sentence, count };
  }
  return undefined;
}
