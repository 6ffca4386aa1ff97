import type { Application } from '#onboarding/application.ts';
import * as signups from '#onboarding/store-signups.ts';
import * as store from '#onboarding/store.ts';
import { call, callOutside } from './call.ts';
import { DATE, idOf, LARGE, NOW } from './fill.ts';

const ID = idOf('transaction', 10_001);
const HASH = Buffer.from('common');
const PAGE = { take: 20, skip: 0, after: undefined };
const AT = new Date(DATE);
const APPLICATION: Application = {
  sellerId: LARGE,
  status: 'DRAFT',
  name: 'a',
  documentType: 'CNPJ',
  document: 'common',
  ownerName: 'a',
  ownerEmail: 'a@example.com',
  encryptedDetails: null,
  submittedAt: null,
  decidedAt: null,
  erasedAt: null,
  createdAt: AT,
  updatedAt: AT,
};

export const ONBOARDING_CALLS = [
  callOutside(20, store.findApplication, LARGE),
  call(20, store.lockApplication, LARGE),
  call(50, store.updateApplication, APPLICATION, { status: 'SUBMITTED' }, AT),
  callOutside(60, store.findApplications, undefined, PAGE),
  callOutside(60, store.findApplications, 'SUBMITTED', PAGE),
  callOutside(60, store.findApplicationsOf, { document: 'common' }, 10),
  callOutside(60, store.findApplicationsOf, { email: 'a@example.com' }, 10),
  callOutside(40, store.findDocuments, LARGE),
  callOutside(20, store.findDocument, LARGE, ID),
  call(30, store.deleteDocument, LARGE, ID),
  callOutside(40, store.findMessages, LARGE),
  call(80, store.deleteEvidence, LARGE),
  call(20, store.hasTransactions, LARGE),
  callOutside(60, store.findAbandoned, AT, 10),
  callOutside(60, store.findClosed, AT, 10),
  callOutside(60, store.countApplications, 'SUBMITTED'),
  call(20, signups.lockUnmailed),
  call(30, signups.setToken, ID, HASH),
  call(30, signups.deleteSignup, ID),
  call(30, signups.takeSignup, HASH, NOW),
  call(1_500, signups.deleteSignupsExpiredBefore, NOW, 100),
];
