import type { Client } from '#test/support/client.ts';
import type { Charge, SellerRecords } from './records.ts';

/**
 * Each acknowledged charge and withdrawal exists with its expected state, and there is no other.
 */
export async function compareRecords(records: SellerRecords): Promise<readonly string[]> {
  const { seller } = records;
  const [charges, withdrawals] = await Promise.all([
    csvOf(seller.client, '/transactions'),
    csvOf(seller.client, '/withdrawals'),
  ]);
  const expected = [
    ...records.charges.map(({ created, body, paid, method, refund }) => {
      const unpaid = method === 'PIX' ? 'PENDING' : 'AUTHORIZED';
      const status = isReturned(refund, body) ? 'REFUNDED' : paid === 'done' ? 'PAID' : unpaid;
      return `charge ${created?.id} ${body.amount} ${created?.net} ${status}`;
    }),
    ...records.withdrawals.map(
      ({ created, amount, paid }) =>
        `withdrawal ${created?.id} ${amount} ${paid === 'done' ? 'PAID' : 'PROCESSING'}`,
    ),
  ];
  const found = [
    ...charges.map((row) => `charge ${row['id']} ${row['amount']} ${row['netAmount']} ${row['status']}`),
    ...withdrawals.map((row) => `withdrawal ${row['id']} ${row['amount']} ${row['status']}`),
  ];
  return different(expected, found);
}

/**
 * The wallet matches the computed balance, the statement moves each amount once, and each line
 * follows from the previous one.
 */
export async function compareMoney({
  seller,
  charges,
  withdrawals,
}: SellerRecords): Promise<readonly string[]> {
  const expected: string[] = [];
  let [available, blocked] = [0, 0];
  for (const { created, paid, method, body, refund } of charges) {
    if (created === undefined || paid !== 'done') continue;
    expected.push(`${created.id} PAYMENT ${body.amount}`);
    if (created.fee > 0) expected.push(`${created.id} PAYMENT_FEE ${created.fee}`);
    if (method === 'PIX') available += created.net;
    else blocked += created.net;
    if (refund.asked !== 'done') continue;
    expected.push(`${created.id} REFUND ${refund.amount}`);
    available -= refund.amount;
  }
  for (const { created, amount, paid } of withdrawals) {
    expected.push(`${created?.id} WITHDRAWAL_RESERVED ${amount}`);
    available -= amount;
    if (paid === 'done') expected.push(`${created?.id} WITHDRAWAL_PAID ${amount}`);
    else blocked += amount;
  }
  const wrong: string[] = [];
  const wallet = (await seller.client.get('/seller-wallet/gestao')).body.data;
  if (wallet.availableBalance !== available || wallet.blockedBalance !== blocked) {
    const shown = `${wallet.availableBalance} and ${wallet.blockedBalance}`;
    wrong.push(`the wallet of ${seller.id} shows ${shown}, our books ${available} and ${blocked}`);
  }
  const lines = (await csvOf(seller.client, '/seller-wallet/entries')).toReversed();
  let before = { available: 0, blocked: 0 };
  for (const line of lines) {
    const after = { available: Number(line['availableBalance']), blocked: Number(line['blockedBalance']) };
    const follows =
      before.available + Number(line['availableChange']) === after.available &&
      before.blocked + Number(line['blockedChange']) === after.blocked;
    if (!follows) wrong.push(`entry ${line['id']} does not follow from the one before it`);
    before = after;
  }
  if (new Set(lines.map(({ id }) => id)).size !== lines.length) wrong.push('two entries have one id');
  const found = lines.map((line) => `${line['recordId']} ${line['cause']} ${line['moved']}`);
  return [...wrong, ...different(expected, found)];
}

/** Whether a charge was fully refunded. */
const isReturned = (refund: Charge['refund'], { amount }: { readonly amount: number }): boolean =>
  refund.asked === 'done' && refund.amount === amount;

/** A list as exported to CSV. No compared value needs quoting. */
async function csvOf(client: Client, path: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const response = await client.get(`${path}?export=true`);
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status} ${response.text}`);
  const [header = '', ...lines] = response.text.split('\r\n').filter((line) => line !== '');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}

/** The elements of two lists that are not in both, with multiplicity. */
export function different(expected: readonly string[], found: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const one of expected) left.set(one, (left.get(one) ?? 0) + 1);
  for (const one of found) left.set(one, (left.get(one) ?? 0) - 1);
  return [...left]
    .filter(([, number]) => number !== 0)
    .map(([one, number]) => `${number > 0 ? 'expected and not found' : 'found and not expected'}: ${one}`)
    .slice(0, 50);
}
