import * as cnabPayments from '#cnab/exchange/store-payments.ts';
import * as cnabReturns from '#cnab/exchange/store-returns.ts';
import * as cnabShipments from '#cnab/exchange/store-shipments.ts';
import * as reversals from '#payouts/reversals/store.ts';
import * as operatorWithdrawals from '#payouts/withdrawals/store-operator.ts';
import * as lookup from '#payouts/withdrawals/store-lookup.ts';
import * as payouts from '#payouts/withdrawals/store-payouts.ts';
import * as withdrawals from '#payouts/withdrawals/store.ts';
import * as lists from '#providers/bacen/store.ts';
import * as med from '#providers/bacen/store-med.ts';
import * as routing from '#providers/routing/store.ts';
import * as scheduled from '#providers/sandbox/store-scheduled-events.ts';
import * as settlement from '#providers/sandbox/store-settlement.ts';
import * as signingKeys from '#providers/sandbox/store-signing-keys.ts';
import { ANY_TIME, call, callNamed, callOutside, PAGE, type Call } from './call.ts';
import { DAY, idOf, LARGE, NOW } from './fill.ts';
import { LEASE, LOOKUP } from './payment-calls.ts';

const ID = idOf('withdrawal', 10_000);
const KEY = { sellerId: LARGE, id: ID };
const TRANSACTION = { sellerId: LARGE, id: idOf('transaction', 10_000) };
const FILE = idOf('file', 1);
const LINE = { returnId: FILE, number: 1 };
const RETURN_LINE = {
  ...LINE,
  kind: 'PAYOUT_PAID',
  code: '00',
  record: '',
  amount: 1,
  tariff: 0,
  occurredOn: null,
  creditedOn: null,
  bankReference: null,
  reason: null,
  identity: `${FILE}-7`,
  outcome: null,
  detail: null,
  sellerId: null,
  recordId: null,
  decision: null,
  decidedBy: null,
  decidedAt: null,
} as const;
const OF_OPERATOR = { sellerId: undefined, statuses: [], method: undefined, period: ANY_TIME } as const;
const PENDING_OLDEST_FIRST = { ...OF_OPERATOR, statuses: ['PENDING'], sort: 'createdAt' } as const;
const CLAIM = { now: NOW, until: NOW, maxClaimedUntil: NOW, firstFrom: NOW };
const NEW_WITHDRAWAL = {
  ...KEY,
  method: 'PIX',
  origin: 'PIX',
  amount: 100,
  feeAmount: 1,
  rollingAmount: 100,
  pixKeyType: 'EMAIL',
  cryptoNetwork: null,
  bankAccount: null,
  maskedDestination: 'a***0',
  encryptedPayee: '',
  beneficiaryName: null,
  beneficiaryDocumentType: null,
  maskedBeneficiaryDocument: null,
  payeeHashes: [],
  holderName: null,
  holderDocumentType: null,
  maskedHolderDocument: null,
  isOtherHolder: null,
  isFirstUse: true,
  description: null,
  metadata: null,
  createdBy: { kind: 'API_KEY', id: KEY.id, name: null, role: null, keyPrefix: null, requestId: null },
  createdAt: NOW,
} as const;
const REVERSALS = { status: undefined, sellerId: undefined, transactionId: undefined, period: ANY_TIME };

export const WITHDRAWAL_CALLS: readonly Call[] = [
  call(20, withdrawals.findWithdrawal, KEY),
  call(20, withdrawals.findWithdrawalsById, LARGE, [ID]),
  call(150, withdrawals.findWithdrawals, LARGE, { statuses: [] }, PAGE),
  call(400, withdrawals.findWithdrawals, LARGE, { statuses: ['REJECTED'] }, PAGE),
  call(20, withdrawals.findWithdrawals, LARGE, { statuses: [], period: DAY }, PAGE),
  call(1_000, withdrawals.findWithdrawals, LARGE, { statuses: [], metadataKey: 'order' }, PAGE),
  call(150, withdrawals.countWithdrawals, LARGE, { statuses: [] }),
  // A primary key lookup for each of at most 10,000 matches.
  call(40_000, withdrawals.countWithdrawals, LARGE, { statuses: ['PAID'], metadataKey: 'order' }),
  call(20, withdrawals.countWithdrawals, LARGE, { statuses: [], withdrawalId: ID }),
  callOutside(1_000, lookup.lookUp, LARGE, { ...LOOKUP, id: ID, text: 'none', payeeHashes: ['a.b'] }),
  call(1_500, withdrawals.findApproved, ['PIX'], 10),
  call(20, withdrawals.findHistory, KEY),
  call(75, withdrawals.sumSince, LARGE, DAY.from),
  call(100, withdrawals.sumReserved, LARGE),
  call(100, withdrawals.findTrusted, NEW_WITHDRAWAL, 10),
  call(100, withdrawals.findEarlier, NEW_WITHDRAWAL, 10),
  call(20, operatorWithdrawals.findWithdrawalForOperator, ID),
  call(100, operatorWithdrawals.findWithdrawalsForOperator, OF_OPERATOR, PAGE),
  call(200, operatorWithdrawals.findWithdrawalsForOperator, { ...OF_OPERATOR, sellerId: LARGE }, PAGE),
  call(200, operatorWithdrawals.findWithdrawalsForOperator, { ...OF_OPERATOR, statuses: ['PENDING'] }, PAGE),
  call(150, operatorWithdrawals.findWithdrawalsForOperator, PENDING_OLDEST_FIRST, PAGE),
  call(150, operatorWithdrawals.sumPendingWithdrawals, PENDING_OLDEST_FIRST),
  call(200, operatorWithdrawals.sumPendingWithdrawals, { ...PENDING_OLDEST_FIRST, sellerId: LARGE }),
  call(150, operatorWithdrawals.countWithdrawalsForOperator, { ...OF_OPERATOR, sellerId: LARGE }),
  call(20, operatorWithdrawals.lockWithdrawal, KEY),
  call(20, operatorWithdrawals.findApprovers, KEY),
  call(300, payouts.claimPayouts, { ...LEASE, provider: 'sandbox' }),
  call(100, payouts.countDuePayouts, NOW),
  call(100, payouts.countPendingWithdrawals),
];

export const REVERSAL_CALLS: readonly Call[] = [
  call(400, reversals.claimReversals, LEASE),
  call(50, reversals.countDueReversals, NOW),
  call(50, reversals.countManualReversals),
  call(20, reversals.findReversalById, idOf('reversal', 10_000)),
  call(20, reversals.findReversals, REVERSALS, PAGE),
  call(50, reversals.findReversals, { ...REVERSALS, sellerId: LARGE }, PAGE),
  call(150, reversals.findReversals, { ...REVERSALS, status: 'MANUAL' }, PAGE),
  call(20, reversals.findReversals, { ...REVERSALS, transactionId: TRANSACTION.id }, PAGE),
  call(50, reversals.countReversals, REVERSALS),
];

const SENT_PAYMENT = {
  sellerId: LARGE,
  id: ID,
  reference: 1,
  service: 'PIX',
  amount: 1,
  encryptedInstruction: '',
  at: NOW,
} as const;

export const CNAB_CALLS: readonly Call[] = [
  call(400, cnabPayments.claimPayments, 'PIX', { shipmentId: FILE, limit: 10, at: NOW }),
  call(20, cnabPayments.findPayments, [1, 2]),
  call(20, cnabReturns.findReturnFileByHash, Buffer.from('none')),
  call(20, cnabReturns.findReturnFile, FILE),
  call(100, cnabReturns.findOpenLines, '341', 10),
  call(20, cnabReturns.countLines, FILE),
  call(300, cnabReturns.countLinesToReview),
  call(300, cnabReturns.findLinesToReview, { take: 10, skip: 0 }),
  call(300, cnabReturns.findReturnFiles, PAGE),
  call(20, cnabReturns.findLines, FILE, { problems: true, take: 10, skip: 0 }),
  call(20, cnabReturns.findPossiblePayouts, '341', `${FILE}-7`),
  call(20, cnabReturns.findLine, LINE),
  call(300, cnabReturns.isRepeated, RETURN_LINE),
  call(75, cnabReturns.completeReturns, NOW),
  call(20, cnabShipments.lockSequence, '341', 'BOLETOS'),
  call(75, cnabShipments.findTitles, [TRANSACTION]),
  call(30, cnabShipments.findShipments, undefined, PAGE),
  call(20, cnabShipments.findEncryptedShipment, FILE),
  call(20, cnabShipments.findUnwrittenShipment, 'PIX'),
  call(300, cnabPayments.markPaymentSent, { withdrawalId: ID, reference: 1 }, NOW),
  call(300, payouts.findUnsettledWithdrawal, ID),
  call(75, cnabPayments.insertSentPayment, SENT_PAYMENT),
  call(300, payouts.findUnsettledWithdrawals, 10),
];

export const PROVIDER_CALLS: readonly Call[] = [
  callNamed(20, routing.loadRoutes),
  call(20, routing.lockRoutes),
  call(20, routing.saveOrder, 'PIX', ['bacen'], NOW),
  call(20, routing.deleteOrder, 'PIX'),
  call(20, routing.insertPaused, {
    method: 'PIX',
    provider: 'bacen',
    reason: '',
    pausedBy: LARGE,
    pausedByName: '',
    pausedAt: NOW,
  }),
  call(20, routing.deletePaused, 'PIX', 'bacen'),
  call(20, med.findMedEvents, TRANSACTION),
  call(20, lists.claimList, { provider: 'bacen', list: 'pix' }, CLAIM),
  call(20, scheduled.findDueScheduledEvents, { now: NOW, limit: 10, exceptSellers: [] }),
  call(7_500, settlement.findSandboxMovements, DAY, { type: '', id: '' }, 10),
  call(20, signingKeys.findSigningKey),
];
