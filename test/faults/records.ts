import type { Client, goodCharge } from '#test/support/client.ts';

/** The longest wait for the gateway to finish its work. */
export const TIMEOUT_MS = 90_000;

export interface Seller {
  readonly id: string;
  readonly client: Client;
  /** Whether one of its webhooks receives all events. */
  readonly listens: boolean;
}

/** The state of a request: `asked` without a response, `done` or `refused` with one. */
export type Asked = 'no' | 'asked' | 'done' | 'refused';

/** A charge as an external client knows it. */
export interface Charge {
  readonly seller: Seller;
  readonly key: string;
  readonly method: 'PIX' | 'CREDIT_CARD';
  readonly body: ReturnType<typeof goodCharge>;
  /** The first acknowledged response, which every repeat must return. */
  created:
    | { readonly id: string; readonly net: number; readonly fee: number; readonly text: string }
    | undefined;
  /** The payment of a Pix charge, or the capture of a card. */
  paid: Asked;
  /**
   * The number of requests: one that was executed without a response causes later ones to be
   * rejected.
   */
  tries: number;
  readonly refund: Keyed & { readonly amount: number };
}

export interface Withdrawal extends Keyed {
  readonly seller: Seller;
  readonly amount: number;
  created: { readonly id: string } | undefined;
  paid: Asked;
  tries: number;
}

/** The request of an idempotency key. */
export interface Keyed {
  readonly key: string;
  asked: Asked;
  /** The first acknowledged response. */
  text: string | undefined;
}

/** What one seller created: its charges, and its withdrawals that were executed. */
export interface SellerRecords {
  readonly seller: Seller;
  readonly charges: readonly Charge[];
  readonly withdrawals: readonly Withdrawal[];
}
