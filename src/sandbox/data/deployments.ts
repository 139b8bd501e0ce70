import { BLOG, BOOKING, PORTFOLIO } from './services.ts';

/** A deployment; its dates count back from the sandbox's first start. */
export interface DeploymentRecord {
  readonly id: string;
  readonly serviceId: string;
  readonly status: 'succeeded' | 'failed';
  readonly live: boolean;
  readonly minutesAgo: number;
  readonly durationSeconds: number;
  readonly trigger: 'push' | 'manual';
  readonly branch: string;
  readonly commit: { readonly sha: string; readonly message: string; readonly author: string };
  /** What went wrong, where it failed. */
  readonly failure?: { readonly step: string; readonly message: string };
}

/** The deployments of the sandbox: two that are live, and two that failed. */
export const DEPLOYMENTS: readonly DeploymentRecord[] = [
  {
    id: 'dep_9m4kx7q2tz',
    serviceId: BLOG.id,
    status: 'succeeded',
    live: true,
    minutesAgo: 4 * 24 * 60 + 37,
    durationSeconds: 48,
    trigger: 'manual',
    branch: 'main',
    commit: {
      sha: '5b1d0c7f2a9e4c68b3f7a1d2e6905c4438fb7e21',
      message: 'Update theme to 2.8 and clear the page cache',
      author: 'Amina Diallo',
    },
  },
  {
    id: 'dep_2v8ht5nwqc',
    serviceId: BOOKING.id,
    status: 'succeeded',
    live: true,
    minutesAgo: 26 * 60 + 12,
    durationSeconds: 94,
    trigger: 'push',
    branch: 'main',
    commit: {
      sha: 'c04a9e13d86b5f7720e1b94fd3a8826ce5179b0d',
      message: 'Keep the seat map open while the payment is confirmed',
      author: 'Yao Mensah',
    },
  },
  {
    id: 'dep_6r1zb3kfxd',
    serviceId: BOOKING.id,
    status: 'failed',
    live: false,
    minutesAgo: 3 * 60 + 5,
    durationSeconds: 41,
    trigger: 'push',
    branch: 'main',
    commit: {
      sha: '7de2f5b8914c03a6d1e8bb72c9f4405a36e0d18c',
      message: 'Move the fare rules to their own module',
      author: 'Yao Mensah',
    },
    failure: { step: 'build', message: "src/fares/index.ts(14,23): error TS2307: Cannot find module './rules'." },
  },
  {
    id: 'dep_4c7wq9pmhv',
    serviceId: PORTFOLIO.id,
    status: 'failed',
    live: false,
    minutesAgo: 51,
    durationSeconds: 312,
    trigger: 'push',
    branch: 'main',
    commit: {
      sha: '1f6b83ad05c2e97744d8f0b1c3a5926e8e7d40ba',
      message: 'First version',
      author: 'Amina Diallo',
    },
    failure: { step: 'health check', message: 'Nothing answered on port 3000 within 300 seconds.' },
  },
];
