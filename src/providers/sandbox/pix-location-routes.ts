/**
 * The location in a sandbox BR Code, which serves the payload of the charge as the Central Bank's
 * Pix API defines it (`GET /{pixUrlAccessToken}`, schema CobPayload): a signed JWS.
 */
import type { FastifyReply } from 'fastify';
import { CompactSign, exportJWK, type JWK } from 'jose';
import { Type } from 'typebox';

import { firstCharacters, toPlainText } from '#formats/text.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import type { App } from '#platform/http/server.ts';
import type { SellersService } from '#sellers/service.ts';
import { createPixSigningKeySource, type PixSigningKey, type PixSigningKeyDeps } from './pix-signing-key.ts';

interface PixLocationDeps extends PixSigningKeyDeps {
  readonly transactions: TransactionsService;
  readonly sellers: SellersService;
  readonly publicUrl: string;
}

const ALGORITHM = 'RS256';

/** The Pix key of every seller of the sandbox: a random key that belongs to nobody. */
const SANDBOX_PIX_KEY = '5f0c2a7e-3b1d-4c64-9a58-7e2d90b1f6a3';

const NOT_FOUND = {
  type: 'https://pix.bcb.gov.br/api/v2/error/CobPayloadNaoEncontrado',
  title: 'Not found',
};

const publicRoute = { config: { access: 'public' as const } };

export function sandboxPixLocationRoutes(app: App, deps: PixLocationDeps): void {
  const findSigningKey = createPixSigningKeySource(deps);
  app.get('/pix/jwks.json', { ...publicRoute, schema: { hide: true } }, async (_, reply) =>
    reply.type('application/jwk-set+json').send({ keys: [await toJwk(await findSigningKey())] }),
  );

  app.get(
    '/pix/:txid(^[0-9a-f]{32}$)',
    { ...publicRoute, schema: { hide: true, params: Type.Object({ txid: Type.String() }) } },
    async (request, reply): Promise<FastifyReply> => {
      const { txid } = request.params;
      reply.header('cache-control', 'no-store');
      const transaction = await deps.transactions.findById(idOfTxid(txid));
      if (transaction?.pix?.location !== `${deps.publicUrl}/pix/${txid}`) {
        return sendProblem(reply, 404, 'The location has no charge.');
      }
      const now = deps.clock.now();
      if (!isPayable(transaction, now)) {
        return sendProblem(reply, 410, 'The charge was paid, has expired or was canceled.');
      }
      const seller = await deps.sellers.find(transaction.sellerId);
      const payload = toCobPayload(transaction, seller?.name ?? '', now);
      const jws = await sign(payload, await findSigningKey(), deps.publicUrl);
      return reply.type('application/jose').send(jws);
    },
  );
}

function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  const body = JSON.stringify({ ...NOT_FOUND, status, detail });
  return reply.code(status).type('application/problem+json').send(body);
}

function isPayable({ status, pix }: Transaction, now: Date): boolean {
  const isWaiting = status === 'WAITING_PAYMENT' || status === 'PENDING';
  return isWaiting && pix !== null && now < pix.expiresAt;
}

/**
 * Lengths are those of the standard. Members for the seller's own use and the payer are omitted.
 */
function toCobPayload({ pix, amount, createdAt, items }: Transaction, sellerName: string, now: Date) {
  if (pix === null) throw new Error('a charge without Pix has no payload');
  return {
    calendario: {
      criacao: createdAt.toISOString(),
      apresentacao: now.toISOString(),
      expiracao: Math.round((pix.expiresAt.getTime() - createdAt.getTime()) / 1000),
    },
    txid: pix.txid,
    revisao: 0,
    status: 'ATIVA',
    valor: { original: toReais(amount), modalidadeAlteracao: 0 },
    chave: SANDBOX_PIX_KEY,
    solicitacaoPagador: firstCharacters(`Pagamento a ${toPlainText(sellerName)}`, 140),
    infoAdicionais: items.slice(0, 50).map(({ title, quantity }, index) => ({
      nome: `Item ${index + 1}`,
      valor: firstCharacters(`${quantity} × ${toPlainText(title)}`, 200),
    })),
  };
}

function toReais(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

async function sign(
  payload: object,
  { privateKey, thumbprint }: PixSigningKey,
  publicUrl: string,
): Promise<string> {
  const header = {
    alg: ALGORITHM,
    typ: 'JWS',
    kid: thumbprint,
    x5t: thumbprint,
    jku: `${publicUrl}/pix/jwks.json`,
  };
  return new CompactSign(Buffer.from(JSON.stringify(payload))).setProtectedHeader(header).sign(privateKey);
}

async function toJwk({ publicKey, certificate, thumbprint }: PixSigningKey): Promise<JWK> {
  return {
    ...(await exportJWK(publicKey)),
    kid: thumbprint,
    alg: ALGORITHM,
    key_ops: ['verify'],
    x5t: thumbprint,
    x5c: [certificate.raw.toString('base64')],
  };
}

function idOfTxid(txid: string): string {
  return txid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
