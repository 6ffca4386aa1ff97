import type { subscriptions as texts } from '../pt/subscriptions.ts';
import type { Text } from '../texts.ts';

export const subscriptions: Text<typeof texts> = {
  subscriptions: {
    title: 'Subscriptions',
    intro: 'Charge every month, week or year, by Pix Automático, card, boleto or Pix.',
    one: 'Subscription',
    new: 'New subscription',
    create: 'Create subscription',
    created: 'Subscription created',
    emptyTitle: 'Get paid every month without asking again',
    emptyHint:
      'Create a subscription, and the customer authorizes it once. After that, each cycle is charged ' +
      'automatically, and retried if a payment fails.',
    nameColumn: 'Subscription',
    nextCharge: 'Next charge',
    none: 'None',
    description: 'What you are charging for',
    descriptionHint: 'Example: Monthly plan',
    amount: 'Amount of each cycle',
    intervalLabel: 'Interval',
    interval: {
      WEEKLY: 'Every week',
      MONTHLY: 'Every month',
      QUARTERLY: 'Every 3 months',
      SEMIANNUAL: 'Every 6 months',
      YEARLY: 'Every year',
    },
    startDate: 'First charge',
    startDateHint: 'Choose the day',
    card: 'Saved card',
    cardHint: 'Choose the card',
    cycles: 'Number of charges',
    noEnd: 'No limit',
    externalRef: 'Reference in your system',
    onUnpaidLabel: 'If the payment is not made',
    onUnpaid: {
      CONTINUE: 'Charge the next cycle',
      PAUSE: 'Pause the subscription',
      CANCEL: 'Cancel the subscription',
    },
    means: {
      PIX_AUTOMATICO:
        "The customer authorizes it once in the bank's app by scanning a QR code. The first charge is at " +
        'least two days away.',
      CREDIT_CARD: "The customer's saved card is charged on each date.",
      BOLETO: 'A boleto is issued on each date. The customer has three days to pay it.',
      PIX: 'A Pix code is generated on each date. The customer has three days to pay it.',
    },
    needCustomer: 'Choose the customer.',
    needDescription: 'Enter what you are charging for.',
    needDate: 'Choose the day of the first charge.',
    needCard: 'Choose the card to be charged.',
    details: 'Details',
    chargedCycles: 'Charged cycles',
    charged_one: '{{count, number}} cycle',
    charged_other: '{{count, number}} cycles',
    retries: 'Retries',
    retryPolicy: { NONE: 'None', THREE_IN_SEVEN_DAYS: 'Three in seven days' },
    back: 'Back',
    pause: {
      action: 'Pause',
      title: 'Pause the subscription?',
      message:
        'No new cycle is charged until you resume it. Cycles in the meantime are skipped and do not count. ' +
        'What is already due is still collected.',
      done: 'Subscription paused',
    },
    resume: {
      action: 'Resume',
      title: 'Resume the subscription?',
      message: 'It is charged again on the next date. Cycles that have passed are not charged.',
      done: 'Subscription resumed',
    },
    cancel: {
      action: 'Cancel subscription',
      title: 'Cancel the subscription?',
      message:
        'The subscription ends, open charges are canceled, and the authorization at the bank is canceled. ' +
        'This action cannot be undone.',
      done: 'Subscription canceled',
    },
    retry: {
      action: 'Charge again',
      title: 'Charge this cycle again?',
      now: 'It is charged now.',
      byBank: "A new charge is sent to the customer's bank, dated two days from now.",
      done: 'New attempt started',
    },
    authorization: 'Pix Automático authorization',
    journey1: "The customer gets the request in the bank's app and authorizes it there.",
    journey2: "The customer scans this QR code in the bank's app and authorizes the charges.",
    journey3:
      "The customer scans this QR code in the bank's app, pays the first charge and authorizes the next.",
    journey4:
      "The customer scans this QR code in the bank's app, schedules the first charge and authorizes the next.",
    bankStatus: {
      CRIADA: 'The customer did not authorize it.',
      APROVADA: 'The customer authorized the charges at the bank.',
      REJEITADA: 'The customer rejected the request at the bank.',
      EXPIRADA: 'The time to authorize it has passed.',
      CANCELADA: 'The authorization was canceled at the bank.',
    },
    codeFollows: 'The bank is generating the code. It appears here in a moment.',
    qr: 'QR code of the authorization',
    idRec: 'ID at the bank:',
    cycleCalendar: 'Cycle calendar',
    dueDate: 'Due date',
    noCycles: 'No cycles yet',
    noCyclesHint: 'Each cycle appears here on its charge date, with its attempts and outcome.',
    failed: 'Not paid',
    nextAttempt: 'Next attempt on {{day}}',
    openCharge: 'Open charge',
    openSubscription: 'Open subscription',
  },
  subscriptionStatus: {
    PENDING: {
      label: 'Awaiting authorization',
      description: 'The customer has not authorized it at the bank.',
    },
    ACTIVE: { label: 'Active', description: 'Cycles are charged on their dates.' },
    PAST_DUE: { label: 'Past due', description: 'A cycle is unpaid after its last retry.' },
    PAUSED: { label: 'Paused', description: 'No cycle is charged until it is resumed.' },
    CANCELLED: { label: 'Canceled', description: 'It has ended. Nothing more is charged.' },
    COMPLETED: { label: 'Completed', description: 'All cycles were charged.' },
    REJECTED: { label: 'Rejected', description: 'The customer rejected the authorization at the bank.' },
    EXPIRED: { label: 'Expired', description: 'The customer did not authorize it before the first charge.' },
  },
  invoiceStatus: {
    SCHEDULED: { label: 'Scheduled', description: "Sent to the customer's bank before its date." },
    PENDING: { label: 'Pending', description: 'Waiting for the payment or the next attempt.' },
    PAID: { label: 'Paid', description: 'The payment was confirmed.' },
    FAILED: { label: 'Unpaid', description: 'All attempts failed.' },
    CANCELLED: { label: 'Canceled', description: 'The cycle is no longer charged.' },
  },
};
