import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { CROWDED_TIMEOUT_MS } from './load.ts';
import type { ApiResponse, Client } from '#test/support/client.ts';
import { sleep } from '#test/support/process.ts';

/** A charge of a seller that the load does not record. */
export const probe = (client: Client, idempotencyKey: string = randomUUID()): Promise<ApiResponse> =>
  client.charge({}, { idempotencyKey });

/** While the disk is full, every response is an error in time, or a write that still fit. */
export async function probeWithFullDisk(client: Client, forMs: number): Promise<void> {
  const end = performance.now() + forMs;
  let refused = 0;
  while (performance.now() < end) {
    const asked = performance.now();
    const response = await probe(client);
    const tookMs = performance.now() - asked;
    // A page that is already allocated may still have space for this one.
    expect([201, 503]).toContain(response.status);
    expect(tookMs).toBeLessThan(CROWDED_TIMEOUT_MS);
    if (response.status === 503) {
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      refused += 1;
    }
    await sleep(50);
  }
  expect(refused).toBeGreaterThan(0);
}
