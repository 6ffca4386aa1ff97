import type { Clock } from '#clock.ts';
import { Batch } from '#database/batch.ts';
import type { Database } from '#database/connect.ts';
import { Lanes } from '#database/lanes.ts';
import { feeOn } from '#fees/service.ts';
import { IDEMPOTENCY_LIFE_MS } from '#http/idempotency.ts';
import type { Page } from '#http/pages.ts';
import { deleteKeyOlderThan, findKey, type KeyName } from '#idempotency/service.ts';
import { isUuid, newId } from '#ids.ts';
import type { SellerContext } from '#sellers/service.ts';
import { transactionUpdated } from './events.ts';
import { decide, type Happening } from './states.ts';
import {
  applyChanges,
  type Actor,
  type Applied,
  type ChangeRecord,
  type ReportRecord,
} from './store-change.ts';
import { CREATE_OPERATION, createTransactions, type Creation, type CreationOutcome } from './store-create.ts';
import {
  countMatching,
  findExpired,
  findPixCode,
  findReport,
  findSummaries,
  findTransactions,
  insertUnappliedReport,
  type TransactionFilter,
  type TransactionKey,
  type TransactionSummary,
} from './store.ts';
import {
  asCreated,
  type Customer,
  type Item,
  type NewTransaction,
  type PixCharge,
  type Status,
  type Transaction,
} from './transaction.ts';

export type { Transaction } from './transaction.ts';

/** How often a change is decided anew because another one came between. Each round, at least one of the rivals wins. */
const MAX_ROUNDS = 50;

export interface ChargeRequest {
  readonly amount: number;
  readonly customer: Omit<Customer, 'id'>;
  readonly items: readonly Omit<Item, 'id'>[];
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly postbackUrl: string | null;
  /** Seconds until a charge that nobody pays fails. */
  readonly expirationSeconds: number;
}

export type CreateResult =
  | { readonly kind: 'created' | 'replayed'; readonly transaction: Transaction }
  | { readonly kind: 'refused'; readonly failure: 'KEY_REUSED' | 'FEE_NOT_COVERED' | 'METHOD_UNAVAILABLE' };

export type ReportResult =
  /** `late`: the money is recorded and goes back to the payer; the charge stays as it was. */
  | { readonly kind: 'applied' | 'repeated' | 'late'; readonly transaction: Transaction }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'impossible'; readonly from: Status; readonly to: Status }
  | { readonly kind: 'wrong-amount' };

export interface PixIssuer {
  /** Makes the code of a charge; local, so that it needs no second commit. */
  issue(charge: {
    readonly transactionId: string;
    readonly amountCents: number;
    readonly merchantName: string;
    readonly expiresAt: Date;
    readonly nowMs: number;
  }): PixCharge;
}

export interface TransactionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Absent where no PIX provider is set up. */
  readonly pix: PixIssuer | undefined;
  /** Told after a commit that wrote deliveries, so that the worker need not wait for its next look. */
  readonly onDeliveries: () => void;
}

export type TransactionsService = ReturnType<typeof createTransactionsService>;

export function createTransactionsService({ database, clock, pix, onDeliveries }: TransactionsDeps) {
  const { db } = database;
  const creationLanes = new Lanes(database, 'create');
  const changeLanes = new Lanes(database, 'change');
  const readLanes = new Lanes(database, 'read');
  const creations = new Batch<Creation, CreationOutcome>({
    lanes: 2,
    run: (lane, items) => createTransactions(creationLanes, lane, items),
  });
  // One lane: batches of changes that ran side by side would wait for each other's wallets.
  const changes = new Batch<ChangeRecord, Applied>({
    lanes: 1,
    run: (lane, items) => applyChanges(changeLanes, lane, items),
  });
  const reads = new Batch<TransactionKey, Transaction | null>({
    lanes: 2,
    run: (lane, keys) => findTransactions(readLanes, lane, keys),
  });

  async function find(key: TransactionKey): Promise<Transaction | undefined> {
    if (!isUuid(key.id)) return undefined;
    return (await reads.add(key)) ?? undefined;
  }

  async function replay(
    sellerId: string,
    known: { readonly recordId: string; readonly bodyHash: Buffer },
    bodyHash: Buffer,
  ): Promise<CreateResult> {
    if (!known.bodyHash.equals(bodyHash)) return { kind: 'refused', failure: 'KEY_REUSED' };
    const transaction = await find({ sellerId, id: known.recordId });
    if (transaction === undefined) throw new Error('an idempotency key names a record that does not exist');
    // The first answer again: the charge as it was made, whatever has happened to it since.
    return { kind: 'replayed', transaction: asCreated(transaction) };
  }

  async function createPix(
    { seller, fees }: SellerContext,
    wanted: ChargeRequest,
    idempotencyKey: string,
    bodyHash: Buffer,
  ): Promise<CreateResult> {
    if (pix === undefined) return { kind: 'refused', failure: 'METHOD_UNAVAILABLE' };
    const feeAmount = feeOn(wanted.amount, fees.pixIn);
    if (feeAmount === undefined) {
      // The plan may have changed since the first request with this key, which must still get its first answer.
      const known = await findKey(db, nameOf(seller.id, idempotencyKey));
      if (known !== undefined) return replay(seller.id, known, bodyHash);
      return { kind: 'refused', failure: 'FEE_NOT_COVERED' };
    }
    const transaction = newPixTransaction(seller, wanted, feeAmount, clock.nowMs(), pix);
    const outcome = await creations.add({ transaction, idempotencyKey, bodyHash });
    if (outcome.kind === 'created') return { kind: 'created', transaction: asCreated(transaction) };
    const livingSince = new Date(clock.nowMs() - IDEMPOTENCY_LIFE_MS);
    if (outcome.createdAt < livingSince) {
      await deleteKeyOlderThan(db, nameOf(seller.id, idempotencyKey), livingSince);
      return createPix({ seller, fees }, wanted, idempotencyKey, bodyHash);
    }
    return replay(seller.id, outcome, bodyHash);
  }

  /**
   * Applies what happened to a charge. Reads, decides, and writes only if nothing came between; otherwise once more.
   */
  async function happen(
    key: TransactionKey,
    happening: Happening,
    actor: Actor,
    report: ReportRecord | null,
  ): Promise<ReportResult> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const before = await find(key);
      if (before === undefined) return { kind: 'unknown' };
      const at = clock.now();
      const decision = decide(before, happening, at.getTime());
      if (decision.kind !== 'change') {
        if (report !== null) {
          const known = await findReport(db, key.sellerId, report.provider, report.reportId);
          if (known?.outcome === 'APPLIED') return { kind: 'repeated', transaction: before };
        }
        return decision.kind === 'late' ? { kind: 'late', transaction: before } : decision;
      }
      const { change } = decision;
      const after: Transaction = {
        ...before,
        status: change.to,
        statusReason: change.reason ?? before.statusReason,
        version: before.version + 1,
        paidAt: change.paidAt ?? before.paidAt,
        updatedAt: at,
      };
      const event = transactionUpdated(after);
      const outcome = await changes.add({
        changeId: newId(at.getTime()),
        before,
        change,
        at,
        actor,
        report,
        eventType: event.type,
        payload: event.payload,
      });
      if (!outcome.applied) continue;
      if (outcome.deliveries) onDeliveries();
      return { kind: 'applied', transaction: after };
    }
    throw new Error('a charge changed under every attempt to change it');
  }

  return {
    find,
    createPix,

    /** Takes a provider's report: applied at most once, and kept where it could not be applied. */
    async report(key: TransactionKey, happening: Happening, report: ReportRecord): Promise<ReportResult> {
      const result = await happen(key, happening, 'PROVIDER', report);
      if (result.kind === 'late') {
        await insertUnappliedReport(db, key, report, 'LATE', 'to be returned to the payer', clock.now());
      } else if (result.kind === 'impossible' || result.kind === 'wrong-amount') {
        const detail = result.kind === 'impossible' ? `${result.from} to ${result.to}` : 'amount differs';
        await insertUnappliedReport(db, key, report, 'REJECTED', detail, clock.now());
      }
      return result;
    },

    /** Fails charges whose time has passed; answers how many were looked at, so that the caller knows whether more wait. */
    async expireDue(limit: number): Promise<number> {
      const due = await findExpired(db, clock.now(), limit);
      await Promise.all(due.map((key) => happen(key, { kind: 'EXPIRY' }, 'WORKER', null)));
      return due.length;
    },

    async list(
      sellerId: string,
      filter: TransactionFilter,
      page: Page,
    ): Promise<{ readonly summaries: readonly TransactionSummary[]; readonly count: number }> {
      const [summaries, count] = await Promise.all([
        findSummaries(db, sellerId, filter, page),
        countMatching(db, sellerId, filter),
      ]);
      return { summaries, count };
    },

    pixCode: (transactionId: string): Promise<string | undefined> => findPixCode(db, transactionId),
  };
}

const nameOf = (sellerId: string, key: string): KeyName => ({ sellerId, operation: CREATE_OPERATION, key });

function newPixTransaction(
  seller: { readonly id: string; readonly name: string },
  wanted: ChargeRequest,
  feeAmount: number,
  nowMs: number,
  pix: PixIssuer,
): NewTransaction {
  const id = newId(nowMs);
  const charge = {
    transactionId: id,
    amountCents: wanted.amount,
    merchantName: seller.name,
    expiresAt: new Date(nowMs + wanted.expirationSeconds * 1000),
    nowMs,
  };
  return {
    sellerId: seller.id,
    id,
    method: 'PIX',
    amount: wanted.amount,
    feeAmount,
    description: wanted.description,
    metadata: wanted.metadata,
    postbackUrl: wanted.postbackUrl,
    customer: { id: newId(nowMs), ...wanted.customer },
    items: wanted.items.map((item) => ({ id: newId(nowMs), ...item })),
    pix: pix.issue(charge),
    createdAt: new Date(nowMs),
  };
}
