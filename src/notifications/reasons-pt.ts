import { SAO_PAULO } from '#formats/calendar/sao-paulo.ts';
import { BANK_REASONS } from './bank-reasons-pt.ts';

/**
 * Portuguese for the texts that the API writes in English, such as the reason a charge, refund,
 * withdrawal or delivery failed. Emails and the dashboard show them.
 */

const NUMBER = new Intl.NumberFormat('pt-BR');
const DATE = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  timeZone: SAO_PAULO,
});

const REASONS: Readonly<Record<string, string>> = {
  expired: 'Prazo de pagamento encerrado',
  cancelled: 'Cobrança cancelada',
  voided: 'Pré-autorização cancelada',
  'authorization expired': 'Pré-autorização expirada',
  'cancelled by the seller': 'Cancelada pela loja',
  'failed at the provider': 'Falha no provedor',
  'refused by the provider': 'Recusa do provedor',
  'removed at the provider': 'Cobrança removida no provedor',
  'no provider accepted the transaction': 'Nenhum provedor aceitou a cobrança',
  'refused by a risk rule': 'Recusada por uma regra de risco',
  'refused in a review': 'Recusada na análise de risco',
  'too many declined attempts': 'Muitas tentativas recusadas',
  'the card provider did not respond in time': 'A adquirente não respondeu a tempo',
  'the provider did not complete the operation': 'O provedor não concluiu a operação',
  'the provider has a different charge with this id': 'O provedor tem outra cobrança com este ID',
  'the provider has a different refund with this id': 'O provedor tem outro reembolso com este ID',
  'not carried out by the provider': 'Não realizado pelo provedor',
  'written off by the bank': 'Boleto baixado pelo banco',
  'failed at the bank': 'Falha no banco',
  'banks do not pay out cryptocurrency': 'Bancos não transferem criptomoedas',
  declined: 'Cartão recusado',
  'the saved card was deleted': 'O cartão salvo foi excluído',
  'the customer was deleted': 'O cliente foi excluído',
  'the amount does not cover the fee': 'O valor não cobre a tarifa',
  'blocked card': 'Cartão bloqueado',
  'expired card': 'Cartão vencido',
  'insufficient funds': 'Saldo ou limite insuficiente',
  'invalid card number': 'Número do cartão inválido',
  'invalid expiry date': 'Validade do cartão inválida',
  'suspected fraud': 'Suspeita de fraude',
  'wrong security code': 'Código de segurança incorreto',
  "the card's bank asks for authentication": 'O banco emissor exige autenticação',
  chargeback: 'Chargeback',
  'opened by the payer': 'Aberta pelo pagador',
  'product not received': 'Produto não recebido',
  'not as described': 'Produto diferente do anunciado',
  'payer does not recognize the purchase': 'O pagador não reconhece a compra',
  'returned by the customer': 'Produto devolvido pelo cliente',
  'out of stock': 'Produto em falta',
  'duplicate purchase': 'Compra em duplicidade',
  'the payee’s bank refused it': 'Recusado pelo banco do favorecido',
  // MED reasons of the Central Bank.
  fraud: 'Fraude',
  scam: 'Golpe',
  account_takeover: 'Invasão de conta',
  'account takeover': 'Invasão de conta',
  coercion: 'Coação',
  fraudulent_access: 'Acesso fraudulento',
  'fraudulent access': 'Acesso fraudulento',
  other: 'Outro motivo',
  unknown: 'Motivo não informado',
  med_fraude: 'Fraude',
  operational_flaw: 'Falha operacional',
  med_operacional: 'Falha operacional',
  refund_cancelled: 'Devolução cancelada',
  ...BANK_REASONS,
  // Webhook deliveries.
  'the server did not respond.': 'O servidor não respondeu.',
  'the server refused the connection.': 'O servidor recusou a conexão.',
  'the server could not be reached.': 'Não foi possível acessar o servidor.',
  'the server closed the connection before the response was complete.':
    'O servidor encerrou a conexão antes de concluir a resposta.',
  'the response is not valid http.': 'A resposta do servidor não é HTTP válido.',
  'dns lookup failed.': 'O domínio não foi encontrado no DNS.',
  'dns is temporarily unavailable for the host name.':
    'Não foi possível consultar o DNS do domínio no momento.',
  'the host resolves to an address that is not public.':
    'O domínio aponta para um endereço que não é público.',
  'the delivery was canceled.': 'O envio foi cancelado.',
  'the request failed.': 'A requisição falhou.',
  'the tls handshake failed: the port does not offer https, or only an outdated version.':
    'Não foi possível estabelecer uma conexão TLS: a porta não oferece HTTPS ou usa uma versão antiga.',
  "the server's certificate is self-signed.": 'O certificado do servidor é autoassinado.',
  "the server's certificate is signed by an authority that is not trusted, or its chain is incomplete.":
    'O certificado do servidor não é de uma autoridade confiável, ou a cadeia está incompleta.',
  "the server's certificate was revoked.": 'O certificado do servidor foi revogado.',
  "the server's certificate has expired.": 'O certificado do servidor expirou.',
  "the server's certificate is not valid yet.": 'O certificado do servidor ainda não é válido.',
  'the url contains spaces, backslashes or invisible characters.':
    'A URL contém espaços, barras invertidas ou caracteres invisíveis.',
  'the url must start with https://.': 'A URL deve começar com https://.',
  'the url is not valid.': 'A URL é inválida.',
  'the url must not contain a user name or password.': 'A URL não pode conter usuário nem senha.',
  'the host name is not valid.': 'O domínio é inválido.',
  // Why a webhook is disabled.
  'the server responded with 410 gone: the address is no longer in use.':
    'O servidor respondeu 410 Gone: o endereço não é mais usado.',
  'you disabled it.': 'Desativado pela sua equipe ou pela API.',
};

type Translate = (values: readonly string[]) => string;

/** Texts with variable parts. */
const PATTERNS: readonly (readonly [RegExp, Translate])[] = [
  [/^refused by the provider: (.+)$/i, ([detail = '']) => `Recusa do provedor: ${detail}`],
  [
    /^refused by the card provider \((?:no reason|(.+))\)$/i,
    ([code]) => `Recusa da adquirente${inParentheses(code)}`,
  ],
  [
    /^the provider responded with HTTP (\d+)(?: \((.+)\))?$/i,
    ([status, code]) => `O provedor respondeu com o status HTTP ${status}${inParentheses(code)}`,
  ],
  [/^not carried out by the provider: (.+)$/i, ([detail = '']) => `Não realizado pelo provedor: ${detail}`],
  [
    /^refused by a risk rule: (.+)$/i,
    ([detail = '']) => `Recusada por uma regra de risco: ${translateInside(detail)}`,
  ],
  [/^capture refused: (.+)$/i, ([detail = '']) => `Captura recusada: ${translateInside(detail)}`],
  [
    /^registration rejected: (.+)$/i,
    ([detail = '']) => `Registro rejeitado pelo banco: ${translateInside(detail)}`,
  ],
  [/^MED: (.*)$/, ([detail = '']) => `MED: ${translateInside(detail)}`],
  [
    /^The server responded with a redirect(?: to (.+))? \(status (\d+)\); redirects are not followed\.$/,
    ([to, status]) =>
      `O servidor respondeu com um redirecionamento${to === undefined ? '' : ` para ${to}`} ` +
      `(status ${status}). Redirecionamentos não são seguidos.`,
  ],
  [
    /^The server responded with status (\d+)\.$/,
    ([status]) => `O servidor respondeu com o status ${status}.`,
  ],
  [/^No complete response within ([\d.]+) seconds\.$/, ([s]) => `Sem resposta completa em ${seconds(s)}.`],
  [
    /^No connection to the server within ([\d.]+) seconds\.$/,
    ([s]) => `Sem conexão com o servidor em ${seconds(s)}.`,
  ],
  [
    /^The server's certificate expired on (\S+)\.$/,
    ([on]) => `O certificado do servidor expirou em ${day(on)}.`,
  ],
  [
    /^The server's certificate is not valid before (\S+)\.$/,
    ([on]) => `O certificado do servidor só é válido a partir de ${day(on)}.`,
  ],
  [
    /^The server's certificate is for another name(?: \((.+)\))?\.$/,
    ([names]) => `O certificado do servidor é de outro domínio${inParentheses(names)}.`,
  ],
  [/^The URL is longer than (\d+) characters\.$/, ([length]) => `A URL tem mais de ${length} caracteres.`],
  [
    /^The port must be (\d+) or above (\d+)\.$/,
    ([port, above]) => `A porta deve ser ${port} ou maior que ${above}.`,
  ],
  [
    /^Every attempt has failed for five days, since (\S+)\.$/,
    ([since = '']) => `Todas as tentativas falharam por cinco dias, desde ${formatDate(since)}.`,
  ],
];

const inParentheses = (text: string | undefined): string => (text === undefined ? '' : ` (${text})`);
const formatDate = (at: string): string => DATE.format(new Date(at));
const seconds = (value: string | undefined): string => `${NUMBER.format(Number(value))} segundos`;
const day = (value: string | undefined): string => formatDate(`${value}T12:00:00Z`);

/** Translates a reason. Unknown texts come from a person or a provider and are not changed. */
export function reasonInPortuguese(text: string): string {
  const known = REASONS[text.toLowerCase()];
  if (known !== undefined) return known;
  for (const [pattern, format] of PATTERNS) {
    const found = pattern.exec(text);
    if (found !== null) return format(found.slice(1));
  }
  const [first = '', ...others] = text.split(BETWEEN_BANK_REASONS).map(translateBankReason);
  return [first, ...others.map(startInLowerCase)].join(', ');
}

/** Translates a text that follows others in a sentence. Unknown texts are not changed. */
function translateInside(text: string): string {
  const translated = reasonInPortuguese(text);
  return translated === text ? text : startInLowerCase(translated);
}

/** Abbreviations and Pix keep their capitals. */
const startInLowerCase = (text: string): string =>
  /^(Pix\b|.[A-Z])/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);

/** A bank may report several reasons, each with its code, separated by commas. */
const BETWEEN_BANK_REASONS = /(?<=\(\w{2}\)), /;

const CODE = /^\(\w{2}\)$/;

function translateBankReason(text: string): string {
  const [reason, code] = [text.slice(0, -5), text.slice(-4)];
  return text.at(-5) === ' ' && CODE.test(code) ? `${reasonInPortuguese(reason)} ${code}` : text;
}

/** Whether the text is one of the gateway's own, without variable parts. */
export const isKnownReason = (text: string): boolean => text in REASONS;
