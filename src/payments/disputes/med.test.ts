import { describe, expect, it } from 'vitest';

import { analyze, canMove, createMed, MED_STATUSES, nextStatus, settle, type Med } from './med.ts';

const NOW = new Date('2026-11-24T12:00:00.000Z');
const created = createMed({ recoveryId: 'r', type: 'SCAM', monitorAccount: false }, NOW);

/** The states that follow one another by default. */
function statesOf(med: Med, acceptedAmount: number): readonly string[] {
  const states: string[] = [med.status];
  for (let current = med, next = nextStatus(med); next !== undefined; next = nextStatus(current)) {
    expect(canMove(current, next)).toBe(true);
    current = next === 'ANALYSED' ? analyze(current, acceptedAmount, NOW) : { ...current, status: next };
    states.push(next);
  }
  return states;
}

describe('a recovery', () => {
  it('that is accepted passes all states but CANCELLED', () => {
    expect(statesOf(created, 500)).toEqual(MED_STATUSES.filter((status) => status !== 'CANCELLED'));
  });

  it('that is denied refunds nothing', () => {
    expect(statesOf(created, 0)).toEqual([
      'CREATED',
      'TRACKED',
      'AWAITING_ANALYSIS',
      'ANALYSED',
      'COMPLETED',
    ]);
    expect(canMove(analyze(created, 0, NOW), 'REFUNDING')).toBe(false);
    expect(canMove(analyze(created, 500, NOW), 'COMPLETED')).toBe(false);
  });

  it('never leaves REFUNDING but to COMPLETED, and neither end', () => {
    for (const status of ['REFUNDING', 'COMPLETED', 'CANCELLED'] as const) {
      const allowed = MED_STATUSES.filter((to) => canMove({ ...created, status }, to));
      expect(allowed).toEqual(status === 'REFUNDING' ? ['COMPLETED'] : []);
    }
  });

  it('is analyzed within seven days and refunded within 96 hours after it', () => {
    expect(created.analysisDueAt).toEqual(new Date('2026-12-01T12:00:00.000Z'));
    expect(created.refundDueAt).toEqual(new Date('2026-12-05T12:00:00.000Z'));
    expect(settle(created, { lostAmount: 500 }, NOW)).toMatchObject({
      status: 'REFUNDING',
      acceptedAmount: 500,
      refundDueAt: new Date('2026-11-28T12:00:00.000Z'),
    });
  });
});
