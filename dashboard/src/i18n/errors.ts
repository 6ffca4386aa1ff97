import i18next from 'i18next';

import { ApiError, ConnectionError, type ErrorCode } from '../api/errors.ts';
import { currentLanguage } from './format.ts';

/** Codes with several messages, which are translated by message. */
type CodeWithMessages = 'validation_failed' | 'invalid_file' | 'amount_not_allowed';

/** Error texts in Portuguese, by code. */
const ERRORS: Readonly<Record<Exclude<ErrorCode, CodeWithMessages>, string>> = {
  missing_credentials: 'Entre novamente para continuar.',
  malformed_api_key: 'Chave de API inválida.',
  revoked_api_key: 'Esta chave de API não existe mais.',
  invalid_access_token: 'Entre novamente para continuar.',
  invalid_refresh_token: 'Entre novamente para continuar.',
  invalid_challenge: 'Entre novamente para continuar.',
  invalid_credentials: 'E-mail ou senha incorretos.',
  invalid_metrics_token: 'Token das métricas inválido.',
  invalid_notification: 'Notificação do provedor inválida.',
  permission_denied: 'Você não tem permissão para esta ação. Fale com o responsável pela conta.',
  second_factor_required: 'Configure a verificação em duas etapas para continuar.',
  seller_not_active: 'A conta da loja não está ativa. Fale com o suporte.',
  malformed_json: 'A requisição chegou incompleta. Tente novamente.',
  incomplete_body: 'A requisição chegou incompleta. Tente novamente.',
  malformed_url: 'Endereço inválido.',
  malformed_request: 'A requisição chegou incompleta. Tente novamente.',
  bad_request: 'A requisição é inválida. Recarregue a página.',
  idempotency_key_required: 'Não foi possível identificar a requisição. Recarregue a página.',
  idempotency_key_invalid: 'Não foi possível identificar a requisição. Recarregue a página.',
  route_not_found: 'Esta operação não existe. Recarregue a página.',
  request_timeout: 'A requisição demorou demais. Tente novamente.',
  idempotency_key_reused: 'Esta requisição já foi feita com outros dados. Recarregue a página.',
  unsupported_transfer_encoding: 'A requisição foi alterada no caminho. Verifique o proxy da sua rede.',
  body_too_large: 'O conteúdo enviado é grande demais.',
  unsupported_media_type: 'A requisição chegou incompleta. Tente novamente.',
  expectation_failed: 'A requisição é inválida. Recarregue a página.',
  headers_too_large: 'A busca é longa demais. Use menos filtros.',
  rate_limited: 'Muitas requisições em pouco tempo. Tente novamente em alguns segundos.',
  internal_error: 'Ocorreu um erro no servidor. Tente novamente.',
  service_unavailable: 'Ocorreu um erro no servidor. Tente novamente.',
  transaction_not_found: 'Cobrança não encontrada.',
  dispute_not_found: 'Disputa não encontrada.',
  invalid_transition: 'A situação mudou e esta ação não é mais possível.',
  dispute_not_appealable: 'Esta disputa não aceita mais defesa.',
  international_not_enabled: 'Cobranças internacionais não estão habilitadas.',
  method_unavailable: 'Esta forma de pagamento ainda não está configurada. Fale com o suporte.',
  amount_below_fee: 'O valor não cobre a tarifa.',
  refund_period_ended: 'O prazo de 90 dias para reembolsar este Pix terminou.',
  insufficient_balance: 'Saldo disponível insuficiente.',
  event_already_used: 'Este evento já foi informado para outra cobrança.',
  withdrawal_not_found: 'Saque não encontrado.',
  reversal_not_found: 'Devolução não encontrada.',
  approval_not_found: 'Solicitação não encontrada.',
  approval_own_request: 'A solicitação é sua. Outro administrador precisa aprovar.',
  approval_not_pending: 'A solicitação não está mais pendente.',
  approver_too_new: 'Administradores não podem aprovar nas primeiras 24 horas.',
  withdrawal_already_approved: 'Você já aprovou este saque. Falta a aprovação de outra pessoa.',
  webhook_not_found: 'Webhook não encontrado.',
  delivery_not_found: 'Envio não encontrado.',
  webhook_disabled: 'O webhook está desativado. Reative-o antes.',
  webhook_deleted: 'O webhook foi excluído.',
  too_many_webhooks: 'A loja atingiu o limite de webhooks. Exclua um que não esteja em uso.',
  user_not_found: 'Este usuário não está mais na equipe.',
  session_not_found: 'Esta sessão já foi encerrada.',
  api_key_not_found: 'Esta chave já foi excluída.',
  too_many_api_keys: 'A loja atingiu o limite de chaves. Exclua uma que não esteja em uso.',
  email_taken: 'Este e-mail já está em uso.',
  last_owner: 'A loja precisa de pelo menos um responsável.',
  last_admin: 'É preciso manter pelo menos um administrador. Adicione outro antes.',
  cannot_delete_self: 'Você não pode excluir o seu próprio usuário.',
  wrong_password: 'Senha incorreta.',
  wrong_code: 'Código incorreto.',
  wrong_password_or_code: 'Senha ou código incorretos.',
  two_factor_already_active: 'A verificação em duas etapas já está ativa.',
  seller_not_found: 'Loja não encontrada.',
  shipment_not_found: 'Remessa não encontrada.',
  return_file_not_found: 'Arquivo de retorno não encontrado.',
  return_line_not_found: 'Linha do retorno não encontrada.',
  file_exchange_not_configured: 'A troca de arquivos com o banco não está configurada para este serviço.',
  nothing_to_ship: 'Não há nada na fila para uma remessa deste tipo.',
};

/** Validation messages in Portuguese. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [
    /^Amount must not be more than what is left to refund$/,
    'O valor é maior que o saldo reembolsável da cobrança.',
  ],
  [
    /^Amount must not be more than what has not been/,
    'O valor é maior que o saldo reembolsável da cobrança.',
  ],
  [
    /^Amount must not be more than the authorized/,
    'O valor não pode passar do autorizado e deve cobrir a tarifa.',
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
  [/^code or recoveryCode must be sent/, 'Informe o código do aplicativo ou um código de recuperação.'],
  [/^code must be 6 digits$/, 'O código tem 6 dígitos.'],
  [/^url must not be a private address$/, 'A URL deve ser acessível pela internet.'],
  [/^Amount differs from the transaction$/, 'O valor é diferente do valor da cobrança.'],
  [/^card\.currency must not be BRL/, 'Um pagamento internacional não pode ser em reais.'],
  [/^card\.token must be a token/, 'Cartão salvo não encontrado. Informe os dados do cartão.'],
  [/^cursor must be |^after must be /, 'Esta página da lista não existe mais. Volte à primeira página.'],
  [/ must be one of the following values: /, 'Escolha uma das opções.'],
  [/ must be an (object|array)$/, 'Preencha este campo.'],
  [/ must be a boolean value$/, 'Escolha uma das opções.'],
  [/ must be a day (such as|as) |ISO 8601/, 'Informe uma data.'],
  [/ must be a UUID$/, 'O ID tem 36 caracteres.'],
  [/ must be \d+ to \d+ digits$| must be \d+ or \d+ digits$/, 'Confira a quantidade de dígitos.'],
  [/ must be an email$/, 'Informe um e-mail válido.'],
  [/ should not be empty$/, 'Preencha este campo.'],
  [/ must contain a letter or a digit$/, 'Informe pelo menos uma letra ou um número.'],
  [/ must be a string$/, 'Preencha este campo.'],
  [/ must be an integer number$/, 'Informe um número.'],
  [/ must not be less than (\d+)$/, 'O valor mínimo é $1.'],
  [/ must not be greater than (\d+)$/, 'O valor máximo é $1.'],
  [/ must be longer than or equal to (\d+) characters$/, 'Pelo menos $1 caracteres.'],
  [/assword is too common$/, 'Esta senha é fácil de adivinhar. Escolha outra.'],
  [/ must be shorter than or equal to (\d+) characters$/, 'No máximo $1 caracteres.'],
  [/ must be 11 digits for CPF$/, 'O CPF tem 11 dígitos.'],
  [
    / must be 14 digits for CNPJ$/,
    'O CNPJ tem 14 dígitos, ou 12 letras ou dígitos e 2 dígitos verificadores.',
  ],
  [/ must be an HTTPS URL$/, 'A URL deve começar com https://.'],
  [/ must not contain a card number$/, 'Remova o número do cartão deste campo.'],
  [/ must be a credit card$/, 'Confira o número do cartão.'],
  [/ must be a valid CPF/, 'Confira o CPF.'],
  [/ must be a valid CNPJ/, 'Confira o CNPJ.'],
];

/** Translates a message; undefined if this version does not know it. */
export function findMessage(message: string): string | undefined {
  if (currentLanguage() === 'en') return message;
  for (const [pattern, text] of MESSAGES) {
    const found = pattern.exec(message);
    if (found !== null) return text.replace('$1', found[1] ?? '');
  }
  return undefined;
}

/** Translates a message; unknown messages are returned unchanged. */
export const translateMessage = (message: string): string =>
  findMessage(message) ?? i18next.t('error.refused');

/** Formats an error with its remedy. */
export function formatError(error: unknown): string {
  if (error instanceof ConnectionError) return i18next.t('error.connection');
  if (!(error instanceof ApiError)) return i18next.t('error.broken');
  if (error.status === 429) return i18next.t('error.busy');
  if (error.status >= 500) return i18next.t('error.server', { id: error.requestId ?? error.status });
  if (error.code === 'permission_denied') return i18next.t('error.forbidden');
  const known = knownTexts(error);
  if (known.length > 0) return known.join(' ');
  return i18next.t(error.status === 404 ? 'error.notFound' : 'error.refused');
}

function knownTexts({ code, messages }: ApiError): readonly string[] {
  const text = currentLanguage() === 'en' ? undefined : findErrorText(code);
  if (text !== undefined) return [text];
  return [...new Set(messages.map(findMessage).filter((text) => text !== undefined))];
}

/** Translates an error code; undefined for codes of newer versions. */
const findErrorText = (code: string | undefined): string | undefined =>
  Object.entries(ERRORS).find(([known]) => known === code)?.[1];

/**
 * Validation messages by form field: `customer.email must be an email` belongs to `customer.email`.
 * Messages of fields outside the form are left out, and the caller shows them.
 */
export function fieldErrors(error: unknown, fields: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  if (!(error instanceof ApiError) || error.status !== 400) return found;
  for (const { path, message } of error.fields) {
    if (fields.includes(path) && found[path] === undefined) found[path] = translateMessage(message);
  }
  return found;
}
