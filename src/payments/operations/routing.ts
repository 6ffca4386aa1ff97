/** What providers are called for: charges of a payment method, and withdrawals. */
export const ROUTED_METHODS = ['PIX', 'BOLETO', 'CREDIT_CARD', 'PAYOUT'] as const;
export type RoutedMethod = (typeof ROUTED_METHODS)[number];

/**
 * Which of the configured providers are called for something new, and in which order. Operators
 * change both while the gateway runs.
 */
export interface ProviderRouting {
  /** Returns the providers in the order in which they are tried, without those that are paused. */
  select<Provider extends { readonly name: string }>(
    method: RoutedMethod,
    providers: readonly Provider[],
  ): Promise<readonly Provider[]>;
  /** Whether every configured provider of the method is paused. */
  isPaused(method: RoutedMethod): Promise<boolean>;
}
