import { randomBytes } from 'node:crypto';

import { expect } from 'vitest';

import { Stage } from './stage.ts';
import type { FailPoint } from '#platform/kit/fail-points.ts';

/** A rotation of keys that is killed, which is a separate process beside the gateway. */
export const KEYS = {
  'keys.created': 'under both keys',
  'keys.reencrypted': 'under both keys',
  'keys.chains-extended': 'under the new key alone',
} as const satisfies Partial<Record<FailPoint, string>>;

/**
 * Whatever it has done, the gateway continues to serve, the next rotation completes it, and the old
 * key can be removed. Returns how the process ended.
 */
export async function rotateAndDie(point: keyof typeof KEYS): Promise<NodeJS.Signals | null> {
  const [old, anew] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const both = { ENCRYPTION_KEY: `${anew},${old}` };
  const stage = await Stage.set({ ENCRYPTION_KEY: old });
  try {
    await stage.hook();
    const withdrawal = { amount: 500, method: 'PIX', pixKeyType: 'EMAIL', pixKey: 'ana@example.com' };
    await stage.paid();
    const { idempotencyKey } = stage.marked();
    expect((await stage.client.post('/withdrawals', withdrawal, { idempotencyKey })).status).toBe(201);
    await stage.untilSealed();
    await stage.program.end();
    await stage.start(both);

    const killed = await stage.command(['rotate-keys'], { ...both, FAIL_POINT: point });
    const reported = await stage.paid();
    await stage.expectDelivered(reported, 1);
    await stage.expectBalanced();

    const ended = await stage.command(['rotate-keys'], both);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^mode [^\n]*\n$/) });
    const { reencrypted, retired }: { reencrypted: Record<string, number>; retired: string[] } = JSON.parse(
      ended.stdout,
    );
    expect(retired).toHaveLength(1);
    const left = Object.values(reencrypted).reduce((sum, count) => sum + count, 0);
    if (KEYS[point] === 'under both keys') expect(left).toBeGreaterThan(0);
    await stage.program.end();
    await stage.start({ ENCRYPTION_KEY: anew });
    await stage.expectDelivered(await stage.paid(), 1);
    await stage.expectBalanced();
    return killed.signal;
  } finally {
    await stage.clear();
  }
}
