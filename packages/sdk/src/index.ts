import { createOperations, type Operations } from './operations.ts';
import { createSend, type VeredaOptions } from './request.ts';
import { verifyWebhook } from './webhooks.ts';

export {
  VeredaApiError,
  VeredaConnectionError,
  VeredaError,
  VeredaSignatureError,
  VeredaTimeoutError,
  type ErrorCode,
  type FieldError,
} from './errors.ts';
export { List, type Page } from './list.ts';
export type { Body, Data, Item, Query } from './operations.ts';
export type { RequestOptions, VeredaOptions } from './request.ts';
export type { components, operations } from './schema.gen.ts';
export { verifyWebhook, type WebhookEvent, type WebhookHeaders } from './webhooks.ts';

/** A client for the API. Its resources and methods are named as in the reference. */
export class Vereda {
  readonly transactions: ReturnType<typeof transactions>;
  readonly customers: ReturnType<typeof customers>;
  readonly cardTokens: ReturnType<typeof cardTokens>;
  readonly paymentLinks: ReturnType<typeof paymentLinks>;
  readonly subscriptions: ReturnType<typeof subscriptions>;
  readonly withdrawals: ReturnType<typeof withdrawals>;
  readonly disputes: ReturnType<typeof disputes>;
  readonly wallet: ReturnType<typeof wallet>;
  readonly fees: ReturnType<typeof fees>;
  readonly settings: ReturnType<typeof settings>;
  readonly reports: ReturnType<typeof reports>;
  readonly webhooks: ReturnType<typeof webhooks>;
  readonly events: ReturnType<typeof events>;
  readonly apiKeys: ReturnType<typeof apiKeys>;
  readonly sandbox: ReturnType<typeof sandbox>;

  constructor(options: VeredaOptions) {
    const operations = createOperations(createSend(options));
    this.transactions = transactions(operations);
    this.customers = customers(operations);
    this.cardTokens = cardTokens(operations);
    this.paymentLinks = paymentLinks(operations);
    this.subscriptions = subscriptions(operations);
    this.withdrawals = withdrawals(operations);
    this.disputes = disputes(operations);
    this.wallet = wallet(operations);
    this.fees = fees(operations);
    this.settings = settings(operations);
    this.reports = reports(operations);
    this.webhooks = webhooks(operations);
    this.events = events(operations);
    this.apiKeys = apiKeys(operations);
    this.sandbox = sandbox(operations);
  }
}

const transactions = (api: Operations) => ({
  create: api.send<'createTransaction'>('/transactions', 'keyed'),
  list: api.list<'listTransactions'>('/transactions'),
  search: api.list<'searchTransactions'>('/transactions/search'),
  lookup: api.send<'lookUpTransactions'>('/transactions/lookup'),
  get: api.get<'getTransaction'>('/transactions/{id}'),
  timeline: api.get<'getTransactionTimeline'>('/transactions/{id}/timeline'),
  cancel: api.act<'cancelTransaction'>('/transactions/{id}/cancel'),
  void: api.act<'voidTransaction'>('/transactions/{id}/void'),
  capture: api.act<'captureTransaction'>('/transactions/{id}/capture'),
  refund: api.act<'refundTransaction'>('/transactions/{id}/refund', 'keyed'),
});

const customers = (api: Operations) => ({
  create: api.send<'createCustomer'>('/customers'),
  list: api.list<'listCustomers'>('/customers'),
  lookup: api.send<'lookUpCustomers'>('/customers/lookup'),
  get: api.get<'getCustomer'>('/customers/{id}'),
  update: api.update<'updateCustomer'>('/customers/{id}'),
  delete: api.delete<'deleteCustomer'>('/customers/{id}'),
  /** The saved cards of a customer. */
  cardTokens: api.listOf<'listCardTokens'>('/customers/{id}/card-tokens'),
});

const cardTokens = (api: Operations) => ({
  create: api.send<'createCardToken'>('/card-tokens'),
  delete: api.delete<'deleteCardToken'>('/card-tokens/{id}'),
});

const paymentLinks = (api: Operations) => ({
  create: api.send<'createPaymentLink'>('/payment-links', 'keyed'),
  list: api.list<'listPaymentLinks'>('/payment-links'),
  get: api.get<'getPaymentLink'>('/payment-links/{id}'),
  update: api.update<'updatePaymentLink'>('/payment-links/{id}'),
});

const subscriptions = (api: Operations) => ({
  create: api.send<'createSubscription'>('/subscriptions', 'keyed'),
  list: api.list<'listSubscriptions'>('/subscriptions'),
  get: api.get<'getSubscription'>('/subscriptions/{id}'),
  update: api.update<'updateSubscription'>('/subscriptions/{id}'),
  cancel: api.act<'cancelSubscription'>('/subscriptions/{id}/cancel'),
  pause: api.act<'pauseSubscription'>('/subscriptions/{id}/pause'),
  resume: api.act<'resumeSubscription'>('/subscriptions/{id}/resume'),
  invoices: api.listOf<'listInvoices'>('/subscriptions/{id}/invoices'),
  /** Charges an unpaid invoice again. */
  retryInvoice: api.actOnPart<'retryInvoice'>('/subscriptions/{id}/invoices/{number}/retry'),
  summary: api.read<'getSubscriptionSummary'>('/subscriptions/summary'),
});

const withdrawals = (api: Operations) => ({
  create: api.send<'createWithdrawal'>('/withdrawals', 'keyed'),
  list: api.list<'listWithdrawals'>('/withdrawals'),
  search: api.list<'searchWithdrawals'>('/withdrawals/search'),
  lookup: api.send<'lookUpWithdrawals'>('/withdrawals/lookup'),
  get: api.get<'getWithdrawal'>('/withdrawals/{id}'),
  timeline: api.get<'getWithdrawalTimeline'>('/withdrawals/{id}/timeline'),
});

const disputes = (api: Operations) => ({
  list: api.list<'listDisputes'>('/disputes'),
  get: api.get<'getDispute'>('/disputes/{id}'),
  appeal: api.send<'appealDispute'>('/disputes/appeal'),
  addMessage: api.update<'addDisputeMessage'>('/disputes/{id}/messages', 'POST'),
  messages: api.listOf<'listDisputeMessages'>('/disputes/{id}/messages'),
  /** Attaches a PDF, PNG or JPEG file. */
  attach: api.upload<'attachToDispute'>('/disputes/{id}/attachments'),
  attachments: api.listOf<'listDisputeAttachments'>('/disputes/{id}/attachments'),
  downloadAttachment: api.download('/disputes/{id}/attachments/{attachmentId}'),
});

const wallet = (api: Operations) => ({
  get: api.call<'getWallet'>('/seller-wallet/gestao', 'GET'),
  entries: api.list<'listWalletEntries'>('/seller-wallet/entries'),
  releases: api.call<'listReleases'>('/seller-wallet/releases', 'GET'),
  releasedSales: api.list<'listReleasedSales'>('/seller-wallet/releases/sales'),
});

const fees = (api: Operations) => ({
  get: api.call<'getFees'>('/sellers/me/fees', 'GET'),
  simulate: api.read<'simulateFees'>('/fees/simulate'),
});

/** What payers see of the seller, and which sites may embed its payment pages. */
const settings = (api: Operations) => ({
  get: api.call<'getSellerSettings'>('/sellers/me/settings', 'GET'),
  update: api.change<'updateSellerSettings'>('/sellers/me/settings'),
});

const reports = (api: Operations) => ({
  summary: api.read<'getSummary'>('/reports/summary'),
});

const webhooks = (api: Operations) => ({
  verify: verifyWebhook,
  create: api.send<'createWebhook'>('/webhooks'),
  list: api.list<'listWebhooks'>('/webhooks'),
  get: api.get<'getWebhook'>('/webhooks/{id}'),
  update: api.update<'updateWebhook'>('/webhooks/{id}'),
  delete: api.delete<'deleteWebhook'>('/webhooks/{id}'),
  rotateSecret: api.act<'rotateWebhookSecret'>('/webhooks/{id}/rotate-secret'),
  test: api.act<'testWebhook'>('/webhooks/{id}/test'),
  replay: api.update<'replayWebhook'>('/webhooks/{id}/replay', 'POST'),
  eventTypes: api.call<'listEventTypes'>('/webhooks/event-types', 'GET'),
  postbackSecret: api.call<'getPostbackSecret'>('/webhooks/postback-secret', 'GET'),
  rotatePostbackSecret: api.call<'rotatePostbackSecret'>('/webhooks/postback-secret/rotate', 'POST'),
  deliveries: {
    list: api.list<'listDeliveries'>('/webhooks/deliveries'),
    get: api.get<'getDelivery'>('/webhooks/deliveries/{id}'),
    resend: api.act<'resendDelivery'>('/webhooks/deliveries/{id}/resend'),
    resendFailed: api.send<'resendFailedDeliveries'>('/webhooks/deliveries/resend-failed'),
  },
  resendTransactionEvents: api.send<'resendTransactionEvents'>('/webhooks/resend-transaction-event'),
  resendWithdrawalEvents: api.send<'resendWithdrawalEvents'>('/webhooks/resend-withdrawal-event'),
});

const events = (api: Operations) => ({
  /** Events after a cursor, oldest first: `data`, `nextCursor` and `more`. */
  list: api.readWhole<'listEvents'>('/events'),
});

const apiKeys = (api: Operations) => ({
  create: api.send<'createApiKey'>('/api-keys'),
  list: api.list<'listApiKeys'>('/api-keys'),
  delete: api.delete<'deleteApiKey'>('/api-keys/{id}'),
});

/** Simulates payers and banks. Only in the sandbox. */
const sandbox = (api: Operations) => ({
  payTransaction: api.act<'sandboxPayTransaction'>('/sandbox/transactions/{id}/pay'),
  failTransaction: api.act<'sandboxFailTransaction'>('/sandbox/transactions/{id}/fail'),
  refuseTransaction: api.act<'sandboxRefuseTransaction'>('/sandbox/transactions/{id}/refuse'),
  processTransaction: api.act<'sandboxProcessingTransaction'>('/sandbox/transactions/{id}/processing'),
  chargebackTransaction: api.act<'sandboxChargebackTransaction'>('/sandbox/transactions/{id}/chargeback'),
  openDispute: api.act<'sandboxOpenDispute'>('/sandbox/transactions/{id}/dispute'),
  claimByMed: api.update<'sandboxClaimByMed'>('/sandbox/transactions/{id}/med', 'POST'),
  advanceMed: api.update<'sandboxAdvanceMed'>('/sandbox/disputes/{id}/med/advance', 'POST'),
  completeRefund: api.act<'sandboxCompleteRefund'>('/sandbox/refunds/{id}/complete'),
  failRefund: api.act<'sandboxFailRefund'>('/sandbox/refunds/{id}/fail'),
  payWithdrawal: api.act<'sandboxPayWithdrawal'>('/sandbox/withdrawals/{id}/pay'),
  failWithdrawal: api.act<'sandboxFailWithdrawal'>('/sandbox/withdrawals/{id}/fail'),
  authorizeSubscription: api.act<'sandboxAuthorizeSubscription'>('/sandbox/subscriptions/{id}/authorize'),
  rejectSubscription: api.act<'sandboxRejectSubscription'>('/sandbox/subscriptions/{id}/reject'),
  expireSubscription: api.act<'sandboxExpireSubscription'>('/sandbox/subscriptions/{id}/expire'),
  setNextOutcome: api.update<'sandboxSetNextOutcome'>('/sandbox/subscriptions/{id}/next-outcome', 'POST'),
  revokeSubscription: api.act<'sandboxRevokeSubscription'>('/sandbox/subscriptions/{id}/revoke'),
});
