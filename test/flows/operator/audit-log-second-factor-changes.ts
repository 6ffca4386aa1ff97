import { expect } from 'vitest';

import type { CallOptions } from '#test/support/client.ts';
import { createSoftwareAuthenticator } from '#test/support/software-authenticator.ts';
import {
  PASSWORD,
  admin,
  byOperator,
  byOwner,
  gateway,
  newColleague,
  ofColleague,
  owner,
  person,
  seller,
  type Changes,
  type Row,
} from './audit-log-setup.ts';

const due = { dueAt: expect.stringMatching(/^\d{4}-.*Z$/) };

/** The body that adds a passkey. */
async function newPasskey(as: CallOptions): Promise<object> {
  const { body } = await gateway.post('/users/me/passkeys/options', undefined, as);
  return { name: 'Laptop', passkey: createSoftwareAuthenticator('http://localhost').create(body.data) };
}

async function addPasskey(as: CallOptions): Promise<string> {
  const added = await gateway.post('/users/me/passkeys', await newPasskey(as), as);
  expect(added.status).toBe(201);
  return String(added.body.data.id);
}

async function newColleagueWithPasskey() {
  const colleague = await newColleague();
  const passkeyId = await addPasskey(colleague);
  return { ...colleague, path: `/users/me/passkeys/${passkeyId}` };
}

const resetOf = (id: string): string => `/users/${id}/second-factor-reset`;

/** An operator user with a passkey. */
async function newSupporter(as: CallOptions): Promise<string> {
  const { password, ...shown } = person({ role: 'SUPPORT' });
  const made = await gateway.post('/admin/users', { password, ...shown }, as);
  const signedIn = await gateway.post('/login', { email: shown.email, password }, { credential: 'none' });
  await addPasskey({ token: String(signedIn.body.accessToken) });
  return String(made.body.data.id);
}

const resetRow = (action: string, id: string, changes: Partial<Row>): Partial<Row> => ({
  action: `user.second-factor-reset-${action}`,
  record_type: 'user',
  record_id: id,
  ...changes,
});

/** Changes of second factors, by route: how to make each, and the audit log entry it writes. */
export const SECOND_FACTOR_CHANGES: Changes = {
  'POST /v1/auth/step-up': async () => {
    const { id, token } = await newColleague();
    return {
      act: () => gateway.post('/auth/step-up', { password: PASSWORD }, { token }),
      expectedRow: () =>
        ofColleague(id, 'user.verified', { after: { sessionId: expect.any(String), method: 'password' } }),
    };
  },

  'POST /v1/users/me/passkeys': async () => {
    const { id, token } = await newColleague();
    const body = await newPasskey({ token });
    return {
      act: () => gateway.post('/users/me/passkeys', body, { token }),
      expectedRow: () => ofColleague(id, 'user.passkey-added', { after: { passkey: 'Laptop' } }),
    };
  },

  'PATCH /v1/users/me/passkeys/:id': async () => {
    const { id, token, path } = await newColleagueWithPasskey();
    const names = { before: { passkey: 'Laptop' }, after: { passkey: 'Phone' } };
    return {
      act: () => gateway.patch(path, { name: 'Phone' }, { token }),
      expectedRow: () => ofColleague(id, 'user.passkey-renamed', names),
    };
  },

  'DELETE /v1/users/me/passkeys/:id': async () => {
    const { id, token, path } = await newColleagueWithPasskey();
    return {
      act: () => gateway.delete(path, { token }),
      expectedRow: () => ofColleague(id, 'user.passkey-deleted', { before: { passkey: 'Laptop' } }),
    };
  },

  'POST /v1/users/:id/second-factor-reset': async () => {
    const { id } = await newColleagueWithPasskey();
    const target = { ...byOwner(), seller_id: seller.id };
    return {
      act: () => gateway.post(resetOf(id), undefined, owner),
      expectedRow: () => resetRow('requested', id, { ...target, before: null, after: due }),
    };
  },

  'DELETE /v1/users/:id/second-factor-reset': async () => {
    const { id } = await newColleagueWithPasskey();
    await gateway.post(resetOf(id), undefined, owner);
    const target = { ...byOwner(), seller_id: seller.id };
    return {
      act: () => gateway.delete(resetOf(id), owner),
      expectedRow: () => resetRow('canceled', id, { ...target, before: due, after: null }),
    };
  },

  'DELETE /v1/users/me/second-factor-reset': async () => {
    const { id, token } = await newColleagueWithPasskey();
    await gateway.post(resetOf(id), undefined, owner);
    return {
      act: () => gateway.delete('/users/me/second-factor-reset', { token }),
      expectedRow: () => ofColleague(id, 'user.second-factor-reset-canceled', { before: due }),
    };
  },

  'POST /v1/admin/users/:id/second-factor-reset': async () => {
    const as = await admin();
    const id = await newSupporter(as);
    const target = { ...byOperator(), seller_id: null };
    return {
      act: () => gateway.post(`/admin${resetOf(id)}`, undefined, as),
      expectedRow: () => resetRow('requested', id, { ...target, before: null, after: due }),
    };
  },

  'DELETE /v1/admin/users/:id/second-factor-reset': async () => {
    const as = await admin();
    const id = await newSupporter(as);
    await gateway.post(`/admin${resetOf(id)}`, undefined, as);
    const target = { ...byOperator(), seller_id: null };
    return {
      act: () => gateway.delete(`/admin${resetOf(id)}`, as),
      expectedRow: () => resetRow('canceled', id, { ...target, before: due, after: null }),
    };
  },
};
