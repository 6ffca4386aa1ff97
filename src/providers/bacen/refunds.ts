import type { Reason } from '#payments/transactions/reasons.ts';
import type { OperationResponse } from '#payments/operations/payment-provider.ts';
import type { BacenResponse, BacenClient } from './client.ts';
import { centsOf, Devolucao, describeProblem, parseAs, valorOf } from './messages.ts';

export interface DevolucaoRequest {
  /** Our id of the refund, a UUID. */
  readonly id: string;
  readonly amountCents: number;
  readonly endToEndId: string;
}

/** The API limits ids to 35 letters and digits. */
export const devolucaoIdOf = (id: string): string => id.replaceAll('-', '');

/**
 * Refunds a payment, wholly or in part, under our own id. The API rejects a repeated id; the state
 * of the first request is then read instead.
 */
export async function sendDevolucao(
  client: BacenClient,
  { id, amountCents, endToEndId }: DevolucaoRequest,
  deadline: AbortSignal,
): Promise<OperationResponse> {
  const path = `/pix/${encodeURIComponent(endToEndId)}/devolucao/${devolucaoIdOf(id)}`;
  const response = await client.request(
    { method: 'PUT', path, body: { valor: valorOf(amountCents) } },
    deadline,
  );
  if (response.status < 300) return outcomeOfResponse(response, amountCents);
  const refusal = describeProblem(response.body);
  if (refusal === undefined)
    throw new Error(`the provider responded with HTTP ${response.status} without a reason`);
  const existing = await client.request({ method: 'GET', path }, deadline);
  if (existing.status < 300) return outcomeOfResponse(existing, amountCents);
  if (existing.status === 404 && describeProblem(existing.body) !== undefined) {
    return { kind: 'refused', reason: `refused by the provider: ${refusal}` };
  }
  throw new Error(`the provider responded with HTTP ${existing.status} without a reason`);
}

function outcomeOfResponse({ status, body }: BacenResponse, amountCents: number): OperationResponse {
  const devolucao = parseAs(Devolucao, body);
  if (devolucao === undefined) {
    throw new Error(`the provider responded with HTTP ${status} with a malformed body`);
  }
  if (centsOf(devolucao.valor) !== amountCents) {
    return { kind: 'refused', reason: 'the provider has a different refund with this id' };
  }
  return outcomeOfDevolucao(devolucao);
}

/** Maps the state of a refund. An unknown state counts as pending and is read again. */
export function outcomeOfDevolucao({ status, motivo, rtrId }: Devolucao): OperationResponse {
  const reference = rtrId ?? null;
  if (status === 'DEVOLVIDO') return { kind: 'done', reference };
  if (status === 'NAO_REALIZADO') return { kind: 'refused', reason: reasonOf(motivo) };
  return { kind: 'pending', reference };
}

/** The provider's reason, without numbers and addresses, which may be personal data. */
function reasonOf(motivo: string | undefined): Reason {
  const words = (motivo ?? '').replaceAll(/\S+/g, (word) => (/@|\d{3}/.test(word) ? '…' : word)).trim();
  return words === '' ? 'not carried out by the provider' : `not carried out by the provider: ${words}`;
}
