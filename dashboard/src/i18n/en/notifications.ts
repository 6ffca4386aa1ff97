import type { Text } from '../texts.ts';
import type { notifications as texts } from '../pt/notifications.ts';

export const notifications: Text<typeof texts> = {
  notifications: {
    title: 'Notifications',
    open_one: 'Notifications: {{count, number}} unread',
    open_other: 'Notifications: {{count, number}} unread',
    readAll: 'Mark all as read',
    older: 'Show older',
    unread: 'Unread',
    empty: 'No notifications',
    emptyHint: 'New notifications appear here.',
    paid_one: '{{count, number}} paid charge',
    paid_other: '{{count, number}} paid charges',
    appealBy: 'appeal by {{when}}',
    kinds: {
      'new-device': 'Sign-in from a new device',
      'password-changed': 'Your password was changed',
      'two-factor-enabled': 'Authenticator app turned on',
      'two-factor-disabled': 'Authenticator app turned off',
      'passkey-added': 'Passkey added',
      'passkey-deleted': 'Passkey deleted',
      'second-factor-reset-requested': 'Two-factor authentication reset requested',
      'second-factor-reset-canceled': 'Two-factor authentication reset canceled',
      'second-factor-reset': 'Two-factor authentication reset',
      'api-key-created': 'New API key',
      'destination-added': 'New withdrawal destination',
      'application-submitted': 'Application submitted',
      'application-question': 'Question about your application',
      'application-approved': 'Application approved',
      'application-rejected': 'Application not approved',
      'daily-summary': 'Daily summary',
      'dispute-opened': 'Dispute opened',
      'dispute-reminder': 'Appeal deadline approaching',
      'webhook-disabled': 'Webhook disabled',
      'withdrawal-paid': 'Withdrawal paid',
      'withdrawal-rejected': 'Withdrawal not completed',
    },
    choicesTitle: 'Email notifications',
    choicesIntro:
      'All notifications appear under the bell. Choose which ones you also want to receive by ' +
      'email. Security notices are always sent.',
    choices: {
      'daily-summary': 'Daily summary of paid charges',
      'dispute-opened': 'Disputes, with the time to appeal',
      'dispute-reminder': 'Reminders before the appeal deadline',
      'webhook-disabled': 'Webhooks disabled after repeated failures',
      'withdrawal-paid': 'Paid withdrawals',
      'withdrawal-rejected': 'Withdrawals that were not completed',
    },
  },
  payers: {
    title: 'What payers see',
    intro: 'On the payment page, on boletos and in emails.',
    name: 'Display name',
    nameHint: 'If empty, the account name is shown.',
    logo: 'Logo URL (https)',
    emails: 'Send emails to payers',
    language: 'Language of emails',
    emailsHint:
      'A receipt after the payment, a reminder before a boleto is due, and notices about subscriptions. ' +
      'Payers can unsubscribe from these emails.',
    origins: 'Sites that may embed the payment page',
    originsHint:
      'One address per line, such as https://www.example.com. The page does not open on other sites.',
    snippetHint:
      'Paste this code into your website and replace LINK-CODE with the end of the URL of your link:',
    snippetCode: 'LINK-CODE',
    saved: 'Settings saved',
  },
};
