import type { OperationResponse } from '#payments/operations/payment-provider.ts';
import type { BacenResponse, BacenClient } from './client.ts';
import { Devolucao, describeProblem, parseAs, valorOf } from './messages.ts';

export interface DevolucaoRequest {
  /** Our id, a UUID. */
  readonly id: string;
  readonly amountCents: number;
  readonly endToEndId: string;
}

/** The API takes 35 letters and digits. */
export const devolucaoIdOf = (id: string): string => id.replaceAll('-', '');

/**
 * Sends money of a payment back, under our own id. A repeat is refused by the API because the id is used; what became of the
 * first one is then asked for.
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
    throw new Error(`the provider answered HTTP ${response.status} without a reason`);
  const known = await client.request({ method: 'GET', path }, deadline);
  if (known.status < 300) return outcomeOfResponse(known, amountCents);
  if (known.status === 404 && describeProblem(known.body) !== undefined) {
    return { kind: 'refused', reason: `refused by the provider: ${refusal}` };
  }
  throw new Error(`the provider answered HTTP ${known.status} without a reason`);
}

function outcomeOfResponse({ status, body }: BacenResponse, amountCents: number): OperationResponse {
  const devolucao = parseAs(Devolucao, body);
  if (devolucao === undefined) {
    throw new Error(`the provider answered HTTP ${status} in a form that is not known`);
  }
  if (devolucao.valor !== valorOf(amountCents)) {
    return { kind: 'refused', reason: 'the provider has another return under this id' };
  }
  return outcomeOfDevolucao(devolucao);
}

/** What a return's state means. An unknown one is not guessed at: it is asked for again. */
export function outcomeOfDevolucao({ status, motivo, rtrId }: Devolucao): OperationResponse {
  const reference = rtrId ?? null;
  if (status === 'DEVOLVIDO') return { kind: 'done', reference };
  if (status === 'NAO_REALIZADO') return { kind: 'refused', reason: reasonOf(motivo) };
  return { kind: 'pending', reference };
}

/** The provider's own sentence, without numbers and addresses that may be somebody's. */
function reasonOf(motivo: string | undefined): string {
  const words = (motivo ?? '').replaceAll(/\S+/g, (word) => (/@|\d{3}/.test(word) ? '…' : word)).trim();
  return words === '' ? 'not carried out by the provider' : `not carried out by the provider: ${words}`;
}
