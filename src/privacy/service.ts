import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { retryOnDeadlock } from '#platform/database/statements.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import { createRedactor, redactJson, redactUrl, type Redact } from './redaction.ts';
import type { SearchQuery } from './search-query.ts';
import {
  erasePayer,
  findPayerData,
  findTexts,
  lockTransaction,
  scanForPayer,
  replaceText,
  type TransactionKey,
  type StoredText,
  type ErasureBlockReason,
} from './store.ts';

export type { TransactionKey, ErasureBlockReason } from './store.ts';

/** Payers that one statement looks at, and charges that one request works on. */
const MAX_PAYERS_PER_SCAN = 20_000;
const MAX_TRANSACTIONS = 50;
/** After this a request answers how far it has come. */
const SCAN_TIMEOUT_MS = 5_000;

export interface ExportedTransaction extends TransactionKey {
  readonly held: Readonly<Record<string, unknown>>;
}

export interface NotErasedTransaction extends TransactionKey {
  readonly status: string;
  readonly reason: ErasureBlockReason;
}

/** What a request has done, and where the next one goes on; undefined at the end. */
export interface PrivacyPage<Result> {
  readonly result: Result;
  readonly next: TransactionKey | undefined;
}

export interface ErasureResult {
  readonly erased: number;
  readonly kept: readonly NotErasedTransaction[];
}

export type PrivacyService = ReturnType<typeof createPrivacyService>;

const recordPayerAudit = (
  trx: Db,
  author: AuditActor,
  action: 'payer.exported' | 'payer.erased',
  after: Readonly<Record<string, number>>,
  at: Date,
) =>
  // Whose data it was is not written down: that would be to keep it.
  recordAudit(trx, author, {
    action,
    recordType: 'payer',
    recordId: null,
    sellerId: null,
    before: null,
    after,
    at,
  });

/** What a payer may ask of whoever keeps their data (LGPD, articles 18 and 16): to have it, and to be forgotten. */
export function createPrivacyService(db: Db, clock: Clock) {
  async function scan(query: SearchQuery, from: TransactionKey | undefined) {
    const end = performance.now() + SCAN_TIMEOUT_MS;
    for (let after = from; ;) {
      const scanned = await scanForPayer(db, query, after, {
        maxPayers: MAX_PAYERS_PER_SCAN,
        most: MAX_TRANSACTIONS,
      });
      if (scanned.keys.length > 0 || scanned.next === undefined || performance.now() > end) return scanned;
      after = scanned.next;
    }
  }

  return {
    /** What is kept of a payer, of some charges at a time. */
    async export(
      query: SearchQuery,
      after: TransactionKey | undefined,
      author: AuditActor,
    ): Promise<PrivacyPage<readonly ExportedTransaction[]>> {
      const { keys, next } = await scan(query, after);
      const result: ExportedTransaction[] = [];
      for (const key of keys) result.push({ ...key, held: await findPayerData(db, key) });
      if (keys.length > 0)
        await recordPayerAudit(db, author, 'payer.exported', { charges: keys.length }, clock.now());
      return { result, next };
    },

    /**
     * Puts marks in the place of what names a payer, in some charges at a time. Each charge is a transaction of its own, with
     * its row of the audit log: a payment waits for one charge at most, and what was cut off goes on where it was.
     */
    async erase(
      query: SearchQuery,
      after: TransactionKey | undefined,
      author: AuditActor,
    ): Promise<PrivacyPage<ErasureResult>> {
      const { keys, next } = await scan(query, after);
      const at = clock.now();
      const kept: NotErasedTransaction[] = [];
      let erased = 0;
      for (const key of keys) {
        // A payment that arrives meanwhile may hold what we come to next, and wait for what we hold.
        const outcome = await retryOnDeadlock(() =>
          db.transaction().execute(async (trx) => {
            const erasure = await eraseTransaction(trx, key, at);
            if (erasure === 'erased')
              await recordPayerAudit(trx, author, 'payer.erased', { charges: 1, kept: 0 }, at);
            return erasure;
          }),
        );
        if (outcome === 'erased') erased += 1;
        else if (outcome !== undefined) kept.push({ ...key, ...outcome });
      }
      if (erased > 0 && kept.length > 0)
        await recordPayerAudit(db, author, 'payer.erased', { charges: 0, kept: kept.length }, at);
      const result = { erased, kept };
      return { result, next };
    },
  };
}

async function eraseTransaction(
  trx: Db,
  key: TransactionKey,
  at: Date,
): Promise<'erased' | { readonly status: string; readonly reason: ErasureBlockReason } | undefined> {
  const transaction = await lockTransaction(trx, key);
  if (transaction === undefined) return undefined;
  const { status, reason, person, documentType } = transaction;
  if (reason !== null) return { status, reason };
  const type = documentType === 'CNPJ' ? 'CNPJ' : 'CPF';
  const redact = createRedactor(person, maskDocument(type, person.document));
  for (const stored of await findTexts(trx, key)) {
    const text = redactStoredText(stored, redact);
    if (text !== stored.text) await replaceText(trx, key.sellerId, stored, text);
  }
  await erasePayer(trx, key, documentType, at);
  return 'erased';
}

function redactStoredText({ kind, text }: StoredText, redact: Redact): string {
  if (kind === 'url') return redactUrl(text, redact);
  if (kind === 'text') return redact(text);
  const value: unknown = JSON.parse(text);
  const redacted = redactJson(value, redact);
  // What names nobody stays byte for byte.
  return JSON.stringify(redacted) === JSON.stringify(value) ? text : JSON.stringify(redacted);
}
