import * as cardTokens from '#payments/card-tokens/store.ts';
import * as checkout from '#checkout/store.ts';
import * as links from '#payments/payment-links/store.ts';
import * as persons from '#payments/customers/store-privacy.ts';
import * as customers from '#payments/customers/store.ts';
import * as evidence from '#payments/disputes/store-evidence.ts';
import * as operatorDisputes from '#payments/disputes/store-operator.ts';
import * as waitingDisputes from '#payments/disputes/store-waiting.ts';
import * as disputes from '#payments/disputes/store.ts';
import * as idempotency from '#payments/idempotency/store.ts';
import * as operations from '#payments/operations/store.ts';
import { PAYMENT_PERSONAL_DATA } from '#payments/personal-data.ts';
import * as eventLists from '#payments/provider-events/store-list.ts';
import * as unverified from '#payments/provider-events/store-unverified.ts';
import * as events from '#payments/provider-events/store.ts';
import * as refunds from '#payments/refunds/store.ts';
import * as counts from '#payments/transactions/store-counts.ts';
import * as lists from '#payments/transactions/store-lists.ts';
import * as lookup from '#payments/transactions/store-lookup.ts';
import * as metadata from '#payments/transactions/store-metadata.ts';
import * as operatorLists from '#payments/transactions/store-operator.ts';
import { PAYER_RECORDS } from '#payments/transactions/store-payers.ts';
import * as releases from '#payments/transactions/store-releases.ts';
import * as transactions from '#payments/transactions/store.ts';
import { ALL_TRANSACTIONS } from '#payments/transactions/store-filters.ts';
import * as unpaid from '#payments/transactions/store-unpaid.ts';
import * as privacy from '#privacy/store.ts';
import * as search from '#payments/search/store.ts';
import { MAX_ID, MIN_ID } from '#platform/kit/ids.ts';
import { ANY_TIME, call, callNamed, callOutside, PAGE, type Call } from './call.ts';
import { DATE, DAY, idOf, LARGE, NOW } from './fill.ts';

const ID = idOf('transaction', 10_001);
const KEY = { sellerId: LARGE, id: ID };
const DUE = { now: NOW, limit: 10, exceptSellers: [] };
export const LEASE = { now: NOW, leaseUntil: NOW, leasedBy: LARGE, limit: 10 };

const SOURCE = { kind: 'TRANSACTION', table: 'transactions' } as const;
const RELEASE_DAYS = { first: DATE, last: '2026-12-31' };
const DEEP = { ...PAGE, skip: 1_000 };

const ANY = ALL_TRANSACTIONS;
const REFUNDING = { ...ANY, refunding: true };
const BY_LINK = { ...ANY, references: { paymentLinkId: ID } };
const BY_ORDER = { ...ANY, references: { externalRef: 'order' } };
const ALL_LINKS = { status: undefined, search: undefined, now: NOW } as const;
const NO_CUSTOMERS = { externalRef: undefined, period: ANY_TIME };
const CUSTOMER = { sellerId: LARGE, id: ID };
const METADATA = { ...ANY, metadataKey: 'order', metadataValue: 'none' };
const OF_OPERATOR = {
  sellerId: undefined,
  statuses: [],
  method: undefined,
  transactionId: undefined,
  period: ANY_TIME,
} as const;
const OF_SELLER = { ...OF_OPERATOR, sellerId: LARGE };
export const LOOKUP = {
  id: undefined,
  amounts: [],
  text: '',
  document: undefined,
  endToEndId: undefined,
  lastFour: undefined,
  documentHashes: [],
};
const DISPUTES = {
  sellerId: LARGE,
  statuses: [],
  transactionId: undefined,
  ...ANY_TIME,
} as const;
const EVENTS = {
  outcome: undefined,
  provider: undefined,
  sellerId: undefined,
  recordId: undefined,
  period: ANY_TIME,
} as const;

export const TRANSACTION_CALLS: readonly Call[] = [
  call(110, lists.findSummaries, LARGE, ANY, PAGE),
  call(110, lists.findSummaries, LARGE, ANY, { ...PAGE, after: ID }),
  call(1_500, lists.findSummaries, LARGE, ANY, DEEP),
  call(50, lists.findSummaries, LARGE, { ...ANY, statuses: ['CHARGEDBACK'] }, PAGE),
  call(400, lists.findSummaries, LARGE, { ...ANY, method: 'BOLETO', statuses: ['PAID'] }, PAGE),
  call(20, lists.findSummaries, LARGE, { ...ANY, transactionId: ID }, PAGE),
  call(20, lists.countTransactions, LARGE, ANY),
  call(20, lists.countTransactions, LARGE, { ...ANY, statuses: ['PAID'] }),
  call(20, lists.countTransactions, LARGE, { ...ANY, transactionId: ID }),
  call(20, lists.findSummaries, LARGE, BY_LINK, PAGE),
  // Without statistics, the charges of one reference are sorted.
  call(1_000, lists.findSummaries, LARGE, BY_ORDER, PAGE),
  call(20_000, lists.countTransactions, LARGE, BY_ORDER),
  call(20, lists.countTransactions, LARGE, BY_LINK),
  call(20, lists.findSummaries, LARGE, REFUNDING, PAGE),
  call(20, lists.findSummaries, LARGE, { ...REFUNDING, statuses: ['PAID'] }, PAGE),
  call(20, lists.countTransactions, LARGE, REFUNDING),
  call(400, lists.findSummaries, LARGE, { ...ANY, period: DAY }, PAGE),
  call(1_000, lists.findSummaries, LARGE, { ...ANY, paidPeriod: DAY }, PAGE),
  call(50, lists.countTransactions, LARGE, { ...ANY, period: DAY }),
  call(20, customers.findCustomer, CUSTOMER),
  call(20, customers.lockCustomer, CUSTOMER),
  call(50, customers.findCustomers, LARGE, NO_CUSTOMERS, PAGE),
  call(50, customers.findCustomers, LARGE, { ...NO_CUSTOMERS, externalRef: 'client' }, PAGE),
  call(400, customers.countCustomers, LARGE, NO_CUSTOMERS),
  callOutside(400, customers.lookUpCustomers, LARGE, { text: 'none', document: '52998224725' }),
  call(20, cardTokens.findCardTokensOf, CUSTOMER, 100),
  callNamed(80, lists.findUnfilteredPages, [{ sellerId: LARGE, take: 10, after: undefined }]),
  call(20, links.findLink, CUSTOMER),
  call(20, links.findLinkKey, 'none'),
  call(20, links.lockLink, CUSTOMER),
  call(20, links.findLinks, LARGE, ALL_LINKS, PAGE),
  call(20, links.countLinks, LARGE, ALL_LINKS),
  call(400, links.findLinks, LARGE, { ...ALL_LINKS, search: 'none' }, PAGE),
  call(400, links.findLinks, LARGE, { ...ALL_LINKS, search: 'none', status: 'INACTIVE' }, PAGE),
  call(400, links.countLinks, LARGE, { ...ALL_LINKS, search: 'none' }),
  call(400, links.findLinks, LARGE, { ...ALL_LINKS, status: 'EXPIRED' }, PAGE),
  call(20, links.findLinks, LARGE, { ...ALL_LINKS, status: 'INACTIVE' }, PAGE),
  call(400, links.countLinks, LARGE, { ...ALL_LINKS, search: 'none', status: 'EXPIRED' }),
  call(20, links.findCompleted, 10),
  call(20, links.findUnpaidCharges, CUSTOMER, 10),
  call(20, checkout.lockScope, ['a', 'b']),
  call(20, checkout.countUnpaid, { sellerId: LARGE, linkId: ID, addressMac: 'none' }, NOW),
  call(20, checkout.countDeclinesOfAddress, 'none', NOW),
  call(20, checkout.countDeclinesOfLink, CUSTOMER, NOW),
  call(20, checkout.deleteAttemptsBefore, NOW, 10),
  call(20, checkout.findBrand, LARGE),
  call(30, transactions.findVersions, [KEY]),
  callNamed(30, transactions.findTransactions, [KEY]),
  call(20, transactions.findExpiredTransactions, DUE),
  call(20, transactions.findExpiredBoletos, DUE),
  call(100, transactions.findTransactionsWithDueReleases, DUE),
  call(20, transactions.findTransactionKeyById, ID),
  call(20, transactions.lockTransaction, KEY),
  call(20, counts.countByMethodAndStatus, LARGE, [{ method: 'PIX', status: 'PAID' }]),
  call(2_000, counts.findSellersToCompact, 10),
  call(400, counts.compactSellerCounts, LARGE),
  call(20, lists.findSaleNames, LARGE, [ID]),
  call(20, unpaid.countUnpaid, LARGE, { fromDay: DATE, beforeDay: '2026-01-17' }),
  call(20, releases.findUpcomingReleases, LARGE, DATE),
  call(20, releases.sumReleasesFrom, LARGE, DATE),
  call(400, releases.findReleasedSales, LARGE, RELEASE_DAYS, { take: 10, skip: 100 }),
  call(20, releases.totalReleases, LARGE, RELEASE_DAYS),
];

export const OPERATOR_CALLS: readonly Call[] = [
  call(1_500, operatorLists.findOperatorSummaries, OF_OPERATOR, PAGE),
  call(1_500, operatorLists.findOperatorSummaries, OF_SELLER, PAGE),
  call(30, operatorLists.findOperatorSummaries, { ...OF_SELLER, statuses: ['CHARGEDBACK'] }, PAGE),
  call(3_000, operatorLists.findOperatorSummaries, { ...OF_OPERATOR, statuses: ['CHARGEDBACK'] }, PAGE),
  call(1_500, operatorLists.findOperatorSummaries, { ...OF_OPERATOR, method: 'PIX' }, PAGE),
  call(1_500, operatorLists.findOperatorSummaries, { ...OF_SELLER, statuses: ['PAID'] }, DEEP),
  call(150, operatorLists.findOperatorSummaries, { ...OF_SELLER, period: DAY }, PAGE),
  call(1_500, operatorLists.findOperatorSummaries, { ...OF_OPERATOR, period: DAY }, PAGE),
  call(1_500, operatorLists.findOperatorSummaries, { ...OF_OPERATOR, transactionId: ID }, PAGE),
  call(50, operatorLists.countOperatorTransactions, OF_OPERATOR),
  call(20, operatorLists.countOperatorTransactions, OF_SELLER),
  call(50, operatorLists.countOperatorTransactions, { ...OF_SELLER, period: DAY }),
  call(50, operatorLists.countOperatorTransactions, { ...OF_OPERATOR, period: DAY }),
  // An export reads all charges: a page for each, and the index to find where chunks end.
  call(30_000, operatorLists.iterateChunks, OF_SELLER),
  call(30_000, operatorLists.iterateListed, { ...ANY, sellerId: LARGE }),
  call(1_500, operatorLists.iterateChunks, OF_OPERATOR),
  call(20, operatorLists.findStatusHistory, KEY),
];

export const SEARCH_CALLS: readonly Call[] = [
  // Nothing matches, so that all charges are searched.
  call(1_000, metadata.findByMetadata, LARGE, METADATA, PAGE),
  call(1_000, metadata.countByMetadata, LARGE, METADATA),
  call(
    2_000,
    search.findUnindexed,
    SOURCE,
    { boundary: MAX_ID, oldBoundary: MAX_ID },
    { after: MIN_ID, limit: 10, minRecords: 512 },
  ),
  // The segments have 500 charges each.
  callOutside(100, search.verifySegments, SOURCE, undefined, 3),
  call(20, search.findLastSegment, LARGE, 'TRANSACTION'),
  call(20, search.findStale, 'TRANSACTION', 10),
  call(20, search.tryLockIndex, LARGE),
  call(20, search.findTransactionHorizon),
  call(20, search.deleteTermsOf, 'TRANSACTION', KEY),
  call(20, search.isStale, 'TRANSACTION', { sellerId: LARGE, after: ID, last: ID }),
  callOutside(150_000, lookup.lookUp, LARGE, { ...LOOKUP, text: 'none' }),
  callOutside(20, lookup.lookUp, LARGE, { ...LOOKUP, id: ID }),
  callOutside(150_000, lookup.lookUpOfAll, { ...LOOKUP, text: 'none' }),
  callOutside(20, lookup.lookUpOfAll, { ...LOOKUP, id: ID }),
];

export const PAYER_CALLS: readonly Call[] = [
  call(20, PAYER_RECORDS.scan, { document: '1' }, KEY, { maxPayers: 100, maxMatches: 10 }),
  call(150, PAYER_RECORDS.lock, KEY),
  call(60, persons.findPersons, { document: '1' }, 10),
  call(60, persons.findPersons, { email: 'a@example.com' }, 10),
  call(40, persons.findNaming, KEY),
  call(20, persons.findLinks, KEY),
  call(30, PAYER_RECORDS.erase, KEY, 'CPF', NOW),
  call(150, PAYER_RECORDS.findRelatedRecords, KEY),
  call(150, privacy.findPersonalData, PAYMENT_PERSONAL_DATA, { ...KEY, recordIds: [ID], changeTimes: [NOW] }),
  call(75, privacy.findTexts, PAYMENT_PERSONAL_DATA, { ...KEY, recordIds: [ID], changeTimes: [NOW] }),
];

export const PAYMENT_CALLS: readonly Call[] = [
  call(20, cardTokens.findCardToken, LARGE, ID),
  call(75, cardTokens.deleteCardTokensExpiredBefore, NOW, 10),
  call(75, operatorDisputes.findDisputesForOperator, DISPUTES, PAGE),
  call(75, operatorDisputes.findDisputesForOperator, { ...DISPUTES, sellerId: undefined }, PAGE),
  call(75, operatorDisputes.findDisputeForOperator, idOf('dispute', 10_000)),
  call(1_500, waitingDisputes.findDueWaitingDisputes, 10),
  call(20, disputes.findDispute, KEY),
  call(20, disputes.lockDispute, KEY),
  call(50, disputes.findDisputeById, idOf('dispute', 10_000)),
  call(75, disputes.findUnresolved, KEY),
  call(20, disputes.findDisputeByProviderReference, LARGE, 'adyen', 'D10000'),
  call(75, disputes.findDisputes, DISPUTES, PAGE),
  call(75, disputes.findDisputes, { ...DISPUTES, statuses: ['OPEN'] }, PAGE),
  call(75, disputes.findDisputes, { ...DISPUTES, statuses: ['OPEN'], sort: 'appealUntil' }, PAGE),
  call(75, disputes.countDisputes, DISPUTES),
  call(50, disputes.findUnappealed, NOW, 10),
  call(50, disputes.findDueReminders, NOW, 10),
  call(20, disputes.completeRefunded, KEY, NOW),
  call(50, evidence.findAttachments, { sellerId: LARGE, id: idOf('dispute', 10_000) }),
  call(20, evidence.findAttachment, { sellerId: LARGE, id: idOf('dispute', 10_000) }, ID),
  call(50, evidence.findMessages, { sellerId: LARGE, id: idOf('dispute', 10_000) }),
  call(20, idempotency.findKey, { sellerId: LARGE, operation: 'transactions.create', key: ID }),
  callNamed(20, idempotency.saveResponses, [
    { sellerId: LARGE, operation: 'transactions.create', key: ID, response: '{}' },
  ]),
  call(50, idempotency.deleteKeysBefore, NOW, 10),
  call(20, idempotency.deleteExpiredKey, { sellerId: LARGE, operation: 'transactions.create', key: ID }, NOW),
  call(400, operations.claimOperations, LEASE),
  call(150, operations.countDueOperations, NOW),
  call(20, operations.findOperation, KEY),
  call(20, operations.findOperationById, ID),
  call(20, operations.findOperationsByTransaction, KEY),
  call(20, operations.findCardAuthorization, KEY),
  call(20, operations.findPaymentEvent, KEY),
  call(75, eventLists.findProviderEvents, EVENTS, PAGE),
  call(75, eventLists.findProviderEvents, { ...EVENTS, outcome: 'LATE' }, PAGE),
  call(1_500, eventLists.findProviderEvents, EVENTS, DEEP),
  call(4_000, eventLists.findProviderEvents, { ...EVENTS, sellerId: LARGE }, PAGE),
  call(100, eventLists.findProviderEvents, { ...EVENTS, recordId: ID }, PAGE),
  call(75, eventLists.findProviderEvents, { ...EVENTS, period: DAY }, PAGE),
  call(15_000, eventLists.countProviderEvents, EVENTS),
  call(15_000, eventLists.countProviderEvents, { ...EVENTS, outcome: 'LATE' }),
  call(300, eventLists.countUnmatchedEvents, DAY.from),
  call(750, eventLists.countProviderEvents, { ...EVENTS, recordId: ID }),
  call(200, unverified.leaseUnverifiedPayments, 'bacen', LEASE),
  call(20, unverified.countDueVerifications, NOW),
  call(20, events.findProviderEvent, LARGE, { provider: 'sandbox', eventId: 'E1-10001' }),
  call(30, refunds.findRefunds, KEY),
  call(20, refunds.findRefund, KEY),
];
