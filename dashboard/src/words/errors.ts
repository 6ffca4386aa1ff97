import i18next from 'i18next';

import { ApiError, ConnectionError } from '../api/errors.ts';
import { currentLanguage } from './format.ts';

/** The API's error messages in Portuguese. Others are described by the kind of error. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^Insufficient balance$/, 'Saldo disponível insuficiente.'],
  [/^Amount does not cover the fee$/, 'O valor não cobre a tarifa.'],
  [/^Invalid credentials$/, 'E-mail ou senha incorretos.'],
  [/^Seller is not active$/, 'A conta da loja não está ativa. Fale com o suporte.'],
  [/^Transaction not found$/, 'Cobrança não encontrada.'],
  [/^Withdrawal not found$/, 'Saque não encontrado.'],
  [/^Webhook not found$/, 'Webhook não encontrado.'],
  [/^Delivery not found$/, 'Envio não encontrado.'],
  [/^Record Not Found$/, 'Registro não encontrado.'],
  [
    /^Transaction cannot go from (\w+) to (\w+)$/,
    'A situação da cobrança mudou e esta ação não é mais possível.',
  ],
  [
    /^Amount must not be more than what is left to refund$/,
    'O valor é maior que o saldo reembolsável da cobrança.',
  ],
  [/^PIX can be refunded up to 90 days/, 'Um Pix pode ser reembolsado até 90 dias após o pagamento.'],
  [
    /^Amount must not be more than the authorized/,
    'O valor não pode passar do autorizado e deve cobrir a tarifa.',
  ],
  [/^Dispute cannot be appealed$/, 'Esta disputa não aceita mais defesa.'],
  [/^Password is wrong$/, 'Senha incorreta.'],
  [/^Code is wrong$/, 'Código incorreto.'],
  [/^Password or code is wrong$/, 'Senha ou código incorretos.'],
  [/^E-mail is already in use$/, 'Este e-mail já está em uso.'],
  [/^A seller must keep at least one OWNER$/, 'A loja precisa de ao menos um proprietário.'],
  [/^You cannot delete yourself$/, 'Você não pode excluir o seu próprio usuário.'],
  [/^Webhook is disabled$/, 'O webhook está desativado. Reative-o antes.'],
  [/^Webhook has been deleted$/, 'O webhook foi excluído.'],
  [/^Method (\w+) is not available$/, 'Esta forma de pagamento não está disponível para a sua loja.'],
  [
    /already used with a different body$/,
    'Esta requisição já foi feita com outros dados. Recarregue a página.',
  ],
  [/^Seller not found$/, 'Loja não encontrada.'],
  [
    /^Withdrawal cannot go from (\w+) to (\w+)$/,
    'A situação do saque mudou e esta ação não é mais possível.',
  ],
  [/^This ADMIN has approved already/, 'Você já aprovou este saque. Falta a aprovação de outra pessoa.'],
  [/^Dispute cannot go from (\w+) to (\w+)$/, 'A situação da disputa mudou e esta ação não é mais possível.'],
  [/^Return cannot be settled/, 'Esta devolução já foi enviada ou registrada.'],
  [/^The last ADMIN cannot be deleted$/, 'É preciso manter ao menos um administrador. Adicione outro antes.'],
  [/^Nothing to ship$/, 'Não há nada na fila para uma remessa deste tipo.'],
  [
    /^No files are exchanged for this/,
    'A troca de arquivos com o banco não está configurada para este serviço.',
  ],
  [/^line (\d+): must have (\d+) values/, 'Linha $1: quantidade de colunas incorreta.'],
  [/^line (\d+): column (\w+) is missing$/, 'Falta uma coluna no cabeçalho (linha $1).'],
  [/^line (\d+): amount must/, 'Linha $1: o valor deve ser um número inteiro de centavos.'],
  [/^line (\d+): fee must/, 'Linha $1: a tarifa deve ser um número inteiro de centavos.'],
  [/^line (\d+): type must/, 'Linha $1: o tipo deve ser PAYMENT, REFUND, CHARGEBACK ou WITHDRAWAL.'],
  [
    /^line (\d+): date must/,
    'Linha $1: a data deve ter o formato AAAA-MM-DD e ser próxima à data do arquivo.',
  ],
  [/^line (\d+): reference must/, 'Linha $1: a referência deve ser um ID ou ficar vazia.'],
  [/^line (\d+): columns must/, 'Linha $1: as colunas devem ser id, type, amount, fee, date e reference.'],
  [/^line (\d+): must have 240 columns/, 'Linha $1: deve ter 240 posições.'],
  [/^Two-factor authentication is already active$/, 'A verificação em duas etapas já está ativa.'],
  [/^code or recoveryCode must be sent/, 'Informe o código do aplicativo ou um código de recuperação.'],
  [/^code must be 6 digits$/, 'O código tem 6 dígitos.'],
  [/^Session not found$/, 'Esta sessão já foi encerrada.'],
  [/^User not found$/, 'Este usuário não está mais na equipe.'],
  [/^API key not found$/, 'Esta chave já foi excluída.'],
  [
    /^A seller can have at most (\d+) API keys$/,
    'O limite é de $1 chaves por loja. Exclua uma que não esteja em uso.',
  ],
  [
    /^A seller can have at most (\d+) webhooks$/,
    'O limite é de $1 webhooks por loja. Exclua um que não esteja em uso.',
  ],
  [/^url must not be a private address$/, 'A URL deve ser acessível pela internet.'],
  [
    /^No provider is set up for this method$/,
    'Esta forma de pagamento ainda não está configurada. Fale com o suporte.',
  ],
  [/^Amount differs from the transaction$/, 'O valor é diferente do valor da cobrança.'],
  [
    /^The event was already reported for another transaction$/,
    'Este evento já foi informado para outra cobrança.',
  ],
  [/^card\.currency must not be BRL/, 'Um pagamento internacional não pode ser em reais.'],
  [/^card\.token must be a token/, 'Cartão salvo não encontrado. Informe os dados do cartão.'],
  [/^cursor must be |^after must be /, 'Esta página da lista não existe mais. Volte à primeira página.'],
  [/^Idempotency-Key /, 'Não foi possível identificar a requisição. Recarregue a página.'],
  [/^Body must not be larger than/, 'O conteúdo enviado é grande demais.'],
  [/^Body must be valid JSON$|^Content-Type must be/, 'A requisição chegou incompleta. Tente novamente.'],
  [/^Rate limit exceeded$/, 'Muitas requisições em pouco tempo. Tente novamente em alguns segundos.'],
  [/^Service unavailable$|^Internal server error$/, 'Ocorreu um erro no servidor. Tente novamente.'],
  [/^Unauthorized$/, 'Entre novamente para continuar.'],
  [/^Forbidden resource$/, 'Você não tem permissão para esta ação. Fale com o proprietário da conta.'],
  [/ must be one of the following values: /, 'Escolha uma das opções.'],
  [/ must be an (object|array)$/, 'Preencha este campo.'],
  [/ must be a boolean value$/, 'Escolha uma das opções.'],
  [/ must be a day (such as|as) |ISO 8601/, 'Informe uma data.'],
  [/ must be a UUID$/, 'O ID tem 36 caracteres.'],
  [/ must be \d+ to \d+ digits$| must be \d+ or \d+ digits$/, 'Confira a quantidade de dígitos.'],
  [/ must be an email$/, 'Informe um e-mail válido.'],
  [/ should not be empty$/, 'Preencha este campo.'],
  [/ must be a string$/, 'Preencha este campo.'],
  [/ must be an integer number$/, 'Informe um número.'],
  [/ must not be less than (\d+)$/, 'O valor mínimo é $1.'],
  [/ must not be greater than (\d+)$/, 'O valor máximo é $1.'],
  [/ must be shorter than or equal to (\d+) characters$/, 'No máximo $1 caracteres.'],
  [/ must be 11 digits for CPF$/, 'O CPF tem 11 dígitos.'],
  [/ must be 14 digits for CNPJ$/, 'O CNPJ tem 14 dígitos.'],
  [/ must be an HTTPS URL$/, 'A URL deve começar com https://.'],
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
