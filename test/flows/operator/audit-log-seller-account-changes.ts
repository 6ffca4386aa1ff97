import { addDocument, DETAILS, newApplicant, type Applicant } from '#test/support/applications.ts';
import {
  byOwner,
  gateway,
  keyMembers,
  newKey,
  owner,
  person,
  seller,
  type Changes,
} from './audit-log-setup.ts';

const ofApplication = ({ id, ownerId }: Applicant, action: string) => ({
  actor_kind: 'SELLER_USER',
  actor_id: ownerId,
  action,
  record_type: 'application',
  record_id: id,
  seller_id: id,
  before: null,
});

/** Changes by sellers to their application, API keys and settings. */
export const SELLER_ACCOUNT_CHANGES: Changes = {
  'POST /v1/api-keys': async () => ({
    act: () => gateway.post('/api-keys', { name: 'till', role: 'VIEWER' }, owner),
    expectedRow: ({ body }) => ({
      ...byOwner(),
      action: 'api-key.created',
      record_type: 'api-key',
      record_id: body.data.id,
      seller_id: seller.id,
      before: null,
      after: keyMembers('VIEWER'),
    }),
  }),

  'PATCH /v1/application': async () => {
    const applicant = await newApplicant(gateway);
    return {
      act: () => gateway.patch('/application', { activity: 'mugs', phone: null }, applicant.as),
      expectedRow: () => ({
        ...ofApplication(applicant, 'application.updated'),
        after: { changed: ['phone', 'activity'] },
      }),
    };
  },

  'POST /v1/application/submit': async () => {
    const applicant = await newApplicant(gateway);
    await gateway.patch('/application', DETAILS, applicant.as);
    await addDocument(gateway, applicant, 'IDENTITY');
    return {
      act: () => gateway.post('/application/submit', {}, applicant.as),
      expectedRow: () => ({
        ...ofApplication(applicant, 'application.submitted'),
        before: { status: 'DRAFT' },
        after: { status: 'SUBMITTED' },
      }),
    };
  },

  'POST /v1/application/documents': async () => {
    const applicant = await newApplicant(gateway);
    return {
      act: () => addDocument(gateway, applicant, 'IDENTITY'),
      expectedRow: ({ body }) => ({
        ...ofApplication(applicant, 'application.document-added'),
        after: { attachmentId: body.data.id, bytes: 8 },
      }),
    };
  },

  'DELETE /v1/application/documents/:documentId': async () => {
    const applicant = await newApplicant(gateway);
    const { body } = await addDocument(gateway, applicant, 'IDENTITY');
    const id = String(body.data.id);
    return {
      act: () => gateway.delete(`/application/documents/${id}`, applicant.as),
      expectedRow: () => ({
        ...ofApplication(applicant, 'application.document-deleted'),
        after: { attachmentId: id },
      }),
    };
  },

  'DELETE /v1/api-keys/:id': async () => {
    const id = await newKey();
    return {
      act: () => gateway.delete(`/api-keys/${id}`, owner),
      expectedRow: () => ({
        ...byOwner(),
        action: 'api-key.deleted',
        record_type: 'api-key',
        record_id: id,
        seller_id: seller.id,
        before: keyMembers('FINANCE'),
        after: null,
      }),
    };
  },

  'PATCH /v1/sellers/me/settings': async () => {
    const shown = { displayName: `Loja ${person().email.slice(0, 8)}` };
    const before = (await gateway.get('/sellers/me/settings', owner)).body.data;
    return {
      act: () => gateway.patch('/sellers/me/settings', shown, owner),
      expectedRow: () => ({
        ...byOwner(),
        action: 'seller-settings.updated',
        record_type: 'seller-settings',
        record_id: null,
        seller_id: seller.id,
        before: { displayName: before.displayName },
        after: shown,
      }),
    };
  },
};
