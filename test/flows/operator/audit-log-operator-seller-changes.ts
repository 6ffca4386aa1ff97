import { expect } from 'vitest';
import { newApplicant } from '#test/support/applications.ts';
import {
  admin,
  byOperator,
  CNPJ,
  gateway,
  keyMembers,
  newKey,
  person,
  seller,
  type Changes,
} from './audit-log-setup.ts';

/** Changes by the operator to applications and sellers, and to the fees, API keys and users of sellers. */
export const OPERATOR_SELLER_CHANGES: Changes = {
  'POST /v1/admin/applications/:id/ask': async () => {
    const { id } = await newApplicant(gateway);
    const as = await admin();
    return {
      act: () => gateway.post(`/admin/applications/${id}/ask`, { message: 'Which website?' }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'application.question-asked',
        record_type: 'application',
        record_id: id,
        seller_id: id,
        before: { status: 'DRAFT' },
        after: { status: 'QUESTION' },
      }),
    };
  },

  'POST /v1/admin/sellers': async () => {
    const { name: ownerName, email: ownerEmail, password: ownerPassword } = person();
    const wanted = {
      name: 'Loja',
      documentType: 'CNPJ',
      document: CNPJ,
      ownerName,
      ownerEmail,
      ownerPassword,
    };
    const as = await admin();
    return {
      act: () => gateway.post('/admin/sellers', wanted, as),
      expectedRow: ({ body: { data } }) => ({
        ...byOperator(),
        action: 'seller.created',
        record_type: 'seller',
        record_id: data.id,
        seller_id: data.id,
        before: null,
        after: {
          name: 'Loja',
          documentType: 'CNPJ',
          document: '**.222.333/****-**',
          status: 'ACTIVE',
          requestsPerMinute: 120,
          creationsPerMinute: 60,
          boletoDelayDays: 1,
          cardDelayDays: 30,
          autoApproveUpTo: 0,
          negativeBalanceUpTo: 0,
          chargebackFee: 0,
          ownerId: expect.any(String),
          ownerName,
          ownerEmail,
        },
      }),
    };
  },

  'PATCH /v1/admin/sellers/:id': async () => {
    const as = await admin();
    const path = `/admin/sellers/${seller.id}`;
    await gateway.patch(path, { cardDelayDays: 30, boletoDelayDays: 1 }, as);
    return {
      act: () => gateway.patch(path, { cardDelayDays: 14, boletoDelayDays: 1 }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'seller.updated',
        record_type: 'seller',
        record_id: seller.id,
        seller_id: seller.id,
        before: { cardDelayDays: 30 },
        after: { cardDelayDays: 14 },
      }),
    };
  },

  'PUT /v1/admin/sellers/:id/fees': async () => {
    const as = await admin();
    const fees = (await gateway.get('/sellers/me/fees', { apiKey: seller.apiKey })).body.data;
    const boleto = { type: 'FIXED', value: fees.boleto.value + 1 };
    return {
      act: () => gateway.call('PUT', `/admin/sellers/${seller.id}/fees`, { ...fees, boleto }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'fees.replaced',
        record_type: 'fees',
        record_id: seller.id,
        seller_id: seller.id,
        before: { boleto: fees.boleto },
        after: { boleto },
      }),
    };
  },

  'POST /v1/admin/sellers/:id/api-keys': async () => {
    const as = await admin();
    return {
      act: () => gateway.post(`/admin/sellers/${seller.id}/api-keys`, { name: 'till' }, as),
      expectedRow: ({ body }) => ({
        ...byOperator(),
        action: 'api-key.created',
        record_type: 'api-key',
        record_id: body.data.id,
        seller_id: seller.id,
        before: null,
        after: keyMembers('OWNER'),
      }),
    };
  },

  'DELETE /v1/admin/sellers/:id/api-keys/:keyId': async () => {
    const as = await admin();
    const id = await newKey();
    return {
      act: () => gateway.delete(`/admin/sellers/${seller.id}/api-keys/${id.toUpperCase()}`, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'api-key.deleted',
        record_type: 'api-key',
        record_id: id,
        seller_id: seller.id,
        before: keyMembers('FINANCE'),
        after: null,
      }),
    };
  },

  'POST /v1/admin/sellers/:id/users': async () => {
    const as = await admin();
    const { password, ...shown } = person({ role: 'VIEWER' });
    return {
      act: () => gateway.post(`/admin/sellers/${seller.id}/users`, { password, ...shown }, as),
      expectedRow: ({ body }) => ({
        ...byOperator(),
        action: 'user.created',
        record_type: 'user',
        record_id: body.data.id,
        seller_id: seller.id,
        before: null,
        after: shown,
      }),
    };
  },

  'DELETE /v1/admin/sellers/:id/users/:userId': async () => {
    const as = await admin();
    const { password, ...shown } = person({ role: 'VIEWER' });
    const made = await gateway.post(`/admin/sellers/${seller.id}/users`, { password, ...shown }, as);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.delete(`/admin/sellers/${seller.id}/users/${id}`, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'user.deleted',
        record_type: 'user',
        record_id: id,
        seller_id: seller.id,
        before: shown,
        after: null,
      }),
    };
  },
};
