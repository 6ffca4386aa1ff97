import { queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.gen.ts';

export const me = () =>
  queryOptions({
    queryKey: ['me'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/users/me', { signal }))).data,
  });

export const sessions = () =>
  queryOptions({
    queryKey: ['me', 'sessions'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/users/me/sessions', { signal }))).data,
  });

/** The clients that the user has signed in with. */
export const devices = () =>
  queryOptions({
    queryKey: ['me', 'devices'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/users/me/devices', { signal }))).data,
  });

/** Invited people join while the page is open. */
const TEAM_POLL_MS = 20_000;

/** Upper bound of a team. */
const MAX_USERS = 100;

export const team = () =>
  queryOptions({
    queryKey: ['team'],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/users', { params: { query: { take: MAX_USERS } }, signal }))).data,
    refetchInterval: TEAM_POLL_MS,
  });

export type TeamMember = components['schemas']['User'];

/** Invitations to the team that are pending. */
export const invitations = () =>
  queryOptions({
    queryKey: ['team', 'invitations'],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/users/invitations', { params: { query: { take: MAX_USERS } }, signal })))
        .data,
    refetchInterval: TEAM_POLL_MS,
  });

export type SellerSettings = components['schemas']['SellerSettings'];

/** What the seller has chosen for what payers see. */
export const sellerSettings = () =>
  queryOptions({
    queryKey: ['seller-settings'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/sellers/me/settings', { signal }))).data,
  });

export type Passkey = components['schemas']['Passkey'];

export const passkeys = () =>
  queryOptions({
    queryKey: ['me', 'passkeys'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/users/me/passkeys', { signal }))).data,
  });
