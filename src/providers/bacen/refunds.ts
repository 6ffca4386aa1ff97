import type { FollowUpAnswer } from '#payments/operations/payment-provider.ts';
import type { BacenAnswer, BacenClient } from './client.ts';
import { Devolucao, refusalIn, shaped, valorOf } from './messages.ts';

export interface DevolucaoOrder {
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
  { id, amountCents, endToEndId }: DevolucaoOrder,
  deadline: AbortSignal,
): Promise<FollowUpAnswer> {
  const path = `/pix/${encodeURIComponent(endToEndId)}/devolucao/${devolucaoIdOf(id)}`;
  const answer = await client.ask({ method: 'PUT', path, body: { valor: valorOf(amountCents) } }, deadline);
  if (answer.status < 300) return outcomeOf(answer, amountCents);
  const refusal = refusalIn(answer.body);
  if (refusal === undefined) throw new Error(`the provider answered HTTP ${answer.status} without a reason`);
  const known = await client.ask({ method: 'GET', path }, deadline);
  if (known.status < 300) return outcomeOf(known, amountCents);
  if (known.status === 404 && refusalIn(known.body) !== undefined) {
    return { kind: 'refused', reason: `refused by the provider: ${refusal}` };
  }
  throw new Error(`the provider answered HTTP ${known.status} without a reason`);
}

function outcomeOf({ status, body }: BacenAnswer, amountCents: number): FollowUpAnswer {
  const devolucao = shaped(Devolucao, body);
  if (devolucao === undefined) {
    throw new Error(`the provider answered HTTP ${status} in a form that is not known`);
  }
  if (devolucao.valor !== valorOf(amountCents)) {
    return { kind: 'refused', reason: 'the provider has another return under this id' };
  }
  return wordOf(devolucao);
}

/** What a return's state means. An unknown one is not guessed at: it is asked for again. */
export function wordOf({ status, motivo, rtrId }: Devolucao): FollowUpAnswer {
  const reference = rtrId ?? null;
  if (status === 'DEVOLVIDO') return { kind: 'done', reference };
  if (status === 'NAO_REALIZADO') return { kind: 'refused', reason: reasonOf(motivo) };
  return { kind: 'working', reference };
}

/** The provider's own sentence, without numbers and addresses that may be somebody's. */
function reasonOf(motivo: string | undefined): string {
  const words = (motivo ?? '').replaceAll(/\S+/g, (word) => (/@|\d{3}/.test(word) ? '…' : word)).trim();
  return words === '' ? 'not carried out by the provider' : `not carried out by the provider: ${words}`;
}
