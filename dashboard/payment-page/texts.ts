const pt = {
  copied: 'Copiado',
  selected: 'Código selecionado. Copie pelo menu',
  announceCopied: 'Código copiado.',
  announceSelected: 'O código está selecionado. Copie-o pelo menu do navegador.',
  submit: { PIX: 'Gerar código Pix', BOLETO: 'Gerar boleto', CREDIT_CARD: 'Pagar' },
  sending: 'Enviando…',
  expiresIn: 'Expira em',
  units: {
    days: ['dia', 'dias'],
    hours: ['hora', 'horas'],
    minutes: ['minuto', 'minutos'],
    seconds: ['segundo', 'segundos'],
  },
  offline: 'Sem conexão. Tentando novamente…',
  online: 'Conexão restabelecida.',
  invalid: {
    amount: 'Informe o valor.',
    tooSmall: 'O valor mínimo é',
    tooLarge: 'O valor máximo é',
    name: 'Informe o nome completo.',
    document: 'Informe um CPF ou CNPJ válido.',
    email: 'Informe um e-mail válido.',
    phone: 'Informe o celular com DDD.',
    number: 'Confira o número do cartão.',
    expiry: 'Informe a validade como MM/AA.',
    expired: 'Este cartão está vencido.',
    cvv: 'Informe os 3 ou 4 dígitos do código.',
    holderName: 'Informe o nome como aparece no cartão.',
    installments: 'Escolha outro número de parcelas.',
  },
  declines: {
    'insufficient funds':
      'O cartão não tem saldo ou limite suficiente. Use outro cartão ou outra forma de pagamento.',
    'expired card': 'Este cartão está vencido. Use outro cartão.',
    'blocked card': 'Este cartão está bloqueado. Fale com o banco emissor ou use outro cartão.',
    'invalid card number': 'Confira o número do cartão.',
    'invalid expiry date': 'Confira a validade do cartão.',
    'wrong security code': 'Confira o código de segurança.',
  } as Record<string, string>,
  declined: 'O pagamento não foi aprovado. Nada foi cobrado. Use outro cartão ou outra forma de pagamento.',
  problems: {
    payment_link_not_active: 'Este link não recebe mais pagamentos.',
    too_many_unpaid_payments: 'Há muitos pagamentos em aberto. Pague um deles ou tente novamente em',
    too_many_declined_cards: 'Muitos cartões foram recusados. Tente novamente em',
    rate_limited: 'Muitas tentativas. Tente novamente em',
    validation_failed: 'Confira os campos indicados.',
  } as Record<string, string>,
  cardSaved: 'Cartão salvo.',
  canceled: 'Assinatura cancelada.',
  changeProblem: 'Não foi possível concluir. Tente novamente.',
  problem: 'Não foi possível criar o pagamento. Nada foi cobrado. Tente novamente.',
  noConnection: 'Sem conexão. Seus dados continuam aqui. Tente novamente quando a conexão voltar.',
};

const en: typeof pt = {
  copied: 'Copied',
  selected: 'Code selected. Copy it from the menu',
  announceCopied: 'Code copied.',
  announceSelected: "The code is selected. Copy it from your browser's menu.",
  submit: { PIX: 'Generate Pix code', BOLETO: 'Generate boleto', CREDIT_CARD: 'Pay' },
  sending: 'Sending…',
  expiresIn: 'Expires in',
  units: {
    days: ['day', 'days'],
    hours: ['hour', 'hours'],
    minutes: ['minute', 'minutes'],
    seconds: ['second', 'seconds'],
  },
  offline: 'No connection. The page reconnects automatically.',
  online: 'Back online.',
  invalid: {
    amount: 'Enter the amount.',
    tooSmall: 'The minimum is',
    tooLarge: 'The maximum is',
    name: 'Enter your full name.',
    document: 'Enter a valid CPF or CNPJ.',
    email: 'Enter a valid email address.',
    phone: 'Enter your mobile number with area code.',
    number: 'Check the card number.',
    expiry: 'Enter the expiration date as MM/YY.',
    expired: 'This card has expired.',
    cvv: 'Enter the 3 or 4 digits of the code.',
    holderName: 'Enter the name as it appears on the card.',
    installments: 'Choose another number of installments.',
  },
  declines: {
    'insufficient funds': 'The card has insufficient funds. Use another card or payment method.',
    'expired card': 'This card has expired. Use another card.',
    'blocked card': 'This card is blocked. Contact your bank or use another card.',
    'invalid card number': 'Check the card number.',
    'invalid expiry date': 'Check the expiration date.',
    'wrong security code': 'Check the security code.',
  },
  declined: 'The payment was not approved. You were not charged. Use another card or payment method.',
  problems: {
    payment_link_not_active: 'This link no longer accepts payments.',
    too_many_unpaid_payments: 'There are too many unpaid payments. Pay one of them or try again in',
    too_many_declined_cards: 'Too many cards were declined. Try again in',
    rate_limited: 'Too many attempts. Try again in',
    validation_failed: 'Check the highlighted fields.',
  },
  cardSaved: 'Card saved.',
  canceled: 'Subscription canceled.',
  changeProblem: 'The change could not be made. Try again.',
  problem: 'The payment could not be started. You were not charged. Try again.',
  noConnection: 'No connection. Your details are still here. Try again when you are back online.',
};

const isEnglish = document.documentElement.lang === 'en';
export const texts = isEnglish ? en : pt;

/** `R$ 1.234,56` or `R$1,234.56`. */
export function formatMoney(cents: number): string {
  const amount = (cents / 100).toLocaleString(isEnglish ? 'en' : 'pt-BR', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return isEnglish ? `R$${amount}` : `R$ ${amount}`;
}

const count = (number: number, [one, many]: readonly string[]): string =>
  `${number} ${number === 1 ? one : many}`;

/** A duration in the largest unit of which it has two, from minutes on one: `29 minutos`. */
export function formatDuration(seconds: number): string {
  const { units } = texts;
  if (seconds >= 172_800) return count(Math.floor(seconds / 86_400), units.days);
  if (seconds >= 7_200) return count(Math.floor(seconds / 3_600), units.hours);
  if (seconds >= 60) return count(Math.floor(seconds / 60), units.minutes);
  return count(seconds, units.seconds);
}
