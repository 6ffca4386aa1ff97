import type { Text } from '../../../i18n/texts.ts';
import type { applications as texts } from '../pt/applications.ts';

export const applications: Text<typeof texts> = {
  applications: {
    title: 'Applications',
    intro: 'Sellers that applied for an account.',
    applicant: 'Seller',
    viewAll: 'All',
    viewSubmitted: 'Under review',
    viewQuestion: 'Waiting for answer',
    submitted: 'Submitted',
    emptyTitle: 'No applications',
    emptyHint: 'With SIGNUP=open, sellers apply on the sign-up page.',
    incomplete: 'The application is incomplete. Missing:',
    seller: 'View seller',
    ask: 'Ask a question',
    askTitle: 'Question for the owner',
    question: 'Question',
    questionHint: 'Sent by email. The owner can correct the application and submit it again.',
    asked: 'Question sent',
    approve: 'Approve',
    approveTitle: 'Approve {{name}}',
    approveHint:
      'The seller becomes active with these fees and limits. Leave a field blank to use the default.',
    fees: 'Fees',
    defaultFees: 'Default fees',
    ownFees: 'Custom fees',
    welcome: 'Message (optional)',
    approved: 'Application approved',
    reject: 'Reject',
    rejectTitle: 'Reject {{name}}',
    reason: 'Reason',
    reasonHint: 'Sent by email. The account of the seller is closed.',
    rejected: 'Application rejected',
    erased: 'Documents, messages and data of this application were deleted.',
  },
};
