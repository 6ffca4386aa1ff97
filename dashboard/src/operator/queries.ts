import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../api/client.ts';
import { queryClient, type Fees } from '../api/queries.ts';
import type { components, operations } from '../api/schema.gen.ts';
import { compact } from '../app/search.ts';
import { bySkip } from '../components/paging.ts';

/** Queries of the operator's screens. They poll, because operators have no event stream. */

export type OwnedDispute = components['schemas']['OperatorDispute'];
export type Reversal = components['schemas']['Reversal'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type Settings = components['schemas']['Settings'];

export type Query<Operation extends keyof operations> = NonNullable<
  operations[Operation]['parameters']['query']
>;
export type Json<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type Report = Json<'listProviderEvents'>['data'][number];
export type Provider = Json<'listProviders'>['data'][number];
export type System = Json<'getSystem'>['data'];
export type FullLedgerCheck = NonNullable<Json<'getLatestLedgerCheck'>['data']>;
export type DisputesQuery = Query<'listAllDisputes'>;
export type TransactionsQuery = Query<'listAllTransactions'>;
export type ReversalsQuery = Query<'listReversals'>;
export type ReportsQuery = Query<'listProviderEvents'>;
export type AuditQuery = Query<'listAuditLog'>;
export type RevenueQuery = Query<'getRevenue'>;
export type RevenueReport = Json<'getRevenue'>['data'];
export type ProviderCost = components['schemas']['ProviderCost'];

export const QUEUE_MS = 8_000;
export const FREQUENT_POLL_MS = 20_000;
export const SYSTEM_REFRESH_MS = 10_000;
export const INFREQUENT_POLL_MS = 60_000;
/** Data beside a withdrawal is cached, so that moving through the queue sends no requests. */
export const CONTEXT_MS = 30_000;

/** Invalidates the operator's queries of the given resources. */
export const refresh = async (...what: readonly string[]): Promise<void> => {
  await Promise.all(
    what.map(async (about) => queryClient.invalidateQueries({ queryKey: ['operator', about] })),
  );
};

export const PAGE_SIZE = 100;

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

/** Recent disputes of one seller. Has a key of its own, as `recentWithdrawals`. */
export const recentDisputes = (sellerId: string) =>
  queryOptions({
    queryKey: ['operator', 'context', sellerId, 'disputes'],
    queryFn: async ({ signal }) => {
      const query: DisputesQuery = { sellerId, take: 6 };
      return (await unwrap(api.GET('/v1/admin/disputes', { params: { query }, signal }))).data;
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

/** The reversals of one charge. */
export const reversalsOf = (transactionId: string) =>
  queryOptions({
    queryKey: ['operator', 'returns', 'of', transactionId],
    queryFn: async ({ signal }) => {
      const query: ReversalsQuery = { transactionId, take: 6 };
      return (await unwrap(api.GET('/v1/admin/reversals', { params: { query }, signal }))).data;
    },
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

type OperatorUsers = Json<'listOperatorUsers'>;

/** All operator users. */
export const operatorUsers = () =>
  queryOptions({
    queryKey: ['operator', 'users', 'all'],
    queryFn: async ({ signal }) => {
      const users: OperatorUsers['data'][number][] = [];
      let cursor: string | null | undefined;
      do {
        const query = compact({ take: PAGE_SIZE, cursor: cursor ?? undefined });
        const page: OperatorUsers = await unwrap(api.GET('/v1/admin/users', { params: { query }, signal }));
        users.push(...page.data);
        cursor = page.nextCursor;
      } while (cursor !== null);
      return users;
    },
    staleTime: CONTEXT_MS,
  });

export const operatorUserPage = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['operator', 'users', 'page', cursor ?? ''],
    queryFn: async ({ signal }) =>
      unwrap(api.GET('/v1/admin/users', { params: { query: compact({ cursor, take: 50 }) }, signal })),
    placeholderData: keepPreviousData,
  });

export const operatorInvitations = () =>
  queryOptions({
    queryKey: ['operator', 'users', 'invitations'],
    queryFn: async ({ signal }) =>
      (
        await unwrap(
          api.GET('/v1/admin/users/invitations', { params: { query: { take: PAGE_SIZE } }, signal }),
        )
      ).data,
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

export type PendingApproval = components['schemas']['Approval'];

/** The newest pending approvals. */
export const pendingApprovals = () =>
  queryOptions({
    queryKey: ['operator', 'approvals'],
    queryFn: async ({ signal }) => {
      const query = { status: 'PENDING', take: PAGE_SIZE } as const;
      return (await unwrap(api.GET('/v1/admin/approvals', { params: { query }, signal }))).data;
    },
    refetchInterval: FREQUENT_POLL_MS,
  });

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
