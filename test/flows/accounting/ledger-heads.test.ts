import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { createHeadExportJob } from '#accounting/ledger/service.ts';
import { createHeadSender } from '#app/ledger-heads.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { perShard } from '#platform/database/shards/each-shard.ts';
import { createLogger } from '#platform/kit/log.ts';
import { signatureHeaders, signingKey } from '#webhooks/signature.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { run } from '#test/support/process.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { newSeller, payIn, type TestSeller } from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let database: Database;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  database = openDatabase({ url: gateway.database.url, poolSize: 2, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await gateway.stop();
});

interface Line {
  readonly msg: string;
  readonly heads: readonly string[];
}

function exporter(send?: (heads: readonly string[]) => Promise<void>) {
  const lines: Line[] = [];
  const log = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
  const job = perShard(database.db, (db) =>
    createHeadExportJob({ db, log, ...(send === undefined ? {} : { send }) }),
  );
  const runOnce = async (): Promise<readonly Line[]> => {
    lines.length = 0;
    await job();
    return [...lines];
  };
  return runOnce;
}

async function payAndChain(seller: TestSeller, entries: number): Promise<void> {
  await payIn(gateway, seller, 1_000);
  await vi.waitFor(
    async () => {
      const rows = await gateway.database.query(
        'SELECT 1 FROM ledger_chain WHERE seller_id = $1 AND entries = $2',
        [seller.id, entries],
      );
      expect(rows).toHaveLength(1);
    },
    { timeout: 10_000 },
  );
}

const ledgerCheck = (...args: readonly string[]) =>
  run(['ledger-check', ...args], {
    DATABASE_URL: gateway.database.url,
    MODE: 'sandbox',
    ...secrets(),
  }).exit(60_000);

const secrets = () => ({
  JWT_SECRET: String(SHARED_SECRETS['JWT_SECRET']),
  ENCRYPTION_KEY: String(SHARED_SECRETS['ENCRYPTION_KEY']),
});

describe('the heads of the ledger chains', () => {
  it('are logged when they change, and reveal the loss of the latest entries', async () => {
    const seller = await newSeller(gateway);
    const exportHeads = exporter();
    await payAndChain(seller, 1);
    const [first] = await exportHeads();
    expect(first?.msg).toBe('ledger heads');
    const headOf = (line: Line | undefined) => line?.heads.find((head) => head.startsWith(seller.id));
    expect(headOf(first)).toMatch(/^\S+ 1 v1\.\S+$/);
    expect(await exportHeads()).toEqual([]);
    await payAndChain(seller, 2);
    const [second] = await exportHeads();
    expect(headOf(second)).toMatch(/^\S+ 2 v1\.\S+$/);
    const both = ['--head', JSON.stringify(first), '--head', JSON.stringify(second)];
    expect(await ledgerCheck(...both)).toMatchObject({ code: 0 });

    await gateway.database.query(
      `WITH gone AS (DELETE FROM ledger_entries WHERE seller_id = $1 AND position = 2 RETURNING record_id),
        chain AS (DELETE FROM ledger_chain WHERE seller_id = $1 AND number = 2),
        counted AS (UPDATE transaction_counts SET count = 1 WHERE seller_id = $1 AND status = 'PAID'),
        charge AS (DELETE FROM transactions WHERE seller_id = $1 AND id IN (SELECT record_id FROM gone))
        UPDATE wallets SET available = 1000, entries = 1 WHERE seller_id = $1 AND origin = 'PIX'`,
      [seller.id],
    );
    const alarm = { msg: 'the ledger chain was rolled back', sellerId: seller.id, chainEntry: 1 };
    expect(await exportHeads()).toEqual([expect.objectContaining(alarm)]);
    expect(await exportHeads()).toEqual([expect.objectContaining(alarm)]);
    const { discrepancies } = JSON.parse((await ledgerCheck()).stdout);
    expect(discrepancies.filter(({ kind }: { kind: string }) => kind !== 'COUNT')).toEqual([]);
    const rolledBack = await ledgerCheck('--head', JSON.stringify(second));
    expect(rolledBack.code).toBe(1);
    expect(JSON.parse(rolledBack.stdout).discrepancies).toContainEqual({
      kind: 'CHAIN',
      sellerId: seller.id,
      message: 'the exported head 2 is not part of the chain',
    });
    expect((await ledgerCheck('--head', String(headOf(first)))).stdout).not.toContain('exported head');
    expect(await ledgerCheck('--head', 'anything')).toMatchObject({ code: 1, stdout: '' });
  });

  it('are sent with a signature, and again if the receiver does not accept them', async () => {
    const seller = await newSeller(gateway);
    await payAndChain(seller, 1);
    const receiver = await startReceiver({ events: false });
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    receiver.respondWith((_request, response) =>
      response.writeHead(received().length === 1 ? 500 : 200).end(),
    );
    // A distributed database sends the heads of each shard by themselves.
    const received = () => receiver.received.filter(({ text }) => text.includes(seller.id));
    const exportHeads = exporter(createHeadSender({ url: receiver.url, secret }, receiver.authority));
    await expect(exportHeads()).rejects.toThrow('LEDGER_HEAD_URL did not accept');
    const lines = await exportHeads();
    await exportHeads();
    expect(received()).toHaveLength(2);
    const [, accepted] = received();
    expect(lines).toContainEqual(expect.objectContaining(accepted?.body));
    const id = String(accepted?.headers['webhook-id']);
    const timestampSeconds = Number(accepted?.headers['webhook-timestamp']);
    const body = accepted?.text ?? '';
    const expected = signatureHeaders({ id, timestampSeconds, body, keys: [signingKey(secret)] });
    expect(accepted?.headers).toMatchObject(expected);
    await receiver.close();
  });
});
