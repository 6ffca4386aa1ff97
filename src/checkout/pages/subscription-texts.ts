import type {
  Interval,
  InvoiceStatus,
  SubscriptionMethod,
  SubscriptionStatus,
} from '#subscriptions/subscription.ts';
import type { PageLanguage } from './texts.ts';

interface SubscriptionTexts {
  readonly one: string;
  readonly unknown: { readonly title: string; readonly hint: string };
  readonly intervals: Readonly<Record<Interval, string>>;
  readonly statuses: Readonly<Record<SubscriptionStatus, string>>;
  readonly methods: Readonly<Record<SubscriptionMethod, string>>;
  readonly invoiceStatuses: Readonly<Record<InvoiceStatus, string>>;
  /** Of a link whose payment starts a subscription. */
  readonly terms: (interval: string, cycles: number | null) => string;
  readonly status: string;
  readonly nextCharge: string;
  readonly noCharge: string;
  readonly method: string;
  readonly startDate: string;
  readonly cycles: string;
  readonly noEnd: string;
  readonly cardExpires: (expiry: string) => string;
  readonly pay: (amount: string, date: string) => string;
  readonly authorize: string;
  readonly invoices: string;
  readonly changeCard: string;
  readonly changeCardHint: string;
  readonly saveCard: string;
  readonly cancel: string;
  readonly cancelTitle: string;
  readonly cancelHint: string;
  readonly confirmCancel: string;
  readonly keep: string;
}

const pt: SubscriptionTexts = {
  one: 'Assinatura',
  unknown: {
    title: 'Assinatura não encontrada',
    hint: 'Confira o endereço ou peça um novo link a quem o enviou.',
  },
  intervals: {
    WEEKLY: 'por semana',
    MONTHLY: 'por mês',
    QUARTERLY: 'a cada 3 meses',
    SEMIANNUAL: 'a cada 6 meses',
    YEARLY: 'por ano',
  },
  statuses: {
    PENDING: 'Aguardando autorização ou pagamento',
    ACTIVE: 'Ativa',
    PAST_DUE: 'Em atraso',
    PAUSED: 'Pausada',
    CANCELLED: 'Cancelada',
    COMPLETED: 'Concluída',
    REJECTED: 'Recusada',
    EXPIRED: 'Expirada',
  },
  methods: {
    PIX_AUTOMATICO: 'Pix Automático',
    CREDIT_CARD: 'Cartão de crédito',
    BOLETO: 'Boleto',
    PIX: 'Pix',
  },
  invoiceStatuses: {
    SCHEDULED: 'Agendada',
    PENDING: 'Em aberto',
    PAID: 'Paga',
    FAILED: 'Não paga',
    CANCELLED: 'Cancelada',
  },
  terms: (interval, cycles) =>
    cycles === 1
      ? 'Este pagamento é a única cobrança da assinatura.'
      : `Este pagamento inicia uma assinatura, com uma cobrança ${interval}` +
        (cycles === null ? ' até você cancelar.' : `: ${cycles} cobranças, contando com esta.`),
  status: 'Situação',
  nextCharge: 'Próxima cobrança',
  noCharge: 'Nenhuma',
  method: 'Forma de pagamento',
  startDate: 'Início',
  cycles: 'Número de cobranças',
  noEnd: 'Até o cancelamento',
  cardExpires: (expiry) => `válido até ${expiry}`,
  pay: (amount, date) => `Pagar ${amount}, fatura de ${date}`,
  authorize: 'Leia o QR Code ou cole o código no app do seu banco para autorizar as cobranças.',
  invoices: 'Faturas',
  changeCard: 'Trocar cartão',
  changeCardHint:
    'As próximas cobranças serão feitas no novo cartão. ' +
    'Se houver uma fatura não paga, ela será cobrada agora.',
  saveCard: 'Salvar cartão',
  cancel: 'Cancelar assinatura',
  cancelTitle: 'Cancelar a assinatura?',
  cancelHint: 'Nada mais será cobrado. Esta ação não pode ser desfeita.',
  confirmCancel: 'Sim, cancelar',
  keep: 'Voltar',
};

const en: SubscriptionTexts = {
  one: 'Subscription',
  unknown: {
    title: 'Subscription not found',
    hint: 'Check the address, or ask the sender for a new link.',
  },
  intervals: {
    WEEKLY: 'per week',
    MONTHLY: 'per month',
    QUARTERLY: 'every 3 months',
    SEMIANNUAL: 'every 6 months',
    YEARLY: 'per year',
  },
  statuses: {
    PENDING: 'Waiting for authorization or payment',
    ACTIVE: 'Active',
    PAST_DUE: 'Past due',
    PAUSED: 'Paused',
    CANCELLED: 'Canceled',
    COMPLETED: 'Completed',
    REJECTED: 'Rejected',
    EXPIRED: 'Expired',
  },
  methods: {
    PIX_AUTOMATICO: 'Pix Automático',
    CREDIT_CARD: 'Credit card',
    BOLETO: 'Boleto',
    PIX: 'Pix',
  },
  invoiceStatuses: {
    SCHEDULED: 'Scheduled',
    PENDING: 'Pending',
    PAID: 'Paid',
    FAILED: 'Payment failed',
    CANCELLED: 'Canceled',
  },
  terms: (interval, cycles) =>
    cycles === 1
      ? 'This payment is the only charge of the subscription.'
      : `This payment starts a subscription with one charge ${interval}` +
        (cycles === null ? ' until you cancel.' : `: ${cycles} charges including this one.`),
  status: 'Status',
  nextCharge: 'Next charge',
  noCharge: 'None',
  method: 'Payment method',
  startDate: 'Start date',
  cycles: 'Number of charges',
  noEnd: 'No end',
  cardExpires: (expiry) => `expires ${expiry}`,
  pay: (amount, date) => `Pay ${amount}, invoice for ${date}`,
  authorize: "Scan the QR code or paste the code in your bank's app to authorize the charges.",
  invoices: 'Invoices',
  changeCard: 'Change card',
  changeCardHint: 'Future charges use the new card. An unpaid invoice is charged to it now.',
  saveCard: 'Save card',
  cancel: 'Cancel subscription',
  cancelTitle: 'Cancel the subscription?',
  cancelHint: 'Nothing more will be charged. This cannot be undone.',
  confirmCancel: 'Yes, cancel',
  keep: 'Go back',
};

export const SUBSCRIPTION_TEXTS: Readonly<Record<PageLanguage, SubscriptionTexts>> = { 'pt-BR': pt, en };
