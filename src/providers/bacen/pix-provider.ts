import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';

import type { Clock } from '#platform/kit/clock.ts';
import { encodeDynamicBrCode, MAXIMUM_LOCATION_LENGTH } from '#formats/pix/br-code.ts';
import type {
  FollowUpAnswer,
  PixOrder,
  PixRail,
  PlacedPix,
  Refused,
} from '#payments/operations/payment-provider.ts';
import type { BacenAnswer, BacenClient } from './client.ts';
import { centsOf, Cob, refusalIn, shaped, valorOf } from './messages.ts';
import { sendDevolucao } from './refunds.ts';
import type { BacenSettings } from './settings.ts';

const MAX_NAME = 200;
/** What stands in a code that the gateway must write itself; the payload at the location says who is paid. */
const MERCHANT = { merchantName: 'RECEBEDOR', merchantCity: 'BRASIL' };

export interface BacenRailDeps {
  readonly name: string;
  readonly client: BacenClient;
  readonly settings: Pick<BacenSettings, 'chave'>;
  readonly clock: Clock;
}

/** Immediate charges (`cob`) of the PIX API under our own txid, which makes every call safe to repeat. */
export function bacenRail({ name, client, settings, clock }: BacenRailDeps): PixRail {
  async function find(
    order: PixOrder,
    deadline: AbortSignal,
  ): Promise<PlacedPix | Refused | { readonly kind: 'absent' }> {
    const answer = await client.ask({ method: 'GET', path: `/cob/${order.txid}` }, deadline);
    if (isCobMissing(answer)) return { kind: 'absent' };
    return placedOf(order, answer);
  }

  return {
    name,
    find,

    async place(order, deadline) {
      const body = bodyOf(order, settings.chave, clock.nowMs());
      const answer = await client.ask({ method: 'PUT', path: `/cob/${order.txid}`, body }, deadline);
      if (answer.status < 300) return placedOf(order, answer);
      const refusal = refusalIn(answer.body);
      if (refusal === undefined)
        throw new Error(`the provider answered HTTP ${answer.status} without a reason`);
      // One that was made by an earlier call, and paid since, is refused to be made again.
      const known = await find(order, deadline);
      if (known.kind !== 'absent') return known;
      return { kind: 'refused', reason: `refused by the provider: ${refusal}` };
    },

    async remove(txid, deadline): Promise<FollowUpAnswer> {
      const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
      const answer = await client.ask({ method: 'PATCH', path: `/cob/${txid}`, body }, deadline);
      if (answer.status < 300) return DONE;
      if (refusalIn(answer.body) === undefined) {
        throw new Error(`the provider answered HTTP ${answer.status} without a reason`);
      }
      // It was never there, or is no longer ATIVA: paid, or removed before.
      const now = await client.ask({ method: 'GET', path: `/cob/${txid}` }, deadline);
      if (isCobMissing(now)) return DONE;
      const cob = now.status < 300 ? shaped(Cob, now.body) : undefined;
      if (cob === undefined || cob.status === 'ATIVA')
        throw new Error('the provider did not remove a charge');
      return DONE;
    },

    refund: async ({ id, amountCents, paymentReference }, deadline) =>
      sendDevolucao(client, { id, amountCents, endToEndId: paymentReference }, deadline),
  };
}

const DONE = { kind: 'done', reference: null } as const;

/** A 404 that is the API's own word: one of a proxy in between says nothing about the charge. */
const isCobMissing = ({ status, body }: BacenAnswer): boolean =>
  (status === 404 || status === 410) && refusalIn(body) !== undefined;

function bodyOf(order: PixOrder, chave: string, nowMs: number) {
  const devedor = debtorOf(order);
  return {
    // From the provider's own clock on; a code that ends a moment early is better than one that outlives its charge.
    calendario: { expiracao: Math.max(1, Math.floor((order.expiresAt.getTime() - nowMs) / 1_000)) },
    valor: { original: valorOf(order.amountCents) },
    chave,
    ...(devedor === undefined ? {} : { devedor }),
  };
}

/** Only with a document that is one: the API refuses the whole charge for another, and needs none. */
function debtorOf({ payer: { name, document, documentType } }: PixOrder) {
  const nome = name.trim().slice(0, MAX_NAME);
  if (nome === '') return undefined;
  const plain = document.replaceAll(/[^0-9A-Z]/g, '');
  if (documentType === 'CPF') return isValidCpf(plain) ? { cpf: plain, nome } : undefined;
  return isValidCnpj(plain, { version: 2 }) ? { cnpj: plain, nome } : undefined;
}

function placedOf(order: PixOrder, { status, body }: BacenAnswer): PlacedPix | Refused {
  const cob = status < 300 ? shaped(Cob, body) : undefined;
  if (cob === undefined) throw new Error(`the provider answered HTTP ${status} in a form that is not known`);
  if (centsOf(cob.valor.original) !== order.amountCents) {
    return { kind: 'refused', reason: 'the provider has another charge under this id' };
  }
  if (cob.status.startsWith('REMOVID')) return { kind: 'refused', reason: 'removed at the provider' };
  return { kind: 'placed', code: codeOf(cob, order), reference: order.txid };
}

function codeOf({ pixCopiaECola, location, loc }: Cob, { amountCents }: PixOrder): string {
  if (pixCopiaECola !== undefined && pixCopiaECola !== '') return pixCopiaECola;
  const host = (location ?? loc?.location ?? '').replace(/^https?:\/\//, '');
  if (host === '' || host.length > MAXIMUM_LOCATION_LENGTH) {
    throw new Error('the provider answered neither a code nor a location to make one of');
  }
  return encodeDynamicBrCode({ location: host, amountCents, ...MERCHANT });
}
