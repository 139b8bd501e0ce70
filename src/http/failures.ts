// What an attempt that brought no result means, and what follows: loaded once there is one.

export { failureOfAnswer } from './api-error.ts';
export { failureOfFault, failureOfUnreadable } from './break-error.ts';
export { nextStep } from './plan.ts';
