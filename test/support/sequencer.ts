import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than ten seconds, the slowest first. */
const SLOW = [
  'test/flows/dashboard/accessibility.test.ts',
  'test/flows/dashboard/operator.test.ts',
  'test/flows/platform/bench-smoke.test.ts',
  'test/faults/adyen-kill.test.ts',
  'test/faults/provider-kill.test.ts',
  'test/faults/database-away.test.ts',
  'test/faults/rotate-keys.test.ts',
  'test/faults/fail-points.test.ts',
  'test/faults/',
  'test/model/',
  'test/fuzz/',
  'test/flows/platform/demo-data.test.ts',
  'test/flows/platform/reference.test.ts',
  'test/flows/platform/command-line.test.ts',
  'test/flows/dashboard/',
  'test/flows/webhooks/deliver',
  'test/flows/webhooks/listen.test.ts',
  'test/flows/accounting/',
  'test/flows/payments/',
];

function rank(file: TestSpecification): number {
  const found = SLOW.findIndex((path) => file.moduleId.includes(path));
  return found === -1 ? SLOW.length : found;
}

/**
 * Starts the slowest files first, so that no worker is left with a long file at the end of a run.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
