import type { Text } from '../texts.ts';
import type { people as texts } from '../pt/people.ts';

export const people: Text<typeof texts> = {
  people: {
    forgot: 'Forgot your password?',
    forgotTitle: 'Reset your password',
    forgotIntro: 'Enter the email of your account. We will send a link to choose a new password.',
    forgotSend: 'Send link',
    forgotSent: 'Check your email',
    forgotSentHint:
      'If there is an account with the email {{email}}, the link arrives within minutes and is valid ' +
      'for 30 minutes. Also check your spam folder.',
    sandboxMailbox: 'In the sandbox, the operator finds emails under “Test emails”.',
    resetTitle: 'Choose a new password',
    resetIntro: 'Saving it ends all your sessions.',
    resetSave: 'Save new password',
    resetDone: 'Password changed',
    resetDoneHint: 'All your sessions have ended. Sign in with the new password.',
    linkTitle: 'This link is no longer valid',
    resetLinkHint:
      'The link can be used once and is valid for 30 minutes. Request a new one, or open the latest ' +
      'email again.',
    newLink: 'Request a new link',
    invitationLinkHint:
      'The invitation can be used once and is valid for seven days. If you have accepted it, sign in ' +
      'with your email and password. If not, ask the person who invited you for a new one.',
    takenTitle: 'You already have an account',
    takenHint: 'There is already an account with this email. Sign in to it.',
    acceptTitle: 'Accept invitation',
    acceptIntro: 'Enter your name and choose a password to join the team.',
    accept: 'Accept and sign in',
    teamIntro: 'Who has access to this account, and what each person can do.',
    members: 'People',
    you: '(you)',
    alone: 'So far, only you have access. Invite the people you work with.',
    invite: 'Invite person',
    inviteHint: 'They receive a link and choose their own password.',
    sendInvitation: 'Send invitation',
    invited: 'Invitation sent to {{email}}',
    pending: 'Pending invitations',
    noPending: 'No pending invitations.',
    expires: 'expires',
    resend: 'Resend',
    resent: 'Invitation sent to {{email}} again. The previous link no longer works.',
    revoke: 'Revoke',
    revokeTitle: 'Revoke the invitation to {{email}}?',
    revokeMeans: 'The link that was sent stops working.',
    revoked: 'Invitation revoked',
  },
};
