import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: './tests/support/global-setup.ts',
    include: ['packages/**/src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 30_000,
    // The default leaves one of two cores to nobody; most tests wait for other processes.
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['packages/**/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.contract.ts', '**/testing/**', '**/index.ts', '**/bin.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 90 },
    },
  },
});
