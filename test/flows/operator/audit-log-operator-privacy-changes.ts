import { randomUUID } from 'node:crypto';
import { goodCharge } from '#test/support/client.ts';
import { admin, byOperator, gateway, payerRecord, seller, type Changes } from './audit-log-setup.ts';

/** Exports and erasures of the data of payers by the operator. */
export const OPERATOR_PRIVACY_CHANGES: Changes = {
  'POST /v1/admin/privacy/export': async () => {
    const as = await admin();
    const email = `${randomUUID()}@example.com`;
    await gateway.charge({ customer: { ...goodCharge().customer, email } }, { apiKey: seller.apiKey });
    return {
      act: () => gateway.post('/admin/privacy/export', { email }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'payer.exported',
        ...payerRecord,
        after: { charges: 1 },
      }),
    };
  },

  'POST /v1/admin/privacy/erase': async () => {
    const as = await admin();
    const email = `${randomUUID()}@example.com`;
    await gateway.charge({ customer: { ...goodCharge().customer, email } }, { apiKey: seller.apiKey });
    return {
      act: () => gateway.post('/admin/privacy/erase', { email }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'payer.erased',
        ...payerRecord,
        after: { charges: 1, kept: 0 },
      }),
    };
  },
};
