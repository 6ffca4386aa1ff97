import i18next from 'i18next';

import { ApiError, ConnectionError } from '../api/errors.ts';
import { currentLanguage } from './format.ts';

/** The gateway's refusals in Portuguese. What is not among them is said by what kind of refusal it is. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^Insufficient balance$/, 'O saldo disponível não é suficiente.'],
  [/^Amount does not cover the fee$/, 'O valor não cobre a tarifa.'],
  [/^Invalid credentials$/, 'E-mail ou senha não conferem.'],
  [/^Seller is not active$/, 'A conta da loja não está ativa. Fale com a operação.'],
  [/^Transaction not found$/, 'Cobrança não encontrada.'],
  [/^Withdrawal not found$/, 'Saque não encontrado.'],
  [/^Webhook not found$/, 'Webhook não encontrado.'],
  [/^Delivery not found$/, 'Entrega não encontrada.'],
  [/^Record Not Found$/, 'Registro não encontrado.'],
  [/^Transaction cannot go from (\w+) to (\w+)$/, 'A cobrança já mudou de situação e isto não cabe mais.'],
  [/^Amount must not be more than what is left to refund$/, 'É mais do que ainda pode ser devolvido.'],
  [/^PIX can be refunded up to 90 days/, 'Um PIX pode ser devolvido até 90 dias depois do pagamento.'],
  [
    /^Amount must not be more than the authorized/,
    'O valor vai até o autorizado, e precisa cobrir a tarifa.',
  ],
  [/^Dispute cannot be appealed$/, 'Esta disputa não aceita mais defesa.'],
  [/^Password is wrong$/, 'A senha não confere.'],
  [/^Code is wrong$/, 'O código não confere.'],
  [/^Password or code is wrong$/, 'A senha ou o código não confere.'],
  [/^E-mail is already in use$/, 'Este e-mail já é usado por outra pessoa.'],
  [/^The last OWNER must stay one$/, 'A loja precisa de ao menos um dono.'],
  [/^You cannot delete yourself$/, 'Você não pode excluir a si mesmo.'],
  [/^Webhook is disabled$/, 'O webhook está desativado. Reative antes.'],
  [/^Webhook has been deleted$/, 'O webhook foi excluído.'],
  [/^Method (\w+) is not available$/, 'Este meio não está disponível para a sua loja.'],
  [/already used with a different body$/, 'Este pedido já foi feito com outros dados. Recarregue a página.'],
  [/^Seller not found$/, 'Loja não encontrada.'],
  [/^Withdrawal cannot go from (\w+) to (\w+)$/, 'Este saque já foi decidido por outra pessoa.'],
  [/^This ADMIN has approved already/, 'Você já aprovou. Falta outra pessoa.'],
  [/^Dispute cannot go from (\w+) to (\w+)$/, 'Esta disputa já foi decidida.'],
  [/^Return cannot be settled/, 'Esta devolução já foi enviada ou registrada.'],
  [/^The last ADMIN cannot be deleted$/, 'Alguém da operação precisa ficar. Adicione outra pessoa antes.'],
  [/^Nothing to ship$/, 'Nada espera por uma remessa deste tipo.'],
  [/^No files are exchanged for this/, 'A troca de arquivos com o banco não está configurada para isto.'],
  [/^line (\d+): must have (\d+) values/, 'Linha $1: a quantidade de colunas não confere.'],
  [/^line (\d+): column (\w+) is missing$/, 'Falta uma coluna no cabeçalho (linha $1).'],
  [/^line (\d+): amount must/, 'Linha $1: o valor precisa ser um número inteiro de centavos.'],
  [/^line (\d+): fee must/, 'Linha $1: a tarifa precisa ser um número inteiro de centavos.'],
  [/^line (\d+): type must/, 'Linha $1: o tipo precisa ser PAYMENT, REFUND, CHARGEBACK ou WITHDRAWAL.'],
  [/^line (\d+): date must/, 'Linha $1: a data precisa ser AAAA-MM-DD e perto do dia do arquivo.'],
  [/^line (\d+): reference must/, 'Linha $1: a referência precisa ser um identificador ou ficar vazia.'],
  [
    /^line (\d+): columns must/,
    'Linha $1: os nomes das colunas são id, type, amount, fee, date e reference.',
  ],
  [/^line (\d+): must have 240 columns/, 'Linha $1: precisa ter 240 colunas.'],
  [/^Two-factor authentication is active already$/, 'A verificação em duas etapas já está ativa.'],
  [/^code or recoveryCode must be sent/, 'Informe o código do aplicativo ou um código de recuperação.'],
  [/^code must be 6 digits$/, 'O código tem 6 números.'],
  [/^Session not found$/, 'Esta sessão já terminou.'],
  [/^User not found$/, 'Esta pessoa não está mais na equipe.'],
  [/^API key not found$/, 'Esta chave já foi excluída.'],
  [
    /^A seller can have at most (\d+) API keys$/,
    'Uma loja tem no máximo $1 chaves. Exclua uma que não é usada.',
  ],
  [
    /^A seller can have at most (\d+) webhooks$/,
    'Uma loja tem no máximo $1 webhooks. Exclua um que não é usado.',
  ],
  [/^url must not be a private address$/, 'O endereço precisa ser alcançável pela internet.'],
  [/^No provider is set up for this method$/, 'Este meio ainda não está ligado. Fale com a operação.'],
  [/^Amount differs from the transaction$/, 'O valor é diferente do da cobrança.'],
  [/^The report was told before of another transaction$/, 'Este aviso já foi dado de outra cobrança.'],
  [/^card\.currency must not be BRL/, 'Um pagamento internacional não é em reais.'],
  [/^card\.token must be a token/, 'O cartão guardado não foi encontrado. Informe o cartão de novo.'],
  [/^cursor must be |^after must be /, 'Esta página da lista não existe mais. Volte ao início da lista.'],
  [/^Idempotency-Key /, 'O pedido não pôde ser identificado. Recarregue a página.'],
  [/^Body must not be larger than/, 'É mais do que pode ser enviado de uma vez.'],
  [/^Body must be valid JSON$|^Content-Type must be/, 'O pedido chegou incompleto. Tente de novo.'],
  [/^Rate limit exceeded$/, 'Muitas chamadas em pouco tempo. Tente de novo em alguns segundos.'],
  [/^Service unavailable$|^Internal server error$/, 'O gateway encontrou um problema. Tente de novo.'],
  [/^Unauthorized$/, 'Entre de novo para continuar.'],
  [/^Forbidden resource$/, 'Seu acesso não permite isto. Peça a quem é dono da conta.'],
  [/ must be one of the following values: /, 'Escolha uma das opções.'],
  [/ must be an (object|array)$/, 'Preencha este campo.'],
  [/ must be a boolean value$/, 'Escolha uma das opções.'],
  [/ must be a day (such as|as) |ISO 8601/, 'Informe um dia.'],
  [/ must be a UUID$/, 'Um identificador tem 36 caracteres.'],
  [/ must be \d+ to \d+ digits$| must be \d+ or \d+ digits$/, 'Confira a quantidade de números.'],
  [/ must be an email$/, 'Informe um e-mail válido.'],
  [/ should not be empty$/, 'Preencha este campo.'],
  [/ must be a string$/, 'Preencha este campo.'],
  [/ must be an integer number$/, 'Informe um número.'],
  [/ must not be less than (\d+)$/, 'O menor valor aqui é $1.'],
  [/ must not be greater than (\d+)$/, 'O maior valor aqui é $1.'],
  [/ must be shorter than or equal to (\d+) characters$/, 'No máximo $1 caracteres.'],
  [/ must be 11 digits for CPF$/, 'Um CPF tem 11 dígitos.'],
  [/ must be 14 digits for CNPJ$/, 'Um CNPJ tem 14 dígitos.'],
  [/ must be an HTTPS URL$/, 'O endereço precisa começar com https://.'],
  [/ must be a credit card$/, 'Confira o número do cartão.'],
  [/ must be a valid CPF/, 'Confira o CPF.'],
  [/ must be a valid CNPJ/, 'Confira o CNPJ.'],
];

/** The words of a message; undefined where this version has none. */
export function knownMessage(message: string): string | undefined {
  if (currentLanguage() === 'en') return message;
  for (const [pattern, words] of REFUSALS) {
    const found = pattern.exec(message);
    if (found !== null) return words.replace('$1', found[1] ?? '');
  }
  return undefined;
}

/** One message of the gateway in the reader's language. */
export const sayMessage = (message: string): string => knownMessage(message) ?? i18next.t('error.refused');

/** Why something ended, as the gateway says it by itself; people's own words stay as they are. */
const REASONS: Readonly<Record<string, string>> = {
  expired: 'venceu sem pagamento',
  cancelled: 'foi cancelada',
  'cancelled by the seller': 'foi cancelada',
  'authorization lapsed': 'a reserva no cartão venceu',
  voided: 'a reserva no cartão foi desfeita',
  'failed at the provider': 'falhou no provedor',
  'refused by the provider': 'foi recusada pelo provedor',
  'opened by the payer': 'aberta pelo pagador',
  'product not received': 'produto não recebido',
  'not as described': 'produto diferente do anunciado',
  'payer does not know the sale': 'o pagador não reconhece a compra',
  declined: 'cartão recusado',
  'expired card': 'cartão vencido',
  'insufficient funds': 'sem saldo ou limite',
};

export const sayReason = (reason: string): string =>
  currentLanguage() === 'en' ? reason : (REASONS[reason.toLowerCase()] ?? reason);

/** What to do about an error, in a sentence or more. */
export function sayError(error: unknown): string {
  if (error instanceof ConnectionError) return i18next.t('error.connection');
  if (!(error instanceof ApiError)) return i18next.t('error.broken');
  if (error.status === 429) return i18next.t('error.busy');
  if (error.status >= 500) return i18next.t('error.server', { id: error.requestId ?? error.status });
  if (error.status === 403 && error.messages[0] === 'Forbidden resource') return i18next.t('error.forbidden');
  const known = error.messages.map((message) => knownMessage(message)).filter((words) => words !== undefined);
  if (known.length > 0) return [...new Set(known)].join(' ');
  if (error.status === 404) return i18next.t('error.notFound');
  return i18next.t('error.refused');
}

/**
 * The messages of a refused form by the field they are about: `customer.email must be an email` stands at `customer.email`.
 * What names no field of the form is left out and has to be said beside it.
 */
export function fieldErrors(error: unknown, fields: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  if (!(error instanceof ApiError) || error.status !== 400) return found;
  for (const message of error.messages) {
    const field = fields.find((name) => message.startsWith(`${name} `));
    if (field !== undefined && found[field] === undefined) found[field] = sayMessage(message);
  }
  return found;
}
