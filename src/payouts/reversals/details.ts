import type { Reason } from '#payments/transactions/reasons.ts';
import type { TextOf } from '#platform/kit/templates.ts';

/** Templates of the explanations why a reversal requires manual action. */
export const REVERSAL_DETAILS = [
  'refused: {reason}',
  'outcome unknown: ask the provider whether it was sent before sending it again',
  'no provider is configured to return payments through {provider}',
  '{provider} cannot return {method} payments',
] as const;

export type ReversalDetail =
  | `refused: ${Reason}`
  | TextOf<Exclude<(typeof REVERSAL_DETAILS)[number], `refused${string}`>>;
