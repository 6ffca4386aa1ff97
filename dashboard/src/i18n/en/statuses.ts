import type { Text } from '../texts.ts';
import type { statuses as words } from '../pt/statuses.ts';

export const statuses: Text<typeof words> = {
  method: { PIX: 'Pix', BOLETO: 'Boleto', CREDIT_CARD: 'Card', CARD: 'Card', CRYPTO: 'Crypto' },
  chargeStatus: {
    PENDING: { word: 'Pending', means: 'Waiting for the payment.' },
    WAITING_PAYMENT: { word: 'Pending', means: 'Waiting for the payment.' },
    PROCESSING: { word: 'Processing', means: 'The payment is being confirmed.' },
    AUTHORIZED: {
      word: 'Authorized',
      means: 'The amount is reserved on the card. Capture it to receive it.',
    },
    PAID: { word: 'Paid', means: 'The payment is confirmed.' },
    FAILED: { word: 'Not completed', means: 'The charge expired, was canceled or failed.' },
    EXPIRED: { word: 'Expired', means: 'The time to pay ran out.' },
    CANCELED: { word: 'Canceled', means: 'The charge was canceled before it was paid.' },
    DECLINED: { word: 'Declined', means: 'The payment was not approved.' },
    REFUSED: { word: 'Refused', means: 'Refused by the risk review or the provider.' },
    REFUNDED: { word: 'Refunded', means: 'The amount was returned to the payer.' },
    CHARGEDBACK: { word: 'Chargeback', means: 'The card issuer reversed the payment (chargeback).' },
    DISPUTE: {
      word: 'Disputed',
      means: 'The payer disputed the charge. The amount is held until the decision.',
    },
  },
  withdrawalStatus: {
    PENDING: { word: 'In review', means: 'Waiting for approval. The amount is reserved.' },
    APPROVED: { word: 'Approved', means: 'It will be sent to the bank shortly.' },
    PROCESSING: { word: 'Processing', means: 'The bank is making the transfer.' },
    PAID: { word: 'Paid', means: 'The amount has reached its destination.' },
    REJECTED: {
      word: 'Rejected',
      means: 'The withdrawal was not approved. The amount is back in the balance.',
    },
    FAILED: { word: 'Failed', means: 'The bank could not complete it. The amount is back in the balance.' },
  },
  disputeStatus: {
    OPEN: {
      word: 'Response needed',
      means: 'Respond before the deadline. Without a response, the dispute is lost.',
    },
    UNDER_REVIEW: { word: 'In review', means: 'Your response was sent and is being reviewed.' },
    RESOLVED: { word: 'Won', means: 'Decided in your favor. The amount was released.' },
    REJECTED: { word: 'Lost', means: 'The amount was returned to the payer.' },
  },
  deliveryStatus: {
    PENDING: { word: 'Queued', means: 'It will be sent or retried shortly.' },
    DELIVERED: { word: 'Delivered', means: 'Your server confirmed receipt.' },
    FAILED: { word: 'Failed', means: 'All attempts failed. Fix the cause and resend it.' },
    HELD: { word: 'Held', means: 'The webhook is disabled. Enable it and resend.' },
  },
  webhookStatus: {
    ACTIVE: { word: 'Active', means: 'Receives events.' },
    DISABLED: { word: 'Disabled', means: 'Receives no events. They are held and can be resent.' },
  },
  eventNames: {
    TRANSACTION_UPDATED: "A charge's status changed",
    WITHDRAWAL_UPDATED: "A withdrawal's status changed",
    DISPUTE_UPDATED: 'A dispute was opened, appealed or closed',
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
    DISPUTE_HELD: 'Held for dispute',
    DISPUTE_RELEASED: 'Dispute won; funds released',
    DISPUTE_LOST: 'Dispute lost',
    WITHDRAWAL_RESERVED: 'Reserved for withdrawal',
    WITHDRAWAL_RETURNED: 'Withdrawal not completed; funds returned',
    WITHDRAWAL_PAID: 'Withdrawal paid',
    WITHDRAWAL_FEE: 'Withdrawal fee',
  },
};
