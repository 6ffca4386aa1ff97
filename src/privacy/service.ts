import type { Members } from '#audit/members.ts';
import { recordAudit } from '#audit/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { retryOnDeadlock } from '#platform/database/statements.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import type { SellersService } from '#sellers/service.ts';
import type {
  CustomerData,
  CustomerRecords,
  ErasureBlockReason,
  NamingRecords,
  PayerRecords,
  PayerScan,
  PersonalDataTable,
  TransactionKey,
} from './personal-data.ts';
import { createRedactor, REDACTION_MARK, redactJson, redactUrl, type Redact } from './redaction.ts';
import type { SearchQuery } from './search-query.ts';
import { deleteRows, findPersonalData, findTexts, replaceText, type StoredText } from './store.ts';

/** Payers scanned by one statement, and transactions processed by one request. */
const SCAN_LIMITS = { maxPayers: 20_000, maxMatches: 50 };
/** A person is one customer of a seller. */
const MAX_CUSTOMERS = 1_000;
/** After this time a request without a match returns its position. */
const SCAN_TIMEOUT_MS = 5_000;

export interface PrivacyDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sellers: Pick<SellersService, 'find'>;
  readonly payers: PayerRecords;
  readonly customers: readonly CustomerRecords[];
  readonly tables: readonly PersonalDataTable[];
  /** Deletes the rows of a transaction by which its payer is recognized. */
  readonly deletions: readonly ((trx: DatabaseTransaction, key: TransactionKey) => Promise<void>)[];
}

interface ExportedTransaction extends TransactionKey {
  /** The stored rows by member name. */
  readonly held: Readonly<Record<string, unknown>>;
}

export interface NotErasedTransaction extends TransactionKey {
  readonly status: string;
  readonly reason: ErasureBlockReason;
}

/** The result of a request, and where the next one continues. `next` is undefined at the end. */
interface PrivacyPage<Result> {
  readonly result: Result;
  readonly next: TransactionKey | undefined;
}

interface ExportResult {
  readonly transactions: readonly ExportedTransaction[];
  /** On the first page only. */
  readonly customers: readonly CustomerData[];
}

interface ErasureResult {
  /** On the first page only. */
  readonly erasedCustomers: number;
  readonly erased: number;
  readonly kept: readonly NotErasedTransaction[];
}

export type PrivacyService = ReturnType<typeof createPrivacyService>;

/** Access to and erasure of personal data (LGPD, articles 18 and 16), across all sellers. */
export const createPrivacyService = (deps: PrivacyDeps) =>
  bindDeps(deps, { export: exportPayer, erase: erasePayer });

/** Exports the stored data of a payer, page by page. */
async function exportPayer(
  deps: PrivacyDeps,
  query: SearchQuery,
  after: TransactionKey | undefined,
  actor: AuditActor,
): Promise<PrivacyPage<ExportResult>> {
  const { db, clock } = deps;
  const customers = after === undefined ? await findCustomers(deps, query) : [];
  const { matches, next } = await scan(deps, query, after);
  const transactions: ExportedTransaction[] = [];
  for (const key of matches) transactions.push({ ...key, held: await exportTransaction(deps, key) });
  if (matches.length + customers.length > 0) {
    const members = { charges: matches.length, ...(customers.length > 0 && { customers: customers.length }) };
    const audit = { action: 'payer.exported', members, at: clock.now() } as const;
    await db.transaction().execute((trx) => auditPayer(trx, actor, audit));
  }
  return { result: { transactions, customers }, next };
}

async function findCustomers(
  { db, customers }: PrivacyDeps,
  query: SearchQuery,
): Promise<readonly CustomerData[]> {
  const found = customers.map((records) => records.find(db, query, MAX_CUSTOMERS));
  return (await Promise.all(found)).flat();
}

/**
 * Erases the customer records of a person, each in a database transaction of its own. Returns how
 * many.
 */
async function eraseCustomers(deps: PrivacyDeps, query: SearchQuery, actor: AuditActor): Promise<number> {
  const { db, clock, customers } = deps;
  const at = clock.now();
  const members = { charges: 0, kept: 0, customers: 1 };
  let erased = 0;
  for (const records of customers) {
    for (const customer of await records.find(db, query, MAX_CUSTOMERS)) {
      const isErased = await retryOnDeadlock(() =>
        db.transaction().execute(async (trx) => {
          const naming = await records.findNaming?.(trx, customer);
          if (naming !== undefined) await redactTexts(deps, trx, naming);
          if (!(await records.erase(trx, customer, actor, at))) return false;
          await auditPayer(trx, actor, { action: 'payer.erased', members, at });
          return true;
        }),
      );
      if (isErased) erased += 1;
    }
  }
  return erased;
}

/**
 * Erases a payer, page by page. Each transaction is erased in a database transaction of its own,
 * with its audit log entry, so that a payment waits for one of them at most. An interrupted request
 * can be repeated.
 */
async function erasePayer(
  deps: PrivacyDeps,
  query: SearchQuery,
  after: TransactionKey | undefined,
  actor: AuditActor,
): Promise<PrivacyPage<ErasureResult>> {
  const { db, clock } = deps;
  const erasedCustomers = after === undefined ? await eraseCustomers(deps, query, actor) : 0;
  const { matches, next } = await scan(deps, query, after);
  const at = clock.now();
  const kept: NotErasedTransaction[] = [];
  let erased = 0;
  for (const key of matches) {
    // A concurrent payment locks the same rows in another order.
    const outcome = await retryOnDeadlock(() =>
      db.transaction().execute(async (trx) => {
        const erasure = await eraseTransaction(deps, trx, key, at);
        if (erasure === 'erased')
          await auditPayer(trx, actor, { action: 'payer.erased', members: { charges: 1, kept: 0 }, at });
        return erasure;
      }),
    );
    if (outcome === 'erased') erased += 1;
    else if (outcome !== undefined) kept.push({ ...key, ...outcome });
  }
  if (erased > 0 && kept.length > 0) {
    const audit = { action: 'payer.erased', members: { charges: 0, kept: kept.length }, at } as const;
    await db.transaction().execute((trx) => auditPayer(trx, actor, audit));
  }
  return { result: { erased, erasedCustomers, kept }, next };
}

/** Scans until a payer matches, the last one is reached, or the time is up. */
async function scan(
  { db, payers }: PrivacyDeps,
  query: SearchQuery,
  from: TransactionKey | undefined,
): Promise<PayerScan> {
  const deadline = performance.now() + SCAN_TIMEOUT_MS;
  for (let after = from; ;) {
    const scanned = await payers.scan(db, query, after, SCAN_LIMITS);
    const isDone = scanned.matches.length > 0 || scanned.next === undefined;
    if (isDone || performance.now() > deadline) return scanned;
    after = scanned.next;
  }
}

async function exportTransaction(
  { db, sellers, payers, tables }: PrivacyDeps,
  key: TransactionKey,
): Promise<ExportedTransaction['held']> {
  const seller = await sellers.find(key.sellerId);
  const records = await payers.findRelatedRecords(db, key);
  return { sellerName: seller?.name ?? null, ...(await findPersonalData(db, tables, records)) };
}

async function eraseTransaction(
  deps: PrivacyDeps,
  trx: DatabaseTransaction,
  key: TransactionKey,
  at: Date,
): Promise<'erased' | Omit<NotErasedTransaction, keyof TransactionKey> | undefined> {
  const { payers, deletions } = deps;
  const payer = await payers.lock(trx, key);
  if (payer === undefined) return undefined;
  const { status, blockReason, person, documentType } = payer;
  if (blockReason !== null) return { status, reason: blockReason };
  const records = await payers.findRelatedRecords(trx, key);
  await redactTexts(deps, trx, { person, documentType, records });
  for (const deleteOf of deletions) await deleteOf(trx, key);
  await payers.erase(trx, key, documentType, at);
  return 'erased';
}

/** Removes a person from the texts of records, and deletes what cannot be redacted. */
async function redactTexts(
  { tables }: PrivacyDeps,
  trx: DatabaseTransaction,
  { person, documentType, records }: NamingRecords,
): Promise<void> {
  const maskedDocument = maskDocument(documentType === 'CNPJ' ? 'CNPJ' : 'CPF', person.document);
  const redact = createRedactor(person, maskedDocument);
  for (const stored of await findTexts(trx, tables, records)) {
    const text = redactStoredText(stored, redact);
    if (text !== stored.text) await replaceText(trx, records.sellerId, stored, text);
  }
  for (const table of tables.filter(({ deleted }) => deleted)) await deleteRows(trx, table, records);
}

function redactStoredText({ kind, text, key }: StoredText, redact: Redact): string {
  if (kind === 'id') return redact(text) === text ? text : `${REDACTION_MARK} ${key.join(' ')}`;
  if (kind === 'url') return redactUrl(text, redact);
  if (kind === 'text') return redact(text);
  const value: unknown = JSON.parse(text);
  const redacted = redactJson(value, redact);
  // JSON that does not name the payer stays the same, byte for byte.
  return JSON.stringify(redacted) === JSON.stringify(value) ? text : JSON.stringify(redacted);
}

interface PayerAudit {
  readonly action: 'payer.exported' | 'payer.erased';
  readonly members: Members;
  readonly at: Date;
}

/**
 * Writes an audit log entry without the payer: an identifier there would be personal data again.
 */
function auditPayer(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { action, members, at }: PayerAudit,
): Promise<void> {
  return recordAudit(trx, actor, {
    action,
    recordType: 'payer',
    recordId: null,
    sellerId: null,
    before: null,
    after: members,
    at,
  });
}
