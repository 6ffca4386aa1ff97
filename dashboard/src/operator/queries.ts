import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../api/client.ts';
import { queryClient, type Fees } from '../api/queries.ts';
import type { components, operations } from '../api/schema.gen.ts';
import { compact } from '../app/search.ts';
import { bySkip } from '../components/paging.ts';

/** Queries of the operator's screens. They poll, because operators have no event stream. */

export type Seller = components['schemas']['Seller'];
export type OwnedWithdrawal = components['schemas']['OperatorWithdrawal'];
export type OwnedDispute = components['schemas']['OperatorDispute'];
export type Reversal = components['schemas']['Reversal'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type Settings = components['schemas']['Settings'];

type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;
type Json<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type Report = Json<'listProviderEvents'>['data'][number];
export type Provider = Json<'listProviders'>['data'][number];
export type DayReport = Json<'listReconciliationDays'>['data'][number];
export type Difference = Json<'listDifferences'>['data'][number];
export type System = Json<'getSystem'>['data'];
export type FullLedgerCheck = NonNullable<Json<'getLatestLedgerCheck'>['data']>;
export type SellerQuery = Query<'listSellers'>;
export type WithdrawalsQuery = Query<'listAllWithdrawals'>;
export type DisputesQuery = Query<'listAllDisputes'>;
export type TransactionsQuery = Query<'listAllTransactions'>;
export type ReversalsQuery = Query<'listReversals'>;
export type ReportsQuery = Query<'listProviderEvents'>;
export type AuditQuery = Query<'listAuditLog'>;
export type DaysQuery = Query<'listReconciliationDays'>;
export type DifferencesQuery = Query<'listDifferences'>;
export type RevenueQuery = Query<'getRevenue'>;
export type RevenueReport = Json<'getRevenue'>['data'];
export type ProviderCost = components['schemas']['ProviderCost'];

const QUEUE_MS = 8_000;
const FREQUENT_POLL_MS = 20_000;
export const SYSTEM_REFRESH_MS = 10_000;
const INFREQUENT_POLL_MS = 60_000;
/** Data beside a withdrawal is cached, so that moving through the queue sends no requests. */
const CONTEXT_MS = 30_000;

/** Invalidates the operator's queries of the given resources. */
export const refresh = async (...what: readonly string[]): Promise<void> => {
  await Promise.all(
    what.map(async (about) => queryClient.invalidateQueries({ queryKey: ['operator', about] })),
  );
};

const PAGE = 100;
/** Upper bound of the approval queue. */
const MAX_QUEUE_LENGTH = 500;

export const QUEUE_KEY = ['operator', 'withdrawals', 'queue'] as const;

/** Withdrawals that need a decision, oldest first. */
export const pendingWithdrawals = (sellerId: string | undefined) =>
  queryOptions({
    queryKey: [...QUEUE_KEY, sellerId ?? ''],
    queryFn: async ({ signal }) => {
      const data: OwnedWithdrawal[] = [];
      let cursor: string | null | undefined;
      let count = 0;
      do {
        const query: WithdrawalsQuery = compact({
          status: 'PENDING',
          sellerId,
          take: PAGE,
          cursor: cursor ?? undefined,
        });
        const page = await unwrap(api.GET('/v1/admin/withdrawals', { params: { query }, signal }));
        data.push(...page.data);
        count = page.count;
        cursor = page.nextCursor;
      } while (cursor !== null && data.length < MAX_QUEUE_LENGTH);
      return { data: data.toReversed(), count, nextCursor: null };
    },
    refetchInterval: QUEUE_MS,
  });

export const allWithdrawals = (query: WithdrawalsQuery) =>
  queryOptions({
    queryKey: ['operator', 'withdrawals', 'list', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/withdrawals', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const operatorWithdrawal = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'withdrawals', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/withdrawals/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: QUEUE_MS,
  });

/**
 * Recent withdrawals of one seller. Has a key of its own, so that no data of another seller shows
 * while loading.
 */
export const recentWithdrawals = (sellerId: string, status?: string) =>
  queryOptions({
    queryKey: ['operator', 'context', sellerId, 'withdrawals', status ?? ''],
    queryFn: async ({ signal }) => {
      const query: WithdrawalsQuery = compact({ sellerId, status, take: status === undefined ? 6 : 1 });
      return unwrap(api.GET('/v1/admin/withdrawals', { params: { query }, signal }));
    },
    staleTime: CONTEXT_MS,
  });

export const sellers = (query: SellerQuery) =>
  queryOptions({
    queryKey: ['operator', 'sellers', 'list', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/sellers', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: INFREQUENT_POLL_MS,
  });

export const seller = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'sellers', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/sellers/{id}', { params: { path: { id } }, signal }))).data,
    staleTime: CONTEXT_MS,
  });

export const sellerWallet = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'context', id, 'wallet'],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/sellers/{id}/wallet', { params: { path: { id } }, signal }))).data,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const sellerFees = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'fees', id],
    queryFn: async ({ signal }): Promise<Fees> =>
      (await unwrap(api.GET('/v1/admin/sellers/{id}/fees', { params: { path: { id } }, signal }))).data,
    // A refetch must not replace data while it is edited.
    refetchOnWindowFocus: false,
  });

export const sellerUsers = (id: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['operator', 'seller-users', id, cursor ?? ''],
    queryFn: async ({ signal }) =>
      unwrap(
        api.GET('/v1/admin/sellers/{id}/users', {
          params: { path: { id }, query: compact({ cursor, take: 50 }) },
          signal,
        }),
      ),
  });

export const sellerKeys = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'seller-keys', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/sellers/{id}/api-keys', { params: { path: { id } }, signal }))).data,
  });

export const allDisputes = (query: DisputesQuery) =>
  queryOptions({
    queryKey: ['operator', 'disputes', 'list', query],
    queryFn: async ({ signal }) =>
      bySkip(
        query.skip ?? 0,
        (await unwrap(api.GET('/v1/admin/disputes', { params: { query }, signal }))).data,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const operatorDispute = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'disputes', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/disputes/{id}', { params: { path: { id } }, signal }))).data,
  });

export const disputeEvidence = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'disputes', 'evidence', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/disputes/{id}/evidence', { params: { path: { id } }, signal }))).data,
  });

export const sellerDisputes = (sellerId: string, status: 'OPEN' | 'UNDER_REVIEW') =>
  queryOptions({
    queryKey: ['operator', 'context', sellerId, 'disputes', status],
    queryFn: async ({ signal }) => {
      const query: DisputesQuery = { sellerId, status, take: 1 };
      return (await unwrap(api.GET('/v1/admin/disputes', { params: { query }, signal }))).data.count;
    },
    staleTime: CONTEXT_MS,
  });

export const sellerChargebacks = (sellerId: string, startDate: string) =>
  queryOptions({
    queryKey: ['operator', 'context', sellerId, 'chargebacks', startDate],
    queryFn: async ({ signal }) => {
      const query: TransactionsQuery = { sellerId, status: 'CHARGEDBACK', startDate, take: 1 };
      return (await unwrap(api.GET('/v1/admin/transactions', { params: { query }, signal }))).count;
    },
    staleTime: CONTEXT_MS,
  });

export const allTransactions = (query: TransactionsQuery) =>
  queryOptions({
    queryKey: ['operator', 'transactions', 'list', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/transactions', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const operatorTransaction = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'transactions', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/transactions/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const allReversals = (query: ReversalsQuery) =>
  queryOptions({
    queryKey: ['operator', 'returns', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/reversals', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const reports = (query: ReportsQuery) =>
  queryOptions({
    queryKey: ['operator', 'reports', query],
    queryFn: async ({ signal }) =>
      unwrap(api.GET('/v1/admin/provider-events', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const providers = () =>
  queryOptions({
    queryKey: ['operator', 'providers'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/admin/providers', { signal }))).data,
    refetchInterval: SYSTEM_REFRESH_MS,
  });

export const days = (query: DaysQuery) =>
  queryOptions({
    queryKey: ['operator', 'reconciliation', 'days', query],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/reconciliation', { params: { query }, signal }))).data,
    placeholderData: keepPreviousData,
  });

export const differences = (query: DifferencesQuery) =>
  queryOptions({
    queryKey: ['operator', 'reconciliation', 'differences', query],
    queryFn: async ({ signal }) => {
      const page = await unwrap(
        api.GET('/v1/admin/reconciliation/differences', { params: { query }, signal }),
      );
      // Differences have no id, so their index in the response identifies them.
      const data = page.data.map((one, index) => ({ ...one, id: `${query.skip ?? 0}-${index}` }));
      return bySkip(query.skip ?? 0, { data, count: page.count });
    },
    placeholderData: keepPreviousData,
  });

export const settlementFiles = () =>
  queryOptions({
    queryKey: ['operator', 'reconciliation', 'files'],
    queryFn: async ({ signal }) =>
      unwrap(api.GET('/v1/admin/reconciliation/files', { params: { query: { take: 10 } }, signal })),
  });

const LEDGER_PROGRESS_MS = 1_000;

/** Null before the first check. */
export const latestLedgerCheck = () =>
  queryOptions({
    queryKey: ['operator', 'ledger-check'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/admin/ledger/checks/latest', { signal }))).data,
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? LEDGER_PROGRESS_MS : false),
  });

export const auditLog = (query: AuditQuery) =>
  queryOptions({
    queryKey: ['operator', 'audit', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/audit-log', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const operatorUsers = () =>
  queryOptions({
    queryKey: ['operator', 'users'],
    queryFn: async ({ signal }) =>
      unwrap(api.GET('/v1/admin/users', { params: { query: { take: PAGE } }, signal })),
    staleTime: CONTEXT_MS,
  });

export const operatorInvitations = () =>
  queryOptions({
    queryKey: ['operator', 'users', 'invitations'],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/users/invitations', { params: { query: { take: PAGE } }, signal })))
        .data,
  });

export type Mail = Json<'listMails'>['data'][number];
export type MailsQuery = Query<'listMails'>;
export const mails = (query: MailsQuery) =>
  queryOptions({
    queryKey: ['operator', 'mails', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/admin/mails', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export type SandboxMail = components['schemas']['SandboxMail'];
/** The newest emails that the sandbox keeps. */
export const sandboxMails = () =>
  queryOptions({
    queryKey: ['operator', 'mails', 'sandbox'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/sandbox/mails', { signal }))).data,
    refetchInterval: QUEUE_MS,
  });

export type ProviderRoute = components['schemas']['ProviderRoute'];

/** The order and pauses of providers. */
export const providerRoutes = () =>
  queryOptions({
    queryKey: ['operator', 'provider-routes'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/admin/provider-routes', { signal }))).data,
    refetchInterval: SYSTEM_REFRESH_MS,
  });

export const operatorSettings = () =>
  queryOptions({
    queryKey: ['operator', 'settings'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/admin/settings', { signal }))).data,
  });

export const system = () =>
  queryOptions({
    queryKey: ['operator', 'system'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/admin/system', { signal }))).data,
    refetchInterval: SYSTEM_REFRESH_MS,
  });

export const allWebhooks = (query: Query<'listAllWebhooks'>) =>
  queryOptions({
    queryKey: ['operator', 'webhooks', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/webhooks', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export type BankExchange = Json<'getBankExchange'>['data'];

export const bankExchange = () =>
  queryOptions({
    queryKey: ['operator', 'bank-exchange'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/admin/cnab', { signal }))).data,
    staleTime: INFREQUENT_POLL_MS,
  });

export type Shipment = Json<'listShipments'>['data'][number];

export const shipments = (query: Query<'listShipments'>) =>
  queryOptions({
    queryKey: ['operator', 'shipments', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/cnab/shipments', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export const bankReturns = (query: Query<'listReturnFiles'>) =>
  queryOptions({
    queryKey: ['operator', 'bank-returns', 'list', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/cnab/returns', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export type BankReturnLine = Json<'getReturnFile'>['data']['problems'][number];

export const bankReturn = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'bank-returns', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/cnab/returns/{id}', { params: { path: { id } }, signal }))).data,
  });

export type PendingApproval = components['schemas']['Approval'];

/** The newest pending approvals. */
export const pendingApprovals = () =>
  queryOptions({
    queryKey: ['operator', 'approvals'],
    queryFn: async ({ signal }) => {
      const query = { status: 'PENDING', take: PAGE } as const;
      return (await unwrap(api.GET('/v1/admin/approvals', { params: { query }, signal }))).data;
    },
    refetchInterval: FREQUENT_POLL_MS,
  });

export type RiskRule = components['schemas']['RiskRule'];
export type RiskConditions = RiskRule['when'];
export type RiskListEntry = components['schemas']['RiskListEntry'];
export type QueuedReview = components['schemas']['RiskReview'];
export type ReviewDetails = components['schemas']['RiskReviewDetails'];

/** In the order in which they decide. */
export const riskRules = () =>
  queryOptions({
    queryKey: ['operator', 'risk-rules'],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/risk-rules', { signal })),
  });

export const riskList = (kind: string) =>
  queryOptions({
    queryKey: ['operator', 'risk-lists', kind],
    queryFn: async ({ signal }) =>
      unwrap(api.GET('/v1/admin/risk-lists/{kind}', { params: { path: { kind } }, signal })),
  });

export const RISK_REVIEWS_KEY = ['operator', 'risk-reviews', 'queue'] as const;

export type Application = components['schemas']['Application'];

export const applications = (query: Query<'listApplications'>) =>
  queryOptions({
    queryKey: ['operator', 'applications', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/admin/applications', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const application = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'applications', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/applications/{id}', { params: { path: { id } }, signal }))).data,
  });

/** The charges that have waited longest for a review. */
export const riskReviews = () =>
  queryOptions({
    queryKey: RISK_REVIEWS_KEY,
    queryFn: async ({ signal }) => {
      const query = { take: PAGE };
      const { data, count } = await unwrap(api.GET('/v1/admin/risk-reviews', { params: { query }, signal }));
      return { data, count, nextCursor: null };
    },
    refetchInterval: QUEUE_MS,
  });

export const riskReview = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'risk-reviews', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/transactions/{id}/review', { params: { path: { id } }, signal })))
        .data,
    staleTime: CONTEXT_MS,
  });

export const defaultFees = () =>
  queryOptions({
    queryKey: ['operator', 'default-fees'],
    queryFn: async ({ signal }): Promise<Fees> =>
      (await unwrap(api.GET('/v1/admin/default-fees', { signal }))).data,
    // A refetch must not replace data while it is edited.
    refetchOnWindowFocus: false,
  });

export const revenue = (query: RevenueQuery) =>
  queryOptions({
    queryKey: ['operator', 'revenue', query],
    queryFn: async ({ signal }): Promise<RevenueReport> => {
      const response = await unwrap(api.GET('/v1/admin/reports/revenue', { params: { query }, signal }));
      return response.data;
    },
    placeholderData: keepPreviousData,
  });

export const providerCosts = () =>
  queryOptions({
    queryKey: ['operator', 'provider-costs'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/admin/provider-costs', { signal }))).data,
  });

/** Searches charges of all sellers by payer, document, end-to-end id, order, card, amount or id. */
export const transactionLookup = (text: string) =>
  queryOptions({
    queryKey: ['operator', 'transactions', 'lookup', text],
    queryFn: async ({ signal }) =>
      (await unwrap(api.POST('/v1/admin/transactions/lookup', { body: { text }, signal }))).data,
  });
