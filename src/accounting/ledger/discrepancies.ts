import type { TextOf } from '#platform/kit/templates.ts';

/** Parts of a transaction that the ledger check compares with its entries. */
const TRANSACTION_PARTS = [
  'payment',
  'provider event',
  'fee',
  'refunds',
  'chargeback',
  'held by disputes',
  'released by disputes',
  'lost by disputes',
  'still retained',
  'still disputed',
  'paidAt',
  'open disputes',
  'refundedAmount',
  'refunds under way',
  'refundingAmount',
] as const;
export type TransactionPart = (typeof TRANSACTION_PARTS)[number];

/** Templates of what can be wrong with an entry, after its id. */
const ENTRY_PROBLEMS = [
  '{cause} cannot go from {debit} to {credit}',
  'has position {number} of {origin} instead of {nth}',
  'records {a} available and {b} blocked of {origin}, the entries up to it sum to {c} and {d}',
  'of {origin} should be followed by others: the wallet counts {count} entries and there are {otherCount}',
] as const;

/** Templates of what can be wrong with a chain, or with the entries after it. */
const CHAIN_PROBLEMS = [
  'chain entry {number} is missing',
  'chain entry {number} is not what the gateway wrote',
  'chain entry {number} covers {count} entries and there are {otherCount}',
  'chain entry {number} is the last one and was made with a key that is no longer in use',
  'an entry covered by chain entry {number} was changed',
  'the chain covers {count} entries and the wallet counts {otherCount}',
  'the exported head {number} is not part of the chain',
  'entry {id} is missing',
  'entry {id} was changed',
  'entry {id} was not booked by the gateway',
  'entry {id} does not follow from the entry before it',
  'an entry is the copy of another one',
  'the entries of record {id} contradict each other',
] as const;

/** Templates of the discrepancies that a ledger check reports. */
export const DISCREPANCIES = [
  '{account} balance of origin {origin} is {cents}, its entries sum to {otherCents}',
  ...ENTRY_PROBLEMS.map((problem) => `entry {id} ${problem}` as const),
  'transaction {id}: {part} should be {cents} and is {otherCents}',
  'withdrawal {id} is {withdrawalStatus}, its entries sum to {sums}',
  '{method} charges that are {status} are counted as {count}, there are {otherCount}',
  '{method} charges of {date} without payment are counted as {count}, there are {otherCount}',
  ...CHAIN_PROBLEMS,
] as const;

export type EntryProblem = TextOf<(typeof ENTRY_PROBLEMS)[number]>;
export type ChainProblemText = TextOf<(typeof CHAIN_PROBLEMS)[number]>;
export type DiscrepancyText = TextOf<(typeof DISCREPANCIES)[number]>;
