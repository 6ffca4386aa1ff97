/** What a report did. UNMATCHED ones fit no record: nobody knows what they claim to be about, or their id told something else before. */
export const PROVIDER_EVENT_OUTCOMES = [
  'APPLIED',
  'LATE',
  'DUPLICATE',
  'WRONG_AMOUNT',
  'REJECTED',
  'UNMATCHED',
] as const;
export type ProviderEventOutcome = (typeof PROVIDER_EVENT_OUTCOMES)[number];
