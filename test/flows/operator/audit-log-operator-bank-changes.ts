import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { returnOf } from '#test/support/bank-files.ts';
import { admin, adminId, byOperator, gateway, paid, seller, type Changes } from './audit-log-setup.ts';

/** Changes by the operator to reversals, settlement files and CNAB files. */
export const OPERATOR_BANK_CHANGES: Changes = {
  'POST /v1/admin/reversals/:id/settle': async () => {
    const as = await admin();
    const transactionId = await paid();
    // A second payment is reversed; manually in this test.
    await gateway.post(
      `/sandbox/transactions/${transactionId}/pay`,
      { reportId: randomUUID() },
      { apiKey: seller.apiKey },
    );
    const [due] = await gateway.database.query<{ id: string }>(
      `UPDATE payment_reversals SET status = 'MANUAL' WHERE transaction_id = $1 RETURNING id`,
      [transactionId],
    );
    const note = { note: 'sent by bank transfer' };
    return {
      act: () => gateway.post(`/admin/reversals/${due?.id}/settle`, note, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'reversal.settled',
        record_type: 'reversal',
        record_id: due?.id ?? '',
        seller_id: seller.id,
        before: { status: 'MANUAL', note: null, settledBy: null, sentAt: null },
        after: { status: 'SENT', ...note, settledBy: adminId, sentAt: expect.any(String) },
      }),
    };
  },

  'POST /v1/admin/reconciliation/files': async () => {
    const as = { ...(await admin()), headers: { 'content-type': 'text/csv' } };
    const file = `id,type,amount,fee,date,reference\r\n${randomUUID()},PAYMENT,1500,5,2026-03-02,\r\n`;
    return {
      act: () => gateway.post('/admin/reconciliation/files?provider=sandbox&day=2026-03-02', file, as),
      expectedRow: ({ body }) => ({
        ...byOperator(),
        action: 'settlement-file.imported',
        record_type: 'settlement-file',
        record_id: body.data.id,
        seller_id: null,
        before: null,
        after: {
          provider: 'sandbox',
          day: '2026-03-02',
          bytes: file.length,
          lines: 1,
          duplicates: 0,
          moneyIn: 1500,
          moneyOut: 0,
          fees: 5,
        },
      }),
    };
  },

  'POST /v1/admin/cnab/shipments': async () => {
    const as = await admin();
    const { apiKey } = seller;
    await gateway.charge({ method: 'BOLETO' }, { apiKey });
    return {
      act: () => gateway.post('/admin/cnab/shipments', { service: 'BOLETOS' }, as),
      expectedRow: ({ body }) => ({
        ...byOperator(),
        action: 'cnab-shipment.created',
        record_type: 'cnab-shipment',
        record_id: body.data.id,
        seller_id: null,
        before: null,
        after: {
          bankCode: '341',
          number: body.data.number,
          service: 'BOLETOS',
          registrations: 1,
          writeOffs: 0,
          payments: 0,
          amount: 1500,
        },
      }),
    };
  },

  'POST /v1/admin/cnab/returns': async () => {
    const as = { ...(await admin()), headers: { 'content-type': 'text/plain' } };
    const response = { title: '99999999', movement: '02', on: '2026-11-24' };
    const file = returnOf('341', [response], Math.floor(Math.random() * 100_000));
    return {
      act: () => gateway.post('/admin/cnab/returns', file, as),
      expectedRow: ({ body }) => ({
        ...byOperator(),
        action: 'cnab-return.imported',
        record_type: 'cnab-return',
        record_id: body.data.id,
        seller_id: null,
        before: null,
        after: { bankCode: '341', number: body.data.number, bytes: file.length, lines: 1 },
      }),
    };
  },

  'POST /v1/admin/cnab/returns/:id/lines/:line/decide': async () => {
    const as = await admin();
    const response = { title: '99999999', movement: '06', paid: 1, on: '2026-11-20' };
    const file = returnOf('341', [response], Math.floor(Math.random() * 100_000));
    const imported = await gateway.post('/admin/cnab/returns', file, {
      ...as,
      headers: { 'content-type': 'text/plain' },
    });
    const { id } = imported.body.data;
    const body = { decision: 'DISMISSED', note: 'not ours' };
    return {
      act: () => gateway.post(`/admin/cnab/returns/${id}/lines/3/decide`, body, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'cnab-return-line.dismissed',
        record_type: 'cnab-return',
        record_id: id,
        seller_id: null,
        before: { line: null, decision: null, note: null },
        after: { line: 3, decision: 'DISMISSED', note: 'not ours' },
      }),
    };
  },
};
