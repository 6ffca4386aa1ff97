import type { TextOf } from '#platform/kit/templates.ts';

/** Templates of the names of the jobs that a provider adds to the worker. */
export const PROVIDER_JOBS = [
  'payments at {provider} (pix)',
  'payments at {provider} (returned)',
  'payment verification at {provider}',
  'registration of callbacks at {provider}',
  'recurring charges at {provider}',
] as const;

export type ProviderJobName = TextOf<(typeof PROVIDER_JOBS)[number]>;
