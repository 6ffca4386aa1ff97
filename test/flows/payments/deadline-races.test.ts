import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { expectLedgerBalanced, startNodes, type Nodes } from '#test/model/nodes.ts';
import { cannot, Course, ok, ROUNDS } from '#test/model/races.ts';
import type { Asked } from '#test/model/commands.ts';

/** What is asked for while the time for it runs out, through two nodes that learn of it one after the other. */
let nodes: Nodes;
beforeAll(async () => {
  nodes = await startNodes(2);
});
afterEach(async () => {
  await expectLedgerBalanced(nodes);
});
afterAll(async () => {
  await nodes.stop();
});

const TIMEOUT = 3_600_000;
const DAY = 86_400;
const WAVES = Math.ceil(ROUNDS / 15);
const AT_ONCE = 20;

interface Answered {
  readonly name: string;
  readonly answer: string;
}

/** Asks for all of them on both nodes while the clock leaps; on each node one after the other, so that time comes between. */
async function whileLeaping(
  { player }: Course,
  seconds: number,
  asked: readonly (readonly [name: string, asked: Asked])[],
): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  const onNode = async (node: number): Promise<void> => {
    for (const [index, [name, one]] of asked.entries()) {
      if (index % 2 !== node) continue;
      const [played] = await player.play(one, node);
      answers.push({ name, answer: played?.answer ?? 'nothing' });
    }
  };
  const [time] = await Promise.all([nodes.advance(seconds), onNode(0), onNode(1)]);
  await nodes.follow(time);
  return answers;
}

async function many(make: () => Promise<string>): Promise<readonly string[]> {
  const names: string[] = [];
  for (let made = 0; made < AT_ONCE; made += 1) names.push(await make());
  return names;
}

/** Each was answered in one of these ways, and has come to what belongs to that answer. */
async function expectEnds(
  { player }: Course,
  answered: readonly Answered[],
  ends: Readonly<Record<string, string>>,
): Promise<void> {
  for (const { name, answer } of answered) {
    expect(Object.keys(ends)).toContain(answer);
    const end = ends[answer];
    await vi.waitFor(async () => expect(`200 ${await player.charge(name)}`).toBe(end), { timeout: 5_000 });
  }
}

const count = (answered: readonly Answered[], answer: string): number =>
  answered.filter((one) => one.answer === answer).length;

async function disputed(course: Course): Promise<{ readonly charge: string; readonly dispute: string }> {
  const [charge, dispute] = [await course.paid(), course.name()];
  await course.must({ kind: 'dispute', charge, dispute, amount: null }, /^201 /);
  return { charge, dispute };
}

describe('when time runs out', { timeout: TIMEOUT }, () => {
  it('pay against expire: the seller’s, or recorded as late (C8)', async () => {
    const course = await Course.make(nodes);
    for (let wave = 0; wave < WAVES; wave += 1) {
      const [before] = (await course.player.wallets()).PIX;
      const charges = await many(() => course.charge({ expiration: 600 }));
      const asked = charges.map((charge) => [charge, { kind: 'pay', charge }] as const);
      const answered = await whileLeaping(course, 660, asked);
      await expectEnds(course, answered, {
        [ok('PAID')]: ok('PAID'),
        [ok('PENDING')]: ok('FAILED'),
        [ok('FAILED')]: ok('FAILED'),
      });
      const [after] = (await course.player.wallets()).PIX;
      expect(after - before).toBe(990 * count(answered, ok('PAID')));
    }
  });

  it('a provider that begins against expire: what it works on is not expired any more (C8)', async () => {
    const course = await Course.make(nodes);
    for (let wave = 0; wave < WAVES; wave += 1) {
      const charges = await many(() => course.charge({ expiration: 600 }));
      const asked = charges.map((charge) => [charge, { kind: 'processing', charge }] as const);
      const answered = await whileLeaping(course, 660, asked);
      expect(answered).toHaveLength(AT_ONCE);
      await expectEnds(course, answered, {
        [ok('PROCESSING')]: ok('PROCESSING'),
        [cannot('FAILED', 'PROCESSING')]: ok('FAILED'),
      });
    }
  });

  it('a capture against the lapse of its authorization: charged or failed (C8)', async () => {
    const course = await Course.make(nodes);
    for (let wave = 0; wave < WAVES; wave += 1) {
      const [before] = (await course.player.wallets()).CARD;
      const charges = await many(() => course.authorized());
      const asked = charges.map((charge) => [charge, { kind: 'capture', charge, amount: null }] as const);
      const answered = await whileLeaping(course, 5 * DAY + 60, asked);
      await expectEnds(course, answered, {
        [ok('PAID')]: ok('PAID'),
        [cannot('FAILED', 'PAID')]: ok('FAILED'),
      });
      const [after] = (await course.player.wallets()).CARD;
      expect(after - before).toBe(990 * count(answered, ok('PAID')));
    }
  });

  it('a dispute that is won against its deadline: the money comes back or is gone (C11)', async () => {
    const course = await Course.make(nodes);
    const won = '200 RESOLVED of 1000';
    for (let wave = 0; wave < WAVES; wave += 1) {
      const both = new Map<string, string>();
      const charges = await many(async () => {
        const { charge, dispute } = await disputed(course);
        both.set(charge, dispute);
        return charge;
      });
      const before = (await course.player.wallets()).PIX;
      const asked = charges.map(
        (charge) =>
          [charge, { kind: 'resolve', dispute: both.get(charge) ?? '', outcome: 'RESOLVED' }] as const,
      );
      const answered = await whileLeaping(course, 7 * DAY + 60, asked);
      await expectEnds(course, answered, {
        [won]: ok('PAID'),
        '422 Dispute cannot go from REJECTED to RESOLVED': ok('REFUNDED', 1_000),
      });
      const after = (await course.player.wallets()).PIX;
      expect([after[0] - before[0], after[1] - before[1]]).toEqual([
        1_000 * count(answered, won),
        -1_000 * AT_ONCE,
      ]);
    }
  });

  it('an appeal against the deadline: what was accepted stays under review (C11)', async () => {
    const course = await Course.make(nodes);
    const accepted = '200 UNDER_REVIEW of 1000';
    for (let wave = 0; wave < WAVES; wave += 1) {
      const both = new Map<string, string>();
      const charges = await many(async () => {
        const { charge, dispute } = await disputed(course);
        both.set(charge, dispute);
        return charge;
      });
      const asked = charges.map(
        (charge) => [charge, { kind: 'appeal', dispute: both.get(charge) ?? '' }] as const,
      );
      const answered = await whileLeaping(course, 7 * DAY + 60, asked);
      expect(answered).toHaveLength(AT_ONCE);
      await expectEnds(course, answered, {
        [accepted]: ok('DISPUTE'),
        '422 Dispute cannot be appealed': ok('REFUNDED', 1_000),
      });
    }
  });

  it('an appeal that commits after the deadline’s look at the dispute saves it (C11)', async () => {
    const course = await Course.make(nodes);
    const { charge, dispute } = await disputed(course);
    const id = course.player.idOf(charge);
    const other = new pg.Client({ connectionString: nodes.gateway.database.url });
    await other.connect();
    try {
      // Whoever ends the dispute waits for its charge, with what has been read of the dispute before.
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM transactions WHERE id = $1 FOR UPDATE', [id]);
      await nodes.follow(await nodes.advance(7 * DAY + 60));
      await vi.waitFor(
        async () => {
          const waiting = await nodes.gateway.database.query(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          expect(waiting.length).toBeGreaterThan(0);
        },
        { timeout: 5_000 },
      );
      // As if the appeal had been asked for in time and had taken so long.
      await nodes.gateway.database.query(
        `UPDATE disputes SET appeal_until = appeal_until + interval '2 days' WHERE id = $1`,
        [course.player.idOf(dispute)],
      );
      await course.must({ kind: 'appeal', dispute }, /^200 UNDER_REVIEW/);
      await other.query('COMMIT');
    } finally {
      await other.end();
    }
    // A worker that looks for another dispute's deadline has done with this one.
    const control = await disputed(course);
    await nodes.advance(7 * DAY + 60);
    await vi.waitFor(
      async () => expect(await course.player.charge(control.charge)).toBe(ok('REFUNDED', 1_000).slice(4)),
      { timeout: 5_000 },
    );
    expect(await course.player.charge(charge)).toBe(ok('DISPUTE').slice(4));
  });

  it.each([
    ['a refund', 'refund', ok('PAID', 400), [590, 0]],
    ['a dispute', 'dispute', '201 OPEN of 400', [590, 400]],
    ['a chargeback', 'chargeback', ok('CHARGEDBACK'), [-10, 0]],
  ] as const)(
    'a release against %s: both happen, and nothing twice (C8, C9, C11)',
    async (_name, kind, answer, [available, blocked]) => {
      const course = await Course.make(nodes, { cardDelayDays: 1 });
      for (let wave = 0; wave < WAVES; wave += 1) {
        const before = (await course.player.wallets()).CARD;
        const charges = await many(() => course.paidByCard());
        const asked = charges.map((charge): readonly [string, Asked] => {
          if (kind === 'dispute') return [charge, { kind, charge, dispute: course.name(), amount: 400 }];
          return [charge, kind === 'refund' ? { kind, charge, amount: 400 } : { kind, charge }];
        });
        const answered = await whileLeaping(course, DAY + 60, asked);
        expect(new Set(answered.map((one) => one.answer))).toEqual(new Set([answer]));
        const expected = [before[0] + AT_ONCE * available, before[1] + AT_ONCE * blocked];
        await vi.waitFor(async () => expect((await course.player.wallets()).CARD).toEqual(expected), {
          timeout: 5_000,
        });
      }
      // The statement, read as a whole, says the same.
      await course.player.statement(await course.player.wallets());
    },
  );
});
