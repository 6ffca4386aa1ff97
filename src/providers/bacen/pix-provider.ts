import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';

import type { Clock } from '#platform/kit/clock.ts';
import { encodeDynamicBrCode, MAX_LOCATION_LENGTH } from '#formats/pix/br-code.ts';
import type {
  OperationResponse,
  PixRequest,
  PixProvider,
  CreatedPix,
  ProviderRefusal,
} from '#payments/operations/payment-provider.ts';
import type { BacenResponse, BacenClient } from './client.ts';
import { centsOf, Cob, describeProblem, nameOf, parseAs, valorOf } from './messages.ts';
import { sendDevolucao } from './refunds.ts';
import type { BacenSettings } from './settings.ts';

/** Placeholder in a BR Code that the gateway encodes. The payload at its location is complete. */
const MERCHANT = { merchantName: 'RECEBEDOR', merchantCity: 'BRASIL' };

export interface BacenPixProviderDeps {
  readonly name: string;
  readonly client: BacenClient;
  readonly settings: Pick<BacenSettings, 'chave'>;
  readonly clock: Clock;
}

/** Immediate charges (`cob`) of the Pix API. Our own txid makes every call safe to repeat. */
export function createBacenPixProvider({ name, client, settings, clock }: BacenPixProviderDeps): PixProvider {
  async function find(
    request: PixRequest,
    deadline: AbortSignal,
  ): Promise<CreatedPix | ProviderRefusal | { readonly kind: 'absent' }> {
    const response = await client.request({ method: 'GET', path: `/cob/${request.txid}` }, deadline);
    if (isCobMissing(response)) return { kind: 'absent' };
    return createdPixOf(request, response);
  }

  return {
    name,
    find,

    async create(request, deadline) {
      const body = bodyOf(request, settings.chave, clock.nowMs());
      const response = await client.request({ method: 'PUT', path: `/cob/${request.txid}`, body }, deadline);
      if (response.status < 300) return createdPixOf(request, response);
      const refusal = describeProblem(response.body);
      if (refusal === undefined)
        throw new Error(`the provider responded with HTTP ${response.status} without a reason`);
      // A charge that an earlier call created and the payer has paid cannot be created again.
      const existing = await find(request, deadline);
      if (existing.kind !== 'absent') return existing;
      return { kind: 'refused', reason: `refused by the provider: ${refusal}` };
    },

    async cancel(txid, deadline): Promise<OperationResponse> {
      const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
      const response = await client.request({ method: 'PATCH', path: `/cob/${txid}`, body }, deadline);
      if (response.status < 300) return DONE;
      if (describeProblem(response.body) === undefined) {
        throw new Error(`the provider responded with HTTP ${response.status} without a reason`);
      }
      // The charge never existed or is no longer ATIVA: it was paid or removed.
      const current = await client.request({ method: 'GET', path: `/cob/${txid}` }, deadline);
      if (isCobMissing(current)) return DONE;
      const cob = current.status < 300 ? parseAs(Cob, current.body) : undefined;
      if (cob === undefined || cob.status === 'ATIVA')
        throw new Error('the provider did not remove the charge');
      return DONE;
    },

    refund: async ({ id, amountCents, paymentReference }, deadline) =>
      sendDevolucao(client, { id, amountCents, endToEndId: paymentReference }, deadline),
  };
}

const DONE = { kind: 'done', reference: null } as const;

/** Whether the API itself reports the charge as missing. A 404 of a proxy says nothing about it. */
const isCobMissing = ({ status, body }: BacenResponse): boolean =>
  (status === 404 || status === 410) && describeProblem(body) !== undefined;

function bodyOf(request: PixRequest, chave: string, nowMs: number) {
  const devedor = debtorOf(request);
  return {
    // Counted from the provider's clock. Rounded down: the code must not outlive the transaction.
    calendario: { expiracao: Math.max(1, Math.floor((request.expiresAt.getTime() - nowMs) / 1_000)) },
    valor: { original: valorOf(request.amountCents) },
    chave,
    ...(devedor === undefined ? {} : { devedor }),
  };
}

/** The payer is optional, but the API rejects a charge whose payer has an invalid document. */
function debtorOf({ payer: { name, document, documentType } }: PixRequest) {
  const nome = nameOf(name);
  if (nome === '') return undefined;
  const number = document.replaceAll(/[^0-9A-Z]/g, '');
  if (documentType === 'CPF') return isValidCpf(number) ? { cpf: number, nome } : undefined;
  return isValidCnpj(number, { version: 2 }) ? { cnpj: number, nome } : undefined;
}

function createdPixOf(request: PixRequest, { status, body }: BacenResponse): CreatedPix | ProviderRefusal {
  const cob = status < 300 ? parseAs(Cob, body) : undefined;
  if (cob === undefined) throw new Error(`the provider responded with HTTP ${status} with a malformed body`);
  if (centsOf(cob.valor.original) !== request.amountCents) {
    return { kind: 'refused', reason: 'the provider has a different charge with this id' };
  }
  if (cob.status.startsWith('REMOVID')) return { kind: 'refused', reason: 'removed at the provider' };
  return { kind: 'created', code: codeOf(cob, request), reference: request.txid };
}

function codeOf({ pixCopiaECola, location, loc }: Cob, { amountCents }: PixRequest): string {
  if (pixCopiaECola !== undefined && pixCopiaECola !== '') return pixCopiaECola;
  const host = (location ?? loc?.location ?? '').replace(/^https?:\/\//, '');
  if (host === '' || host.length > MAX_LOCATION_LENGTH) {
    throw new Error('the provider returned neither a code nor a usable location');
  }
  return encodeDynamicBrCode({ location: host, amountCents, ...MERCHANT });
}
