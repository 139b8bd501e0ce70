import type { Route } from '../route.ts';
import { ACCOUNT_ROUTES } from './account.ts';
import { ACTION_ROUTES } from './actions.ts';
import { CHECKOUT_ROUTES } from './checkout.ts';
import { DATABASE_ROUTES } from './databases.ts';
import { DOMAIN_ROUTES } from './domains.ts';
import { LOGIN_ROUTES } from './login.ts';
import { SERVICE_ROUTES } from './services.ts';

/** Every operation that the sandbox answers: the documented twelve, and the job lookup. */
export const ROUTES: readonly Route[] = [
  ...LOGIN_ROUTES,
  ...CHECKOUT_ROUTES,
  ...DOMAIN_ROUTES,
  ...ACTION_ROUTES,
  ...SERVICE_ROUTES,
  ...DATABASE_ROUTES,
  ...ACCOUNT_ROUTES,
];
