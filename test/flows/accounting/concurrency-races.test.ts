import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { expectLedgerBalanced, startNodes, type Nodes } from '#test/model/nodes.ts';
import { cannot, Course, ok, ROUNDS } from '#test/model/races.ts';
import { chargeAnswer, type Asked } from '#test/model/commands.ts';

/** Races that others got wrong, through two nodes on one database: what each may answer, and what all may move. */
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

const withdrawing = (withdrawal: string, amount: number): Asked => ({
  kind: 'withdraw',
  withdrawal,
  origin: 'PIX',
  amount,
});
const refund = (charge: string, amount: number | null): Asked => ({ kind: 'refund', charge, amount });

const disputeCannot = (from: string, to: string): string => `422 Dispute cannot go from ${from} to ${to}`;
const withdrawalCannot = (from: string, to: string): string =>
  `422 Withdrawal cannot go from ${from} to ${to}`;

/** A payment after which exactly so much is available. */
async function upTo(course: Course, wanted: number): Promise<string> {
  const [available] = (await course.player.wallets()).PIX;
  return course.paid(wanted - available + 10);
}

/** Sets aside all that is available, so that nothing is. */
async function empty(course: Course): Promise<void> {
  await upTo(course, 2_000);
  await course.must(withdrawing(course.name(), 2_000), /^201 /);
}

describe('money that goes back', { timeout: TIMEOUT }, () => {
  it('two refunds that together exceed the payment: one is made (C8)', async () => {
    const course = await Course.make(nodes);
    await course.paid(100_000_000);
    const rounds = await course.race(
      'PIX',
      async () => {
        const charge = await course.paid();
        return [refund(charge, 600), refund(charge, 600)];
      },
      [
        { answers: [ok('PAID', 600), TOO_MUCH], moved: [-600, 0] },
        { answers: [TOO_MUCH, ok('PAID', 600)], moved: [-600, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('two refunds of all that is left: one is made (C8)', async () => {
    const course = await Course.make(nodes);
    await course.paid(100_000_000);
    const none = cannot('REFUNDED', 'REFUNDED');
    const rounds = await course.race(
      'PIX',
      async () => {
        const charge = await course.paid();
        return [refund(charge, null), refund(charge, null)];
      },
      [
        { answers: [ok('REFUNDED', 1_000), none], moved: [-1_000, 0] },
        { answers: [none, ok('REFUNDED', 1_000)], moved: [-1_000, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('refunds of two payments that the balance covers once: one is made (C8)', async () => {
    const course = await Course.make(nodes);
    const rounds = await course.race(
      'PIX',
      async () => {
        const charges = [await course.paid(), await course.paid()];
        const [available] = (await course.player.wallets()).PIX;
        // So much is left that one may go below zero by its fee, and not the other.
        const withdrawal = course.name();
        const amount = available - 990;
        await course.must({ kind: 'withdraw', withdrawal, origin: 'PIX', amount }, /^201 /);
        return charges.map((charge) => refund(charge, null));
      },
      [
        { answers: [ok('REFUNDED', 1_000), SHORT], moved: [-1_000, 0] },
        { answers: [SHORT, ok('REFUNDED', 1_000)], moved: [-1_000, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('a chargeback against a refund: what was refunded is not charged back again (C8)', async () => {
    const course = await Course.make(nodes);
    await course.charge({ method: 'CREDIT_CARD', amount: 1_000_000 });
    const rounds = await course.race(
      'CARD',
      async () => {
        const charge = await course.paidByCard();
        return [{ kind: 'chargeback', charge }, refund(charge, 400)];
      },
      [
        { answers: [ok('CHARGEDBACK'), cannot('CHARGEDBACK', 'REFUNDED')], moved: [-1_000, 0] },
        { answers: [ok('CHARGEDBACK', 400), ok('PAID', 400)], moved: [-1_000, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('a dispute against a refund: it holds what has not been refunded (C8, C11)', async () => {
    const course = await Course.make(nodes);
    await course.paid(100_000_000);
    const rounds = await course.race(
      'PIX',
      async () => {
        const charge = await course.paid();
        return [{ kind: 'dispute', charge, dispute: course.name(), amount: null }, refund(charge, 400)];
      },
      [
        { answers: ['201 OPEN of 1000', cannot('DISPUTE', 'REFUNDED')], moved: [-1_000, 1_000] },
        { answers: ['201 OPEN of 600', ok('PAID', 400)], moved: [-1_000, 600] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('a dispute against a chargeback: the money is taken or held once (C8, C11)', async () => {
    const course = await Course.make(nodes);
    const rounds = await course.race(
      'CARD',
      async () => {
        const charge = await course.paidByCard();
        const dispute = course.name();
        return [
          { kind: 'dispute', charge, dispute, amount: null },
          { kind: 'chargeback', charge },
        ];
      },
      [
        { answers: ['201 OPEN of 1000', cannot('DISPUTE', 'CHARGEDBACK')], moved: [-1_000, 1_000] },
        { answers: [cannot('CHARGEDBACK', 'DISPUTE'), ok('CHARGEDBACK')], moved: [-1_000, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('two who resolve a dispute: one does, and an appeal between them breaks nothing (C11)', async () => {
    const course = await Course.make(nodes);
    await course.paid(100_000_000);
    const won = { answer: '200 RESOLVED of 1000', other: disputeCannot('RESOLVED', 'REJECTED') };
    const lost = { answer: '200 REJECTED of 1000', other: disputeCannot('REJECTED', 'RESOLVED') };
    const rounds = await course.race(
      'PIX',
      async () => {
        const charge = await course.paid();
        const dispute = course.name();
        await course.must({ kind: 'dispute', charge, dispute, amount: null }, /^201 /);
        return [
          { kind: 'resolve', dispute, outcome: 'RESOLVED' },
          { kind: 'resolve', dispute, outcome: 'REJECTED' },
          { kind: 'appeal', dispute },
        ];
      },
      ['200 UNDER_REVIEW of 1000', '422 Dispute cannot be appealed'].flatMap((appeal) => [
        { answers: [won.answer, won.other, appeal], moved: [1_000, -1_000] as const },
        { answers: [lost.other, lost.answer, appeal], moved: [0, -1_000] as const },
      ]),
    );
    expect(rounds).toBe(ROUNDS);
  });
});

describe('money that comes', { timeout: TIMEOUT }, () => {
  it('two captures: one is made (C8)', async () => {
    const course = await Course.make(nodes);
    const none = cannot('PAID', 'PAID');
    const rounds = await course.race(
      'CARD',
      async () => {
        const charge = await course.authorized();
        return [
          { kind: 'capture', charge, amount: null },
          { kind: 'capture', charge, amount: 400 },
        ];
      },
      [
        { answers: [ok('PAID'), none], moved: [990, 0] },
        { answers: [none, ok('PAID', 0, 400)], moved: [390, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('a capture against a void: charged or given back (C8)', async () => {
    const course = await Course.make(nodes);
    const rounds = await course.race(
      'CARD',
      async () => {
        const charge = await course.authorized();
        return [
          { kind: 'capture', charge, amount: null },
          { kind: 'void', charge },
        ];
      },
      [
        { answers: [ok('PAID'), cannot('PAID', 'FAILED')], moved: [990, 0] },
        { answers: [cannot('FAILED', 'PAID'), ok('FAILED')], moved: [0, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('pay against cancel: the seller’s, or recorded as late (C8)', async () => {
    const course = await Course.make(nodes);
    const rounds = await course.race(
      'PIX',
      async () => {
        const charge = await course.charge();
        return [
          { kind: 'pay', charge },
          { kind: 'cancel', charge },
        ];
      },
      [
        { answers: [ok('PAID'), cannot('PAID', 'FAILED')], moved: [990, 0] },
        { answers: [ok('FAILED'), ok('FAILED')], moved: [0, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });
});

describe('money that leaves', { timeout: TIMEOUT }, () => {
  it('a withdrawal against a refund of the same balance: one is made (C8, C10)', async () => {
    const course = await Course.make(nodes);
    const rounds = await course.race(
      'PIX',
      async () => {
        await empty(course);
        const charge = await course.paid();
        return [withdrawing(course.name(), 990), refund(charge, null)];
      },
      [
        { answers: ['201 PENDING of 990, fee 0', SHORT], moved: [-990, 990] },
        { answers: [SHORT, ok('REFUNDED', 1_000)], moved: [-1_000, 0] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('two withdrawals of the same balance: one is made (C10)', async () => {
    const course = await Course.make(nodes);
    const made = '201 PENDING of 700, fee 0';
    const rounds = await course.race(
      'PIX',
      async () => {
        await upTo(course, 1_000);
        return [withdrawing(course.name(), 700), withdrawing(course.name(), 700)];
      },
      [
        { answers: [made, SHORT], moved: [-700, 700] },
        { answers: [SHORT, made], moved: [-700, 700] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('approve against reject: one of them counts (C10, C13)', async () => {
    const course = await Course.make(nodes);
    await course.paid(100_000_000);
    const rejected = '200 REJECTED of 700, fee 0';
    const rounds = await course.race(
      'PIX',
      async () => {
        const withdrawal = course.name();
        await course.must(withdrawing(withdrawal, 700), /^201 /);
        return [
          { kind: 'approve', withdrawal },
          { kind: 'reject', withdrawal },
        ];
      },
      [
        ...['APPROVED', 'PROCESSING'].map((from) => ({
          answers: ['200 APPROVED of 700, fee 0', withdrawalCannot(from, 'REJECTED')],
          moved: [0, 0] as const,
        })),
        { answers: [withdrawalCannot('REJECTED', 'APPROVED'), rejected], moved: [700, -700] },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });

  it('a payout that is paid against failed: it leaves once or comes back once (C10)', async () => {
    const course = await Course.make(nodes, { autoApproveUpTo: 1_000 });
    await course.paid(100_000_000);
    const withdrawals: string[] = [];
    for (let made = 0; made < ROUNDS; made += 1) {
      const withdrawal = course.name();
      await course.must(withdrawing(withdrawal, 700), /^201 /);
      withdrawals.push(withdrawal);
    }
    for (const withdrawal of withdrawals) await course.untilProcessing(withdrawal);
    const rounds = await course.race(
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
          answers: ['200 PAID of 700, fee 0', '422 Withdrawal cannot go from PAID to FAILED'],
          moved: [0, -700],
        },
        {
          answers: ['422 Withdrawal cannot go from FAILED to PAID', '200 FAILED of 700, fee 0'],
          moved: [700, -700],
        },
      ],
    );
    expect(rounds).toBe(ROUNDS);
  });
});

describe('the same request twenty times at once', { timeout: TIMEOUT }, () => {
  it('makes one charge, one refund and one withdrawal, and answers the same bytes (C4)', async () => {
    const course = await Course.make(nodes);
    const { player } = course;
    await course.paid(100_000_000);
    for (let turn = 0; turn < ROUNDS / 10; turn += 1) {
      const charge = course.name();
      const before = (await player.wallets()).PIX;
      const [created] = await player.play({ ...CARD_CHARGE, charge }, turn, 20);
      expect(created?.answer).toBe(`201 ${chargeAnswer('PAID', 1_000, 10, 0)}`);
      const [refunded] = await player.play(refund(charge, 100), turn, 20);
      expect(refunded?.answer).toBe(ok('PAID', 100));
      const [withdrawn] = await player.play(withdrawing(course.name(), 50), turn, 20);
      expect(withdrawn?.answer).toBe('201 PENDING of 50, fee 0');
      const after = await player.wallets();
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
