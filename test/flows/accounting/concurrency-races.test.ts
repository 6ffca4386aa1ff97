import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { expectLedgerBalanced, startNodes, type Nodes } from '#test/model/nodes.ts';
import { cannot, RaceTest, ok, ROUNDS } from '#test/model/races.ts';
import { chargeResponse, type Command } from '#test/model/commands.ts';

/**
 * Known kinds of races, on two nodes with one database: the possible answers and balance changes of
 * each.
 */
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
const SHORT = '422 Insufficient balance';
const TOO_MUCH = '422 Amount must not be more than what is left to refund';

const withdrawing = (withdrawal: string, amount: number): Command => ({
  kind: 'withdraw',
  withdrawal,
  origin: 'PIX',
  amount,
});
const refund = (charge: string, amount: number | null): Command => ({ kind: 'refund', charge, amount });

const disputeCannot = (from: string, to: string): string => `422 Dispute cannot go from ${from} to ${to}`;
const withdrawalCannot = (from: string, to: string): string =>
  `422 Withdrawal cannot go from ${from} to ${to}`;

/** Makes a payment after which exactly `wanted` cents are available. */
async function upTo(test: RaceTest, wanted: number): Promise<string> {
  const [available] = (await test.driver.wallets()).PIX;
  return test.paid(wanted - available + 10);
}

/** Reserves the whole available balance. */
async function empty(test: RaceTest): Promise<void> {
  await upTo(test, 2_000);
  await test.expectResponse(withdrawing(test.name(), 2_000), /^201 /);
}

describe('concurrent refunds, disputes and chargebacks', { timeout: TIMEOUT }, () => {
  it('accept one of two refunds that together exceed the payment', async () => {
    const test = await RaceTest.make(nodes);
    await test.paid(100_000_000);
    const rounds = await test.race(
      'PIX',
      async () => {
        const charge = await test.paid();
        return [refund(charge, 600), refund(charge, 600)];
      },
      [
        { responses: [ok('PAID', 600), TOO_MUCH], moved: [-600, 0] },
        { responses: [TOO_MUCH, ok('PAID', 600)], moved: [-600, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('accept one of two refunds of the remaining amount', async () => {
    const test = await RaceTest.make(nodes);
    await test.paid(100_000_000);
    const none = cannot('REFUNDED', 'REFUNDED');
    const rounds = await test.race(
      'PIX',
      async () => {
        const charge = await test.paid();
        return [refund(charge, null), refund(charge, null)];
      },
      [
        { responses: [ok('REFUNDED', 1_000), none], moved: [-1_000, 0] },
        { responses: [none, ok('REFUNDED', 1_000)], moved: [-1_000, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('accept one of two refunds of which the balance covers one', async () => {
    const test = await RaceTest.make(nodes);
    const rounds = await test.race(
      'PIX',
      async () => {
        const charges = [await test.paid(), await test.paid()];
        const [available] = (await test.driver.wallets()).PIX;
        // The balance lets one refund go below zero by its fee, but not both.
        const withdrawal = test.name();
        const amount = available - 990;
        await test.expectResponse({ kind: 'withdraw', withdrawal, origin: 'PIX', amount }, /^201 /);
        return charges.map((charge) => refund(charge, null));
      },
      [
        { responses: [ok('REFUNDED', 1_000), SHORT], moved: [-1_000, 0] },
        { responses: [SHORT, ok('REFUNDED', 1_000)], moved: [-1_000, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('charge back only what a concurrent refund leaves', async () => {
    const test = await RaceTest.make(nodes);
    await test.charge({ method: 'CREDIT_CARD', amount: 1_000_000 });
    const rounds = await test.race(
      'CARD',
      async () => {
        const charge = await test.paidByCard();
        return [{ kind: 'chargeback', charge }, refund(charge, 400)];
      },
      [
        { responses: [ok('CHARGEDBACK'), cannot('CHARGEDBACK', 'REFUNDED')], moved: [-1_000, 0] },
        { responses: [ok('CHARGEDBACK', 400), ok('PAID', 400)], moved: [-1_000, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('block only what a concurrent refund leaves to the dispute', async () => {
    const test = await RaceTest.make(nodes);
    await test.paid(100_000_000);
    const rounds = await test.race(
      'PIX',
      async () => {
        const charge = await test.paid();
        return [{ kind: 'dispute', charge, dispute: test.name(), amount: null }, refund(charge, 400)];
      },
      [
        { responses: ['201 OPEN of 1000', cannot('DISPUTE', 'REFUNDED')], moved: [-1_000, 1_000] },
        { responses: ['201 OPEN of 600', ok('PAID', 400)], moved: [-1_000, 600] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('debit or block the money once for a dispute and a chargeback', async () => {
    const test = await RaceTest.make(nodes);
    const rounds = await test.race(
      'CARD',
      async () => {
        const charge = await test.paidByCard();
        const dispute = test.name();
        return [
          { kind: 'dispute', charge, dispute, amount: null },
          { kind: 'chargeback', charge },
        ];
      },
      [
        { responses: ['201 OPEN of 1000', cannot('DISPUTE', 'CHARGEDBACK')], moved: [-1_000, 1_000] },
        { responses: [cannot('CHARGEDBACK', 'DISPUTE'), ok('CHARGEDBACK')], moved: [-1_000, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('accept one of two resolutions of a dispute during an appeal', async () => {
    const test = await RaceTest.make(nodes);
    await test.paid(100_000_000);
    const won = { response: '200 RESOLVED of 1000', other: disputeCannot('RESOLVED', 'REJECTED') };
    const lost = { response: '200 REJECTED of 1000', other: disputeCannot('REJECTED', 'RESOLVED') };
    const rounds = await test.race(
      'PIX',
      async () => {
        const charge = await test.paid();
        const dispute = test.name();
        await test.expectResponse({ kind: 'dispute', charge, dispute, amount: null }, /^201 /);
        return [
          { kind: 'resolve', dispute, outcome: 'RESOLVED' },
          { kind: 'resolve', dispute, outcome: 'REJECTED' },
          { kind: 'appeal', dispute },
        ];
      },
      ['200 UNDER_REVIEW of 1000', '422 Dispute cannot be appealed'].flatMap((appeal) => [
        { responses: [won.response, won.other, appeal], moved: [1_000, -1_000] as const },
        { responses: [lost.other, lost.response, appeal], moved: [0, -1_000] as const },
      ]),
    );
    expect(rounds).toBe(ROUNDS);
  });
});

describe('concurrent changes of a payment', { timeout: TIMEOUT }, () => {
  it('accept one of two captures', async () => {
    const test = await RaceTest.make(nodes);
    const none = cannot('PAID', 'PAID');
    const rounds = await test.race(
      'CARD',
      async () => {
        const charge = await test.authorized();
        return [
          { kind: 'capture', charge, amount: null },
          { kind: 'capture', charge, amount: 400 },
        ];
      },
      [
        { responses: [ok('PAID'), none], moved: [990, 0] },
        { responses: [none, ok('PAID', 0, 400)], moved: [390, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('end as captured or voided after a capture and a void', async () => {
    const test = await RaceTest.make(nodes);
    const rounds = await test.race(
      'CARD',
      async () => {
        const charge = await test.authorized();
        return [
          { kind: 'capture', charge, amount: null },
          { kind: 'void', charge },
        ];
      },
      [
        { responses: [ok('PAID'), cannot('PAID', 'FAILED')], moved: [990, 0] },
        { responses: [cannot('FAILED', 'PAID'), ok('FAILED')], moved: [0, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('credit the payment or record it as late after a cancellation', async () => {
    const test = await RaceTest.make(nodes);
    const rounds = await test.race(
      'PIX',
      async () => {
        const charge = await test.charge();
        return [
          { kind: 'pay', charge },
          { kind: 'cancel', charge },
        ];
      },
      [
        { responses: [ok('PAID'), cannot('PAID', 'FAILED')], moved: [990, 0] },
        { responses: [ok('FAILED'), ok('FAILED')], moved: [0, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });
});

describe('concurrent withdrawals', { timeout: TIMEOUT }, () => {
  it('accept either a withdrawal or a refund of the same balance', async () => {
    const test = await RaceTest.make(nodes);
    const rounds = await test.race(
      'PIX',
      async () => {
        await empty(test);
        const charge = await test.paid();
        return [withdrawing(test.name(), 990), refund(charge, null)];
      },
      [
        { responses: ['201 PENDING of 990, fee 0', SHORT], moved: [-990, 990] },
        { responses: [SHORT, ok('REFUNDED', 1_000)], moved: [-1_000, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('accept one of two withdrawals of the same balance', async () => {
    const test = await RaceTest.make(nodes);
    const made = '201 PENDING of 700, fee 0';
    const rounds = await test.race(
      'PIX',
      async () => {
        await upTo(test, 1_000);
        return [withdrawing(test.name(), 700), withdrawing(test.name(), 700)];
      },
      [
        { responses: [made, SHORT], moved: [-700, 700] },
        { responses: [SHORT, made], moved: [-700, 700] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('accept either an approval or a rejection', async () => {
    const test = await RaceTest.make(nodes);
    await test.paid(100_000_000);
    const rejected = '200 REJECTED of 700, fee 0';
    const rounds = await test.race(
      'PIX',
      async () => {
        const withdrawal = test.name();
        await test.expectResponse(withdrawing(withdrawal, 700), /^201 /);
        return [
          { kind: 'approve', withdrawal },
          { kind: 'reject', withdrawal },
        ];
      },
      [
        {
          responses: ['200 APPROVED of 700, fee 0', withdrawalCannot('PROCESSING', 'REJECTED')],
          moved: [0, 0],
        },
        { responses: ['200 APPROVED of 700, fee 0', rejected], moved: [700, -700] },
        { responses: [withdrawalCannot('REJECTED', 'APPROVED'), rejected], moved: [700, -700] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('pay out or return the amount once after a paid and a failed payout event', async () => {
    const test = await RaceTest.make(nodes);
    await test.paid(100_000_000);
    const withdrawals: string[] = [];
    for (let made = 0; made < ROUNDS; made += 1) {
      const withdrawal = test.name();
      await test.expectResponse(withdrawing(withdrawal, 700), /^201 /);
      await test.expectResponse({ kind: 'approve', withdrawal }, /^200 APPROVED/);
      withdrawals.push(withdrawal);
    }
    for (const withdrawal of withdrawals) await test.untilProcessing(withdrawal);
    const rounds = await test.race(
      'PIX',
      async () => {
        const withdrawal = withdrawals.pop() ?? '';
        return [
          { kind: 'payOut', withdrawal },
          { kind: 'failOut', withdrawal },
        ];
      },
      [
        {
          responses: ['200 PAID of 700, fee 0', '422 Withdrawal cannot go from PAID to FAILED'],
          moved: [0, -700],
        },
        {
          responses: ['422 Withdrawal cannot go from FAILED to PAID', '200 FAILED of 700, fee 0'],
          moved: [700, -700],
        },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });
});

describe('twenty concurrent copies of a request', { timeout: TIMEOUT }, () => {
  it('create one transaction, refund and withdrawal and get the same bytes', async () => {
    const test = await RaceTest.make(nodes);
    const { driver } = test;
    await test.paid(100_000_000);
    for (let turn = 0; turn < ROUNDS / 10; turn += 1) {
      const charge = test.name();
      const before = (await driver.wallets()).PIX;
      const [created] = await driver.execute({ ...CARD_CHARGE, charge }, turn, 20);
      expect(created?.response).toBe(`201 ${chargeResponse('PAID', 1_000, 10, 0)}`);
      const [refunded] = await driver.execute(refund(charge, 100), turn, 20);
      expect(refunded?.response).toBe(ok('PAID', 100));
      const [withdrawn] = await driver.execute(withdrawing(test.name(), 50), turn, 20);
      expect(withdrawn?.response).toBe('201 PENDING of 50, fee 0');
      const after = await driver.wallets();
      expect(after.PIX).toEqual([before[0] - 50, before[1] + 50]);
      expect(after.CARD).toEqual([890 * (turn + 1), 0]);
    }
  });

  const CARD_CHARGE = {
    kind: 'create',
    method: 'CREDIT_CARD',
    amount: 1_000,
    installments: 1,
    capture: true,
    declined: false,
    expiration: 3_600,
  } as const;
});
