import { sql } from 'kysely';

import type { PersonalDataTable, RowCondition } from '#privacy/personal-data.ts';

export { createCustomerRecords } from './customers/personal-data.ts';
export { PAYER_RECORDS } from './transactions/store-payers.ts';

const ofTransaction: RowCondition = ({ id }) => sql`x.transaction_id = ${id}`;
const ofRecords: RowCondition = ({ recordIds }) => sql`x.record_id = ANY (${[...recordIds]}::uuid[])`;

const ofDispute: RowCondition = ({ recordIds }) => sql`x.dispute_id = ANY (${[...recordIds]}::uuid[])`;

/** The tables of payments with personal data of payers. */
export const PAYMENT_PERSONAL_DATA: readonly PersonalDataTable[] = [
  {
    table: 'transactions',
    key: ['id'],
    rows: ({ id }) => sql`x.id = ${id}`,
    texts: {
      description: 'text',
      external_ref: 'text',
      metadata: 'json',
      postback_url: 'url',
      status_reason: 'text',
    },
    export: { member: 'charge', single: true, omit: ['payment_secret', 'public_url'] },
  },
  {
    table: 'transaction_customers',
    key: ['transaction_id'],
    rows: ofTransaction,
    export: { member: 'payer', single: true },
  },
  {
    table: 'transaction_items',
    key: ['transaction_id', 'position'],
    rows: ofTransaction,
    texts: { title: 'text', external_ref: 'text' },
    export: { member: 'items' },
  },
  { table: 'pix_payments', key: ['transaction_id'], rows: ofTransaction, export: { member: 'pix' } },
  {
    table: 'boleto_payments',
    key: ['transaction_id'],
    rows: ofTransaction,
    texts: { instructions: 'text' },
    export: { member: 'boleto' },
  },
  {
    table: 'boleto_registrations',
    key: ['transaction_id'],
    rows: ofTransaction,
    texts: { reason: 'text' },
  },
  { table: 'card_payments', key: ['transaction_id'], rows: ofTransaction, export: { member: 'card' } },
  {
    table: 'transaction_history',
    key: ['transaction_id', 'position'],
    rows: ofTransaction,
    texts: { reason: 'text' },
    export: { member: 'history' },
  },
  {
    table: 'refunds',
    key: ['id'],
    rows: ofTransaction,
    texts: { reason: 'text' },
    export: { member: 'refunds' },
  },
  {
    table: 'disputes',
    key: ['id'],
    rows: ofTransaction,
    texts: { reason: 'text', appeal_reason: 'text' },
    export: { member: 'disputes' },
  },
  {
    table: 'dispute_attachments',
    key: ['id'],
    rows: ofDispute,
    deleted: true,
    export: { member: 'disputeAttachments', omit: ['encrypted_key', 'content'] },
  },
  {
    table: 'dispute_messages',
    key: ['id'],
    rows: ofDispute,
    texts: { text: 'text' },
    export: { member: 'disputeMessages' },
  },
  {
    table: 'waiting_disputes',
    key: ['provider', 'provider_reference'],
    rows: ofTransaction,
    texts: { reason: 'text' },
  },
  {
    table: 'provider_operations',
    key: ['id'],
    rows: ofTransaction,
    texts: { detail: 'text' },
    export: { member: 'providerOperations' },
  },
  {
    table: 'provider_events',
    key: ['id'],
    rows: ofRecords,
    texts: { detail: 'text', payer: 'json', provider_event_id: 'id' },
    export: { member: 'providerEvents', rows: ({ id }) => sql`x.record_id = ${id}`, orderBy: 'id' },
  },
  {
    table: 'unmatched_provider_events',
    seller: 'claimed_seller',
    key: ['id'],
    rows: ({ recordIds }) => sql`x.claimed_record = ANY (${[...recordIds]}::text[])`,
    texts: { detail: 'text', provider_event_id: 'id' },
  },
  {
    table: 'payment_links',
    key: ['id'],
    rows: ({ recordIds }) => sql`x.id = ANY (${[...recordIds]}::uuid[])`,
    texts: {
      title: 'text',
      description: 'text',
      success_url: 'url',
      external_ref: 'text',
      metadata: 'json',
      postback_url: 'url',
    },
  },
  {
    table: 'idempotency_keys',
    key: ['operation', 'key'],
    rows: (records) => sql`x.response IS NOT NULL AND ${ofRecords(records)}`,
    texts: { response: 'json' },
    export: { member: 'storedResponses', orderBy: 'created_at', omit: ['body_hash'] },
  },
];
