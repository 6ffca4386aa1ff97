import type { RawBuilder } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Person } from './redaction.ts';
import type { SearchQuery } from './search-query.ts';

/**
 * The interfaces by which other modules give access to personal data of payers. Those modules own
 * the tables, and `app/` passes their implementations to the privacy service.
 */

/** A transaction. Its payer is stored per transaction. */
export interface TransactionKey {
  readonly sellerId: string;
  readonly id: string;
}

/** The payers of all transactions, in the order of the primary key. */
export interface PayerRecords {
  /** Searches a limited number of payers after `after`. */
  readonly scan: (
    db: Db,
    query: SearchQuery,
    after: TransactionKey | undefined,
    limits: ScanLimits,
  ) => Promise<PayerScan>;
  /** Locks a transaction and its payer. Returns undefined if the payer has been erased. */
  readonly lock: (trx: DatabaseTransaction, key: TransactionKey) => Promise<LockedPayer | undefined>;
  /** Replaces the fields of the payer by placeholders. */
  readonly erase: (
    trx: DatabaseTransaction,
    key: TransactionKey,
    documentType: string,
    at: Date,
  ) => Promise<void>;
  readonly findRelatedRecords: (db: Db, key: TransactionKey) => Promise<RelatedRecords>;
}

/** The customer records of sellers. They are indexed by document and email. */
export interface CustomerRecords {
  readonly find: (db: Db, query: SearchQuery, limit: number) => Promise<readonly CustomerData[]>;
  /** Undefined if nothing names a customer besides what `erase` deletes. */
  readonly findNaming?: (trx: DatabaseTransaction, key: TransactionKey) => Promise<NamingRecords | undefined>;
  /**
   * Deletes a customer with everything that belongs to it, and ends what it subscribes to. Returns
   * false if it was deleted meanwhile, or if the law requires that it is kept.
   */
  readonly erase: (
    trx: DatabaseTransaction,
    key: TransactionKey,
    actor: AuditActor,
    at: Date,
  ) => Promise<boolean>;
}

/** A customer, and the records whose texts may name them. They are redacted before `erase`. */
export interface NamingRecords {
  readonly person: Person;
  readonly documentType: string;
  readonly records: RelatedRecords;
}

/** The stored row of a customer. */
export type CustomerData = { readonly sellerId: string; readonly id: string } & Readonly<
  Record<string, unknown>
>;

export interface ScanLimits {
  readonly maxPayers: number;
  readonly maxMatches: number;
}

export interface PayerScan {
  readonly matches: readonly TransactionKey[];
  /** Where to continue. Undefined at the end. */
  readonly next: TransactionKey | undefined;
}

/** Why a payer cannot be erased yet. */
export const ERASURE_BLOCK_REASONS = ['BOLETO_OPEN', 'PROVIDER_PENDING', 'DISPUTED'] as const;
export type ErasureBlockReason = (typeof ERASURE_BLOCK_REASONS)[number];

export interface LockedPayer {
  readonly status: string;
  readonly documentType: string;
  readonly person: Person;
  readonly blockReason: ErasureBlockReason | null;
}

/** The records that belong to a transaction. */
export interface RelatedRecords extends TransactionKey {
  /** The ids of the transaction, its refunds and its disputes. */
  readonly recordIds: readonly string[];
  /** When they changed. */
  readonly changeTimes: readonly Date[];
}

/**
 * How a text is redacted: `json` in a json column, `json-text` in a text column. An `id` is
 * replaced as a whole by one that stays unique.
 */
export type TextKind = 'text' | 'url' | 'json' | 'json-text' | 'id';

/** SQL condition for the rows that belong to a transaction, with the table alias `x`. */
export type RowCondition = (records: RelatedRecords) => RawBuilder<unknown>;

/** A table with personal data, described by the module that owns it. */
export interface PersonalDataTable {
  readonly table: string;
  /** The column of the seller. Defaults to `seller_id`. */
  readonly seller?: string;
  /** Columns that identify a row, together with the seller. */
  readonly key: readonly string[];
  readonly rows: RowCondition;
  /** The columns of free text that may name the payer. */
  readonly texts?: Readonly<Record<string, TextKind>>;
  /** Whether an erasure deletes the rows, because what they contain cannot be redacted or is sent. */
  readonly deleted?: boolean;
  /** How the rows are exported. Undefined if they are not. */
  readonly export?: TableExport;
}

export interface TableExport {
  /** The member of the exported object. */
  readonly member: string;
  /** Whether there is one row for each transaction, exported as an object instead of an array. */
  readonly single?: boolean;
  /** Defaults to the rows that are redacted. */
  readonly rows?: RowCondition;
  /** Defaults to the primary key. */
  readonly orderBy?: string;
  /** Columns that are not exported. */
  readonly omit?: readonly string[];
}
