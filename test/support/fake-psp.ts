import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

import { generateEndToEndId } from '#formats/pix/end-to-end-id.ts';
import type { FakeCall } from '#test/support/fake-call.ts';
import { createFakeRecurrences, type FakeRecurrences } from '#test/support/fake-recurrences.ts';
import { makeCertificates, type Certificates } from '#test/support/certificates.ts';
import { listenLocally } from '#test/support/free-port.ts';

/**
 * A fake PSP with the Central Bank's Pix API 2.9: HTTPS, mutual TLS, and tokens by client
 * credentials. Stores everything in memory and fails on demand.
 */

/** Failure of a call. */
export type Misbehaviour =
  /** Not executed, no response. */
  | { readonly kind: 'hang' }
  /** Executed, no response. */
  | { readonly kind: 'hang-after' }
  /** Not executed, connection closed. */
  | { readonly kind: 'cut' }
  /** Executed, connection closed. */
  | { readonly kind: 'cut-after' }
  /** Executed after a delay in milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Not executed, with this response. */
  | { readonly kind: 'respond'; readonly status: number; readonly body?: unknown }
  /** Executed, with this response. */
  | { readonly kind: 'respond-after'; readonly status: number };

interface FakeCob {
  readonly txid: string;
  status: string;
  readonly body: Record<string, unknown>;
  readonly original: string;
}

interface FakeDevolucao {
  readonly id: string;
  readonly rtrId: string;
  readonly valor: string;
  status: string;
  motivo?: string;
  natureza?: string;
}

export interface FakePix {
  readonly endToEndId: string;
  readonly txid?: string;
  readonly valor: string;
  readonly horario: string;
  readonly devolucoes: FakeDevolucao[];
}

export interface FakePsp {
  readonly certificates: Certificates;
  /** Settings of a gateway that uses it. */
  environment(prefix?: string): Readonly<Record<string, string>>;
  readonly secret: string;
  readonly calls: readonly FakeCall[];
  readonly cobs: ReadonlyMap<string, FakeCob>;
  readonly received: readonly FakePix[];
  /** Recurrences of Pix Automático and their charges. */
  readonly recurrences: FakeRecurrences;
  /** Registered callback URLs by key. */
  readonly webhooks: ReadonlyMap<string, string>;
  /** Number of tokens issued. */
  tokensGiven(): number;
  /** Revokes all tokens. */
  revokeTokens(): void;
  tokenLifeSeconds: number;
  /** The state of returns that are queried. */
  devolucaoStatus: string;
  /** Whether charges have a code, or only a location. */
  withCode: boolean;
  /** The next calls such as `PUT /cob` fail, this many times. */
  misbehave(what: string, how: Misbehaviour, times?: number): void;
  behave(): void;
  /** Simulates a payment. */
  pay(txid: string | undefined, valor: string, at?: Date): FakePix;
  /** Reverses a payment on the PSP's side, as for MED. */
  take(pix: FakePix, valor: string, natureza: string): FakeDevolucao;
  /** Sends a callback to the gateway, as after a payment or a return. */
  callBack(
    origin: string,
    pix: readonly unknown[],
    more?: { name?: string; secret?: string; path?: string },
  ): Promise<Response>;
  /** Number of calls such as `PUT /cob`. */
  countOf(what: string): number;
  close(): Promise<void>;
  /** Shuts down, and restarts at the same address. */
  away(): Promise<void>;
  back(): Promise<void>;
}

const CLIENT = { id: 'client-of-tests', secret: 'secret/of tests' };
const CHAVE = 'pix@example.com';

export async function startFakePsp(): Promise<FakePsp> {
  const certificates = await makeCertificates();
  const [key, cert, ca] = await Promise.all([
    certificates.read(certificates.serverKey),
    certificates.read(certificates.serverCert),
    certificates.read(certificates.ca),
  ]);
  const secret = randomBytes(24).toString('base64url');
  const calls: FakeCall[] = [];
  const cobs = new Map<string, FakeCob>();
  const received: FakePix[] = [];
  const webhooks = new Map<string, string>();
  const tokens = new Set<string>();
  let given = 0;
  let rules: { readonly what: string; readonly how: Misbehaviour; left: number }[] = [];
  let port = 0;

  const recurrences = createFakeRecurrences();

  const psp: FakePsp = {
    recurrences,
    certificates,
    secret,
    calls,
    cobs,
    received,
    webhooks,
    tokenLifeSeconds: 3600,
    devolucaoStatus: 'DEVOLVIDO',
    withCode: true,
    environment: (prefix = 'BACEN') => ({
      [`${prefix}_PIX_URL`]: `https://localhost:${port}/api`,
      [`${prefix}_PIX_TOKEN_URL`]: `https://localhost:${port}/oauth/token`,
      [`${prefix}_PIX_CLIENT_ID`]: CLIENT.id,
      [`${prefix}_PIX_CLIENT_SECRET`]: CLIENT.secret,
      [`${prefix}_PIX_CERT_FILE`]: certificates.clientCert,
      [`${prefix}_PIX_KEY_FILE`]: certificates.clientKey,
      [`${prefix}_PIX_CA_FILE`]: certificates.ca,
      [`${prefix}_PIX_CHAVE`]: CHAVE,
      [`${prefix}_PIX_WEBHOOK_SECRET`]: secret,
    }),
    tokensGiven: () => given,
    revokeTokens: () => tokens.clear(),
    misbehave(what, how, times = 1) {
      rules.push({ what, how, left: times });
    },
    behave() {
      rules = [];
    },
    pay(txid, valor, at = new Date()) {
      const cob = txid === undefined ? undefined : cobs.get(txid);
      if (cob !== undefined) cob.status = 'CONCLUIDA';
      const pix: FakePix = {
        endToEndId: generateEndToEndId('12345678', at),
        ...(txid === undefined ? {} : { txid }),
        valor,
        horario: at.toISOString(),
        devolucoes: [],
      };
      received.push(pix);
      return pix;
    },
    take(pix, valor, natureza) {
      const id = randomBytes(8).toString('hex');
      const taken = { id, rtrId: rtrId(), valor, natureza, status: 'DEVOLVIDO' };
      pix.devolucoes.push(taken);
      return taken;
    },
    callBack(origin, pix, { name = 'bacen', secret: callbackSecret = secret, path = '/pix' } = {}) {
      return fetch(`${origin}/providers/${name}/${callbackSecret}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ pix }),
      });
    },
    countOf: (what) => calls.filter((call) => isLike(call, what)).length,
    async close() {
      await stop();
      await certificates.remove();
    },
    away: () => stop(),
    back: () => listen(),
  };

  /** The outcome of a call by the API description. */
  function execute(call: FakeCall): readonly [number, unknown] {
    const [, kind, id, sub, subId] = call.path.split('/');
    const recurrence = recurrences.execute(call);
    if (recurrence !== undefined) return recurrence;
    if (kind === 'cob' && id !== undefined) return cob(call, id);
    if (kind === 'webhook' && id !== undefined) return webhook(call, decodeURIComponent(id));
    if (kind === 'pix' && sub === 'devolucao' && id !== undefined && subId !== undefined) {
      return devolucao(call, id, subId);
    }
    if (kind === 'pix' && id !== undefined) {
      const found = received.find(({ endToEndId }) => endToEndId === id);
      return found === undefined ? problem(404, 'PixNaoEncontrado') : [200, found];
    }
    return kind === 'pix' ? list(call) : problem(404, 'NaoEncontrado');
  }

  function cob({ method, body }: FakeCall, txid: string): readonly [number, unknown] {
    if (!/^[a-zA-Z0-9]{26,35}$/.test(txid)) return problem(400, 'CobOperacaoInvalida', 'cob.txid');
    const known = cobs.get(txid);
    const view = (one: FakeCob) => ({
      ...one.body,
      txid,
      revisao: 0,
      status: one.status,
      location: `pix.example.com/qr/v2/${txid}`,
      ...(psp.withCode ? { pixCopiaECola: `00020126BR.GOV.BCB.PIX-${txid}` } : {}),
    });
    if (method === 'GET') return known === undefined ? problem(404, 'CobNaoEncontrado') : [200, view(known)];
    if (method === 'PATCH') {
      if (known === undefined) return problem(404, 'CobNaoEncontrado');
      if (known.status !== 'ATIVA') return problem(400, 'CobOperacaoInvalida');
      known.status = String(body.status);
      return [200, view(known)];
    }
    if (known !== undefined && known.status !== 'ATIVA') return problem(400, 'CobOperacaoInvalida');
    const wrong = wrongInCob(body);
    if (wrong !== undefined) return problem(400, 'CobOperacaoInvalida', wrong);
    const made = { txid, status: 'ATIVA', body, original: String(body.valor.original) };
    cobs.set(txid, made);
    return [201, view(made)];
  }

  function webhook({ method, body }: FakeCall, chave: string): readonly [number, unknown] {
    if (chave !== CHAVE) return problem(400, 'WebhookOperacaoInvalida', 'chave');
    const known = webhooks.get(chave);
    if (method === 'GET') {
      return known === undefined
        ? problem(404, 'WebhookNaoEncontrado')
        : [200, { webhookUrl: known, cnpj: '11222333000181', criacao: new Date().toISOString() }];
    }
    webhooks.set(chave, String(body.webhookUrl));
    return [200, undefined];
  }

  function devolucao({ method, body }: FakeCall, endToEndId: string, id: string): readonly [number, unknown] {
    const pix = received.find((one) => one.endToEndId === endToEndId);
    if (pix === undefined) return problem(404, 'PixNaoEncontrado');
    const known = pix.devolucoes.find((one) => one.id === id);
    if (method === 'GET') {
      return known === undefined ? problem(404, 'PixDevolucaoNaoEncontrada') : [200, known];
    }
    const sum = pix.devolucoes
      .filter(({ status }) => status !== 'NAO_REALIZADO')
      .reduce((cents, one) => cents + centsOf(one.valor), 0);
    const tooMuch = sum + centsOf(String(body.valor)) > centsOf(pix.valor);
    if (known !== undefined || tooMuch || !/^[a-zA-Z0-9]{1,35}$/.test(id)) {
      return problem(400, 'PixDevolucaoInvalida', 'devolucao.valor');
    }
    const made = { id, rtrId: rtrId(), valor: String(body.valor), status: psp.devolucaoStatus };
    pix.devolucoes.push(made);
    return [201, { ...made, horario: { solicitacao: new Date().toISOString() } }];
  }

  function list({ query }: FakeCall): readonly [number, unknown] {
    const [from, to] = [new Date(query.get('inicio') ?? ''), new Date(query.get('fim') ?? '')];
    if (!(from <= to)) return problem(400, 'PixConsultaInvalida');
    const page = Number(query.get('paginacao.paginaAtual') ?? 0);
    const size = Number(query.get('paginacao.itensPorPagina') ?? 100);
    const found = received.filter(
      (pix) =>
        new Date(pix.horario) >= from &&
        new Date(pix.horario) <= to &&
        (query.get('txIdPresente') !== 'true' || pix.txid !== undefined) &&
        (query.get('devolucaoPresente') !== 'true' || pix.devolucoes.length > 0),
    );
    const paginacao = {
      paginaAtual: page,
      itensPorPagina: size,
      quantidadeDePaginas: Math.max(1, Math.ceil(found.length / size)),
      quantidadeTotalDeItens: found.length,
    };
    const parametros = { inicio: query.get('inicio'), fim: query.get('fim'), paginacao };
    return [200, { parametros, pix: found.slice(page * size, (page + 1) * size) }];
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = new URL(request.url ?? '', 'https://localhost');
    const method = request.method ?? '';
    const isToken = url.pathname === '/oauth/token';
    const path = isToken ? '/token' : url.pathname.replace(/^\/api/, '');
    const call = { method, path, query: url.searchParams, body: isToken ? text : parsed(text) };
    calls.push(call);
    const rule = rules.find(({ what, left }) => left > 0 && isLike(call, what));
    if (rule !== undefined) rule.left -= 1;
    const how = rule?.how;
    if (how?.kind === 'hang') return;
    if (how?.kind === 'cut') return void request.socket.destroy();
    if (how?.kind === 'respond') return send(response, how.status, how.body);
    if (how?.kind === 'slow') await sleep(how.ms);
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (isToken) return send(response, ...token(request, text));
    if (!tokens.has(bearer)) return send(response, 401, undefined);
    const [status, body] = execute(call);
    if (how?.kind === 'hang-after') return;
    if (how?.kind === 'cut-after') return void request.socket.destroy();
    if (how?.kind === 'respond-after') return send(response, how.status, undefined);
    return send(response, status, body);
  }

  function token(request: IncomingMessage, text: string): readonly [number, unknown] {
    const secret = encodeURIComponent(CLIENT.secret).replaceAll('%20', '+');
    const credentials = `${encodeURIComponent(CLIENT.id)}:${secret}`;
    const basic = `Basic ${Buffer.from(credentials).toString('base64')}`;
    const form = new URLSearchParams(text);
    const good = request.headers.authorization === basic && form.get('grant_type') === 'client_credentials';
    if (!good) return [401, { error: 'invalid_client' }];
    const value = randomBytes(16).toString('hex');
    tokens.add(value);
    given += 1;
    return [200, { access_token: value, token_type: 'Bearer', expires_in: psp.tokenLifeSeconds }];
  }

  let server = createServer();
  async function listen(): Promise<void> {
    server = createServer(
      { key, cert, ca, requestCert: true, rejectUnauthorized: true },
      (request, response) => {
        handle(request, response).catch(() => request.socket.destroy());
      },
    );
    port = await listenLocally(server, port);
  }
  async function stop(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  await listen();
  return psp;
}

/** The txid of a transaction. */
export const txidOf = (id: string): string => id.replaceAll('-', '');

const isLike = ({ method, path }: FakeCall, what: string): boolean =>
  `${method} ${path}`.startsWith(what) && !(what.endsWith('/pix') && path.includes('/devolucao'));

const rtrId = (): string => `D12345678${randomBytes(12).toString('hex').slice(0, 23)}`;
const centsOf = (valor: string): number => Math.round(Number(valor) * 100);

function wrongInCob(body: FakeCall['body']): string | undefined {
  if (!/^\d{1,10}\.\d{2}$/.test(String(body?.valor?.original)) || Number(body.valor.original) === 0) {
    return 'cob.valor.original';
  }
  if (!(Number.isInteger(body?.calendario?.expiracao) && body.calendario.expiracao > 0)) {
    return 'cob.calendario.expiracao';
  }
  if (body.chave !== CHAVE) return 'cob.chave';
  const { devedor } = body;
  if (devedor === undefined) return undefined;
  const known = /^\d{11}$/.test(devedor.cpf ?? '') || /^[0-9A-Z]{14}$/.test(devedor.cnpj ?? '');
  return known && typeof devedor.nome === 'string' ? undefined : 'cob.devedor';
}

function problem(status: number, kind: string, propriedade?: string): readonly [number, unknown] {
  return [
    status,
    {
      type: `https://pix.bcb.gov.br/api/v2/error/${kind}`,
      title: kind,
      status,
      detail: 'a sentence that might quote 52998224725',
      ...(propriedade === undefined ? {} : { violacoes: [{ razao: 'quotes 52998224725', propriedade }] }),
    },
  ];
}

/** The API's error for an unavailable service. */
export const OUT_OF_SERVICE: Misbehaviour = {
  kind: 'respond',
  status: 503,
  body: problem(503, 'ServicoIndisponivel')[1],
};

function send(response: ServerResponse, status: number, body: unknown): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

function parsed(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
