import type { PixIssuer } from '#payments/transactions/new-transaction.ts';

/** A PIX rail. It makes the code of a charge; what happens to the charge comes back through the door for reports. */
export interface LocalPixProvider extends PixIssuer {
  readonly name: string;
}
