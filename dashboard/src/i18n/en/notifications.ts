import type { Text } from '../texts.ts';
import type { notifications as texts } from '../pt/notifications.ts';

export const notifications: Text<typeof texts> = {
  notifications: {
    title: 'Notifications',
    open_one: 'Notifications: {{count, number}} unread',
    open_other: 'Notifications: {{count, number}} unread',
    readAll: 'Mark all as read',
    unread: 'Unread',
    empty: 'No notifications',
    emptyHint: 'Payments of the day, disputes, withdrawals and security notices appear here.',
    paid_one: '{{count, number}} paid charge',
    paid_other: '{{count, number}} paid charges',
    daysLeft_one: '{{count, number}} day to respond',
    daysLeft_other: '{{count, number}} days to respond',
    kinds: {
      'new-device': 'Sign-in from a new device',
      'password-changed': 'Your password was changed',
      'two-factor-enabled': 'Two-factor authentication turned on',
      'two-factor-disabled': 'Two-factor authentication turned off',
      'passkey-added': 'Passkey added',
      'passkey-deleted': 'Passkey deleted',
      'second-factor-reset-requested': 'Reset of a second factor requested',
      'second-factor-reset-canceled': 'Reset of a second factor canceled',
      'second-factor-reset': 'Second factor reset',
      'api-key-created': 'New API key',
      'destination-added': 'New withdrawal destination',
      'daily-summary': 'Summary of the day',
      'dispute-opened': 'Dispute opened',
      'webhook-disabled': 'Webhook disabled',
      'withdrawal-paid': 'Withdrawal paid',
      'withdrawal-rejected': 'Withdrawal not completed',
    },
    choicesTitle: 'Email notifications',
    choicesIntro:
      'Everything appears under the bell of the dashboard. Choose what you also want to receive by ' +
      'email. Security notices are always sent.',
    choices: {
      'daily-summary': 'Daily summary of paid charges',
      'dispute-opened': 'Disputes, with the time to respond',
      'webhook-disabled': 'Webhooks disabled after failures',
      'withdrawal-paid': 'Paid withdrawals',
      'withdrawal-rejected': 'Withdrawals that were not completed',
    },
  },
  payers: {
    title: 'What payers see',
    intro: 'On the payment page, on boletos and in emails.',
    name: 'Displayed name',
    nameHint: 'If empty, the name of the seller is shown.',
    logo: 'Address of the logo (https)',
    emails: 'Send emails to payers',
    emailsHint: 'A receipt after the payment, and a reminder before a boleto is due. They can unsubscribe.',
    origins: 'Sites that may embed the payment page',
    originsHint:
      'One address a line, such as https://www.example.com. On other sites the page does not open.',
    snippetHint:
      'Paste this into the page of your shop, with the code of your link (the end of its address):',
    snippetCode: 'LINK-CODE',
    saved: 'Preferences saved',
  },
};
