/** Everything that is written into the audit log, and the only names it may have there. */
export const ACTIONS = [
  'seller.created',
  'seller.updated',
  'fees.replaced',
  'user.created',
  'user.updated',
  'user.deleted',
  'user.password-changed',
  'user.two-factor-enabled',
  'user.two-factor-disabled',
  'user.recovery-code-used',
  'api-key.created',
  'api-key.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret-rotated',
  /** The first of two approvals: the withdrawal still waits. */
  'withdrawal.approval-recorded',
  'withdrawal.approved',
  'withdrawal.rejected',
  'dispute.opened',
  'dispute.resolved',
  'reversal.settled',
  'settings.updated',
  'settlement-file.imported',
  'cnab-shipment.created',
  'cnab-return.imported',
  'sandbox.clock-advanced',
  'encryption-keys.rotated',
  'payer.exported',
  'payer.erased',
] as const;

export type Action = (typeof ACTIONS)[number];

export const RECORD_TYPES = [
  'seller',
  'fees',
  'user',
  'api-key',
  'webhook',
  'withdrawal',
  'dispute',
  'return',
  'settings',
  'settlement-file',
  'cnab-shipment',
  'cnab-return',
  'clock',
  'encryption-keys',
  'payer',
] as const;

export type RecordType = (typeof RECORD_TYPES)[number];
