/**
 * The texts of the payment page in each language. Names of Brazilian payments stay in Portuguese.
 */

import type { PayerState } from '#payments/transactions/payer-state.ts';
import type { Method } from '#payments/transactions/transaction.ts';

export type PageLanguage = 'pt-BR' | 'en';

export type UnpayableLink = 'INACTIVE' | 'EXPIRED' | 'COMPLETED' | 'UNKNOWN';

interface Notice {
  readonly title: string;
  readonly hint: string;
}

export interface PageTexts {
  readonly payTo: (seller: string) => string;
  /** Shown in the sandbox. */
  readonly sandbox: string;
  readonly processedBy: string;
  readonly noScript: string;
  readonly links: Readonly<Record<UnpayableLink, Notice>>;
  readonly states: Readonly<Record<PayerState, Notice>>;
  readonly boletoWaiting: Notice;
  /** A boleto that can be paid by its Pix code too. */
  readonly boletoOrPixWaiting: Notice;
  readonly boletoExpired: Notice;
  /** The hints of a payment whose page does not offer another one. */
  readonly askForAnother: Readonly<Record<'EXPIRED' | 'FAILED' | 'boletoExpired', string>>;
  readonly methods: Readonly<Record<Method, string>>;
  readonly methodHints: Readonly<Record<Method, string>>;
  readonly howToPay: string;
  readonly payer: string;
  readonly card: string;
  readonly fields: {
    readonly amount: string;
    readonly amountHint: (min: string | null, max: string | null) => string;
    readonly name: string;
    readonly document: string;
    readonly documentHint: string;
    readonly email: string;
    readonly phone: string;
    readonly number: string;
    readonly expiry: string;
    readonly expiryHint: string;
    readonly cvv: string;
    readonly holderName: string;
    readonly installments: string;
    readonly installmentsHint: string;
  };
  readonly submit: Readonly<Record<Method, string>>;
  readonly pix: {
    readonly copy: string;
    readonly code: string;
    readonly picture: string;
    readonly steps: readonly string[];
    readonly waiting: string;
    readonly renew: string;
    readonly startAgain: string;
  };
  readonly boleto: {
    readonly copy: string;
    readonly line: string;
    readonly picture: string;
    readonly pdf: string;
    readonly dueDate: string;
  };
  readonly share: {
    readonly label: string;
    readonly toPay: string;
    readonly toKeep: string;
    readonly copy: string;
    readonly mail: string;
    readonly payment: (of: { readonly seller: string; readonly amount: string }) => string;
    readonly receipt: (of: { readonly seller: string; readonly amount: string }) => string;
  };
  readonly expiresIn: (seconds: number) => string;
  readonly receipt: {
    readonly title: string;
    readonly amount: string;
    readonly refunded: string;
    readonly paidAt: string;
    readonly method: string;
    readonly seller: string;
    readonly payer: string;
    readonly endToEndId: string;
    readonly card: string;
    readonly authorizationCode: string;
    readonly pdf: string;
    readonly back: string;
  };
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const pt: PageTexts = {
  payTo: (seller) => `Pagamento para ${seller}`,
  sandbox: 'AMBIENTE DE TESTES · sem dinheiro real',
  processedBy: 'Pagamento processado por Vereda',
  noScript: 'Para pagar por esta página, ative o JavaScript do navegador.',
  links: {
    UNKNOWN: {
      title: 'Link não encontrado',
      hint: 'Confira o endereço ou peça um novo link a quem o enviou.',
    },
    INACTIVE: {
      title: 'Este link não está ativo',
      hint: 'A loja não está recebendo pagamentos por este link. Peça um novo link a ela.',
    },
    EXPIRED: { title: 'Este link expirou', hint: 'Peça um novo link à loja.' },
    COMPLETED: {
      title: 'Este link já foi pago',
      hint: 'O link recebeu todos os pagamentos previstos. Se você ainda precisa pagar, fale com a loja.',
    },
  },
  states: {
    WAITING: { title: 'Pague com Pix', hint: 'A confirmação aparece aqui automaticamente.' },
    PROCESSING: {
      title: 'Pagamento em processamento',
      hint: 'Mantenha esta página aberta. O resultado aparece aqui automaticamente.',
    },
    PAID: { title: 'Pagamento confirmado', hint: 'A loja já foi avisada. Guarde o comprovante.' },
    EXPIRED: {
      title: 'O código Pix expirou',
      hint: 'Se você acabou de pagar, aguarde a confirmação. Se não, gere um novo código.',
    },
    CANCELLED: {
      title: 'Cobrança cancelada',
      hint: 'Esta cobrança não pode mais ser paga. Nenhum valor foi debitado.',
    },
    FAILED: {
      title: 'Pagamento não realizado',
      hint: 'Nada foi cobrado. Tente novamente ou use outra forma de pagamento.',
    },
    REFUNDED: {
      title: 'Pagamento reembolsado',
      hint: 'O valor foi reembolsado. Se ele não chegar, fale com a loja.',
    },
  },
  boletoWaiting: { title: 'Pague o boleto', hint: 'A confirmação leva até 3 dias úteis após o pagamento.' },
  boletoOrPixWaiting: {
    title: 'Pague o boleto',
    hint:
      'Pelo código Pix, a confirmação é na hora. Pela linha digitável, leva até 3 dias úteis. ' +
      'Pague uma única vez.',
  },
  boletoExpired: {
    title: 'O boleto venceu',
    hint: 'Se você já pagou, aguarde até 3 dias úteis. Se não pagou, gere um novo boleto.',
  },
  askForAnother: {
    EXPIRED: 'Se você acabou de pagar, aguarde a confirmação. Se não, peça uma nova cobrança à loja.',
    FAILED: 'Nada foi cobrado. Para pagar, peça uma nova cobrança à loja.',
    boletoExpired: 'Se você já pagou, aguarde até 3 dias úteis. Se não pagou, peça um novo boleto à loja.',
  },
  methods: { PIX: 'Pix', BOLETO: 'Boleto', CREDIT_CARD: 'Cartão de crédito' },
  methodHints: {
    PIX: 'Confirmação na hora',
    BOLETO: 'Confirmação em até 3 dias úteis',
    CREDIT_CARD: 'Confirmação na hora',
  },
  howToPay: 'Forma de pagamento',
  payer: 'Seus dados',
  card: 'Dados do cartão',
  fields: {
    amount: 'Valor',
    amountHint: (min, max) =>
      [min === null ? '' : `mínimo ${min}`, max === null ? '' : `máximo ${max}`].filter(Boolean).join(', '),
    name: 'Nome completo',
    document: 'CPF ou CNPJ',
    documentHint: 'Informe o seu CPF ou CNPJ, o mesmo do cadastro na loja.',
    email: 'E-mail',
    phone: 'Celular com DDD',
    number: 'Número do cartão',
    expiry: 'Validade',
    expiryHint: 'MM/AA',
    cvv: 'Código de segurança',
    holderName: 'Nome impresso no cartão',
    installments: 'Parcelas',
    installmentsHint: 'e valor total',
  },
  submit: { PIX: 'Gerar código Pix', BOLETO: 'Gerar boleto', CREDIT_CARD: 'Pagar' },
  pix: {
    copy: 'Copiar código Pix',
    code: 'Pix Copia e Cola',
    picture: 'QR Code do Pix',
    steps: [
      'Abra o app do seu banco e entre em Pix.',
      'Leia o QR Code ou cole o código em Pix Copia e Cola.',
      'Confira os dados e confirme.',
    ],
    waiting: 'Aguardando o pagamento…',
    renew: 'Gerar novo código Pix',
    startAgain: 'Escolher forma de pagamento',
  },
  boleto: {
    copy: 'Copiar linha digitável',
    line: 'Linha digitável',
    picture: 'Código de barras do boleto',
    pdf: 'Abrir boleto em PDF',
    dueDate: 'Vencimento',
  },
  share: {
    label: 'Compartilhar',
    toPay: 'Outra pessoa vai pagar? Envie esta página:',
    toKeep: 'Envie o comprovante:',
    copy: 'Copiar link',
    mail: 'E-mail',
    payment: ({ seller, amount }) => `Pagamento de ${amount} para ${seller}`,
    receipt: ({ seller, amount }) => `Comprovante do pagamento de ${amount} para ${seller}`,
  },
  expiresIn: (seconds) =>
    seconds >= 172_800
      ? `Expira em ${plural(Math.floor(seconds / 86_400), 'dia', 'dias')}`
      : seconds >= 7_200
        ? `Expira em ${plural(Math.floor(seconds / 3_600), 'hora', 'horas')}`
        : seconds >= 60
          ? `Expira em ${plural(Math.floor(seconds / 60), 'minuto', 'minutos')}`
          : `Expira em ${plural(seconds, 'segundo', 'segundos')}`,
  receipt: {
    title: 'Comprovante',
    amount: 'Valor',
    refunded: 'Reembolsado',
    paidAt: 'Pago em',
    method: 'Forma de pagamento',
    seller: 'Recebedor',
    payer: 'Pagador',
    endToEndId: 'ID da transação Pix (E2E)',
    card: 'Cartão',
    authorizationCode: 'Código de autorização',
    pdf: 'Baixar comprovante em PDF',
    back: 'Voltar para a loja',
  },
};

const en: PageTexts = {
  payTo: (seller) => `Payment to ${seller}`,
  sandbox: 'SANDBOX · no real money',
  processedBy: 'Payment processed by Vereda',
  noScript: 'To pay on this page, enable JavaScript in your browser.',
  links: {
    UNKNOWN: { title: 'Link not found', hint: 'Check the address, or ask the sender for a new link.' },
    INACTIVE: {
      title: 'This link is not active',
      hint: 'The seller is not accepting payments through this link. Ask for a new one.',
    },
    EXPIRED: { title: 'This link has expired', hint: 'Ask the seller for a new link.' },
    COMPLETED: {
      title: 'This link has been paid',
      hint: 'The link has reached its payment limit. If you still need to pay, contact the seller.',
    },
  },
  states: {
    WAITING: { title: 'Pay with Pix', hint: 'The confirmation appears here automatically.' },
    PROCESSING: {
      title: 'Payment in progress',
      hint: 'Keep this page open. The result appears here automatically.',
    },
    PAID: { title: 'Payment confirmed', hint: 'The seller has been notified. Keep the receipt.' },
    EXPIRED: {
      title: 'The Pix code has expired',
      hint: 'If you have just paid, wait for the confirmation. Otherwise, generate a new code.',
    },
    CANCELLED: { title: 'Payment canceled', hint: 'You can no longer pay this. You were not charged.' },
    FAILED: {
      title: 'Payment failed',
      hint: 'You were not charged. Try again or use another payment method.',
    },
    REFUNDED: {
      title: 'Payment refunded',
      hint: 'The amount was refunded. If it does not arrive, contact the seller.',
    },
  },
  boletoWaiting: { title: 'Pay the boleto', hint: 'Confirmation takes up to 3 business days after payment.' },
  boletoOrPixWaiting: {
    title: 'Pay the boleto',
    hint:
      'A payment with the Pix code is confirmed at once. ' +
      'With the boleto number, confirmation takes up to 3 business days. Pay only once.',
  },
  boletoExpired: {
    title: 'The boleto has expired',
    hint: 'If you have paid, allow up to 3 business days. Otherwise, generate a new boleto.',
  },
  askForAnother: {
    EXPIRED:
      'If you have just paid, wait for the confirmation. Otherwise, ask the seller for a new Pix code.',
    FAILED: 'You were not charged. To pay, ask the seller for a new payment link.',
    boletoExpired:
      'If you have paid, allow up to 3 business days. Otherwise, ask the seller for a new boleto.',
  },
  methods: { PIX: 'Pix', BOLETO: 'Boleto', CREDIT_CARD: 'Credit card' },
  methodHints: {
    PIX: 'Instant confirmation',
    BOLETO: 'Confirmation within 3 business days',
    CREDIT_CARD: 'Instant confirmation',
  },
  howToPay: 'Payment method',
  payer: 'Your details',
  card: 'Card details',
  fields: {
    amount: 'Amount',
    amountHint: (min, max) =>
      [min === null ? '' : `minimum ${min}`, max === null ? '' : `maximum ${max}`].filter(Boolean).join(', '),
    name: 'Full name',
    document: 'CPF or CNPJ',
    documentHint: 'Enter your CPF or CNPJ, the one that the seller has on file.',
    email: 'Email',
    phone: 'Mobile number with area code',
    number: 'Card number',
    expiry: 'Expiration date',
    expiryHint: 'MM/YY',
    cvv: 'Security code',
    holderName: 'Name on card',
    installments: 'Installments',
    installmentsHint: 'and total',
  },
  submit: { PIX: 'Generate Pix code', BOLETO: 'Generate boleto', CREDIT_CARD: 'Pay' },
  pix: {
    copy: 'Copy Pix code',
    code: 'Pix code (copia e cola)',
    picture: 'Pix QR code',
    steps: [
      "Open your bank's app and choose Pix.",
      'Scan the QR code, or copy the code and paste it under Pix Copia e Cola.',
      'Check the details and confirm.',
    ],
    waiting: 'Waiting for the payment…',
    renew: 'Generate a new Pix code',
    startAgain: 'Choose a payment method',
  },
  boleto: {
    copy: 'Copy boleto number',
    line: 'Boleto number (linha digitável)',
    picture: 'Barcode of the boleto',
    pdf: 'Open boleto PDF',
    dueDate: 'Due date',
  },
  share: {
    label: 'Share',
    toPay: 'Is someone else paying? Send this page:',
    toKeep: 'Send the receipt:',
    copy: 'Copy link',
    mail: 'Email',
    payment: ({ seller, amount }) => `Payment of ${amount} to ${seller}`,
    receipt: ({ seller, amount }) => `Receipt for the payment of ${amount} to ${seller}`,
  },
  expiresIn: (seconds) =>
    seconds >= 172_800
      ? `Expires in ${plural(Math.floor(seconds / 86_400), 'day', 'days')}`
      : seconds >= 7_200
        ? `Expires in ${plural(Math.floor(seconds / 3_600), 'hour', 'hours')}`
        : seconds >= 60
          ? `Expires in ${plural(Math.floor(seconds / 60), 'minute', 'minutes')}`
          : `Expires in ${plural(seconds, 'second', 'seconds')}`,
  receipt: {
    title: 'Receipt',
    amount: 'Amount',
    refunded: 'Refunded',
    paidAt: 'Paid on',
    method: 'Payment method',
    seller: 'Paid to',
    payer: 'Paid by',
    endToEndId: 'Pix transaction ID (E2E)',
    card: 'Card',
    authorizationCode: 'Authorization code',
    pdf: 'Download receipt PDF',
    back: 'Back to the store',
  },
};

export const PAGE_TEXTS: Readonly<Record<PageLanguage, PageTexts>> = { 'pt-BR': pt, en };
