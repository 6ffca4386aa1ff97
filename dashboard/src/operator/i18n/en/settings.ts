/** Texts of the settings that operators change while the gateway runs. */
export const settings = {
  settings: {
    title: 'Gateway settings',
    intro:
      'Apply to all sellers within a second, without a restart. Each change is recorded in the audit log.',
    sections: {
      providers: 'Providers',
      disputes: 'Disputes',
      limits: 'Limits',
      retention: 'Data retention',
      history: 'Latest changes',
    },
    methods: { PIX: 'Pix', BOLETO: 'Boleto', CREDIT_CARD: 'Credit card', PAYOUT: 'Withdrawals' },
    providersIntro:
      'Providers are tried in this order. A paused provider receives no new payments. Captures, ' +
      'cancellations, refunds and confirmations of its existing payments continue.',
    noProviders: 'No provider is configured.',
    active: 'Active',
    paused: 'Paused',
    pausedBy: 'Paused by {{name}}',
    up: 'Try {{provider}} earlier for {{method}}',
    down: 'Try {{provider}} later for {{method}}',
    orderSaved: 'Order of providers saved',
    resetOrder: 'Reset to the default order',
    pause: 'Pause',
    pauseOf: 'Pause {{provider}} for {{method}}',
    pauseTitle: 'Pause {{provider}} for {{method}}?',
    pauseMessage: {
      charges: 'No new charge is sent to this provider until it is resumed.',
      payout: 'No withdrawal is sent to this provider until it is resumed.',
    },
    pauseLast: {
      charges:
        'No other provider is active for {{method}}: new charges of this payment method will be refused.',
      payout: 'No other provider is active: approved withdrawals wait.',
    },
    reasonMissing: 'Enter the reason.',
    pauseDone: 'Provider paused',
    resume: 'Resume',
    resumeOf: 'Resume {{provider}} for {{method}}',
    resumeTitle: 'Resume {{provider}} for {{method}}?',
    resumeMessage: {
      charges: 'The provider receives new charges again.',
      payout: 'Approved withdrawals that are waiting are sent.',
    },
    resumeDone: 'Provider resumed',
    names: {
      medWindowDays: 'Time to appeal MED claims (days)',
      checkoutUnpaidPerHour: 'Unpaid charges per IP address and link (per hour)',
      checkoutDeclinesPerAddress: 'Declined cards per IP address (per hour)',
      checkoutDeclinesPerLink: 'Declined cards per payment link (per hour)',
      signupsPerHour: 'Sign-ups per IP address (per hour)',
      webhookLogDays: 'Webhook log (days)',
      applicationRetentionDays: 'Rejected or abandoned applications (days)',
    },
    meanings: {
      medWindowDays:
        'How long sellers have to appeal a MED claim on a Pix payment. Applies to new claims for which the ' +
        'provider sets no deadline.',
      checkoutUnpaidPerHour: 'How many a visitor can create on one payment link.',
      checkoutDeclinesPerAddress: 'After that, the payment page refuses further cards of the visitor.',
      checkoutDeclinesPerLink: 'After that, the link refuses further cards of any visitor.',
      signupsPerHour: 'How many sellers can apply from one address.',
      webhookLogDays: 'Older events, deliveries and attempts are deleted.',
      applicationRetentionDays:
        'After that, documents and data of applications that were not approved are deleted.',
    },
    range: 'Enter a number from {{minimum}} to {{maximum}}.',
    isDefault: 'From {{minimum}} to {{maximum}}. In use: the default value.',
    changed: 'From {{minimum}} to {{maximum}}. Default value: {{value}}.',
    reset: 'Reset to the default ({{value}})',
    saved: 'Setting saved',
    shortenTitle: 'Shorten the retention?',
    shortenMessage_one: 'Data older than {{count, number}} day is deleted shortly and cannot be recovered.',
    shortenMessage_other:
      'Data older than {{count, number}} days is deleted shortly and cannot be recovered.',
    shorten: 'Shorten and delete',
    noHistory: 'No changes yet.',
    allHistory: 'See the audit log',
    fromTo: 'from {{from}} to {{to}}',
  },
} as const;
