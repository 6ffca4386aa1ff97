import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { SMTPServerOptions } from 'smtp-server';

import { createMailSender, TemporaryMailError, type SmtpSettings } from '#notifications/sender.ts';
import { goodCharge } from '#test/support/client.ts';
import { freePort } from '#test/support/free-port.ts';
import { makeCertificates, type Certificates } from '#test/support/certificates.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { PASSWORD, startMailServer, USER, type MailServer } from '#test/support/mail-server.ts';

let gateway: TestGateway;
let server: MailServer;
let certificates: Certificates;
const SOON = { timeout: 10_000, interval: 50 };

beforeAll(async () => {
  certificates = await makeCertificates();
  const read = (path: string) => certificates.read(path);
  const [key, cert] = [await read(certificates.serverKey), await read(certificates.serverCert)];
  server = await startMailServer({ secure: true, key, cert });
  const smtp = `smtps://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${server.port}`;
  gateway = await startTestGateway({ environment: { SMTP_URL: smtp, MAIL_FROM: 'mail@example.com' } });
});
afterAll(async () => {
  await gateway.stop();
  await server.close();
  await certificates.remove();
});

const admin = async () => ({ token: await gateway.adminToken() });
const mailOf = async (to: string, status: string) =>
  vi.waitFor(async () => {
    const listed = await gateway.get(`/admin/mails?status=${status}&take=100`, await admin());
    const mail = listed.body.data.find((one: { readonly to: string }) => one.to === to);
    expect(mail).toBeDefined();
    return mail;
  }, SOON);

/** Invites an address as an operator user; returns the address. */
async function invited(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const response = await gateway.post('/admin/users/invitations', { email, role: 'SUPPORT' }, await admin());
  expect(response.status).toBe(201);
  return email;
}

/** A mail that waits for another attempt. */
const failedOnce = async (email: string) =>
  vi.waitFor(async () => {
    const mail = await mailOf(email, 'PENDING');
    expect(mail.error).not.toBeNull();
    return mail;
  }, SOON);

const newPayer = () => `${randomUUID()}@payer.example.com`;

const receivedBy = (email: string) => server.received.filter(({ to }) => to.includes(email));

describe('an email', () => {
  it('is sent over TLS with authentication, as text and HTML, and keeps no token', async () => {
    const email = await invited();
    const mail = await mailOf(email, 'SENT');
    expect(mail).toMatchObject({ attempts: 1, smtpCode: 250, error: null, nextAttemptAt: null });
    const [received] = receivedBy(email);
    const { raw, text, messageId } = received ?? { raw: '', text: '', messageId: '' };
    expect(messageId).toBe(`<${mail.id}@example.com>`);
    expect(raw).toContain('From: Vereda <mail@example.com>');
    expect(raw).toMatch(/Content-Type: text\/plain; charset=utf-8[\s\S]+Content-Type: text\/html/);
    expect(text).toMatch(/dashboard\/invitation\?token=[\w-]{43}/);
    expect(text).toContain('prefers-color-scheme: dark');
    const kept = 'SELECT FROM mails WHERE recipient = $1 AND encrypted_token IS NULL';
    expect(await gateway.database.query(kept, [email])).toHaveLength(1);
    expect((await gateway.get(`/sandbox/mails?to=${email}`, await admin())).body.data).toEqual([]);
  });

  it('that the server refuses permanently fails with its code, and can be retried', async () => {
    server.react = () => 550;
    const email = await invited();
    const failed = await mailOf(email, 'FAILED');
    expect(failed).toMatchObject({ attempts: 1, smtpCode: 550, error: 'SMTP 550 (RCPT TO)' });
    server.react = () => 'ACCEPT';
    const retry = () => admin().then((as) => gateway.post(`/admin/mails/${failed.id}/retry`, undefined, as));
    expect((await retry()).body.data).toMatchObject({ status: 'PENDING', attempts: 0 });
    await mailOf(email, 'SENT');
    expect(receivedBy(email)).toHaveLength(1);
    expect((await retry()).body.code).toBe('mail_not_failed');
  });

  it('is retried after a temporary refusal and a lost connection, with the same Message-ID', async () => {
    server.react = () => 451;
    const email = await invited();
    expect(await failedOnce(email)).toMatchObject({ attempts: 1, smtpCode: 451 });
    server.react = () => 'CUT_OFF';
    await gateway.advance(60);
    await vi.waitFor(
      async () => expect(await failedOnce(email)).toMatchObject({ attempts: 2, smtpCode: null }),
      SOON,
    );
    server.react = () => 'ACCEPT';
    await gateway.advance(120);
    const { id } = await mailOf(email, 'SENT');
    const own = server.attempted.filter((messageId) => messageId.includes(id));
    expect(own).toEqual([`<${id}@example.com>`, `<${id}@example.com>`]);
  });

  it('whose link has expired is not sent', async () => {
    server.react = () => 451;
    const email = await invited();
    await failedOnce(email);
    await gateway.advance(7 * 86_400 + 60);
    server.react = () => 'ACCEPT';
    const failed = await mailOf(email, 'FAILED');
    expect(failed.error).toBe('the link has expired');
    const retry = await gateway.post(`/admin/mails/${failed.id}/retry`, undefined, await admin());
    expect(retry.body.code).toBe('mail_expired');
    expect(receivedBy(email)).toEqual([]);
  });

  it('to users does not wait for those to payers', async () => {
    server.react = (to) => (to.endsWith('@payer.example.com') ? 'HANG' : 'ACCEPT');
    await gateway.patch('/sellers/me/settings', { payerEmails: true });
    const { customer } = goodCharge();
    const payers = Array.from({ length: 3 }, newPayer);
    for (const email of payers) {
      const charge = await gateway.charge({ customer: { ...customer, email } });
      await gateway.post(`/sandbox/transactions/${charge.body.data.id}/pay`);
    }
    await vi.waitFor(() => expect(server.waiting).toBeGreaterThan(0), SOON);
    const email = await invited();
    await mailOf(email, 'SENT');
    expect(server.waiting).toBeGreaterThan(0);
    server.react = () => 'ACCEPT';
    for (const payer of payers) await mailOf(payer, 'SENT');
    const [receipt] = receivedBy(payers[0] ?? '');
    expect(receipt?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
  });

  it('to a payer that waits for its next attempt is deleted when the payer is erased', async () => {
    await gateway.patch('/sellers/me/settings', { payerEmails: true });
    const paidBy = async (email: string) => {
      const charge = await gateway.charge({ customer: { ...goodCharge().customer, email } });
      await gateway.post(`/sandbox/transactions/${charge.body.data.id}/pay`);
      return email;
    };
    server.react = () => 451;
    const erased = await paidBy(newPayer());
    await failedOnce(erased);
    const erasure = await gateway.post('/admin/privacy/erase', { email: erased }, await admin());
    expect(erasure.body.data.erased).toBe(1);
    server.react = () => 'ACCEPT';
    await gateway.advance(60);
    await mailOf(await paidBy(newPayer()), 'SENT');
    for (const status of ['PENDING', 'FAILED']) {
      const listed = await gateway.get(`/admin/mails?status=${status}&take=100`, await admin());
      const addresses = listed.body.data.map(({ to }: { readonly to: string }) => to);
      expect(addresses.filter((to: string) => !to.includes('@'))).toEqual([]);
    }
  });
});

const TEXT = { sender: 'Vereda', subject: 's', text: 't', html: 'h', unsubscribeUrl: undefined };
const mailTo = (to: string) => ({ ...TEXT, id: randomUUID(), to });
const soon = () => AbortSignal.timeout(10_000);

/** Sends mails to a server on loopback as outside the sandbox, by default with STARTTLS. */
async function senderTo(port: number, smtp: Partial<SmtpSettings> = {}) {
  const auth = { user: USER, pass: PASSWORD };
  const server = { host: '127.0.0.1', port, secure: false, requireTls: true, auth, ...smtp };
  const ca = await certificates.read(certificates.ca);
  return createMailSender({ smtp: server, from: 'mail@example.com', sandbox: false, ca });
}

/** Runs a test with an SMTP server of its own. */
async function withServer(
  options: SMTPServerOptions,
  run: (server: MailServer) => Promise<void>,
): Promise<void> {
  const own = await startMailServer(options);
  try {
    await run(own);
  } finally {
    await own.close();
  }
}

const acceptSlowly: SMTPServerOptions['onData'] = (stream, _session, callback) => {
  stream.on('end', () => setTimeout(callback, 25_000)).resume();
};

describe('an SMTP server', () => {
  it('gets no mail with an unknown certificate outside the sandbox', async () => {
    const smtp = { host: '127.0.0.1', port: server.port, secure: true, requireTls: false };
    const options = { smtp: { ...smtp, auth: { user: USER, pass: PASSWORD } }, from: 'mail@example.com' };
    const send = createMailSender({ ...options, sandbox: false });
    await expect(send(mailTo('ana@example.com'), soon())).rejects.toThrow('SMTP failed');
    const trusting = await senderTo(server.port, { secure: true });
    expect(await trusting(mailTo('ana@example.com'), soon())).toMatchObject({ isAccepted: true, code: 250 });
  });

  it('gets mails after STARTTLS, and neither mail nor password without it', async () => {
    const [key, cert] = [
      await certificates.read(certificates.serverKey),
      await certificates.read(certificates.serverCert),
    ];
    await withServer({ key, cert }, async ({ port, received }) => {
      const send = await senderTo(port);
      expect(await send(mailTo('ana@example.com'), soon())).toMatchObject({ isAccepted: true });
      expect(received).toHaveLength(1);
    });
    let commands = 0;
    const onAuth: SMTPServerOptions['onAuth'] = (_auth, _session, callback) => {
      commands += 1;
      callback(null, { user: USER });
    };
    const plain = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true, onAuth };
    await withServer(plain, async ({ port, received }) => {
      const send = await senderTo(port);
      await expect(send(mailTo('ana@example.com'), soon())).rejects.toThrow(TemporaryMailError);
      expect([received.length, commands]).toEqual([0, 0]);
    });
  });

  it('that refuses the password is tried again later', async () => {
    const send = await senderTo(server.port, { secure: true, auth: { user: USER, pass: 'wrong' } });
    const refused = await send(mailTo('ana@example.com'), soon()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TemporaryMailError);
    expect(refused).toMatchObject({ smtpCode: 535 });
  });

  it('that does not listen or answer is tried again later', async () => {
    const refusing = await senderTo(await freePort());
    await expect(refusing(mailTo('ana@example.com'), soon())).rejects.toThrow(TemporaryMailError);
    server.react = () => 'HANG';
    const hanging = await senderTo(server.port, { secure: true });
    const sending = hanging(mailTo('ana@example.com'), AbortSignal.timeout(300));
    await expect(sending).rejects.toThrow(TemporaryMailError);
    server.react = () => 'ACCEPT';
  });

  it('that accepts a mail after 25 seconds gets it once', { timeout: 60_000 }, async () => {
    const slow = { disabledCommands: ['STARTTLS', 'AUTH'], onData: acceptSlowly };
    await withServer(slow, async ({ port }) => {
      const send = await senderTo(port, { requireTls: false, auth: undefined });
      const sent = await send(mailTo('ana@example.com'), AbortSignal.timeout(50_000));
      expect(sent).toMatchObject({ isAccepted: true, code: 250 });
    });
  });

  it('gets one recipient and no header from names in an email', async () => {
    const send = await senderTo(server.port, { secure: true });
    const id = randomUUID();
    const hostile = 'Ana\r\nBcc: eve@example.com';
    const mail = { ...TEXT, id, to: 'ana@example.com, eve@example.com', sender: hostile, subject: hostile };
    await send(mail, soon()).catch(() => undefined);
    await send({ ...mail, to: 'ana@example.com' }, soon());
    const mails = server.received.filter(({ messageId }) => messageId.includes(id));
    expect(mails.map(({ to }) => to)).toEqual([['ana@example.com']]);
    expect(mails[0]?.raw).not.toMatch(/^Bcc:/im);
  });
});
