import { CLIENT, STUDIO } from './people.ts';

/** A service that runs in the sandbox. */
export interface Service {
  readonly id: string;
  readonly kind: 'wordpress' | 'app' | 'vps';
  readonly name: string;
  /** The organizations that see it. */
  readonly organizations: readonly string[];
  /** Whether a container of it runs; without one there is nothing to restart. */
  readonly live: boolean;
}

/** The studio's own site, the one WordPress among the services. */
export const BLOG: Service = {
  id: 'svc_wp_7k2m9qx4',
  kind: 'wordpress',
  name: 'kola-blog',
  organizations: [STUDIO.id],
  live: true,
};

/** The booking site that the studio runs for its client; both see it. */
export const BOOKING: Service = {
  id: 'svc_app_3n8v5tzd',
  kind: 'app',
  name: 'baobab-booking',
  organizations: [STUDIO.id, CLIENT.id],
  live: true,
};

const WORKER: Service = {
  id: 'svc_vps_6h1r0wyb',
  kind: 'vps',
  name: 'kola-worker',
  organizations: [STUDIO.id],
  live: true,
};

/** Its only deployment failed, so it has never been live. */
export const PORTFOLIO: Service = {
  id: 'svc_app_2c7p9xlm',
  kind: 'app',
  name: 'kola-portfolio',
  organizations: [STUDIO.id],
  live: false,
};

/** The services of the sandbox; the first is the one to try things on. */
export const SERVICES: readonly Service[] = [BLOG, BOOKING, WORKER, PORTFOLIO];
