import type { Static } from 'typebox';

import { ok } from '#platform/http/envelope.ts';
import type { CreateBody, OperatorWithdrawalSchema, SearchResultSchema } from './schema.ts';
import type { WithdrawalView } from './views.ts';

/** Examples of the API reference. A test validates each against its schema. */

export const CREATE_BODIES: Readonly<Record<string, CreateBody>> = {
  'To a Pix key': {
    amount: 50_000,
    method: 'PIX',
    pixKey: 'financeiro@loja.example',
    pixKeyType: 'EMAIL',
    withdrawFrom: 'PIX',
    beneficiaryName: 'Loja Demonstração',
    beneficiaryDocumentType: 'CNPJ',
    beneficiaryDocumentNumber: '11222333000181',
    description: 'Repasse semanal',
    metadata: { week: '47' },
  },
  'To a destination used before': {
    amount: 30_000,
    method: 'PIX',
    destinationOf: '01a1fb6a-2f10-4c8e-8a4d-91c2d3e4f5a6',
  },
  'To a crypto wallet': {
    amount: 120_000,
    method: 'CRYPTO',
    cryptoNetwork: 'TRC20',
    cryptoWalletAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  },
};

const createdAt = '2026-11-20T12:00:00.000Z';
const toPix: WithdrawalView = {
  id: '01a1fb6a-2f10-4c8e-8a4d-91c2d3e4f5a6',
  amount: 50_000,
  feeAmount: 0,
  netAmount: 50_000,
  method: 'PIX',
  status: 'PENDING',
  withdrawFrom: 'PIX',
  pixKey: 'f***@loja.example',
  pixKeyType: 'EMAIL',
  cryptoNetwork: null,
  cryptoWalletAddress: null,
  beneficiaryName: 'Loja Demonstração',
  beneficiaryDocumentType: 'CNPJ',
  beneficiaryDocumentNumber: '**.222.333/****-**',
  description: 'Repasse semanal',
  withdrawalType: 'MANUAL',
  rejectionReason: null,
  externalRef: null,
  metadata: { week: '47' },
  approvedAt: null,
  processedAt: null,
  paidAt: null,
  createdBy: {
    kind: 'SELLER_USER',
    id: '01a1fb60-3c4d-4e5f-8a6b-7c8d9e0f1a2b',
    name: 'Ana Souza',
    role: 'OWNER',
    keyPrefix: null,
    requestId: '9b2f4c1e-5d6a-4f7b-8c9d-0e1f2a3b4c5d',
  },
  createdAt,
  updatedAt: createdAt,
};
const approvedAt = '2026-11-20T12:05:00.000Z';
const processedAt = '2026-11-20T12:05:01.000Z';
const paidAt = '2026-11-20T12:05:03.000Z';
const approved: WithdrawalView = { ...toPix, status: 'APPROVED', approvedAt, updatedAt: approvedAt };
const paid: WithdrawalView = { ...approved, status: 'PAID', processedAt, paidAt, updatedAt: paidAt };
const failed: WithdrawalView = {
  ...approved,
  status: 'FAILED',
  rejectionReason: 'failed at the provider',
  processedAt,
  updatedAt: paidAt,
};
const toWallet: WithdrawalView = {
  ...toPix,
  amount: 120_000,
  netAmount: 120_000,
  method: 'CRYPTO',
  pixKey: null,
  pixKeyType: null,
  cryptoNetwork: 'TRC20',
  cryptoWalletAddress: 'TR7NHq…Lj6t',
  beneficiaryName: null,
  beneficiaryDocumentType: null,
  beneficiaryDocumentNumber: null,
  description: null,
  metadata: null,
};

export const CREATED = { 'To a Pix key': ok(toPix), 'To a crypto wallet': ok(toWallet) };
export const FOUND = { 'A withdrawal, paid': ok(paid) };
export const PAID = FOUND;
export const FAILED = { 'A withdrawal, failed': ok(failed) };
export const LISTED = {
  'The only page': { status: true, data: [paid], count: 1, nextCursor: null },
  'An export': `id,amount,feeAmount,netAmount,method,status\r\n${paid.id},50000,0,50000,PIX,PAID\r\n`,
};

const searched: Static<typeof SearchResultSchema> = {
  id: paid.id,
  seller_id: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  amount: 50_000,
  fee_amount: 0,
  net_amount: 50_000,
  status: 'PAID',
  processed_at: processedAt,
  rejection_reason: null,
  approved_by: null,
  withdrawal_type: 'MANUAL',
  approved_at: approvedAt,
  pix_key: paid.pixKey,
  pix_key_type: 'EMAIL',
  external_ref: null,
  method: 'PIX',
  acquirer_id: 'sandbox',
  created_at: createdAt,
  updated_at: paidAt,
  metadata: { week: '47' },
};
export const LOOKUP_BODIES = {
  "A part of the beneficiary's name": { text: 'demonstração' },
  'A Pix key': { text: 'financeiro@loja.example' },
};
export const LOOKUP_RESULTS = {
  "By a part of the beneficiary's name": ok({ found: [paid] }),
  'No match': ok({ found: [] }),
};
export const SEARCHED = { 'A withdrawal with metadata': ok([searched]) };

const operatorFields = {
  sellerId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  sellerName: 'Loja Demonstração',
  rollingAmount: 50_000,
  holderName: 'Loja Demonstração',
  holderDocumentType: 'CNPJ',
  holderDocument: '**.222.333/****-**',
  otherHolder: false,
  firstUse: false,
  approvedBy: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
  approvals: [{ userId: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b', at: approvedAt }],
  approvalsNeeded: 1,
};
type Example = Static<typeof OperatorWithdrawalSchema>;
const pending: Example = { ...toPix, ...operatorFields, approvedBy: null, approvals: [] };
const approvedOnce: Example = { ...toPix, ...operatorFields, approvedBy: null, approvalsNeeded: 2 };
const approvedFully: Example = { ...approved, ...operatorFields };
const rejected: Example = { ...pending, status: 'REJECTED', rejectionReason: 'unknown beneficiary' };
export const LISTED_FOR_OPERATOR = {
  'The only page': { status: true, data: [pending], count: 1, nextCursor: null },
  'An export':
    'id,amount,status,sellerId,approvalsNeeded\r\n' +
    `${pending.id},50000,PENDING,${operatorFields.sellerId},1\r\n`,
};
export const APPROVED = { Approved: ok(approvedFully), 'The first of two approvals': ok(approvedOnce) };
export const REJECTED = { Rejected: ok(rejected) };

export const TIMELINE = {
  'A withdrawal that was approved': {
    status: true,
    data: {
      history: [
        { from: null, to: 'PENDING', reason: null, actor: 'SELLER', at: '2026-11-20T12:00:00.000Z' },
        { from: 'PENDING', to: 'APPROVED', reason: null, actor: 'OPERATOR', at: '2026-11-20T12:30:00.000Z' },
      ],
    },
  },
};
