import { randomUUID } from 'node:crypto';

import { expect, vi } from 'vitest';

import { SOON, type Scenario, type Stage } from './stage.ts';
import { tokenIn, type MailServer } from '#test/support/mail-server.ts';

export interface MailStage extends Stage {
  readonly server: MailServer;
}

/** Longer than the lease of a dead process. */
const LEASE_SECONDS = 61;

/** An invitation is mailed once, or again with the same Message-ID, and its link works. */
const invited: Scenario<MailStage> = async (stage) => {
  const email = `${randomUUID()}@example.com`;
  stage.lost(stage.operate('POST', '/admin/users/invitations', { email, role: 'SUPPORT' }));
  return async () => {
    await stage.advance(LEASE_SECONDS);
    const mails = () => stage.server.received.filter(({ to }) => to.includes(email));
    await vi.waitFor(async () => {
      const sent = "SELECT FROM mails WHERE recipient = $1 AND status = 'SENT' AND encrypted_token IS NULL";
      expect(await stage.query(sent, [email])).toHaveLength(1);
    }, SOON);
    expect(mails().length).toBeGreaterThan(0);
    expect(new Set(mails().map(({ messageId }) => messageId)).size).toBe(1);
    const accepted = await stage.client.post(
      '/auth/invitations/accept',
      { token: tokenIn(mails()[0]?.text ?? ''), name: 'Bia', password: 'correct horse battery 9' },
      { credential: 'none' },
    );
    expect(accepted.status).toBe(200);
  };
};

export const MAIL = {
  'mails.leased': invited,
  'mails.called': invited,
  'mails.recorded': invited,
} satisfies Record<string, Scenario<MailStage>>;
