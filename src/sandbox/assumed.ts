import { assumeFrom } from '../spec/assumptions.ts';
import type { Operation } from '../spec/operations.ts';

/** What the sandbox takes for granted where the service's document shows no name. */
export const assumed = assumeFrom(new Map());

/** The lookup of a job; the service's document does not show it. */
export const GET_JOB: Operation = {
  name: 'getJob',
  method: 'GET',
  path: assumed('job.path'),
  credentials: 'token_or_session',
  retry: 'read',
};
