/** An organization of the sandbox's user. */
export interface OrganizationRecord {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** The role of {@link USER} in it. */
  readonly role: 'owner' | 'admin' | 'member';
}

/** The one user of the sandbox. */
export const USER = {
  id: 'usr_4w8n2kqv7r',
  email: 'amina@kola-studio.example',
  name: 'Amina Diallo',
  locale: 'fr',
  createdAt: '2024-02-11T08:14:00.000Z',
} as const;

/** The user's own organization. */
export const STUDIO: OrganizationRecord = {
  id: 'org_6f3t9mzk2x',
  slug: 'kola-studio',
  name: 'Kola Studio',
  role: 'owner',
};

/** A client of the studio. */
export const CLIENT: OrganizationRecord = {
  id: 'org_1q7r5vhc8d',
  slug: 'baobab-travel',
  name: 'Baobab Travel',
  role: 'member',
};

/** The first is used if a request names none. */
export const ORGANIZATIONS: readonly [OrganizationRecord, ...OrganizationRecord[]] = [
  STUDIO,
  CLIENT,
];

/** A plan and its price per month in minor units; the local currency (XAF) has none. */
interface Plan {
  readonly id: string;
  readonly name: string;
  readonly usdCents: number;
  readonly xaf: number;
}

/** The plans of the sandbox, with a free one. */
export const PLANS: readonly Plan[] = [
  { id: 'plan_wp_free', name: 'WordPress Free', usdCents: 0, xaf: 0 },
  { id: 'plan_wp_pro', name: 'WordPress Pro', usdCents: 900, xaf: 5_400 },
  { id: 'plan_app_basic', name: 'App Basic', usdCents: 700, xaf: 4_200 },
  { id: 'plan_vps_2gb', name: 'VPS 2 GB', usdCents: 1_200, xaf: 7_200 },
  { id: 'plan_db_small', name: 'Database Small', usdCents: 500, xaf: 3_000 },
];

/**
 * The payment of an order with this phone number fails; with any other it waits for a confirmation.
 */
export const FAILING_PHONE = '+237670000400';
/** This mobile money network declines every payment. */
export const DECLINING_NETWORK = 'decline';
/** The answers to orders by this network have a status, which the API document does not show. */
export const STATUS_NETWORK = 'orange';

/** The price of a year, new or renewed. */
export const DOMAIN_PRICE = { usdCents: 1_400, xaf: 8_400 } as const;

/** The currency that `local` loginState for. */
export const LOCAL_CURRENCY = 'XAF';
