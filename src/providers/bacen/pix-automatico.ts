import { addDays, type LocalDate } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { firstCharacters, toPlainText } from '#formats/text.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type {
  AuthorizationRequest,
  BankAuthorization,
  ChargeResponse,
  PayerOfRequest,
  PixAutomaticoProvider,
  RecurringCharge,
} from '#subscriptions/pix-automatico.ts';
import type { Interval } from '#subscriptions/subscription.ts';
import type { BacenClient, BacenResponse } from './client.ts';
import { centsOf, describeProblem, nameOf, parseAs, valorOf } from './messages.ts';
import { CobR, LocRec, Rec, RecPage } from './pix-automatico-messages.ts';
import type { BacenSettings } from './settings.ts';

/** A charge is sent at the latest two days before its date, a retry one day before. */
const CHARGE_LEAD_DAYS = 2;
const RETRY_LEAD_DAYS = 1;
const HOUR_MS = 3_600_000;
const PAGE_SIZE = 100;
const MAX_PAGES = 100;
const OBJECT_LENGTH = 35;
const INFO_LENGTH = 140;

const PERIODS: Readonly<Record<Interval, string>> = {
  WEEKLY: 'SEMANAL',
  MONTHLY: 'MENSAL',
  QUARTERLY: 'TRIMESTRAL',
  SEMIANNUAL: 'SEMESTRAL',
  YEARLY: 'ANUAL',
};

export interface BacenPixAutomaticoDeps {
  readonly name: string;
  readonly client: BacenClient;
  readonly settings: Pick<BacenSettings, 'chave' | 'receiver'>;
  readonly clock: Clock;
}

/** Recurrences (`rec`) and their charges (`cobr`) of the Pix API. */
export function createBacenPixAutomatico(deps: BacenPixAutomaticoDeps): PixAutomaticoProvider {
  return {
    name: deps.name,
    authorize: (request, deadline) => authorize(deps, request, deadline),
    readAuthorization: (request, idRec, deadline) => readRec(deps, request, idRec, deadline),
    cancelAuthorization: (idRec, deadline) => cancelRec(deps, idRec, deadline),
    charge: (request, deadline) => sendCharge(deps, request, deadline),
    retry: ({ txid, date }, deadline) => sendRetry(deps, txid, date, deadline),
    cancelCharge: ({ txid }, deadline) => cancelCharge(deps, txid, deadline),
  };
}

/** `POST /rec` is not idempotent: a recurrence of the same contract is searched for before it. */
async function authorize(
  deps: BacenPixAutomaticoDeps,
  request: AuthorizationRequest,
  deadline: AbortSignal,
): Promise<BankAuthorization> {
  const { client } = deps;
  const existing = await findByContract(deps, request, deadline);
  if (existing !== undefined) return readRecurrence(deps, request, existing, deadline);
  const loc = request.journey === 1 ? undefined : await createLocation(deps, deadline);
  if (request.journey === 4) await sendDatedCharge(deps, request, deadline);
  const body = recBodyOf(request, loc);
  const response = await client.request({ method: 'POST', path: '/rec', body }, deadline);
  const rec = response.status < 300 ? parseAs(Rec, response.body) : undefined;
  if (rec === undefined) throw new Error(`the provider did not create a recurrence: ${problemOf(response)}`);
  return readRecurrence(deps, request, rec.idRec, deadline);
}

/** The location of the code that journeys 2, 3 and 4 show. */
async function createLocation({ client }: BacenPixAutomaticoDeps, deadline: AbortSignal): Promise<number> {
  const location = await client.request({ method: 'POST', path: '/locrec', body: { tipo: 'rec' } }, deadline);
  const loc = location.status < 300 ? parseAs(LocRec, location.body) : undefined;
  if (loc === undefined) throw new Error(`the provider responded with HTTP ${location.status} to a location`);
  return loc.id;
}

/** A recurrence as the bank has it. In journey 1 its payer is asked first. */
async function readRecurrence(
  deps: BacenPixAutomaticoDeps,
  request: AuthorizationRequest,
  idRec: string,
  deadline: AbortSignal,
): Promise<BankAuthorization> {
  if (request.journey === 1) await askPayer(deps, request, idRec, deadline);
  return readRec(deps, request, idRec, deadline);
}

/**
 * Has the payer's bank ask its customer (`POST /solicrec`), once: a recurrence that has a request
 * is not asked for again.
 */
async function askPayer(
  deps: BacenPixAutomaticoDeps,
  { payer, payerAccount, startDate }: AuthorizationRequest,
  idRec: string,
  deadline: AbortSignal,
): Promise<void> {
  const rec = await fetchRec(deps, idRec, {}, deadline);
  if (rec.status !== 'CRIADA' || (rec.solicitacao ?? []).length > 0) return;
  if (payerAccount === null) throw new Error(`the account of the payer of ${idRec} is unknown`);
  const { ispb, branch, account } = payerAccount;
  const nowMs = deps.clock.wallClockMs();
  const endMs = startOfSaoPauloDay(startDate).getTime() - deps.clock.offsetMs;
  const body = {
    idRec,
    calendario: { dataExpiracaoSolicitacao: new Date(Math.max(endMs, nowMs + HOUR_MS)).toISOString() },
    destinatario: {
      ...debtorQuery(payer),
      ispbParticipante: ispb,
      conta: account,
      ...(branch !== null && { agencia: branch }),
    },
  };
  const response = await deps.client.request({ method: 'POST', path: '/solicrec', body }, deadline);
  if (response.status >= 300)
    throw new Error(`the provider did not ask the payer of a recurrence: ${problemOf(response)}`);
}

const problemOf = ({ status, body }: BacenResponse): string => describeProblem(body) ?? `HTTP ${status}`;

async function findByContract(
  deps: BacenPixAutomaticoDeps,
  { contract, createdAt, payer }: AuthorizationRequest,
  deadline: AbortSignal,
): Promise<string | undefined> {
  const { client, clock } = deps;
  const query = {
    inicio: new Date(createdAt.getTime() - clock.offsetMs - 24 * HOUR_MS).toISOString(),
    fim: new Date(clock.wallClockMs() + HOUR_MS).toISOString(),
    ...debtorQuery(payer),
    'paginacao.itensPorPagina': String(PAGE_SIZE),
  };
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const paged = { ...query, 'paginacao.paginaAtual': String(page) };
    const response = await client.request({ method: 'GET', path: '/rec', query: paged }, deadline);
    const found = response.status < 300 ? parseAs(RecPage, response.body) : undefined;
    if (found === undefined) throw new Error(`malformed list of recurrences (HTTP ${response.status})`);
    for (const item of found.recs) {
      const rec = parseAs(Rec, item);
      if (rec?.vinculo?.contrato === contract) return rec.idRec;
    }
    if (page + 1 >= found.parametros.paginacao.quantidadeDePaginas) return undefined;
  }
  throw new Error('the provider lists too many recurrences');
}

const debtorQuery = ({ documentType, document }: PayerOfRequest): Record<string, string> =>
  documentType === 'CPF' ? { cpf: document } : { cnpj: document };

const cut = (text: string, length: number): string => firstCharacters(toPlainText(text), length);

function recBodyOf(request: AuthorizationRequest, loc: number | undefined) {
  const { payer, journey, firstPayment, fixedAmountCents, minimumAmountCents, endDate } = request;
  const valor = {
    ...(fixedAmountCents !== null && { valorRec: valorOf(fixedAmountCents) }),
    ...(minimumAmountCents !== null && { valorMinimoRecebedor: valorOf(minimumAmountCents) }),
  };
  return {
    vinculo: {
      contrato: request.contract,
      devedor: { ...debtorQuery(payer), nome: nameOf(payer.name) },
      objeto: cut(request.description, OBJECT_LENGTH),
    },
    calendario: {
      dataInicial: request.startDate,
      ...(endDate !== null && { dataFinal: endDate }),
      periodicidade: PERIODS[request.interval],
    },
    ...(Object.keys(valor).length > 0 && { valor }),
    politicaRetentativa: request.allowsRetries ? 'PERMITE_3R_7D' : 'NAO_PERMITE',
    ...(loc !== undefined && { loc }),
    ...(journey === 3 &&
      firstPayment !== null && { ativacao: { dadosJornada: { txid: firstPayment.txid } } }),
  };
}

/** The charge with a due date whose code carries the recurrence of journey 4. */
async function sendDatedCharge(
  { client, settings }: BacenPixAutomaticoDeps,
  { firstPayment, payer }: AuthorizationRequest,
  deadline: AbortSignal,
): Promise<void> {
  if (firstPayment === null) return;
  const path = `/cobv/${firstPayment.txid}`;
  const body = {
    calendario: { dataDeVencimento: firstPayment.dueDate, validadeAposVencimento: CHARGE_LEAD_DAYS },
    devedor: { ...debtorQuery(payer), nome: nameOf(payer.name) },
    valor: { original: valorOf(firstPayment.amountCents) },
    chave: settings.chave,
  };
  const response = await client.request({ method: 'PUT', path, body }, deadline);
  if (response.status >= 300) throw new Error(`the provider did not create a charge: ${problemOf(response)}`);
}

async function fetchRec(
  { client }: BacenPixAutomaticoDeps,
  idRec: string,
  query: Record<string, string>,
  deadline: AbortSignal,
): Promise<Rec> {
  const path = `/rec/${encodeURIComponent(idRec)}`;
  const response = await client.request({ method: 'GET', path, query }, deadline);
  const rec = response.status < 300 ? parseAs(Rec, response.body) : undefined;
  if (rec === undefined)
    throw new Error(`the provider responded with HTTP ${response.status} to a recurrence`);
  return rec;
}

async function readRec(
  deps: BacenPixAutomaticoDeps,
  { journey, firstPayment }: Pick<AuthorizationRequest, 'journey' | 'firstPayment'>,
  idRec: string,
  deadline: AbortSignal,
): Promise<BankAuthorization> {
  const query = firstPayment === null ? {} : { txid: firstPayment.txid };
  const rec = await fetchRec(deps, idRec, query, deadline);
  if (journey === 1) return { idRec: rec.idRec, status: statusOfRequest(rec), code: null };
  return { idRec: rec.idRec, status: rec.status, code: rec.dadosQR?.pixCopiaECola ?? null };
}

/** Of a recurrence whose payer was asked: it has no other way to be authorized. */
function statusOfRequest({ status, solicitacao = [] }: Rec): BankAuthorization['status'] {
  const last = solicitacao.at(-1)?.status;
  const isEnded = last === 'REJEITADA' || last === 'EXPIRADA' || last === 'CANCELADA';
  return status === 'CRIADA' && isEnded ? last : status;
}

async function cancelRec(
  deps: BacenPixAutomaticoDeps,
  idRec: string,
  deadline: AbortSignal,
): Promise<BankAuthorization['status']> {
  const path = `/rec/${encodeURIComponent(idRec)}`;
  const request = { method: 'PATCH', path, body: { status: 'CANCELADA' } } as const;
  const response = await deps.client.request(request, deadline);
  if (response.status < 300) return 'CANCELADA';
  // It may have ended before.
  const { status } = await readRec(deps, { journey: 1, firstPayment: null }, idRec, deadline);
  if (status === 'CRIADA' || status === 'APROVADA')
    throw new Error(`the provider did not cancel a recurrence: ${problemOf(response)}`);
  return status;
}

const later = (one: LocalDate, other: LocalDate): LocalDate => (one > other ? one : other);

async function sendCharge(
  deps: BacenPixAutomaticoDeps,
  request: RecurringCharge,
  deadline: AbortSignal,
): Promise<ChargeResponse> {
  const { client, settings } = deps;
  const { txid, idRec, amountCents, description } = request;
  const date = later(request.date, earliestDate(deps, CHARGE_LEAD_DAYS));
  const body = {
    idRec,
    infoAdicional: cut(description, INFO_LENGTH),
    calendario: { dataDeVencimento: date },
    valor: { original: valorOf(amountCents) },
    ajusteDiaUtil: false,
    recebedor: settings.receiver,
  };
  const response = await client.request({ method: 'PUT', path: `/cobr/${txid}`, body }, deadline);
  if (response.status < 300) return { kind: 'accepted', date };
  // An earlier call may have created it.
  const existing = await readCharge(client, txid, deadline);
  if (existing !== undefined && existing.idRec === idRec && centsOf(existing.valor.original) === amountCents)
    return { kind: 'accepted', date: existing.tentativas?.at(0)?.dataLiquidacao ?? date };
  return refusalOf(response);
}

const earliestDate = ({ clock }: BacenPixAutomaticoDeps, leadDays: number): LocalDate =>
  addDays(saoPauloDate(new Date(clock.wallClockMs())), leadDays);

function refusalOf(response: BacenResponse): ChargeResponse {
  const refusal = describeProblem(response.body);
  if (refusal === undefined)
    throw new Error(`the provider responded with HTTP ${response.status} without a reason`);
  return { kind: 'refused', reason: `refused by the provider: ${refusal}` };
}

/** Reads a charge; undefined if the bank does not know it. */
export async function readCharge(
  client: BacenClient,
  txid: string,
  deadline: AbortSignal,
): Promise<CobR | undefined> {
  const response = await client.request({ method: 'GET', path: `/cobr/${txid}` }, deadline);
  if (response.status < 300) {
    const cobr = parseAs(CobR, response.body);
    if (cobr !== undefined) return cobr;
  } else if (response.status === 404 && describeProblem(response.body) !== undefined) return undefined;
  throw new Error(`the provider responded with HTTP ${response.status} to a charge`);
}

/** A retry is not idempotent: the charge is read before it. */
async function sendRetry(
  deps: BacenPixAutomaticoDeps,
  txid: string,
  wanted: LocalDate,
  deadline: AbortSignal,
): Promise<ChargeResponse> {
  const { client } = deps;
  const date = later(wanted, earliestDate(deps, RETRY_LEAD_DAYS));
  const charge = await readCharge(client, txid, deadline);
  const open = (charge?.tentativas ?? []).find(
    ({ status }) => status === 'SOLICITADA' || status === 'AGENDADA',
  );
  if (open !== undefined) return { kind: 'accepted', date: open.dataLiquidacao };
  const path = `/cobr/${txid}/retentativa/${date}`;
  const response = await client.request({ method: 'POST', path }, deadline);
  return response.status < 300 ? { kind: 'accepted', date } : refusalOf(response);
}

async function cancelCharge(
  { client }: BacenPixAutomaticoDeps,
  txid: string,
  deadline: AbortSignal,
): Promise<void> {
  const request = { method: 'PATCH', path: `/cobr/${txid}`, body: { status: 'CANCELADA' } } as const;
  const response = await client.request(request, deadline);
  if (response.status < 300) return;
  const charge = await readCharge(client, txid, deadline);
  if (charge?.status === 'CRIADA' || charge?.status === 'ATIVA')
    throw new Error(`the provider did not cancel a charge: ${problemOf(response)}`);
}
