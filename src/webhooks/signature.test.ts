import { randomBytes } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret, signatureHeaders, signingKey } from './signature.ts';

const body = JSON.stringify({ type: 'charge.paid', data: { amount: 1050, payer: 'João 🐦' } });
const now = () => Math.floor(Date.now() / 1000);
const secretOf = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`;

describe('newWebhookSecret', () => {
  it('returns whsec_ and 32 random bytes', () => {
    const secret = newWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(newWebhookSecret()).not.toBe(secret);
  });
});

describe('signatureHeaders', () => {
  it('is accepted by the reference library', () => {
    const secret = newWebhookSecret();
    const headers = signatureHeaders({
      id: 'msg_1',
      timestampSeconds: now(),
      body,
      keys: [signingKey(secret)],
    });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(Object.keys(headers)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  });

  it('matches the vector of the specification', () => {
    const headers = signatureHeaders({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1_614_265_330,
      body: '{"test": 2432232314}',
      keys: [signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
    });
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is accepted with either secret during a rotation', () => {
    const [fresh, old, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const headers = signatureHeaders({
      id: 'msg_2',
      timestampSeconds: now(),
      body,
      keys: [fresh, old].map(signingKey),
    });
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(new Webhook(fresh).verify(body, headers)).toEqual(JSON.parse(body));
    expect(new Webhook(old).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(other).verify(body, headers)).toThrow(WebhookVerificationError);
  });

  it('is rejected after a change of body, id or timestamp', () => {
    const secret = newWebhookSecret();
    const timestampSeconds = now();
    const headers = signatureHeaders({ id: 'msg_3', timestampSeconds, body, keys: [signingKey(secret)] });
    const webhook = new Webhook(secret);
    expect(() => webhook.verify(`${body} `, headers)).toThrow(WebhookVerificationError);
    expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'msg_4' })).toThrow(
      WebhookVerificationError,
    );
    const later = { ...headers, 'webhook-timestamp': String(timestampSeconds + 1) };
    expect(() => webhook.verify(body, later)).toThrow(WebhookVerificationError);
  });

  it.each([24, 32, 64])('accepts a secret of %i bytes', (bytes) => {
    const secret = secretOf(bytes);
    const headers = signatureHeaders({
      id: 'msg_5',
      timestampSeconds: now(),
      body,
      keys: [signingKey(secret)],
    });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it.each([
    ['no secret', []],
    ['an empty secret', ['']],
    ['no prefix', [randomBytes(32).toString('base64')]],
    ['23 bytes', [secretOf(23)]],
    ['65 bytes', [secretOf(65)]],
    ['characters outside base64', ['whsec_!!!!AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=']],
    ['a valid and an invalid secret', [newWebhookSecret(), 'whsec_bad']],
  ])('rejects %s without quoting it', (_case, secrets) => {
    const make = () =>
      signatureHeaders({ id: 'msg_6', timestampSeconds: now(), body, keys: secrets.map(signingKey) });
    expect(make).toThrow(RangeError);
    expect(make).not.toThrow(secrets.findLast((secret) => secret !== '') ?? 'whsec_bad');
  });

  it.each([
    ['an empty id', '', 1],
    ['an id with a full stop', 'msg.1', 1],
    ['a fraction of a second', 'msg_7', 1.5],
    ['a time before 1970', 'msg_7', -1],
    ['a value that is not a number', 'msg_7', Number.NaN],
  ])('rejects %s', (_case, id, timestampSeconds) => {
    const keys = [signingKey(newWebhookSecret())];
    expect(() => signatureHeaders({ id, timestampSeconds, body, keys })).toThrow(RangeError);
  });
});
