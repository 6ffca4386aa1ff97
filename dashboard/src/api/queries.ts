import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from './client.ts';
import { onConnectionBack } from './connection.ts';
import { ApiError, ConnectionError, SignedOutError } from './errors.ts';
import type { components, operations } from './schema.gen.ts';

export type Charge = components['schemas']['Transaction'];
export type ChargeSummary = components['schemas']['TransactionSummary'];
export type NewCharge = components['schemas']['CreateTransactionRequest'];
export type Withdrawal = components['schemas']['Withdrawal'];
export type NewWithdrawal = components['schemas']['CreateWithdrawalRequest'];
export type Dispute = components['schemas']['SellerDispute'];
export type Fees = components['schemas']['Fees'];
export type Wallet = components['schemas']['Wallet'];
export type Webhook = components['schemas']['Webhook'];
export type Delivery = components['schemas']['Delivery'];
export type ApiKey = components['schemas']['ApiKey'];

type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;
export type ChargeQuery = Query<'listTransactions'>;
export type EntryQuery = Query<'listWalletEntries'>;
export type WithdrawalQuery = Query<'listWithdrawals'>;
export type DisputeQuery = Query<'listDisputes'>;
export type DeliveryQuery = Query<'listDeliveries'>;

/**
 * The queries of the seller's screens. Each key starts with its resource, so that an event can
 * invalidate all queries of that resource. `live.ts` refetches on events; the intervals cover
 * changes without an event. They are long because a seller may send only 120 requests per minute
 * over all its sessions.
 */
const FREQUENT_POLL_MS = 20_000;
const INFREQUENT_POLL_MS = 60_000;

export const charges = (query: ChargeQuery) =>
  queryOptions({
    queryKey: ['charges', 'list', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/transactions', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export type FoundCharge = components['schemas']['TransactionLookupResult'];

/** Searches charges by payer, description, amount or id. */
export const chargeLookup = (text: string) =>
  queryOptions({
    queryKey: ['charges', 'lookup', text],
    queryFn: async ({ signal }) =>
      (await unwrap(api.POST('/v1/transactions/lookup', { body: { text }, signal }))).data,
  });

export const charge = (id: string) =>
  queryOptions({
    queryKey: ['charges', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/transactions/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: ({ state }) => (isOpen(state.data?.status) ? 5_000 : INFREQUENT_POLL_MS),
  });

/** Whether the charge may still be paid at any moment. */
export const isOpen = (status: Charge['status'] | undefined): boolean =>
  status === 'PENDING' || status === 'WAITING_PAYMENT' || status === 'PROCESSING';

/** Whether a risk rule holds the charge: it has no code yet, or its card is authorized only. */
export const isInReview = ({ riskStatus, status }: Charge): boolean =>
  riskStatus === 'REVIEW' && (isOpen(status) || status === 'AUTHORIZED');

export const wallet = () =>
  queryOptions({
    queryKey: ['wallet'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/seller-wallet/gestao', { signal }))).data,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const releases = () =>
  queryOptions({
    queryKey: ['wallet', 'releases'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/seller-wallet/releases', { signal }))).data,
    refetchInterval: INFREQUENT_POLL_MS,
  });

export type Releases = components['schemas']['Releases'];
export type ReleasedSale = components['schemas']['ReleasedSale'];

export const releasedSales = (query: Query<'listReleasedSales'>) =>
  queryOptions({
    queryKey: ['wallet', 'released-sales', query],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/seller-wallet/releases/sales', { params: { query }, signal }))).data,
    placeholderData: keepPreviousData,
    refetchInterval: INFREQUENT_POLL_MS,
  });

export type SummaryQuery = Query<'getSummary'>;
export type Summary = components['schemas']['SummaryReport'];

export const summary = (query: SummaryQuery) =>
  queryOptions({
    queryKey: ['reports', query],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/reports/summary', { params: { query }, signal }))).data,
    placeholderData: keepPreviousData,
    refetchInterval: INFREQUENT_POLL_MS,
  });

export type SimulationQuery = Query<'simulateFees'>;
export const simulation = (query: SimulationQuery) =>
  queryOptions({
    queryKey: ['fees', 'simulation', query],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/fees/simulate', { params: { query }, signal }))).data,
    placeholderData: keepPreviousData,
    retry: false,
  });

export const chargeTimeline = (id: string) =>
  queryOptions({
    queryKey: ['charges', 'timeline', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/transactions/{id}/timeline', { params: { path: { id } }, signal }))).data,
  });

export const withdrawalTimeline = (id: string) =>
  queryOptions({
    queryKey: ['withdrawals', 'timeline', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/withdrawals/{id}/timeline', { params: { path: { id } }, signal }))).data,
  });

export type Entry = components['schemas']['WalletEntry'];

export const entries = (query: EntryQuery) =>
  queryOptions({
    queryKey: ['entries', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/seller-wallet/entries', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: INFREQUENT_POLL_MS,
  });

export const withdrawals = (query: WithdrawalQuery) =>
  queryOptions({
    queryKey: ['withdrawals', 'list', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/withdrawals', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: INFREQUENT_POLL_MS,
  });

export const withdrawal = (id: string) =>
  queryOptions({
    queryKey: ['withdrawals', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/withdrawals/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: INFREQUENT_POLL_MS,
  });

export const disputes = (query: DisputeQuery) =>
  queryOptions({
    queryKey: ['disputes', query],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/disputes', { params: { query }, signal }))).data,
    placeholderData: keepPreviousData,
    refetchInterval: INFREQUENT_POLL_MS,
  });

export const fees = () =>
  queryOptions({
    queryKey: ['fees'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/sellers/me/fees', { signal }))).data,
    staleTime: 5 * INFREQUENT_POLL_MS,
  });

export const apiKeys = () =>
  queryOptions({
    queryKey: ['api-keys'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/api-keys', { signal }))).data,
  });

export const webhooks = () =>
  queryOptions({
    queryKey: ['webhooks'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/webhooks', { signal }))).data,
  });

export const eventTypes = () =>
  queryOptions({
    queryKey: ['event-types'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/webhooks/event-types', { signal }))).data,
    staleTime: Infinity,
  });

export const deliveries = (query: DeliveryQuery) =>
  queryOptions({
    queryKey: ['deliveries', 'list', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/webhooks/deliveries', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const delivery = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/webhooks/deliveries/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? 5_000 : false),
  });

/** Whether a retry may succeed: the gateway has not rejected the request. */
function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500;
  return !(error instanceof ConnectionError) && !(error instanceof SignedOutError);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (failures, error) =>
        error instanceof ApiError && error.retryAfter !== undefined
          ? error.retryAfter * 1_000
          : 1_000 * 2 ** failures,
    },
    // Mutations are never retried automatically: the user decides whether to send money again.
    mutations: { retry: false, networkMode: 'always' },
  },
});

onConnectionBack(() => void queryClient.invalidateQueries());
