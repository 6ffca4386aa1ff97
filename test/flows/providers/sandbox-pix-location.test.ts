import { createHash, createPublicKey, X509Certificate } from 'node:crypto';

import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { decodeBrCode } from '#test/support/pix-decoder.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode } from '#test/support/node.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
});
afterAll(() => gateway.stop());

/** What a wallet app does with a code: it reads the location and requests it. */
function open(code: string): Promise<Response> {
  const decoding = decodeBrCode(code);
  if (!decoding.ok) throw new Error(decoding.failure);
  return fetch(`http://${decoding.brCode.location}`);
}

const charged = async (changes: Readonly<Record<string, unknown>> = {}) => {
  const made = await gateway.charge(changes);
  expect(made.status).toBe(201);
  return made.body.data;
};

const keySetOf = async (url: string): Promise<string> => (await fetch(new URL('/pix/jwks.json', url))).text();

describe('the signing key of the payload', () => {
  it('is the same for all processes of an installation, and different in others', async () => {
    const [node, other] = [
      await startNode({ databaseUrl: gateway.database.url }),
      await startTestGateway({ worker: false }),
    ];
    onTestFinished(async () => {
      await node.stop();
      await other.stop();
    });
    const [mine, second, foreign] = await Promise.all(
      [gateway, node, other].map(({ baseUrl }) => keySetOf(baseUrl)),
    );
    expect(JSON.parse(mine ?? '')).toEqual({ keys: [expect.objectContaining({ kty: 'RSA' })] });
    expect(second).toBe(mine);
    expect(foreign).not.toBe(mine);
  });
});

describe('the location of a sandbox BR Code', () => {
  it('returns the payload of the transaction as a JWS that its key set verifies', async () => {
    const charge = await charged({ amount: 12_345, description: 'private note', expiration: 1800 });
    const response = await open(charge.pix.qrcode);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/jose']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const jws = await response.text();

    const { alg, typ, kid, x5t, jku } = decodeProtectedHeader(jws);
    expect([alg, typ]).toEqual(['RS256', 'JWS']);
    const found = await fetch(String(jku));
    expect(found.headers.get('content-type')).toContain('application/jwk-set+json');
    const keys: JSONWebKeySet = JSON.parse(await found.text());
    expect(keys.keys).toMatchObject([{ kid, x5t, kty: 'RSA' }]);
    expect(keys.keys[0]).not.toHaveProperty('d');
    const certificate = Buffer.from(keys.keys[0]?.x5c?.[0] ?? '', 'base64');
    expect(createHash('sha1').update(certificate).digest('base64url')).toBe(x5t);
    const parsed = new X509Certificate(certificate);
    expect(parsed.verify(createPublicKey({ key: keys.keys[0] ?? {}, format: 'jwk' }))).toBe(true);
    expect([parsed.subject, parsed.issuer]).toEqual(['CN=Vereda sandbox', 'CN=Vereda sandbox']);

    const { payload } = await compactVerify(jws, createLocalJWKSet(keys));
    const text = new TextDecoder().decode(payload);
    expect(JSON.parse(text)).toEqual({
      calendario: {
        criacao: charge.createdAt,
        apresentacao: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        expiracao: 1800,
      },
      txid: charge.id.replaceAll('-', ''),
      revisao: 0,
      status: 'ATIVA',
      valor: { original: '123.45', modalidadeAlteracao: 0 },
      chave: expect.stringMatching(/^[0-9a-f-]{36}$/),
      solicitacaoPagador: expect.stringMatching(/^Pagamento a ./),
      infoAdicionais: [{ nome: 'Item 1', valor: expect.stringMatching(/^\d+ × ./) }],
    });
    for (const secret of ['private note', charge.customer.name, charge.sellerId ?? 'private note']) {
      expect(text).not.toContain(secret);
    }
  });

  it('also serves the Pix code of a boleto', async () => {
    const charge = await charged({ method: 'BOLETO' });
    const txid = charge.id.replaceAll('-', '');
    expect((await fetch(`${new URL(charge.boleto.url).origin}/pix/${txid}`)).status).toBe(200);
  });

  it('returns 410 for a paid, canceled or expired transaction, and 404 for an unknown one', async () => {
    const [paid, cancelled, expired] = [await charged(), await charged(), await charged({ expiration: 60 })];
    await gateway.post(`/sandbox/transactions/${paid.id}/pay`);
    await gateway.post(`/transactions/${cancelled.id}/cancel`);
    await gateway.advance(61);
    for (const { pix } of [paid, cancelled, expired]) {
      const response = await open(pix.qrcode);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        410,
        expect.stringContaining('application/problem+json'),
      ]);
      expect(await response.json()).toMatchObject({
        type: 'https://pix.bcb.gov.br/api/v2/error/CobPayloadNaoEncontrado',
        status: 410,
      });
    }
    const origin = new URL(paid.pix.qrcodeUrl).origin;
    expect((await fetch(`${origin}/pix/${'0'.repeat(32)}`)).status).toBe(404);
    expect((await fetch(paid.pix.qrcodeUrl)).status).toBe(200);
  });
});
