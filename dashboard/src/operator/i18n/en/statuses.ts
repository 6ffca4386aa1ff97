import type { Text } from '../../../i18n/texts.ts';
import type { statuses as pt } from '../pt/statuses.ts';

export const statuses: Text<typeof pt> = {
  sellerStatus: {
    PENDING: { word: 'Pending', means: 'Created, but cannot operate yet.' },
    ACTIVE: { word: 'Active', means: 'Can charge, receive and withdraw.' },
    SUSPENDED: { word: 'Suspended', means: 'Cannot charge or withdraw until reactivated.' },
    CLOSED: { word: 'Closed', means: 'Account closed.' },
  },
  disputeStatus: {
    OPEN: { word: 'Awaiting response', means: 'The seller can still respond.' },
    UNDER_REVIEW: { word: 'Needs decision', means: 'The seller has responded. Operations decides.' },
    RESOLVED: { word: 'Won by seller', means: "Decided in the seller's favor. The amount was released." },
    REJECTED: { word: 'Lost by seller', means: "Decided in the payer's favor. The amount was debited." },
  },
  reversalStatus: {
    PENDING: { word: 'Queued', means: 'Will be sent to the provider automatically.' },
    SENT: { word: 'Sent', means: 'The amount was returned to the payer.' },
    MANUAL: { word: 'Manual action', means: 'Cannot be sent automatically. Return it outside the system.' },
  },
  providerEventStatus: {
    APPLIED: { word: 'Applied', means: 'The record was updated.' },
    LATE: { word: 'Late', means: 'Payment for a final transaction. It is returned to the payer.' },
    DUPLICATE: { word: 'Duplicate', means: 'The transaction was already paid. It is returned to the payer.' },
    WRONG_AMOUNT: { word: 'Wrong amount', means: 'Not the amount charged. It is returned to the payer.' },
    REJECTED: { word: 'Rejected', means: "Incompatible with the record's status. Nothing changed." },
    NOTED: { word: 'Informational', means: 'Stored for reference only.' },
    REPEATED: { word: 'Repeated', means: 'Already processed.' },
    WAITING: { word: 'Pending', means: 'Not processed yet.' },
    UNMATCHED: {
      word: 'Unmatched',
      means: 'Matches no known record or contradicts the provider. Investigate.',
    },
    PENDING: { word: 'Unconfirmed', means: 'Nothing changes until the provider confirms it.' },
  },
  dayStatus: {
    BALANCED: { word: 'Balanced', means: 'The file matches the ledger.' },
    DIFFERENT: { word: 'Mismatched', means: 'The file and the ledger differ.' },
    NO_FILE: { word: 'No file', means: "The day's file has not been imported yet." },
  },
  providerStatus: {
    CLOSED: { word: 'Operational', means: 'Receives calls normally.' },
    HALF_OPEN: { word: 'Recovering', means: 'The next call decides whether it is back.' },
    OPEN: { word: 'Down', means: 'Failed five times in a row. Calls are suspended.' },
  },
  componentStatus: {
    UP: { word: 'Operational', means: 'Responding.' },
    DOWN: { word: 'Down', means: 'Not responding.' },
  },
};
