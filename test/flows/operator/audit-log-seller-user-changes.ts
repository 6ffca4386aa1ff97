import {
  PASSWORD,
  byOwner,
  codeOf,
  gateway,
  newColleague,
  newSeed,
  ofColleague,
  owner,
  person,
  seller,
  type Changes,
} from './audit-log-setup.ts';

/** Changes by sellers to their users and invitations, and by these users to their own accounts. */
export const SELLER_USER_CHANGES: Changes = {
  'POST /v1/users': async () => {
    const { password, ...shown } = person({ role: 'FINANCE' });
    return {
      act: () => gateway.post('/users', { password, ...shown }, owner),
      expectedRow: ({ body }) => ({
        ...byOwner(),
        action: 'user.created',
        record_type: 'user',
        record_id: body.data.id,
        seller_id: seller.id,
        before: null,
        after: shown,
      }),
    };
  },

  'POST /v1/users/invitations': async () => {
    const { email } = person();
    return {
      act: () => gateway.post('/users/invitations', { email, role: 'FINANCE' }, owner),
      expectedRow: ({ body }) => ({
        ...byOwner(),
        action: 'user.invited',
        record_type: 'invitation',
        record_id: body.data.id,
        seller_id: seller.id,
        before: null,
        after: { email, role: 'FINANCE' },
      }),
    };
  },

  'DELETE /v1/users/invitations/:id': async () => {
    const { email } = person();
    const made = await gateway.post('/users/invitations', { email, role: 'FINANCE' }, owner);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.delete(`/users/invitations/${id}`, owner),
      expectedRow: () => ({
        ...byOwner(),
        action: 'user.invitation-withdrawn',
        record_type: 'invitation',
        record_id: id,
        seller_id: seller.id,
        before: { email, role: 'FINANCE' },
        after: null,
      }),
    };
  },

  'PATCH /v1/users/me/notifications': async () => {
    const { mail } = (await gateway.get('/users/me/notifications', owner)).body.data;
    const mailed = Object.keys(mail).filter((kind) => mail[kind]);
    const kind = 'withdrawal-paid';
    const after = mailed.includes(kind)
      ? mailed.filter((one) => one !== kind)
      : Object.keys(mail).filter((one) => mail[one] || one === kind);
    return {
      act: () => gateway.patch('/users/me/notifications', { mail: { [kind]: !mail[kind] } }, owner),
      expectedRow: () => ({
        ...byOwner(),
        action: 'user.notifications-chosen',
        record_type: 'user',
        record_id: owner.id,
        seller_id: seller.id,
        before: { mailed },
        after: { mailed: after },
      }),
    };
  },

  'PATCH /v1/users/:id': async () => {
    const made = await gateway.post('/users', person({ role: 'FINANCE' }), owner);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.patch(`/users/${id}`, { name: 'Bia', role: 'VIEWER' }, owner),
      expectedRow: () => ({
        ...byOwner(),
        action: 'user.updated',
        record_type: 'user',
        record_id: id,
        seller_id: seller.id,
        before: { role: 'FINANCE' },
        after: { role: 'VIEWER' },
      }),
    };
  },

  'DELETE /v1/users/:id': async () => {
    const { password: _, ...shown } = person({ role: 'FINANCE' });
    const made = await gateway.post('/users', { ...shown, password: PASSWORD }, owner);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.delete(`/users/${id}`, owner),
      expectedRow: () => ({
        ...byOwner(),
        action: 'user.deleted',
        record_type: 'user',
        record_id: id,
        seller_id: seller.id,
        before: shown,
        after: null,
      }),
    };
  },

  'PATCH /v1/users/me': async () => {
    const { id, token } = await newColleague();
    return {
      act: () => gateway.patch('/users/me', { name: 'Bia Lima' }, { token }),
      expectedRow: () =>
        ofColleague(id, 'user.updated', { before: { name: 'Bia' }, after: { name: 'Bia Lima' } }),
    };
  },

  'POST /v1/users/me/password': async () => {
    const { id, token } = await newColleague();
    const passwords = { currentPassword: PASSWORD, newPassword: `another ${PASSWORD}` };
    return {
      act: () => gateway.post('/users/me/password', passwords, { token }),
      expectedRow: () => ofColleague(id, 'user.password-changed'),
    };
  },

  'POST /v1/auth/logout': async () => {
    const { id, token } = await newColleague();
    return {
      act: () => gateway.post('/auth/logout', undefined, { token }),
      expectedRow: () => ofColleague(id, 'user.sign-out'),
    };
  },

  'DELETE /v1/users/me/sessions/:id': async () => {
    const { id, token } = await newColleague();
    const listed = await gateway.get('/users/me/sessions', { token });
    const sessionId = String(listed.body.data[0].id);
    return {
      act: () => gateway.delete(`/users/me/sessions/${sessionId}`, { token }),
      expectedRow: () => ofColleague(id, 'user.session-ended', { after: { sessionId, reason: 'REVOKED' } }),
    };
  },

  'POST /v1/users/me/two-factor': async () => {
    const { id, token } = await newColleague();
    return {
      act: () => gateway.post('/users/me/two-factor', { password: PASSWORD }, { token }),
      expectedRow: () => ofColleague(id, 'user.two-factor-begun'),
    };
  },

  'POST /v1/users/me/two-factor/confirm': async () => {
    const { id, token } = await newColleague();
    const secret = await newSeed({ token });
    return {
      act: () => gateway.post('/users/me/two-factor/confirm', { code: codeOf(secret) }, { token }),
      expectedRow: () => ofColleague(id, 'user.two-factor-enabled'),
    };
  },

  'DELETE /v1/users/me/two-factor': async () => {
    const { id, token } = await newColleague();
    const secret = await newSeed({ token });
    await gateway.post('/users/me/two-factor/confirm', { code: codeOf(secret) }, { token });
    const proof = () => ({ password: PASSWORD, code: codeOf(secret, 1) });
    return {
      act: () => gateway.call('DELETE', '/users/me/two-factor', proof(), { token }),
      expectedRow: () => ofColleague(id, 'user.two-factor-disabled'),
    };
  },
};
