import { ok } from '#platform/http/envelope.ts';

/** Examples of the OpenAPI document. A test validates each against its schema. */

const createdAt = '2026-11-20T12:00:00.000Z';
const seller = {
  id: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  name: 'Loja Demonstração',
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
  createdAt,
  updatedAt: createdAt,
};

export const NEW_SELLER = {
  'A seller and its owner': {
    name: 'Loja Demonstração',
    documentType: 'CNPJ',
    document: '11222333000181',
    ownerName: 'Bruna Lima',
    ownerEmail: 'bruna@loja.example',
    ownerPassword: 'five words are long enough',
  },
};
export const SELLER = { 'A seller': ok(seller) };
export const SELLERS = {
  'The only page': { status: true, data: [seller], count: 1, nextCursor: null },
  'An export':
    'id,name,documentType,document,status\r\n' +
    `${seller.id},${seller.name},CNPJ,${seller.document},ACTIVE\r\n`,
};
export const SELLER_CHANGES = { 'A higher rate': { requestsPerMinute: 600, creationsPerMinute: 300 } };
export const CHANGED_SELLER = {
  'The updated seller': ok({ ...seller, requestsPerMinute: 600, creationsPerMinute: 300 }),
};

const NEW_KEY = {
  id: '01a1fb72-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  name: 'checkout server',
  prefix: 'sk_test_Zx81',
  role: 'DEVELOPER',
};
/** Not a valid key: its checksum is wrong. */
export const API_KEY_CREATED = { 'Shown once': ok({ ...NEW_KEY, key: `sk_test_Zx81${'0'.repeat(45)}` }) };

const balancedLedger = {
  balanced: true,
  sellers: 12,
  entries: 48_210,
  chainEntries: 96,
  discrepancies: [],
};
export const LEDGER_CHECK = { 'No discrepancies': ok(balancedLedger) };
const ledgerCheck = { id: '01a1fb75-4d5e-4f60-8b7c-8d9e0f1a2b3c', startedAt: '2026-11-21T12:00:00.000Z' };
export const STARTED_LEDGER_CHECK = {
  Running: ok({ ...ledgerCheck, status: 'RUNNING', progress: 0, finishedAt: null, result: null }),
};
export const FULL_LEDGER_CHECK = {
  Completed: ok({
    ...ledgerCheck,
    status: 'COMPLETED',
    progress: 100,
    finishedAt: '2026-11-21T12:00:01.250Z',
    result: balancedLedger,
  }),
};

const user = { name: 'Caio Prado', email: 'caio@vereda.example' };
const password = 'five words are long enough';
const createdUser = {
  ...user,
  id: '01a1fb74-3c4d-4e5f-8a6b-7c8d9e0f1a2b',
  secondFactorResetAt: null,
  createdAt,
};
export const NEW_SELLER_USER = { 'A user for finances': { ...user, password, role: 'FINANCE' } };
export const SELLER_USER_CREATED = {
  'The user': ok({ ...createdUser, role: 'FINANCE', sellerId: seller.id }),
};
export const SELLER_USERS = {
  'The only page': {
    status: true,
    data: [{ ...createdUser, role: 'FINANCE', sellerId: seller.id }],
    count: 1,
    nextCursor: null,
  },
};
export const NEW_OPERATOR_USER = { 'A support user': { ...user, password, role: 'SUPPORT' } };
export const OPERATOR_USER_CREATED = { 'The user': ok({ ...createdUser, role: 'SUPPORT' }) };
export const OPERATOR_USERS = {
  'The only page': { status: true, data: [{ ...createdUser, role: 'SUPPORT' }], count: 1, nextCursor: null },
};
export const DELETED_USER = { 'The id': ok({ id: createdUser.id }) };
