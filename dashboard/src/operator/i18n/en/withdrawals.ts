import type { Text } from '../../../i18n/texts.ts';
import type { withdrawals as pt } from '../pt/withdrawals.ts';

export const withdrawals: Text<typeof pt> = {
  withdrawals: {
    title: 'Withdrawals',
    one: 'Withdrawal',
    intro: 'Oldest first.',
    introAll: 'Newest first.',
    viewPending: 'To approve',
    viewInTransit: 'In progress',
    viewUnpaid: 'Rejected and failed',
    viewAll: 'All',
    total: 'Total:',
    emptyTitle: 'No withdrawals to approve',
    emptyHint: 'New withdrawals appear here automatically.',
    approve: 'Approve',
    reject: 'Reject',
    approveTitle: 'Approve withdrawal of {{amount}}?',
    approveDescription:
      '{{net}} will be sent to {{destination}}, as requested by {{seller}}. The transfer goes to ' +
      'the payment provider, or to the bank in the next remittance file. It cannot be undone after that.',
    approveFirstDescription:
      "The seller's withdrawals in the 24 hours up to this one exceed the limit and require two approvals. " +
      'Yours will be recorded, and {{net}} will be sent to {{destination}} once another person approves.',
    approved: 'Withdrawal of {{amount}} approved',
    firstRecorded: 'First approval recorded. Another person must approve.',
    rejectTitle: 'Reject withdrawal of {{amount}}?',
    rejectDescription: "{{amount}} will be returned to {{seller}}'s available balance.",
    rejected: 'Withdrawal of {{amount}} rejected',
    reasonHint: 'The seller will see this reason.',
    commonReasons: 'Common reasons:',
    reasons: {
      beneficiary: 'Unrecognized beneficiary',
      fraud: 'Suspected fraud',
      data: 'Data mismatch',
      documents: 'Missing documents',
    },
    needsTwo: 'Requires approval by two people.',
    approvals: '{{given}} of {{needed}} approvals',
    approvedBy: 'Approved by: {{names}}',
    approvalsGiven: 'Approvals',
    youApproved: 'You already approved this withdrawal. Another person must approve it.',
    warnings: 'Risk signals',
    transfer: 'Transfer',
    beneficiary: 'Beneficiary',
    holder: 'Key holder',
    owner: 'Destination belongs to',
    owners: { seller: 'The seller', other: 'Someone else', unknown: 'Not confirmed' },
    netAmount: 'Net amount',
    rollingAmount: 'Withdrawals in the 24 hours up to this one',
    waitsForSeller:
      'The seller is not active. The withdrawal will be paid once the seller is active. ' +
      'You can also reject it.',
    history: 'Other withdrawals',
    noHistory: 'No other withdrawals.',
    allOfSeller_one: "View the seller's {{count, number}} withdrawal",
    allOfSeller_other: "View all {{count, number}} of the seller's withdrawals",
  },
  warnings: {
    otherHolder: 'The Pix key or bank account belongs to someone other than the seller.',
    firstUse: 'The seller has never used this destination before.',
    notActive: 'The seller is not active.',
    young_zero: 'The seller was created less than 1 day ago.',
    young_one: 'The seller was created {{count, number}} day ago.',
    young_other: 'The seller was created {{count, number}} days ago.',
    first: 'No withdrawal has been paid to this seller yet.',
    disputes_one: '{{count, number}} open dispute.',
    disputes_other: '{{count, number}} open disputes.',
    chargebacks_one: '{{count, number}} chargeback in the last {{days}} days.',
    chargebacks_other: '{{count, number}} chargebacks in the last {{days}} days.',
    negative: 'The available balance is negative.',
  },
};
