/** The texts of a payer's page in each language. Names of Brazilian payments stay in Portuguese. */

export type PageLanguage = 'pt-BR' | 'en';

/** The state of a boleto as its payer sees it. Only WAITING shows how to pay. */
export type BoletoPageStatus =
  | 'WAITING'
  /** The bank has not registered it yet. */
  | 'UNREGISTERED'
  | 'PROCESSING'
  | 'PAID'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'FAILED'
  | 'REFUNDED';

interface PageTexts {
  title(amount: string): string;
  readonly labels: Readonly<Record<BoletoPageStatus, string>>;
  readonly messages: Readonly<Record<BoletoPageStatus, string>>;
  /** The message of a waiting boleto that Pix can pay, too. */
  readonly payOnce: string;
  readonly unknown: { readonly title: string; readonly hint: string };
  readonly amount: string;
  readonly dueDate: string;
  readonly beneficiary: string;
  readonly payer: string;
  readonly description: string;
  readonly pix: {
    readonly hint: string;
    readonly picture: string;
    readonly code: string;
    readonly copy: string;
  };
  readonly barcode: {
    readonly title: string;
    readonly hint: string;
    readonly picture: string;
    readonly line: string;
    readonly copy: string;
  };
  readonly pdf: string;
  readonly instructions: string;
}

const pt: PageTexts = {
  title: (amount) => `Boleto de ${amount}`,
  labels: {
    WAITING: 'Aguardando pagamento',
    UNREGISTERED: 'Em registro no banco',
    PROCESSING: 'Em processamento',
    PAID: 'Pago',
    EXPIRED: 'Vencido',
    CANCELLED: 'Cancelado',
    FAILED: 'Indisponível',
    REFUNDED: 'Reembolsado',
  },
  messages: {
    WAITING: 'Pague pelo código de barras ou pela linha digitável.',
    UNREGISTERED: 'O banco ainda está registrando este boleto. Abra esta página mais tarde para pagar.',
    PROCESSING: 'O pagamento deste boleto está em processamento. Não pague novamente.',
    PAID: 'Este boleto já foi pago. Você não precisa fazer mais nada.',
    EXPIRED:
      'Este boleto venceu. Se você já pagou, não pague de novo: aguarde até 3 dias úteis. Se não pagou, ' +
      'peça um novo a quem o enviou.',
    CANCELLED: 'Este boleto foi cancelado. Não pague.',
    FAILED: 'Este boleto não pode mais ser pago. Peça um novo a quem o enviou.',
    REFUNDED: 'Este boleto foi pago e depois reembolsado. Se o valor não chegar, fale com a loja.',
  },
  payOnce: 'Pague uma única vez: com Pix ou com o código de barras.',
  unknown: {
    title: 'Boleto não encontrado',
    hint: 'Confira se o link está completo ou peça um novo a quem o enviou.',
  },
  amount: 'Valor',
  dueDate: 'Vencimento',
  beneficiary: 'Beneficiário',
  payer: 'Pagador',
  description: 'Descrição',
  pix: {
    hint: 'O pagamento é confirmado na hora, em qualquer dia e horário.',
    picture: 'QR Code do Pix',
    code: 'Pix Copia e Cola',
    copy: 'Copiar código Pix',
  },
  barcode: {
    title: 'Código de barras',
    hint: 'Pague no app do seu banco, em um caixa eletrônico ou em uma lotérica.',
    picture: 'Código de barras do boleto',
    line: 'Linha digitável',
    copy: 'Copiar linha digitável',
  },
  pdf: 'Abrir boleto em PDF',
  instructions: 'Instruções',
};

const en: PageTexts = {
  title: (amount) => `Boleto for ${amount}`,
  labels: {
    WAITING: 'Waiting for payment',
    UNREGISTERED: 'Being registered',
    PROCESSING: 'Processing',
    PAID: 'Paid',
    EXPIRED: 'Expired',
    CANCELLED: 'Canceled',
    FAILED: 'Unavailable',
    REFUNDED: 'Refunded',
  },
  messages: {
    WAITING: 'Pay with the barcode or the boleto number.',
    UNREGISTERED: 'The bank is still registering this boleto. Open this page later to pay.',
    PROCESSING: 'The payment of this boleto is being processed. Do not pay again.',
    PAID: 'This boleto has been paid. There is nothing else to do.',
    EXPIRED:
      'This boleto has expired. If you have paid it, do not pay again: allow up to 3 business days. ' +
      'Otherwise, ask the sender for a new one.',
    CANCELLED: 'This boleto was canceled. Do not pay it.',
    FAILED: 'This boleto can no longer be paid. Ask the sender for a new one.',
    REFUNDED: 'This boleto was paid and then refunded. If the amount does not arrive, contact the seller.',
  },
  payOnce: 'Pay only once: with Pix or with the barcode.',
  unknown: {
    title: 'Boleto not found',
    hint: 'Check that the link is complete, or ask the sender for a new one.',
  },
  amount: 'Amount',
  dueDate: 'Due date',
  beneficiary: 'Beneficiary',
  payer: 'Payer',
  description: 'Description',
  pix: {
    hint: 'Your payment is confirmed immediately, at any time of any day.',
    picture: 'Pix QR code',
    code: 'Pix code (copia e cola)',
    copy: 'Copy Pix code',
  },
  barcode: {
    title: 'Barcode',
    hint: 'Pay in your bank’s app, at an ATM or at a lottery shop (lotérica).',
    picture: 'Barcode of the boleto',
    line: 'Boleto number (linha digitável)',
    copy: 'Copy boleto number',
  },
  pdf: 'Open boleto PDF',
  instructions: 'Instructions to the bank (in Portuguese)',
};

export const PAGE_TEXTS: Readonly<Record<PageLanguage, PageTexts>> = { 'pt-BR': pt, en };
