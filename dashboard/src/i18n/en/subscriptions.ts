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
    emptyTitle: 'Charge at a regular interval',
    emptyHint:
      'With Pix Automático or a card, the payer authorizes the subscription once, and each cycle is ' +
      'charged automatically. With boleto or Pix, the payer pays each invoice on the subscription page.',
    nameColumn: 'Subscription',
    nextCharge: 'Next charge',
    none: 'None',
    description: 'What you are charging for',
    descriptionHint: 'Example: Monthly plan',
    amount: 'Amount per cycle',
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
    cycles: 'Number of cycles',
    noEnd: 'No limit',
    externalRef: 'Reference in your system',
    onUnpaidLabel: 'If an invoice stays unpaid',
    onUnpaid: {
      CONTINUE: 'Charge the next cycle',
      PAUSE: 'Pause the subscription',
      CANCEL: 'Cancel the subscription',
    },
    means: {
      PIX_AUTOMATICO:
        "The payer authorizes the subscription once in the bank's app by scanning a QR code. The first charge " +
        'is at least two days away.',
      CREDIT_CARD: 'The saved card is charged on the date of each cycle.',
      BOLETO: 'A boleto is issued on the date of each cycle. The payer has three days to pay it.',
      PIX: 'A Pix code is generated on the date of each cycle. The payer has three days to pay it.',
    },
    needCustomer: 'Choose a customer.',
    needDescription: 'Enter what you are charging for.',
    needDate: 'Choose the day of the first charge.',
    needCard: 'Choose the card to be charged.',
    details: 'Details',
    chargedCycles: 'Charged cycles',
    charged_one: '{{count, number}} cycle',
    charged_other: '{{count, number}} cycles',
    retries: 'Retries',
    retryPolicy: { NONE: 'None', THREE_IN_SEVEN_DAYS: 'Three in seven days' },
    revenue: {
      monthly: 'Monthly recurring revenue',
      monthlyHint: 'Monthly amount of the active subscriptions',
      active: 'Active subscriptions',
      activeHint: 'Including past due',
      churn: 'Churn this month',
      canceled_one: '{{count, number}} subscription',
      canceled_other: '{{count, number}} subscriptions',
      recovered: 'Recovered this month',
      payments_one: '{{count, number}} payment after a retry',
      payments_other: '{{count, number}} payments after a retry',
    },
    edit: 'Edit',
    editTitle: 'Edit subscription',
    amountMeans: 'A new amount applies from the next cycle on.',
    cardMeans: 'A new card also applies to new attempts to charge unpaid invoices.',
    amountFixed:
      'The payer authorized this amount at the bank. To change it, cancel this subscription and create ' +
      'another one.',
    cardByPayer: 'The payer can also change the card on the subscription page.',
    saved: 'Subscription updated',
    payerPage: 'Subscription page',
    openPayerPage: 'Open page',
    payerPageLink: 'link to the subscription page',
    back: 'Back',
    pause: {
      action: 'Pause',
      title: 'Pause the subscription?',
      message:
        'No new cycle is charged until you resume it. Cycles in the meantime are skipped and do not ' +
        'count toward the number of cycles. Invoices of cycles that have begun are still charged.',
      done: 'Subscription paused',
    },
    resume: {
      action: 'Resume',
      title: 'Resume the subscription?',
      message: 'It is charged again on the date of the next cycle. Skipped cycles are not charged.',
      done: 'Subscription resumed',
    },
    cancel: {
      action: 'Cancel subscription',
      title: 'Cancel the subscription?',
      message:
        'The subscription ends. Unpaid invoices and the authorization at the bank are canceled. ' +
        'This action cannot be undone.',
      done: 'Subscription canceled',
    },
    retry: {
      action: 'Charge again',
      title: 'Charge this invoice again?',
      now: 'It is charged now.',
      byBank: "A new charge is sent to the payer's bank, dated two days from now.",
      done: 'New attempt started',
    },
    authorization: 'Pix Automático authorization',
    journey1: "The payer gets the request in the bank's app and authorizes it there.",
    journey2: "The payer scans this QR code in the bank's app and authorizes the charges.",
    journey3:
      "The payer scans this QR code in the bank's app, pays the first charge and authorizes the others.",
    journey4:
      "The payer scans this QR code in the bank's app, schedules the first charge and authorizes the others.",
    bankStatus: {
      CRIADA: 'The payer did not authorize it.',
      APROVADA: 'The payer authorized the charges at the bank.',
      REJEITADA: 'The payer rejected the request at the bank.',
      EXPIRADA: 'The time to authorize it has passed.',
      CANCELADA: 'The authorization was canceled at the bank.',
    },
    codeFollows: 'The bank is generating the code. It appears here in a moment.',
    qr: 'QR code for the authorization',
    idRec: 'ID at the bank:',
    cycleCalendar: 'Invoices',
    dueDate: 'Cycle date',
    noCycles: 'No invoices yet',
    noCyclesHint:
      'The invoice of each cycle appears here on its charge date, or earlier for Pix Automático, with its ' +
      'attempts and outcome.',
    failed: 'Payment failed',
    nextAttempt: 'Next attempt on {{day}}',
    openCharge: 'Open charge',
    openSubscription: 'Open subscription',
  },
  subscriptionStatus: {
    PENDING: {
      label: 'Pending',
      description: "Waiting for the payer's authorization or first payment.",
    },
    ACTIVE: { label: 'Active', description: 'Cycles are charged on their dates.' },
    PAST_DUE: {
      label: 'Past due',
      description: 'An invoice is unpaid, and there are no more automatic retries.',
    },
    PAUSED: { label: 'Paused', description: 'No cycle is charged until it is resumed.' },
    CANCELLED: { label: 'Canceled', description: 'It has ended. Nothing more is charged.' },
    COMPLETED: { label: 'Completed', description: 'All cycles were charged.' },
    REJECTED: {
      label: 'Rejected',
      description: 'The payer rejected the authorization, or the first card payment was declined.',
    },
    EXPIRED: { label: 'Expired', description: 'It was not authorized or paid in time.' },
  },
  invoiceStatus: {
    SCHEDULED: { label: 'Scheduled', description: "Sent to the payer's bank before its date." },
    PENDING: { label: 'Pending', description: 'Waiting for the payment or the next attempt.' },
    PAID: { label: 'Paid', description: 'The payment was confirmed.' },
    FAILED: { label: 'Payment failed', description: 'All attempts failed.' },
    CANCELLED: { label: 'Canceled', description: 'The invoice is no longer charged.' },
  },
};
