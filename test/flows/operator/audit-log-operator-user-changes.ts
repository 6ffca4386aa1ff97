import { admin, byOperator, gateway, person, type Changes } from './audit-log-setup.ts';

/** Changes by the operator to its own users, their invitations and mails. */
export const OPERATOR_USER_CHANGES: Changes = {
  'POST /v1/admin/users': async () => {
    const as = await admin();
    const { password, ...shown } = person({ role: 'SUPPORT' });
    return {
      act: () => gateway.post('/admin/users', { password, ...shown }, as),
      expectedRow: ({ body }) => ({
        ...byOperator(),
        action: 'user.created',
        record_type: 'user',
        record_id: body.data.id,
        seller_id: null,
        before: null,
        after: shown,
      }),
    };
  },

  'POST /v1/admin/users/invitations': async () => {
    const as = await admin();
    const { email } = person();
    return {
      act: () => gateway.post('/admin/users/invitations', { email, role: 'SUPPORT' }, as),
      expectedRow: ({ body }) => ({
        ...byOperator(),
        action: 'user.invited',
        record_type: 'invitation',
        record_id: body.data.id,
        seller_id: null,
        before: null,
        after: { email, role: 'SUPPORT' },
      }),
    };
  },

  'DELETE /v1/admin/users/invitations/:id': async () => {
    const as = await admin();
    const { email } = person();
    const made = await gateway.post('/admin/users/invitations', { email, role: 'SUPPORT' }, as);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.delete(`/admin/users/invitations/${id}`, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'user.invitation-withdrawn',
        record_type: 'invitation',
        record_id: id,
        seller_id: null,
        before: { email, role: 'SUPPORT' },
        after: null,
      }),
    };
  },

  'POST /v1/admin/mails/:id/retry': async () => {
    const as = await admin();
    const { email } = person();
    await gateway.post('/admin/users/invitations', { email, role: 'SUPPORT' }, as);
    // The server has refused it.
    const [row] = await gateway.database.query<{ id: string }>(
      "UPDATE mails SET status = 'FAILED' WHERE recipient = $1 RETURNING id",
      [email],
    );
    return {
      act: () => gateway.post(`/admin/mails/${row?.id}/retry`, undefined, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'mail.retried',
        record_type: 'mail',
        record_id: row?.id ?? '',
        seller_id: null,
        before: { status: 'FAILED' },
        after: { status: 'PENDING' },
      }),
    };
  },

  'DELETE /v1/admin/users/:id': async () => {
    const as = await admin();
    const { password, ...shown } = person({ role: 'SUPPORT' });
    const made = await gateway.post('/admin/users', { password, ...shown }, as);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.delete(`/admin/users/${id}`, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'user.deleted',
        record_type: 'user',
        record_id: id,
        seller_id: null,
        before: shown,
        after: null,
      }),
    };
  },
};
