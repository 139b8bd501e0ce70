/** A plan that can be ordered. Prices are per month, in minor units; the local currency (XAF) has none. */
export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly usdCents: number;
  readonly xaf: number;
}

/** The plans that the sandbox sells. */
export const PLANS: readonly Plan[] = [
  { id: 'plan_wp_free', name: 'WordPress Free', usdCents: 0, xaf: 0 },
  { id: 'plan_wp_pro', name: 'WordPress Pro', usdCents: 900, xaf: 5_400 },
  { id: 'plan_app_basic', name: 'App Basic', usdCents: 700, xaf: 4_200 },
  { id: 'plan_vps_2gb', name: 'VPS 2 GB', usdCents: 1_200, xaf: 7_200 },
  { id: 'plan_db_small', name: 'Database Small', usdCents: 500, xaf: 3_000 },
];

/** What a domain costs for a year, whether new or renewed. */
export const DOMAIN_PRICE = { usdCents: 1_400, xaf: 8_400 } as const;

/** What `local` means in the sandbox. */
export const LOCAL_CURRENCY = 'XAF';
