import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Real servers, ptys and child processes share two cores.
    maxWorkers: 3,
    env: { NODE_EXTRA_CA_CERTS: '' },
  },
});
