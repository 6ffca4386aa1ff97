import type { Templates, TemplateTools, MailParams } from './template.ts';
import { reasonInEnglish } from '#notifications/reasons-en.ts';

const SECURITY = 'You received this email because it concerns the security of your Vereda account.';
const ACCOUNT = 'This email was sent by Vereda, a payment gateway.';
const CHOICE =
  'You received this email because of your notification settings. Change them in Settings, under ' +
  '“Email notifications”.';
const NOT_YOU = 'If this was not you, change your password now and end your other sessions under Settings.';

const ROLES: Readonly<Record<string, string>> = {
  OWNER: 'Owner',
  FINANCE: 'Finance',
  DEVELOPER: 'Developer',
  VIEWER: 'Viewer',
  ADMIN: 'Administrator',
  SUPPORT: 'Support',
};

const METHODS: Readonly<Record<string, string>> = {
  PIX: 'Pix',
  BOLETO: 'Boleto',
  CREDIT_CARD: 'Credit card',
  PIX_AUTOMATICO: 'Pix Automático',
};

const security = { label: 'Open settings', path: '/settings' } as const;

/** What the mails about an unpaid cycle share. */
const toSubscriber = (
  { seller, amount, description, method, reason, payerToken }: MailParams['payment-failed'],
  { money, unsubscribeUrl, payerPage }: TemplateTools,
) => ({
  sender: seller,
  isForPayer: true,
  details: [
    ['Paid to', seller],
    ...(description === '' ? [] : [['Subscription', description] as const]),
    ['Amount', money(amount)],
    ['Payment method', METHODS[method] ?? method],
    ['Reason', reasonInEnglish(reason)],
  ] as const,
  action: {
    label: method === 'CREDIT_CARD' ? 'Change card' : 'View subscription',
    url: payerPage(payerToken),
  },
  footer: `To unsubscribe from emails about purchases from ${seller}: ${unsubscribeUrl}`,
});

/** What other mails about a subscription share. */
const ofSubscription = (
  { seller, amount, description }: Pick<MailParams['card-required'], 'seller' | 'amount' | 'description'>,
  { money, unsubscribeUrl }: TemplateTools,
) => ({
  sender: seller,
  isForPayer: true,
  details: [
    ['Paid to', seller],
    ...(description === '' ? [] : [['Subscription', description] as const]),
    ['Amount', money(amount)],
  ] as const,
  footer: `To unsubscribe from emails about purchases from ${seller}: ${unsubscribeUrl}`,
});

const INTERVALS: Readonly<Record<string, string>> = {
  WEEKLY: 'every week',
  MONTHLY: 'every month',
  QUARTERLY: 'every 3 months',
  SEMIANNUAL: 'every 6 months',
  YEARLY: 'every year',
};

/** Operators join a team that has the name of the product. */
const inTeam = (name: string): string => (name === 'Vereda' ? 'the Vereda team' : `${name} on Vereda`);

/** The mails in English. */
export const TEMPLATES_EN: Templates = {
  invitation: ({ inviter, organization, role }, { link }) => ({
    subject: `${inviter} invited you to ${inTeam(organization)}`,
    paragraphs: [
      `${inviter} invited you to the ${organization} team with the role ${ROLES[role] ?? role}.`,
      'Accept the invitation to choose your password. The link is valid for 7 days and works once.',
    ],
    action: { label: 'Accept invitation', url: link('/invitation') },
    footer: `Don’t know ${inviter}? Ignore this email: nothing happens unless you open the link. ${ACCOUNT}`,
  }),
  'invitation-refused': ({ inviter, organization }) => ({
    subject: `Invitation to ${inTeam(organization)}`,
    paragraphs: [
      `${inviter} invited this address to the ${organization} team, but it already has a Vereda account.`,
      'An email address can belong to only one team. To join this one, ask to be invited at another address.',
    ],
    footer: ACCOUNT,
  }),
  'signup-confirmation': ({ organization }, { link }) => ({
    subject: 'Confirm your email to open your Vereda account',
    paragraphs: [
      `We received an application from ${organization} with this email address.`,
      'Confirm the address to continue. The link is valid for 24 hours and works once.',
    ],
    action: { label: 'Confirm email', url: link('/signup/confirm') },
    footer: `Not you? Ignore this email: without the confirmation, no account is created. ${ACCOUNT}`,
  }),
  'signup-refused': ({ organization }, { page }) => ({
    subject: 'This email already has a Vereda account',
    paragraphs: [
      `We received an application from ${organization} with this email address, ` +
        `but it already has an account.`,
      'Sign in with your password, or reset it if you do not remember it. To open another account, use ' +
        'another address.',
    ],
    action: { label: 'Sign in', url: page('/') },
    footer: `Not you? Ignore this email: nothing has changed in your account. ${ACCOUNT}`,
  }),
  'application-submitted': ({ organization, sellerId, message }, { page }) => ({
    subject: `${organization} submitted its application`,
    paragraphs: [
      `${organization} submitted its application, which awaits your decision.`,
      ...(message === '' ? [] : ['The answer to the question:', message]),
    ],
    action: { label: 'Review application', url: page(`/operator/applications/${sellerId}`) },
    footer: ACCOUNT,
  }),
  'application-question': ({ message }, { page }) => ({
    subject: 'We have a question about your Vereda application',
    paragraphs: ['We reviewed your application and have a question:', message],
    action: { label: 'Answer', url: page('/') },
    footer: ACCOUNT,
  }),
  'application-approved': ({ message }, { page }) => ({
    subject: 'Your Vereda application was approved',
    paragraphs: [
      'Your account is active. You can now create charges and API keys.',
      ...(message === '' ? [] : [message]),
    ],
    action: { label: 'Open the dashboard', url: page('/') },
    footer: ACCOUNT,
  }),
  'application-rejected': ({ message }, { page }) => ({
    subject: 'Your Vereda application was not approved',
    paragraphs: ['We reviewed your application and cannot open the account. The reason:', message],
    action: { label: 'View application', url: page('/') },
    footer: ACCOUNT,
  }),
  'password-reset': (_params, { link }) => ({
    subject: 'Reset your Vereda password',
    paragraphs: [
      'We received a request to reset the password of your account.',
      'The link is valid for 30 minutes and works once. A new password ends all your sessions.',
    ],
    action: { label: 'Choose a new password', url: link('/reset-password') },
    footer: `Didn’t ask for this? Ignore this email: your password stays the same. ${ACCOUNT}`,
  }),
  'new-device': ({ browser, address, at }, { dateTime, page }) => ({
    subject: 'New sign-in to your Vereda account',
    paragraphs: ['Someone signed in to your account from a device that we do not recognize.', NOT_YOU],
    details: [
      ['Device', browser],
      ['IP address', address],
      ['Time', dateTime(at)],
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'password-changed': ({ at }, { dateTime, page }) => ({
    subject: 'Your Vereda password was changed',
    paragraphs: [
      `The password was changed on ${dateTime(at)}, and the other sessions were ended.`,
      'If this was not you, reset the password now with “Forgot your password?” on the sign-in screen.',
    ],
    action: { label: 'Reset password', url: page('/forgot-password') },
    footer: SECURITY,
  }),
  'two-factor-enabled': ({ at }, { dateTime, page }) => ({
    subject: 'Authenticator app turned on',
    paragraphs: [
      `On ${dateTime(at)}, the authenticator app was turned on. Keep the recovery codes in a safe place.`,
      NOT_YOU,
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'two-factor-disabled': ({ at }, { dateTime, page }) => ({
    subject: 'Authenticator app turned off',
    paragraphs: [
      `On ${dateTime(at)}, the authenticator app was turned off. Unless you have a passkey, the ` +
        'password alone is enough to sign in.',
      NOT_YOU,
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'passkey-added': ({ name, at }, { dateTime, page }) => ({
    subject: 'New passkey for your Vereda account',
    paragraphs: [`The passkey “${name}” was added on ${dateTime(at)}. It can be used to sign in.`, NOT_YOU],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'passkey-deleted': ({ name, at }, { dateTime, page }) => ({
    subject: 'Passkey deleted from your Vereda account',
    paragraphs: [`The passkey “${name}” was deleted on ${dateTime(at)}.`, NOT_YOU],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'second-factor-reset-requested': ({ user, author, dueAt }, { dateTime, page }) => ({
    subject: `Two-factor authentication reset requested for ${user}`,
    paragraphs: [
      `${author} requested that the authenticator app, passkeys and recovery codes of ${user} be removed.`,
      `This happens on ${dateTime(dueAt)}. Until then ${user} can cancel it under Settings, ` +
        `and the people who manage the team can cancel it under Team.`,
      'If you did not expect this, cancel the reset, change your password, ' +
        'and tell the owner of the account.',
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'second-factor-reset-canceled': ({ user, at }, { dateTime, page }) => ({
    subject: `Two-factor authentication reset canceled for ${user}`,
    paragraphs: [
      `The reset was canceled on ${dateTime(at)}. It will not remove the authenticator app, passkeys and ` +
        `recovery codes of ${user}.`,
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'second-factor-reset': ({ user, at }, { dateTime, page }) => ({
    subject: `Two-factor authentication reset for ${user}`,
    paragraphs: [
      `The authenticator app, passkeys and recovery codes of ${user} were removed on ${dateTime(at)}.`,
      `The password of ${user} alone is enough to sign in until two-factor authentication is set up again.`,
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'api-key-created': ({ name, prefix, author, at }, { dateTime, page }) => ({
    subject: 'New API key created',
    paragraphs: [
      'An API key was created. Anyone who has the key can use the API on behalf of your account.',
      'If you do not recognize this key, delete it now.',
    ],
    details: [
      ['Name', name],
      ['Prefix', prefix],
      ['Created by', author],
      ['Time', dateTime(at)],
    ],
    action: { label: 'View API keys', url: page('/developers/keys') },
    footer: SECURITY,
  }),
  'destination-added': ({ destination, author, at }, { dateTime, page }) => ({
    subject: 'New withdrawal destination',
    paragraphs: [
      'A withdrawal was requested to a destination that your account has never used.',
      'If you do not recognize this destination, contact support before the withdrawal is approved.',
    ],
    details: [
      ['Destination', destination],
      ['Requested by', author],
      ['Time', dateTime(at)],
    ],
    action: { label: 'View withdrawals', url: page('/withdrawals') },
    footer: SECURITY,
  }),
  'daily-summary': ({ date: day, count, amount }, { date, money, page }) => ({
    subject: `Summary for ${date(day)}: ${money(amount)} in paid charges`,
    paragraphs: [
      count === 1
        ? `One charge of ${money(amount)} was paid on ${date(day)}.`
        : `${count} charges were paid on ${date(day)}, ${money(amount)} in total.`,
    ],
    action: { label: 'View charges', url: page('/charges') },
    footer: CHOICE,
  }),
  'dispute-opened': ({ amount, reason, days, dueAt }, { money, dateTime, page }) => ({
    subject: `Dispute of ${money(amount)}: appeal within ${days <= 1 ? '1 day' : `${days} days`}`,
    paragraphs: [
      'A charge was disputed. The amount is on hold until the decision.',
      `If you do not appeal by ${dateTime(dueAt)}, the dispute is lost.`,
    ],
    details: [
      ['Amount', money(amount)],
      ['Reason', reasonInEnglish(reason)],
    ],
    action: { label: 'Appeal dispute', url: page('/disputes') },
    footer: CHOICE,
  }),
  'dispute-reminder': ({ amount, reason, hours, dueAt }, { money, dateTime, page }) => ({
    subject:
      `${hours === 1 ? 'Less than 1 hour' : `${hours} hours`} left to appeal: ` +
      `dispute of ${money(amount)}`,
    paragraphs: [
      'You have not appealed this dispute yet.',
      `If you do not appeal by ${dateTime(dueAt)}, the dispute is lost and the payer gets the amount back.`,
    ],
    details: [
      ['Amount', money(amount)],
      ['Reason', reasonInEnglish(reason)],
    ],
    action: { label: 'Appeal dispute', url: page('/disputes') },
    footer: CHOICE,
  }),
  receipt: ({ seller, amount, method, at }, { money, dateTime, unsubscribeUrl }) => ({
    sender: seller,
    isForPayer: true,
    subject: `Receipt for your payment of ${money(amount)} to ${seller}`,
    paragraphs: [`We received your payment to ${seller}. Keep this email as your receipt.`],
    details: [
      ['Paid to', seller],
      ['Amount', money(amount)],
      ['Payment method', METHODS[method] ?? method],
      ['Time', dateTime(at)],
    ],
    footer: `To unsubscribe from emails about purchases from ${seller}: ${unsubscribeUrl}`,
  }),
  'boleto-reminder': ({ seller, amount, dueDate, line, url }, { money, date, unsubscribeUrl }) => ({
    sender: seller,
    isForPayer: true,
    subject: `Your boleto of ${money(amount)} is due on ${date(dueDate)}`,
    paragraphs: [
      `The boleto for your purchase from ${seller} is due tomorrow. If you have paid it, ignore this email.`,
    ],
    details: [
      ['Paid to', seller],
      ['Amount', money(amount)],
      ['Due date', date(dueDate)],
      ['Boleto number', line],
    ],
    action: { label: 'Open boleto', url },
    footer: `To unsubscribe from emails about purchases from ${seller}: ${unsubscribeUrl}`,
  }),
  'payment-failed': (params, tools) => ({
    ...toSubscriber(params, tools),
    subject: `Your payment of ${tools.money(params.amount)} to ${params.seller} failed`,
    paragraphs: [
      `The payment for your subscription with ${params.seller} failed.`,
      params.nextDate === null
        ? 'See the invoice on your subscription page.'
        : `We will try again on ${tools.date(params.nextDate)}. ` +
          `Make sure that your balance or limit is sufficient by then.`,
    ],
  }),
  'subscription-past-due': (params, tools) => ({
    ...toSubscriber(params, tools),
    subject: `An invoice of your subscription with ${params.seller} is past due`,
    paragraphs: [
      'The invoice was not paid, and there will be no further attempts to charge it.',
      params.method === 'CREDIT_CARD'
        ? 'To pay the amount due, enter another card. It is charged immediately.'
        : `Contact ${params.seller} to pay the amount due.`,
    ],
  }),
  'subscription-canceled': (params, tools) => ({
    ...toSubscriber(params, tools),
    action: { label: 'View subscription', url: tools.payerPage(params.payerToken) },
    subject: `Your subscription with ${params.seller} was canceled`,
    paragraphs: [
      'The invoice was not paid, and the subscription was canceled. Nothing more will be charged.',
      `Contact ${params.seller} to subscribe again.`,
    ],
  }),
  'subscription-created': (params, tools) => ({
    ...ofSubscription(params, tools),
    subject: `Your subscription with ${params.seller} was created`,
    paragraphs: [
      `Your subscription with ${params.seller} was created. ` +
        `It is charged ${INTERVALS[params.interval] ?? ''}.`,
      'On its page you can see the invoices and cancel at any time. If you pay by card, you can also ' +
        'change the card there.',
    ],
    action: { label: 'View subscription', url: tools.payerPage(params.payerToken) },
  }),
  'card-required': (params, tools) => ({
    ...ofSubscription(params, tools),
    subject: `Enter another card for your subscription with ${params.seller}`,
    paragraphs: [
      params.problem === 'EXPIRES'
        ? `The next charge is on ${tools.date(params.date)}, and your card expires before then.`
        : `The card of your subscription was removed. The next charge is on ${tools.date(params.date)}.`,
      'Enter another card to keep the subscription.',
    ],
    action: { label: 'Change card', url: tools.payerPage(params.payerToken) },
  }),
  'webhook-disabled': ({ url, reason }, { dateTime, page }) => ({
    subject: 'A webhook was disabled',
    paragraphs: [
      'Deliveries to the URL below failed, so the webhook was disabled. Its events are held. Fix the ' +
        'cause, enable the webhook, then send the held events with POST /v1/webhooks/{id}/replay.',
    ],
    details: [
      ['URL', url],
      ['Reason', reasonInEnglish(reason).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, dateTime)],
    ],
    action: { label: 'View webhooks', url: page('/developers/webhooks') },
    footer: CHOICE,
  }),
  'withdrawal-paid': ({ amount, destination }, { money, page }) => ({
    subject: `Withdrawal of ${money(amount)} paid`,
    paragraphs: ['Your withdrawal was paid.'],
    details: [
      ['Amount', money(amount)],
      ['Destination', destination],
    ],
    action: { label: 'View withdrawals', url: page('/withdrawals') },
    footer: CHOICE,
  }),
  'withdrawal-rejected': ({ amount, destination, reason }, { money, page }) => ({
    subject: `Withdrawal of ${money(amount)} not completed`,
    paragraphs: ['Your withdrawal was not completed. The amount is back in your available balance.'],
    details: [
      ['Amount', money(amount)],
      ['Destination', destination],
      ['Reason', reasonInEnglish(reason)],
    ],
    action: { label: 'View withdrawals', url: page('/withdrawals') },
    footer: CHOICE,
  }),
};
