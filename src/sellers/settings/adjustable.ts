/**
 * Settings of the environment that operators can change while the gateway runs, and their ranges.
 * Only settings whose wrong value neither weakens a credential nor stops the gateway.
 */
export const ADJUSTABLE = {
  signupsPerHour: { min: 1, max: 100_000 },
  checkoutUnpaidPerHour: { min: 1, max: 100_000 },
  checkoutDeclinesPerAddress: { min: 1, max: 100_000 },
  checkoutDeclinesPerLink: { min: 1, max: 100_000 },
  applicationRetentionDays: { min: 1, max: 3_650 },
  webhookLogDays: { min: 1, max: 3_650 },
} as const;

export type AdjustableName = keyof typeof ADJUSTABLE;
export type AdjustableSettings = Readonly<Record<AdjustableName, number>>;

export const isAdjustable = (name: string): name is AdjustableName => Object.hasOwn(ADJUSTABLE, name);

export const ADJUSTABLE_NAMES: readonly AdjustableName[] = Object.keys(ADJUSTABLE).filter(isAdjustable);

/** The values for every adjustable setting. */
export const mapAdjustable = <T>(
  valueOf: (name: AdjustableName) => T,
): Readonly<Record<AdjustableName, T>> => ({
  signupsPerHour: valueOf('signupsPerHour'),
  checkoutUnpaidPerHour: valueOf('checkoutUnpaidPerHour'),
  checkoutDeclinesPerAddress: valueOf('checkoutDeclinesPerAddress'),
  checkoutDeclinesPerLink: valueOf('checkoutDeclinesPerLink'),
  applicationRetentionDays: valueOf('applicationRetentionDays'),
  webhookLogDays: valueOf('webhookLogDays'),
});
