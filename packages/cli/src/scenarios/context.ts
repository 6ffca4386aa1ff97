import type { Body, Vereda } from '../../../sdk/src/index.ts';
import type { CommonOptions } from '../output.ts';

export interface Context {
  readonly vereda: Vereda;
  /** Cents. */
  readonly amount: number;
  /** What the payer of a MED claim reported. */
  readonly medType: Body<'sandboxClaimByMed'>['type'];
  readonly options: CommonOptions;
}

/** Simulates an event or a status. Returns the record that it is about. */
export type Scenario = (context: Context) => Promise<object>;

const DEADLINE_MS = 30_000;
const POLL_INTERVAL_MS = 250;
const DAY_MS = 86_400_000;

/** Reads a record until it is as wanted, for changes that the gateway makes on its own. */
export async function until<T>(read: () => Promise<T>, isWanted: (record: T) => boolean): Promise<T> {
  const end = performance.now() + DEADLINE_MS;
  for (;;) {
    const record = await read();
    if (isWanted(record)) return record;
    if (performance.now() > end)
      throw new Error(`the gateway did not make the change within ${DEADLINE_MS / 1000} seconds`);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

export interface SampleCard {
  readonly number: string;
  readonly holderName: string;
  readonly expirationMonth: number;
  readonly expirationYear: number;
  readonly cvv: string;
}

export const sampleCard = (number: string): SampleCard => ({
  number,
  holderName: 'ANA SOUZA',
  cvv: '123',
  expirationMonth: 12,
  expirationYear: 2099,
});

export const AUTHORIZED_CARD = '4111111111111111';
export const DECLINED_CARD = '4000000000000002';
export const EXPIRED_CARD = '4000000000000069';
export const PENDING_CARD = '4000000000000101';

/** A day in São Paulo, such as 2026-11-26. */
export const dayAfter = (time: string, days: number): string =>
  new Date(Date.parse(time) + days * DAY_MS).toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' });

/**
 * The time of the sandbox, whose clock may be ahead, read from a new record; a saved card has no
 * events.
 */
export async function readClock({ vereda }: Context): Promise<string> {
  const { cvv: _, ...card } = sampleCard(AUTHORIZED_CARD);
  const { id, createdAt } = await vereda.cardTokens.create(card);
  await vereda.cardTokens.delete(id);
  return createdAt;
}
