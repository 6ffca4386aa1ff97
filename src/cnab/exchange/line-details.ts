import type { TextOf } from '#platform/kit/templates.ts';

/** Templates of the explanations why a line of a return file changed nothing, or not all. */
export const LINE_DETAILS = [
  'already reported',
  'already reported for another record',
  'no such record',
  'no such transaction',
  'no such withdrawal',
  'is REGISTERED',
  'is REJECTED',
  'the amount is zero',
  'the amount differs from the transaction: the payment is returned to the payer',
  'the transaction is paid already: the payment is returned to the payer',
  'the transaction had already ended',
  'the transaction had already ended: the payment is returned to the payer',
  'the date {date} lies in the future',
  'the bank had reported it as paid: ask the bank',
  'the bank had rejected it before: write it off at the bank',
  'the bank reported {cents} instead of {otherCents}: ask the bank',
  'the transaction cannot go from {from} to {to}',
  'the withdrawal cannot go from {withdrawalFrom} to {withdrawalTo}',
  'payment with an unknown movement code: ask the bank',
  'outcome unknown: ask the bank',
  'processing failed: accept it to try again',
] as const;

export type LineDetail = TextOf<(typeof LINE_DETAILS)[number]>;

const UNPROCESSED =
  /(?:^|; )(?:the date [0-9-]+ lies in the future|processing failed: accept it to try again)$/;

/** Whether a line with this detail was not processed. Accepting it processes it. */
export const isUnprocessed = (detail: string | null): boolean => detail !== null && UNPROCESSED.test(detail);
