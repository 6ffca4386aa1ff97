import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { expectLedgerBalanced, startNodes, type Nodes } from '#test/model/nodes.ts';
import { cannot, RaceTest, ok, ROUNDS } from '#test/model/races.ts';
import type { Command } from '#test/model/commands.ts';
import { countWaiting } from '#test/support/lock-table.ts';

/** Commands that race with their deadline, on two nodes that notice it one after the other. */
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
const CONCURRENCY = 20;

interface CommandResponse {
  readonly name: string;
  readonly response: string;
}

/**
 * Executes the commands on both nodes, sequentially on each, while the clock advances over the
 * deadline.
 */
async function duringAdvance(
  { driver }: RaceTest,
  seconds: number,
  commands: readonly (readonly [name: string, command: Command])[],
): Promise<readonly CommandResponse[]> {
  const responses: CommandResponse[] = [];
  const onNode = async (node: number): Promise<void> => {
    for (const [index, [name, one]] of commands.entries()) {
      if (index % 2 !== node) continue;
      const [result] = await driver.execute(one, node);
      responses.push({ name, response: result?.response ?? 'nothing' });
    }
  };
  const [time] = await Promise.all([nodes.advance(seconds), onNode(0), onNode(1)]);
  await nodes.follow(time);
  return responses;
}

async function many(make: () => Promise<string>): Promise<readonly string[]> {
  const names: string[] = [];
  for (let index = 0; index < CONCURRENCY; index += 1) names.push(await make());
  return names;
}

/** Every answer is a key of `ends`, and the transaction ends in the status of that key. */
async function expectEnds(
  { driver }: RaceTest,
  answered: readonly CommandResponse[],
  ends: Readonly<Record<string, string>>,
): Promise<void> {
  for (const { name, response } of answered) {
    expect(Object.keys(ends)).toContain(response);
    const end = ends[response];
    await vi.waitFor(async () => expect(`200 ${await driver.charge(name)}`).toBe(end), { timeout: 5_000 });
  }
}

const count = (answered: readonly CommandResponse[], response: string): number =>
  answered.filter((one) => one.response === response).length;

async function disputed(test: RaceTest): Promise<{ readonly charge: string; readonly dispute: string }> {
  const [charge, dispute] = [await test.paid(), test.name()];
  await test.expectResponse({ kind: 'dispute', charge, dispute, amount: null }, /^201 /);
  return { charge, dispute };
}

describe('changes at a deadline', { timeout: TIMEOUT }, () => {
  it('credit a payment or record it as late at the expiration', async () => {
    const test = await RaceTest.make(nodes);
    for (let wave = 0; wave < WAVES; wave += 1) {
      const [before] = (await test.driver.wallets()).PIX;
      const charges = await many(() => test.charge({ expiration: 600 }));
      const commands = charges.map((charge) => [charge, { kind: 'pay', charge }] as const);
      const answered = await duringAdvance(test, 660, commands);
      await expectEnds(test, answered, {
        [ok('PAID')]: ok('PAID'),
        [ok('PENDING')]: ok('FAILED'),
        [ok('FAILED')]: ok('FAILED'),
      });
      const [after] = (await test.driver.wallets()).PIX;
      expect(after - before).toBe(990 * count(answered, ok('PAID')));
    }
  });

  it('do not expire a transaction that is processing', async () => {
    const test = await RaceTest.make(nodes);
    for (let wave = 0; wave < WAVES; wave += 1) {
      const charges = await many(() => test.charge({ expiration: 600 }));
      const commands = charges.map((charge) => [charge, { kind: 'processing', charge }] as const);
      const answered = await duringAdvance(test, 660, commands);
      expect(answered).toHaveLength(CONCURRENCY);
      await expectEnds(test, answered, {
        [ok('PROCESSING')]: ok('PROCESSING'),
        [cannot('FAILED', 'PROCESSING')]: ok('FAILED'),
      });
    }
  });

  it('end as captured or failed at the expiration of an authorization', async () => {
    const test = await RaceTest.make(nodes);
    for (let wave = 0; wave < WAVES; wave += 1) {
      const [before] = (await test.driver.wallets()).CARD;
      const charges = await many(() => test.authorized());
      const commands = charges.map((charge) => [charge, { kind: 'capture', charge, amount: null }] as const);
      const answered = await duringAdvance(test, 5 * DAY + 60, commands);
      await expectEnds(test, answered, {
        [ok('PAID')]: ok('PAID'),
        [cannot('FAILED', 'PAID')]: ok('FAILED'),
      });
      const [after] = (await test.driver.wallets()).CARD;
      expect(after - before).toBe(990 * count(answered, ok('PAID')));
    }
  });

  it('release or debit the money of a dispute once at its deadline', async () => {
    const test = await RaceTest.make(nodes);
    const won = '200 RESOLVED of 1000';
    for (let wave = 0; wave < WAVES; wave += 1) {
      const both = new Map<string, string>();
      const charges = await many(async () => {
        const { charge, dispute } = await disputed(test);
        both.set(charge, dispute);
        return charge;
      });
      const before = (await test.driver.wallets()).PIX;
      const commands = charges.map(
        (charge) =>
          [charge, { kind: 'resolve', dispute: both.get(charge) ?? '', outcome: 'RESOLVED' }] as const,
      );
      const answered = await duringAdvance(test, 7 * DAY + 60, commands);
      await expectEnds(test, answered, {
        [won]: ok('PAID'),
        '422 Dispute cannot go from REJECTED to RESOLVED': ok('REFUNDED', 1_000),
      });
      const after = (await test.driver.wallets()).PIX;
      expect([after[0] - before[0], after[1] - before[1]]).toEqual([
        1_000 * count(answered, won),
        -1_000 * CONCURRENCY,
      ]);
    }
  });

  it('keep an accepted appeal under review at the deadline', async () => {
    const test = await RaceTest.make(nodes);
    const accepted = '200 UNDER_REVIEW of 1000';
    for (let wave = 0; wave < WAVES; wave += 1) {
      const both = new Map<string, string>();
      const charges = await many(async () => {
        const { charge, dispute } = await disputed(test);
        both.set(charge, dispute);
        return charge;
      });
      const commands = charges.map(
        (charge) => [charge, { kind: 'appeal', dispute: both.get(charge) ?? '' }] as const,
      );
      const answered = await duringAdvance(test, 7 * DAY + 60, commands);
      expect(answered).toHaveLength(CONCURRENCY);
      await expectEnds(test, answered, {
        [accepted]: ok('DISPUTE'),
        '422 Dispute cannot be appealed': ok('REFUNDED', 1_000),
      });
    }
  });

  it('keep an appeal that commits after the deadline job read the dispute', async () => {
    const test = await RaceTest.make(nodes);
    const { charge, dispute } = await disputed(test);
    const id = test.driver.idOf(charge);
    const other = new pg.Client({ connectionString: nodes.gateway.database.url });
    await other.connect();
    try {
      // The deadline job has read the dispute and waits for the lock of its transaction.
      const { rows } = await other.query<{ sellerId: string; appealUntil: Date }>(
        'SELECT seller_id AS "sellerId", appeal_until AS "appealUntil" FROM disputes WHERE id = $1',
        [test.driver.idOf(dispute)],
      );
      const { sellerId, appealUntil } = rows[0] ?? {};
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM transactions WHERE seller_id = $1 AND id = $2 FOR UPDATE', [
        sellerId,
        id,
      ]);
      await nodes.follow(await nodes.advance(7 * DAY + 60));
      await vi.waitFor(async () => expect(await countWaiting(nodes.gateway.database)).toBeGreaterThan(0), {
        timeout: 5_000,
      });
      // As if the appeal had arrived in time and taken this long.
      await nodes.gateway.database.query('UPDATE disputes SET appeal_until = $2 WHERE id = $1', [
        test.driver.idOf(dispute),
        new Date(Number(appealUntil) + 2_000 * DAY),
      ]);
      await test.expectResponse({ kind: 'appeal', dispute }, /^200 UNDER_REVIEW/);
      await other.query('COMMIT');
    } finally {
      await other.end();
    }
    // Once the worker has ended another dispute, it is done with this one.
    const control = await disputed(test);
    await nodes.advance(7 * DAY + 60);
    await vi.waitFor(
      async () => expect(await test.driver.charge(control.charge)).toBe(ok('REFUNDED', 1_000).slice(4)),
      { timeout: 5_000 },
    );
    expect(await test.driver.charge(charge)).toBe(ok('DISPUTE').slice(4));
  });

  it.each([
    ['a refund', 'refund', ok('PAID', 400), [590, 0]],
    ['a dispute', 'dispute', '201 OPEN of 400', [590, 400]],
    ['a chargeback', 'chargeback', ok('CHARGEDBACK'), [-10, 0]],
  ] as const)('book a release and %s once each', async (_name, kind, response, [available, blocked]) => {
    const test = await RaceTest.make(nodes, { cardDelayDays: 1 });
    for (let wave = 0; wave < WAVES; wave += 1) {
      const before = (await test.driver.wallets()).CARD;
      const charges = await many(() => test.paidByCard());
      const commands = charges.map((charge): readonly [string, Command] => {
        if (kind === 'dispute') return [charge, { kind, charge, dispute: test.name(), amount: 400 }];
        return [charge, kind === 'refund' ? { kind, charge, amount: 400 } : { kind, charge }];
      });
      const answered = await duringAdvance(test, DAY + 60, commands);
      expect(new Set(answered.map((one) => one.response))).toEqual(new Set([response]));
      const expected = [before[0] + CONCURRENCY * available, before[1] + CONCURRENCY * blocked];
      await vi.waitFor(async () => expect((await test.driver.wallets()).CARD).toEqual(expected), {
        timeout: 5_000,
      });
    }
    // The statement agrees.
    await test.driver.statement(await test.driver.wallets());
  });
});
