import type { Text } from '../../../i18n/texts.ts';
import type { statuses as pt } from '../pt/statuses.ts';

export const statuses: Text<typeof pt> = {
  sellerStatus: {
    PENDING: { label: 'Pending', description: 'Created, but cannot operate yet.' },
    ACTIVE: { label: 'Active', description: 'Can charge, receive and withdraw.' },
    SUSPENDED: { label: 'Suspended', description: 'Cannot charge or withdraw until reactivated.' },
    CLOSED: { label: 'Closed', description: 'Account closed.' },
  },
  withdrawalStatus: {
    PENDING: { label: 'To approve', description: 'Waiting for approval. The amount is reserved.' },
    APPROVED: {
      label: 'Approved',
      description: 'Will be sent to the provider or added to the next remittance file.',
    },
    PROCESSING: { label: 'Processing', description: 'The transfer is in progress.' },
    PAID: { label: 'Paid', description: 'The amount has reached its destination.' },
    REJECTED: { label: 'Rejected', description: "The amount was returned to the seller's balance." },
    FAILED: {
      label: 'Failed',
      description: "The transfer was not completed. The amount was returned to the seller's balance.",
    },
  },
  disputeStatus: {
    OPEN: { label: 'Awaiting appeal', description: 'The seller can still appeal.' },
    UNDER_REVIEW: {
      label: 'Needs decision',
      description:
        'The seller has appealed. If the provider opened the dispute, it decides. Otherwise, the ' +
        'operator does.',
    },
    RESOLVED: {
      label: 'Won by seller',
      description: "Decided in the seller's favor. The amount was released.",
    },
    REJECTED: {
      label: 'Lost by seller',
      description: "Decided in the payer's favor. The amount was debited.",
    },
  },
  reversalStatus: {
    PENDING: { label: 'Queued', description: 'Will be sent to the provider automatically.' },
    SENT: { label: 'Sent', description: 'The amount was returned to the payer.' },
    MANUAL: {
      label: 'Manual action',
      description: 'Cannot be sent automatically. Return it outside the system.',
    },
  },
  mailStatus: {
    PENDING: { label: 'Queued', description: 'Waiting for the first attempt or the next retry.' },
    SENT: { label: 'Sent', description: 'The mail server accepted it.' },
    KEPT: { label: 'Kept', description: 'Not sent. Shown under Test emails.' },
    FAILED: {
      label: 'Not delivered',
      description: 'There are no further attempts. Fix the cause and resend it.',
    },
  },
  providerEventStatus: {
    APPLIED: { label: 'Applied', description: 'The record was updated.' },
    LATE: {
      label: 'Late',
      description: 'Payment of a charge that had ended. The payment is returned to the payer.',
    },
    DUPLICATE: {
      label: 'Duplicate',
      description: 'The charge was already paid. This payment is returned to the payer.',
    },
    WRONG_AMOUNT: {
      label: 'Wrong amount',
      description: 'The amount differs from the charge. The payment is returned to the payer.',
    },
    REJECTED: { label: 'Rejected', description: "Incompatible with the record's status. Nothing changed." },
    NOTED: { label: 'Informational', description: 'Stored for reference only.' },
    REPEATED: { label: 'Repeated', description: 'Already processed.' },
    WAITING: { label: 'Pending', description: 'Not processed yet.' },
    UNMATCHED: {
      label: 'Unmatched',
      description: "Matches no known record, or differs from the provider's own response. Investigate.",
    },
    PENDING: { label: 'Unconfirmed', description: 'Nothing changes until the provider confirms it.' },
  },
  dayStatus: {
    BALANCED: { label: 'Balanced', description: 'The file matches the ledger.' },
    DIFFERENT: { label: 'Differences', description: 'The file and the ledger differ.' },
    NO_FILE: { label: 'No file', description: "The day's file has not been imported yet." },
    NO_FILE_DUE: {
      label: 'Nothing to compare',
      description: 'The file arrives on the next day. A day without movements needs no file.',
    },
  },
  providerStatus: {
    CLOSED: { label: 'Operational', description: 'Receives requests normally.' },
    HALF_OPEN: { label: 'Recovering', description: 'The next request decides whether it is operational.' },
    OPEN: { label: 'Down', description: 'Failed five times in a row. Not called for up to a minute.' },
  },
  checkStatus: {
    OK: { label: 'OK', description: 'Nothing to do.' },
    WARNING: { label: 'Warning', description: 'Nothing fails now, but something should be changed.' },
    FAILED: { label: 'Failed', description: 'Must be corrected.' },
  },
  componentStatus: {
    UP: { label: 'Operational', description: 'Responding.' },
    DOWN: { label: 'Down', description: 'Not responding.' },
  },
};
