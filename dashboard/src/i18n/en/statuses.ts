import type { Text } from '../texts.ts';
import type { statuses as texts } from '../pt/statuses.ts';

export const statuses: Text<typeof texts> = {
  method: {
    PIX: 'Pix',
    PIX_AUTOMATICO: 'Pix Automático',
    BOLETO: 'Boleto',
    CREDIT_CARD: 'Card',
    CARD: 'Card',
    CRYPTO: 'Crypto',
    TED: 'TED',
  },
  chargeStatus: {
    PENDING: { label: 'Pending', description: 'Waiting for payment.' },
    WAITING_PAYMENT: { label: 'Pending', description: 'Waiting for payment.' },
    IN_REVIEW: {
      label: 'In risk review',
      description:
        'Held by a risk rule. If the review approves it, the Pix code or boleto is issued, or the card ' +
        'is charged.',
    },
    PROCESSING: { label: 'Processing', description: 'The payment is being confirmed.' },
    AUTHORIZED: {
      label: 'Authorized',
      description: 'The amount is reserved on the card. Capture it to receive it.',
    },
    PAID: { label: 'Paid', description: 'The payment is confirmed.' },
    FAILED: { label: 'Not completed', description: 'The charge expired, was canceled or failed.' },
    EXPIRED: { label: 'Expired', description: 'The deadline for the payment or the capture has passed.' },
    CANCELED: { label: 'Canceled', description: 'The charge was canceled before it was paid.' },
    DECLINED: { label: 'Declined', description: 'The payment was not approved.' },
    REFUSED: {
      label: 'Refused',
      description: 'Refused by a risk rule, in a risk review or by the provider.',
    },
    PARTLY_REFUNDED: {
      label: 'Partially refunded',
      description: 'Part of the amount was refunded.',
    },
    REFUNDED: { label: 'Refunded', description: 'The amount was refunded.' },
    CHARGEDBACK: { label: 'Chargeback', description: 'The card issuer reversed the payment (chargeback).' },
    DISPUTE: {
      label: 'Disputed',
      description: 'The charge was disputed. The amount is on hold until the decision.',
    },
  },
  withdrawalStatus: {
    PENDING: { label: 'Pending approval', description: 'The amount is reserved until the decision.' },
    APPROVED: { label: 'Approved', description: 'The transfer will be submitted shortly.' },
    PROCESSING: { label: 'Processing', description: 'The transfer has been submitted.' },
    PAID: { label: 'Paid', description: 'The amount has reached its destination.' },
    REJECTED: {
      label: 'Rejected',
      description: 'The withdrawal was not approved. The amount is back in the balance.',
    },
    FAILED: {
      label: 'Failed',
      description: 'The transfer was not completed. The amount is back in the balance.',
    },
  },
  disputeStatus: {
    OPEN: {
      label: 'Awaiting your appeal',
      description: 'Appeal before the deadline. Without an appeal, the dispute is lost.',
    },
    UNDER_REVIEW: { label: 'Under review', description: 'Your appeal was submitted and is being reviewed.' },
    RESOLVED: { label: 'Won', description: 'Decided in your favor. The amount was released.' },
    REJECTED: {
      label: 'Lost',
      description: "Decided in the payer's favor. The amount was taken from your balance.",
    },
  },
  medStatus: {
    CREATED: { label: 'Requested', description: "The payer's bank claims the amount. It is on hold." },
    TRACKED: { label: 'Traced', description: 'The banks have traced where the money went.' },
    AWAITING_ANALYSIS: { label: 'Awaiting analysis', description: 'The banks will analyze the claim.' },
    ANALYSED: { label: 'Analyzed', description: 'The banks have decided. The amount is still on hold.' },
    REFUNDING: { label: 'Refunding', description: 'The claim was accepted. The bank returns the amount.' },
    COMPLETED: {
      label: 'Completed',
      description: 'The accepted amount was returned, or the claim was denied.',
    },
    CANCELLED: { label: 'Canceled', description: 'The claim was withdrawn. The amount was released.' },
  },
  deliveryStatus: {
    PENDING: { label: 'Queued', description: 'Waiting for the first attempt or the next retry.' },
    DELIVERED: { label: 'Delivered', description: 'Your server confirmed receipt.' },
    FAILED: {
      label: 'Failed',
      description: 'Not delivered, and not retried automatically. Fix the cause and resend it.',
    },
    HELD: {
      label: 'Held',
      description: 'Not sent, because the webhook was disabled. Enable the webhook, then resend.',
    },
  },
  linkStatus: {
    ACTIVE: { label: 'Active', description: 'Accepts payments.' },
    INACTIVE: { label: 'Deactivated', description: 'Accepts no new payments. You can reactivate it.' },
    EXPIRED: {
      label: 'Expired',
      description: 'The link has expired. Change “Valid until” to reactivate it.',
    },
    COMPLETED: { label: 'Completed', description: 'It has reached its maximum number of payments.' },
  },
  webhookStatus: {
    ACTIVE: { label: 'Active', description: 'Receives events.' },
    DISABLED: { label: 'Disabled', description: 'Receives no events. They are held and can be resent.' },
  },
  eventNames: {
    TRANSACTION_UPDATED: 'The status or refunded amount of a charge changed',
    WITHDRAWAL_UPDATED: "A withdrawal's status changed",
    DISPUTE_UPDATED: 'A dispute was opened, appealed or closed',
    SUBSCRIPTION_UPDATED: 'A subscription changed',
    SUBSCRIPTION_INVOICE_UPDATED: 'A subscription invoice changed',
    SUBSCRIPTION_CARD_REQUIRED: 'A subscription needs another card',
    PING: 'A webhook was tested',
  },
  cause: {
    PAYMENT: 'Payment received',
    PAYMENT_FEE: 'Payment fee',
    RELEASE: 'Funds released',
    REFUND: 'Refund',
    REFUND_RESERVED: 'Reserved for refund',
    REFUND_RETURNED: 'Refund not completed; funds released',
    REFUND_REVERSED: 'Refund reversed',
    CHARGEBACK: 'Chargeback',
    CHARGEBACK_FEE: 'Chargeback fee',
    DISPUTE_HELD: 'On hold for dispute',
    DISPUTE_RELEASED: 'Dispute won; funds released',
    DISPUTE_LOST: 'Dispute lost',
    WITHDRAWAL_RESERVED: 'Reserved for withdrawal',
    WITHDRAWAL_RETURNED: 'Withdrawal not completed; funds returned',
    WITHDRAWAL_PAID: 'Withdrawal paid',
    WITHDRAWAL_FEE: 'Withdrawal fee',
  },
};
