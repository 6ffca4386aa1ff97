import type { Text } from '../texts.ts';
import type { developers as texts } from '../pt/developers.ts';

export const developers: Text<typeof texts> = {
  keys: {
    title: 'API keys',
    intro: 'Your system uses a key to create charges and read the balance. Store it like a password.',
    new: 'Create key',
    name: 'Key name',
    nameHint: 'Example: store server',
    role: 'Role',
    roleDescriptions: {
      OWNER: 'Full access: charge, refund, withdraw and configure',
      FINANCE: 'Read everything, refund, withdraw and appeal disputes',
      DEVELOPER: 'Read everything, charge and configure webhooks',
      VIEWER: 'Read-only access',
    },
    secretTitle: 'Copy and store your key',
    secretLabel: 'API key',
    secretHint: 'It is shown only once. If you lose it, create another key and delete this one.',
    prefix: 'Prefix',
    createdBy: 'Created by {{name}}',
    lastUsed: 'Last used',
    never: 'Never used',
    deleteTitle: 'Delete the API key {{name}}?',
    deleteDescription: 'Systems that use {{prefix}}… lose access immediately.',
    deleted: 'Key deleted',
    emptyTitle: 'No keys yet',
    emptyHint: 'Create your first key to integrate your system.',
  },
  webhooks: {
    title: 'Webhooks',
    intro: 'A webhook notifies your system when charges, withdrawals, disputes or subscriptions change.',
    new: 'Add webhook',
    url: 'URL (https)',
    about: 'Events',
    types: {
      ALL: 'All events',
      TRANSACTION: 'Charges',
      WITHDRAWAL: 'Withdrawals',
      DISPUTE: 'Disputes',
      SUBSCRIPTION: 'Subscriptions',
    },
    secretTitle: 'Copy and store the secret',
    secretLabel: 'secret',
    secretHint: 'It signs deliveries and is shown only once.',
    test: 'Send test',
    tested: 'Test sent. See the result in Webhook deliveries.',
    rotate: 'Rotate secret',
    rotateTitle: 'Rotate the secret of this webhook?',
    rotateDescription: 'The current secret keeps signing deliveries for 24 hours, together with the new one.',
    postback: {
      rotate: 'Rotate postback secret',
      title: 'Rotate the postback secret?',
      description:
        'It signs deliveries to notification URLs of charges (postbackUrl). The current secret ' +
        'keeps signing them for 24 hours, together with the new one. Rotating again within that time ' +
        'invalidates the oldest secret.',
      hint:
        'It signs deliveries to notification URLs of charges and is shown only once. ' +
        'The previous secret keeps signing them for 24 hours.',
    },
    enable: 'Enable',
    disable: 'Disable',
    changed: 'Webhook updated',
    deleteTitle: 'Delete the webhook?',
    deleteDescription: '{{url}} stops receiving events. Queued and held deliveries are discarded.',
    deleted: 'Webhook deleted',
    emptyTitle: 'No webhooks yet',
    emptyHint: "Add your system's URL here, or with the API:",
    log: 'View deliveries',
  },
  deliveries: {
    title: 'Webhook deliveries',
    one: 'Webhook delivery',
    results: 'Deliveries by result',
    event: 'Event',
    attempts: 'Attempts',
    emptyTitle: 'No deliveries yet',
    emptyHint: "Every delivery appears here, with your server's response.",
    payload: 'Payload',
    answer: "Your server's response",
    attempt: 'Attempt {{number}}',
    noAnswer: 'No response',
    latency: '{{ms, number}} ms',
    resend: 'Resend',
    resent: 'Resend requested',
    record: 'Record ID',
    webhook: 'Webhook',
  },
  events: {
    title: 'Event types',
    intro: 'The events that webhooks receive, with an example payload for each.',
    example: 'Example',
    about: 'To receive it, select “{{type}}” or “{{all}}” for the webhook.',
    descriptions: {
      TRANSACTION_UPDATED:
        "Sent to webhooks for charges and to the charge's notification URL (postbackUrl). Sent on " +
        'creation only if the charge already has an outcome, such as a card that is paid, authorized or ' +
        'declined.',
      WITHDRAWAL_UPDATED: 'Sent to webhooks for withdrawals.',
      DISPUTE_UPDATED: 'Sent to webhooks for disputes.',
      SUBSCRIPTION_UPDATED: 'Sent to webhooks for subscriptions, on each status change and after an edit.',
      SUBSCRIPTION_INVOICE_UPDATED:
        'Sent to webhooks for subscriptions, when an invoice is charged and on each status change.',
      SUBSCRIPTION_CARD_REQUIRED:
        'Sent to webhooks for subscriptions, when the card expires before the next charge or was deleted.',
      PING: 'Sent when you test a webhook, whichever events it receives.',
    },
  },
};
