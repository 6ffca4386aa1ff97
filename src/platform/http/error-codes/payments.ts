import type { ErrorDescription } from './description.ts';

export const PAYMENT_ERRORS = {
  transaction_not_found: {
    status: 404,
    message: 'Transaction not found',
    cause: 'No transaction of the seller has this id.',
    remedy: 'Check the id, and that the credential belongs to the seller of the transaction.',
  },
  transaction_not_in_review: {
    status: 422,
    message: 'Transaction is not in review',
    cause:
      'The review was already decided, the transaction has ended, or the card provider has ' +
      'not responded yet.',
    remedy: 'Retrieve the transaction and check its `riskStatus` and `status`.',
  },
  risk_rule_not_found: {
    status: 404,
    message: 'Risk rule not found',
    cause: 'No risk rule has this id.',
    remedy: 'List the risk rules.',
  },
  risk_list_not_found: {
    status: 404,
    message: 'Risk list not found',
    cause: 'No risk list has this name.',
    remedy: 'Use one of the names in the API reference, such as `blocked-documents`.',
  },
  risk_list_entry_not_found: {
    status: 404,
    message: 'Risk list entry not found',
    cause: 'This value is not on the list.',
    remedy: 'List the values. Cards are listed by their fingerprint.',
  },
  risk_list_entry_exists: {
    status: 409,
    message: 'Risk list entry already exists',
    cause: 'This value is already on the list.',
    remedy: 'To change its note, delete the value and add it again.',
  },
  too_many_risk_rules: {
    status: 422,
    message: 'There are too many risk rules',
    cause: 'The gateway already has the maximum of 500 risk rules.',
    remedy: 'Delete rules that you no longer need.',
  },
  too_many_risk_list_entries: {
    status: 422,
    message: 'There are too many risk list entries',
    cause: 'The risk lists already have the maximum of 20,000 values in total.',
    remedy: 'Delete values that you no longer need.',
  },
  refund_not_found: {
    status: 404,
    message: 'Refund not found',
    cause: 'No refund of the seller has this id.',
    remedy: 'Use an id from the timeline of the transaction, `GET /v1/transactions/{id}/timeline`.',
  },
  dispute_not_found: {
    status: 404,
    message: 'Record Not Found',
    cause: 'No dispute of the seller has this id.',
    remedy: 'Check the id, and use a credential of the seller that has the dispute.',
  },
  attachment_not_found: {
    status: 404,
    message: 'Attachment not found',
    cause:
      "The dispute has no attachment with this id. Attachments are deleted when the payer's " +
      'data is erased.',
    remedy: 'List the attachments with `GET /v1/disputes/{id}/attachments`.',
  },
  application_not_found: {
    status: 404,
    message: 'Application not found',
    cause: 'No seller with this id has applied. A seller that the operator created has no application.',
    remedy: 'List the applications with `GET /v1/admin/applications`.',
  },
  document_not_found: {
    status: 404,
    message: 'Document not found',
    cause: 'The application has no document with this id, or it was deleted.',
    remedy: 'Retrieve the application, which lists its documents.',
  },
  invalid_transition: {
    status: 422,
    message: 'Transaction cannot go from PAID to FAILED',
    cause: 'The status of the record does not allow the action.',
    remedy:
      'Retrieve the record and check its `status`. It may have changed since you read it. Only a PAID ' +
      'transaction can be refunded: cancel an unpaid one, and void an authorized one.',
  },
  dispute_not_appealable: {
    status: 422,
    message: 'Dispute cannot be appealed',
    cause: 'The dispute is not OPEN: it was already appealed, its deadline has passed, or it has ended.',
    remedy: 'Retrieve the dispute and check its `status`.',
  },
  med_claim_open: {
    status: 422,
    message: 'Transaction cannot go from DISPUTE to REFUNDED',
    cause: 'A MED claim on the payment is open. An ordinary refund could return the payment twice.',
    remedy: 'Wait until the claim is decided. To accept it, let the deadline pass without an appeal.',
  },
  med_requires_pix: {
    status: 422,
    message: 'MED applies to Pix payments only',
    cause: 'The transaction is not a Pix payment.',
    remedy: 'Open an ordinary dispute.',
  },
  dispute_evidence_closed: {
    status: 422,
    message: 'Dispute no longer accepts evidence',
    cause: 'The deadline of the dispute has passed, or it has ended.',
    remedy: 'Retrieve the dispute and check its `status` and `appealUntil`.',
  },
  application_closed: {
    status: 422,
    message: 'The status of the application does not allow this',
    cause:
      'The applicant can change an application while it is DRAFT or QUESTION. The operator can decide ' +
      'until it is APPROVED, REJECTED or EXPIRED.',
    remedy: 'Retrieve the application and check its `status`.',
  },
  application_full: {
    status: 422,
    message: 'Application must have at most 10 documents',
    cause: 'The application has reached its limit of documents or messages.',
    remedy:
      'If there are too many documents, delete one, or combine pages or pictures into one PDF file. If ' +
      'there are too many messages, submit the application without `message`, or decide on it.',
  },
  too_much_evidence: {
    status: 422,
    message: 'Dispute must have at most 10 attachments',
    cause: 'The dispute has reached its limit of attachments or messages.',
    remedy: 'Combine several documents into one PDF file, and several remarks into one message.',
  },
  method_unavailable: {
    status: 422,
    message: 'No provider is configured for this method',
    cause: 'The operator of the gateway has not configured a provider for the method.',
    remedy: 'Use another method, or ask the operator to enable this one.',
  },
  method_paused: {
    status: 422,
    message: 'This payment method is temporarily unavailable',
    cause: 'The operator of the gateway has paused the providers of the method.',
    remedy: 'Use another method, or try again later.',
  },
  international_not_enabled: {
    status: 422,
    message: 'International transactions are not enabled',
    cause: 'The payment is international, and no provider settles currencies other than BRL.',
    remedy: 'Charge in BRL: omit `global` and `card.currency`.',
  },
  amount_below_fee: {
    status: 422,
    message: 'Amount does not cover the fee',
    cause: "The seller's fee is greater than or equal to the amount.",
    remedy: 'Use a higher amount. `GET /v1/sellers/me/fees` returns the fees of payments and withdrawals.',
  },
  amount_not_allowed: {
    status: 422,
    message: 'Amount must not be more than what is left to refund',
    cause: 'The amount of a refund, capture, dispute or simulated payment is outside its limits.',
    remedy:
      'Retrieve the transaction, and send at most the amount that is left. A simulated payment must ' +
      'have the amount of the transaction.',
  },
  refund_period_ended: {
    status: 422,
    message: 'Pix payments can be refunded for up to 90 days',
    cause: 'The payment is too old to be refunded with its payment method.',
    remedy: 'Return the money outside the gateway, for example by Pix from your bank account.',
  },
  insufficient_balance: {
    status: 422,
    message: 'Insufficient balance',
    cause:
      'The available balance is too low. For a withdrawal, it can also be the balance of its source ' +
      '(`withdrawFrom`).',
    remedy:
      'Retrieve the balance with `GET /v1/seller-wallet/gestao`. Use a lower amount or another ' +
      'balance source, or wait for the next release.',
  },
  event_already_used: {
    status: 422,
    message: 'The event was already reported for another transaction',
    cause:
      'The `reportId` of the simulated payment was used for another transaction. Each id can ' +
      'be used once.',
    remedy: 'Send a new `reportId`, or omit it.',
  },
} as const satisfies Record<string, ErrorDescription>;

export const PAYOUT_ERRORS = {
  withdrawal_not_found: {
    status: 404,
    message: 'Withdrawal not found',
    cause: 'No withdrawal of the seller has this id.',
    remedy: 'Check the id, and that the credential belongs to the seller of the withdrawal.',
  },
  withdrawal_already_approved: {
    status: 422,
    message: 'This user already approved the withdrawal; another ADMIN must approve it',
    cause:
      "The seller's withdrawals in 24 hours exceed `twoPersonApprovalAbove`, so two different ADMINs " +
      'must approve this one.',
    remedy: 'Ask another ADMIN to approve it.',
  },
} as const satisfies Record<string, ErrorDescription>;
