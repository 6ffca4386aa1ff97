import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import {
  cnabEnvironment,
  joined,
  paymentReturnOf,
  returnOf,
  type BankResponse,
} from '#test/support/bank-files.ts';
import { newShipmentFile } from '#test/support/cnab-exchange.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';
import {
  balanceOf,
  expectBalanced,
  newSeller,
  readWithdrawal,
  withdrawalThatIs,
  type TestSeller,
} from '#test/support/withdrawals.ts';

const AMOUNT = 25_990;
const WRONG_AMOUNT = 24_990;

let gateway: TestGateway;
let operator: Operator;
let seller: TestSeller;
let fileNumber = 0;
const today = saoPauloDate(new Date());

beforeAll(async () => {
  gateway = await startTestGateway({ environment: cnabEnvironment('341', { PAYOUT_PROVIDER: 'cnab' }) });
  operator = await operatorOf(gateway);
  seller = await newSeller(gateway, { balance: 1_000_000 });
});
afterAll(() => gateway.stop());

const shipped = (service: string): Promise<string> => newShipmentFile(gateway, operator, service);

interface Line {
  readonly line: number;
  readonly kind: string;
  readonly amount: number;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly recordId: string | null;
  readonly decision: string | null;
}
interface Imported {
  readonly id: string;
  readonly problems: readonly Line[];
  readonly problemCount: number;
}

async function imported(file: string): Promise<Imported> {
  const response = await gateway.call('POST', '/admin/cnab/returns', file, {
    token: operator.token,
    headers: { 'content-type': 'text/plain' },
  });
  expect(response.status).toBe(201);
  return response.body.data;
}

const linesOf = async ({ id }: Imported): Promise<readonly Line[]> =>
  (await operator.read(`/admin/cnab/returns/${id}/lines?take=100`)).data;

/** Imports a return file with these lines about the boletos of a shipment. */
function report(shipment: string, ...responses: readonly BankResponse[]): Promise<Imported> {
  fileNumber += 1;
  return imported(returnOf(shipment, responses, fileNumber));
}

const decide = ({ id }: Imported, line: number, decision: string, token = operator.token) =>
  gateway.post(
    `/admin/cnab/returns/${id}/lines/${line}/decide`,
    { decision, note: 'asked the bank' },
    { token },
  );

const paid = (amount: number, changes: Partial<BankResponse> = {}): BankResponse => ({
  title: 0,
  movement: '06',
  paid: amount,
  on: today,
  ...changes,
});

async function shippedBoleto() {
  const made = await gateway.charge({ method: 'BOLETO', amount: AMOUNT });
  expect(made.status).toBe(201);
  return { id: String(made.body.data.id), shipment: await shipped('BOLETOS') };
}
const reversedOf = async (id: string): Promise<readonly number[]> =>
  (await operator.reversalsOf(id))
    .map(({ amount }: { amount: number }) => amount)
    .toSorted((a: number, b: number) => a - b);

describe('a corrected payment of a boleto', () => {
  it.each([0, WRONG_AMOUNT])('applies on the day of a rejected line of %i cents', async (rejected) => {
    const { id, shipment } = await shippedBoleto();
    const first = await report(shipment, paid(rejected));
    expect(first.problems).toMatchObject([{ outcome: 'REJECTED' }]);
    const second = await report(shipment, paid(AMOUNT));
    expect(second.problems).toEqual([]);
    expect(await linesOf(second)).toMatchObject([{ kind: 'PAID', outcome: 'APPLIED' }]);
    expect(await gateway.statusOf(id)).toBe('PAID');
    await expectBalanced(gateway);
  });

  it('is returned to the payer if the boleto was paid with another amount on the same day', async () => {
    const { id, shipment } = await shippedBoleto();
    await report(shipment, paid(AMOUNT));
    const second = await report(shipment, paid(1_000));
    expect(second.problems).toMatchObject([{ outcome: 'REJECTED', recordId: id }]);
    expect(await reversedOf(id)).toEqual([1_000]);
  });

  it('applies although its line was rejected before the boleto was in a remittance file', async () => {
    const made = await gateway.charge({ method: 'BOLETO', amount: AMOUNT });
    const shipment = await shipped('BOLETOS');
    await gateway.database.query(
      "UPDATE boleto_registrations SET number = 'x' || number WHERE transaction_id = $1",
      [made.body.data.id],
    );
    const first = await report(shipment, paid(AMOUNT));
    expect(first.problems).toMatchObject([{ outcome: 'UNMATCHED' }]);
    await gateway.database.query(
      'UPDATE boleto_registrations SET number = substr(number, 2) WHERE transaction_id = $1',
      [made.body.data.id],
    );
    expect((await report(shipment, paid(AMOUNT))).problems).toEqual([]);
    expect(await gateway.statusOf(made.body.data.id)).toBe('PAID');
  });
});

describe('a payment that is reported by two files', () => {
  it('is credited once, and reversed if accepted as a second payment', async () => {
    const { id, shipment } = await shippedBoleto();
    await report(shipment, paid(AMOUNT));
    const again = await report(shipment, paid(AMOUNT));
    expect(again.problems).toMatchObject([{ line: 3, kind: 'PAID', outcome: 'REPEATED' }]);
    const toReview = await operator.read('/admin/cnab/lines-to-review?take=100');
    expect(toReview.data).toHaveLength(toReview.count);
    expect(toReview.data.at(-1)).toMatchObject({ returnId: again.id, line: 3, recordId: id });
    expect(await reversedOf(id)).toEqual([]);
    const responses = await Promise.all([decide(again, 3, 'ACCEPTED'), decide(again, 3, 'ACCEPTED')]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    expect(responses.find(({ status }) => status === 200)?.body.data).toMatchObject({
      outcome: 'APPLIED',
      decision: 'ACCEPTED',
      recordId: id,
    });
    expect(await operator.reversalsOf(id)).toMatchObject([{ reason: 'DUPLICATE', amount: AMOUNT }]);
    expect((await operator.read(`/admin/cnab/returns/${again.id}`)).data).toMatchObject({
      problemCount: 0,
      completedAt: expect.any(String),
    });
    expect((await decide(again, 3, 'DISMISSED')).status).toBe(422);
    const { data } = await operator.read('/admin/audit-log?action=cnab-return-line.accepted');
    expect(data).toMatchObject([{ recordId: again.id, after: { line: 3, note: 'asked the bank' } }]);
    await expectBalanced(gateway);
  });

  it('and that differs from the boleto is reversed again when accepted', async () => {
    const { id, shipment } = await shippedBoleto();
    await report(shipment, paid(WRONG_AMOUNT));
    const again = await report(shipment, paid(WRONG_AMOUNT));
    expect(again.problems).toMatchObject([{ line: 3, outcome: 'REPEATED' }]);
    const accepted = await decide(again, 3, 'ACCEPTED');
    expect(accepted.body.data).toMatchObject({ outcome: 'APPLIED', decision: 'ACCEPTED' });
    expect(await reversedOf(id)).toEqual([WRONG_AMOUNT, WRONG_AMOUNT]);
    expect(await gateway.statusOf(id)).toBe('WAITING_PAYMENT');
    expect((await decide(again, 3, 'ACCEPTED')).status).toBe(422);
  });

  it('can be dismissed, which changes nothing', async () => {
    const { id, shipment } = await shippedBoleto();
    await report(shipment, paid(AMOUNT));
    const again = await report(shipment, paid(AMOUNT));
    expect((await decide(again, 3, 'DISMISSED')).body.data).toMatchObject({
      outcome: 'REPEATED',
      decision: 'DISMISSED',
    });
    expect((await decide(again, 3, 'ACCEPTED')).status).toBe(422);
    expect((await operator.read(`/admin/cnab/returns/${again.id}`)).data.problems).toEqual([]);
    expect(await reversedOf(id)).toEqual([]);
    expect((await decide(again, 99, 'DISMISSED')).body.code).toBe('return_line_not_found');
  });

  it('that applied cannot be accepted or dismissed', async () => {
    const { shipment } = await shippedBoleto();
    const first = await report(shipment, paid(AMOUNT));
    expect((await decide(first, 3, 'ACCEPTED')).status).toBe(422);
    expect((await decide(first, 3, 'DISMISSED')).status).toBe(422);
  });
});

it('a boleto registered after the bank rejected it is listed once, and stays FAILED', async () => {
  const { id, shipment } = await shippedBoleto();
  await report(shipment, { title: 0, movement: '03', reasons: '14', on: today });
  expect(await gateway.statusOf(id)).toBe('FAILED');
  const registered = await report(shipment, { title: 0, movement: '02', on: today });
  expect(registered.problems).toMatchObject([{ kind: 'REGISTERED', outcome: 'REJECTED', recordId: id }]);
  expect((await report(shipment, { title: 0, movement: '02', on: today })).problemCount).toBe(0);
  expect(await gateway.statusOf(id)).toBe('FAILED');
});

it('a line dated in the future is a problem that contains the date, and blocks no other', async () => {
  const { id, shipment } = await shippedBoleto();
  const future = await report(shipment, paid(AMOUNT, { on: '2099-01-31' }));
  expect(future.problems).toMatchObject([
    { outcome: 'REJECTED', reason: 'the date 2099-01-31 lies in the future' },
  ]);
  expect(await gateway.statusOf(id)).toBe('WAITING_PAYMENT');
  expect((await report(shipment, paid(AMOUNT))).problems).toEqual([]);
  expect(await gateway.statusOf(id)).toBe('PAID');
});

it('a line dated in the future is processed when it is due and accepted', async () => {
  const { id, shipment } = await shippedBoleto();
  const tomorrow = saoPauloDate(new Date(Date.now() + 86_400_000));
  const future = await report(shipment, paid(AMOUNT, { on: tomorrow }));
  expect((await decide(future, 3, 'ACCEPTED')).status).toBe(422);
  expect(await gateway.statusOf(id)).toBe('WAITING_PAYMENT');
  await gateway.advance(86_400);
  operator = await operatorOf(gateway);
  expect((await decide(future, 3, 'ACCEPTED')).body.data).toMatchObject({
    outcome: 'APPLIED',
    decision: null,
    recordId: id,
  });
  expect(await gateway.statusOf(id)).toBe('PAID');
  expect((await decide(future, 3, 'ACCEPTED')).status).toBe(422);
  expect((await report(shipment, paid(AMOUNT, { on: tomorrow }))).problems).toMatchObject([
    { outcome: 'REPEATED' },
  ]);
  await expectBalanced(gateway);
});

it('a line that fails is set aside, blocks no other, and is processed when accepted', async () => {
  const [broken, other] = [await shippedBoleto(), await shippedBoleto()];
  await gateway.database.query(`ALTER TABLE boleto_registrations ADD CONSTRAINT broken
    CHECK (transaction_id <> '${broken.id}' OR stage <> 'ENDED') NOT VALID`);
  const failed = await report(broken.shipment, paid(AMOUNT));
  const failure = { outcome: 'REJECTED', reason: 'processing failed: accept it to try again' };
  expect(failed.problems).toMatchObject([failure]);
  expect((await report(other.shipment, paid(AMOUNT))).problems).toEqual([]);
  expect((await decide(failed, 3, 'ACCEPTED')).status).toBe(422);
  await gateway.database.query('ALTER TABLE boleto_registrations DROP CONSTRAINT broken');
  expect((await decide(failed, 3, 'ACCEPTED')).body.data).toMatchObject({ outcome: 'APPLIED' });
  expect(await gateway.statusOf(broken.id)).toBe('PAID');
  expect(await reversedOf(broken.id)).toEqual([]);
  await expectBalanced(gateway);
});

describe('return lines in every order', () => {
  const PAYMENTS = [0, WRONG_AMOUNT, AMOUNT] as const;
  const line = fc.oneof(
    fc.constant<BankResponse>({ title: 0, movement: '02', on: today }),
    fc.constantFrom(...PAYMENTS).map((amount) => paid(amount)),
    fc.constant(paid(AMOUNT, { on: '2099-01-31' })),
    fc.constant(paid(AMOUNT, { title: '99999999' })),
  );
  const files = fc.array(fc.array(line, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });

  /** The number of payments: the maximum that any one file reports. */
  const timesPaid = (plan: readonly (readonly BankResponse[])[], amount: number): number =>
    Math.max(
      ...plan.map(
        (responses) =>
          responses.filter((one) => one.title === 0 && one.paid === amount && one.on === today).length,
      ),
    );

  it('credit once, reverse the rest, and are each applied, repeated or listed', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (plan) => {
        const { id, shipment } = await shippedBoleto();
        for (const responses of plan) {
          const file = await report(shipment, ...responses);
          const listed = new Set(file.problems.map((problem) => problem.line));
          for (const one of await linesOf(file)) {
            const isMoney = one.kind === 'PAID';
            const isSettled = one.outcome === 'APPLIED' || (!isMoney && one.outcome !== null);
            expect(isSettled || listed.has(one.line)).toBe(true);
          }
          expect(listed.size).toBe(file.problemCount);
        }
        const right = timesPaid(plan, AMOUNT);
        const wrong = timesPaid(plan, WRONG_AMOUNT);
        expect(await gateway.statusOf(id)).toBe(right > 0 ? 'PAID' : 'WAITING_PAYMENT');
        expect(await reversedOf(id)).toEqual([
          ...Array<number>(wrong).fill(WRONG_AMOUNT),
          ...Array<number>(Math.max(0, right - 1)).fill(AMOUNT),
        ]);
      }),
      { numRuns: 20 },
    );
    await expectBalanced(gateway);
  });

  it('pay a boleto that one file reports as paid and written off, in either order', async () => {
    const { id, shipment } = await shippedBoleto();
    await report(shipment, { title: 0, movement: '02', on: today });
    await report(shipment, { title: 0, movement: '09', on: today }, paid(AMOUNT));
    expect(await gateway.statusOf(id)).toBe('PAID');
  });
});

/** A shipped withdrawal of R$ 10,00. */
async function shippedPayout() {
  const id = await withdrawalThatIs(gateway, seller, 'PROCESSING');
  const stored = () => gateway.database.query('SELECT 1 FROM cnab_payments WHERE withdrawal_id = $1', [id]);
  await expect.poll(stored, { timeout: 10_000 }).toHaveLength(1);
  return { id, shipment: await shipped('PIX') };
}
const withdrawalStatus = async (id: string) => (await readWithdrawal(gateway, seller, id)).status;

/** Imports the bank's answer to the payout of a shipment, with this amount. */
function importResponse(shipment: string, code: string, amount = 1_000): Promise<Imported> {
  fileNumber += 1;
  const digits = String(amount).padStart(15, '0');
  const lines = paymentReturnOf(shipment, [code], today, fileNumber).split('\r\n').slice(0, -1);
  const changed = lines.map((text) => {
    if (text[7] === '3' && text[13] === 'A') {
      return `${text.slice(0, 119)}${digits}${text.slice(134, 162)}${digits}${text.slice(177)}`;
    }
    return text[7] === '5' ? `${text.slice(0, 23)}${'0'.repeat(18)}${text.slice(41)}` : text;
  });
  return imported(joined(changed));
}

describe('a payout', () => {
  it('reported with a wrong amount and then with the right one ends PAID', async () => {
    const { id, shipment } = await shippedPayout();
    const balance = await balanceOf(gateway, seller);
    expect((await importResponse(shipment, '00', 999)).problems).toMatchObject([{ outcome: 'UNMATCHED' }]);
    expect(await withdrawalStatus(id)).toBe('PROCESSING');
    expect((await importResponse(shipment, '00')).problems).toEqual([]);
    expect(await withdrawalStatus(id)).toBe('PAID');
    // A later failure requires a manual decision, and returns nothing.
    const failed = await importResponse(shipment, 'AN');
    expect(failed.problems).toMatchObject([{ kind: 'PAYOUT_FAILED', outcome: 'REJECTED', recordId: id }]);
    expect((await decide(failed, 3, 'ACCEPTED')).status).toBe(422);
    expect((await operator.read(`/admin/cnab/returns/${failed.id}`)).data.problemCount).toBe(1);
    expect((await decide(failed, 3, 'DISMISSED')).status).toBe(200);
    expect(await withdrawalStatus(id)).toBe('PAID');
    expect((await balanceOf(gateway, seller))[0]).toBe(balance[0]);
    await expectBalanced(gateway);
  });

  it('reported as paid in part of the ordered amount stays PROCESSING', async () => {
    const { id, shipment } = await shippedPayout();
    const file = paymentReturnOf(shipment, ['00'], today, (fileNumber += 1));
    // Segment A, columns 155 to 177: the day and the amount of the payment.
    const paid999 = file.replace(/(?<=^.{13}A.{140}\d{8})\d{15}/m, '999'.padStart(15, '0'));
    expect(paid999).not.toBe(file);
    expect((await imported(paid999)).problems).toMatchObject([
      { kind: 'PAYOUT_PAID', amount: 999, outcome: 'UNMATCHED' },
    ]);
    expect(await withdrawalStatus(id)).toBe('PROCESSING');
  });

  it('with other leading zeros in its reference, reported paid, is not returned by a failure', async () => {
    const { id, shipment } = await shippedPayout();
    await importResponse(shipment.replace(/(?<=^.{73})0(\d{11}) /m, '$1  '), '00', 999);
    const failed = await importResponse(shipment, 'AN');
    expect(failed.problems).toMatchObject([{ kind: 'PAYOUT_FAILED', outcome: 'REJECTED', recordId: id }]);
    expect(await withdrawalStatus(id)).toBe('PROCESSING');
  });

  it('reported as paid and failed in one line, and then as failed, is not returned', async () => {
    const { id, shipment } = await shippedPayout();
    const [available] = await balanceOf(gateway, seller);
    expect((await importResponse(shipment, '00AN')).problems).toMatchObject([
      { kind: 'PAYOUT_UNCLEAR', outcome: 'UNMATCHED' },
    ]);
    const failed = await importResponse(shipment, 'AN');
    expect(failed.problems).toMatchObject([{ kind: 'PAYOUT_FAILED', outcome: 'REJECTED', recordId: id }]);
    expect(await withdrawalStatus(id)).toBe('PROCESSING');
    expect((await balanceOf(gateway, seller))[0]).toBe(available);
  });

  it('that fails after it was reported as paid with a wrong amount requires a decision', async () => {
    const { id, shipment } = await shippedPayout();
    const [available] = await balanceOf(gateway, seller);
    await importResponse(shipment, '00', 999);
    const failed = await importResponse(shipment, 'AN');
    expect(failed.problems).toMatchObject([{ kind: 'PAYOUT_FAILED', outcome: 'REJECTED' }]);
    expect(await withdrawalStatus(id)).toBe('PROCESSING');
    expect((await balanceOf(gateway, seller))[0]).toBe(available);
    expect((await decide(failed, 3, 'ACCEPTED')).body.data).toMatchObject({ outcome: 'APPLIED' });
    expect(await withdrawalStatus(id)).toBe('FAILED');
    expect((await balanceOf(gateway, seller))[0]).toBe(available + 1_000);
    await expectBalanced(gateway);
  });
});
