/** The actions that the audit log records. */
export const ACTIONS = [
  'seller.created',
  'seller.updated',
  'fees.replaced',
  'application.created',
  'application.updated',
  'application.document-added',
  'application.document-deleted',
  'application.submitted',
  'application.question-asked',
  'application.approved',
  'application.rejected',
  /** The worker deleted what an applicant had presented. */
  'application.erased',
  'user.created',
  'user.updated',
  'user.deleted',
  'user.password-changed',
  'user.two-factor-enabled',
  'user.two-factor-disabled',
  'user.recovery-code-used',
  'user.two-factor-begun',
  'user.invited',
  'user.invitation-withdrawn',
  'user.password-reset',
  'user.notifications-chosen',
  'user.passkey-added',
  'user.passkey-renamed',
  'user.passkey-deleted',
  /** A step-up: the user was verified again in a session. */
  'user.verified',
  'user.second-factor-reset-requested',
  'user.second-factor-reset-canceled',
  /** The worker removed the second factors after the waiting time. */
  'user.second-factor-reset',
  'user.sign-in',
  'user.sign-in-failed',
  'user.sign-out',
  'user.session-ended',
  'user.refresh-token-reused',
  /** A wrong password or code of a signed-in user. */
  'user.verification-failed',
  'access.refused',
  'personal-data.read',
  'api-key.created',
  'api-key.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret-rotated',
  'postback-secret.read',
  'postback-secret.rotated',
  'withdrawal.created',
  /** The first of two approvals. The withdrawal stays pending. */
  'withdrawal.approval-recorded',
  'withdrawal.approved',
  'withdrawal.rejected',
  'transaction.captured',
  'transaction.voided',
  'transaction.canceled',
  'transaction.refunded',
  'transaction.review-approved',
  'transaction.review-refused',
  'risk-rule.created',
  'risk-rule.updated',
  'risk-rule.deleted',
  'risk-list.entry-added',
  'risk-list.entry-removed',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'card-token.deleted',
  'payment-link.created',
  'payment-link.updated',
  'subscription.created',
  'subscription.updated',
  'subscription.canceled',
  'subscription.paused',
  'subscription.resumed',
  'subscription.invoice-retried',
  'dispute.opened',
  'dispute.appealed',
  'dispute.resolved',
  'dispute.attachment-added',
  'dispute.message-added',
  'reversal.settled',
  'settings.updated',
  'provider.order-changed',
  'provider.paused',
  'provider.resumed',
  'seller-settings.updated',
  'mail.retried',
  'approval.requested',
  'approval.approved',
  'approval.rejected',
  'admin.recovered',
  'database.restored',
  'database.restore-confirmed',
  'provider-cost.replaced',
  'settlement-file.imported',
  'cnab-shipment.created',
  'cnab-return.imported',
  'cnab-return-line.accepted',
  'cnab-return-line.dismissed',
  'sandbox.clock-advanced',
  'encryption-keys.rotated',
  'encryption-keys.rewrapped',
  'payer.exported',
  'payer.erased',
] as const;

export type Action = (typeof ACTIONS)[number];

export type RecordType =
  | 'database'
  | 'seller'
  | 'fees'
  | 'application'
  | 'user'
  | 'operation'
  | 'api-key'
  | 'webhook'
  | 'postback-secret'
  | 'withdrawal'
  | 'transaction'
  | 'customer'
  | 'card-token'
  | 'payment-link'
  | 'subscription'
  | 'dispute'
  | 'reversal'
  | 'risk-rule'
  | 'risk-list'
  | 'settings'
  | 'seller-settings'
  | 'mail'
  | 'invitation'
  | 'approval'
  | 'provider'
  | 'provider-cost'
  | 'settlement-file'
  | 'cnab-shipment'
  | 'cnab-return'
  | 'clock'
  | 'encryption-keys'
  | 'payer';
