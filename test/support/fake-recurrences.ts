import { randomBytes } from 'node:crypto';

import type { FakeCall } from '#test/support/fake-call.ts';

/**
 * Pix Automático at the fake PSP, after the Pix API 2.9: `rec`, `locrec`, `cobr`, retries and the
 * two webhooks. `POST /rec` creates a recurrence each time.
 */

/** The settings by which a gateway offers Pix Automático. */
export const RECEIVER = { BACEN_PIX_ACCOUNT: '012682', BACEN_PIX_ACCOUNT_BRANCH: '9708' };

interface FakeRec {
  readonly idRec: string;
  status: string;
  readonly criacao: string;
  readonly body: FakeCall['body'];
  /** Requests to the payer, oldest first. */
  readonly requests: { status: string; readonly body: FakeCall['body'] }[];
}

interface FakeTentativa {
  readonly dataLiquidacao: string;
  readonly tipo: 'AGND' | 'NTAG';
  readonly endToEndId: string;
  status: string;
  rejeicao?: { readonly codigo: string; readonly descricao: string };
}

interface FakeCobR {
  readonly txid: string;
  readonly idRec: string;
  status: string;
  readonly original: string;
  readonly date: string;
  readonly tentativas: FakeTentativa[];
  readonly pix: unknown[];
}

export interface FakeRecurrences {
  readonly recs: FakeRec[];
  readonly cobrs: ReadonlyMap<string, FakeCobR>;
  readonly datedCharges: ReadonlyMap<string, FakeCall['body']>;
  readonly webhooks: ReadonlyMap<string, string>;
  /** The payer's bank rejects the open attempt of a charge. A code that ends the charge does. */
  reject(txid: string, codigo: string): void;
  execute(call: FakeCall): readonly [number, unknown] | undefined;
}

const FINAL_CODES = ['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09'];
const DAY_MS = 86_400_000;

const problem = (status: number, kind: string, propriedade?: string): readonly [number, unknown] => [
  status,
  {
    type: `https://pix.bcb.gov.br/api/v2/error/${kind}`,
    title: kind,
    status,
    ...(propriedade === undefined ? {} : { violacoes: [{ razao: 'wrong', propriedade }] }),
  },
];

const today = (days = 0) => new Date(Date.now() - 3 * 3_600_000 + days * DAY_MS).toISOString().slice(0, 10);

const attempt = (tipo: 'AGND' | 'NTAG', dataLiquidacao: string): FakeTentativa => ({
  dataLiquidacao,
  tipo,
  status: 'AGENDADA',
  endToEndId: `E12345678${randomBytes(12).toString('hex').slice(0, 23)}`,
});

export function createFakeRecurrences(): FakeRecurrences {
  const recs: FakeRec[] = [];
  const cobrs = new Map<string, FakeCobR>();
  const datedCharges = new Map<string, FakeCall['body']>();
  const webhooks = new Map<string, string>();
  let locations = 0;

  const view = ({ idRec, status, body, requests }: FakeRec) => ({
    ...body,
    idRec,
    status,
    recebedor: {},
    ...(requests.length > 0 && {
      solicitacao: requests.map(({ status: state, body: sent }, index) => ({
        ...sent,
        status: state,
        idSolicRec: `SC12345678${today().replaceAll('-', '')}${11e9 + index}`,
        atualizacao: [],
      })),
    }),
  });
  const viewCharge = ({ txid, idRec, status, original, date, tentativas, pix }: FakeCobR) => ({
    txid,
    idRec,
    status,
    valor: { original },
    calendario: { dataDeVencimento: date },
    tentativas,
    pix,
    recebedor: {},
    politicaRetentativa: 'PERMITE_3R_7D',
    atualizacao: [],
  });

  function rec(call: FakeCall, id: string | undefined): readonly [number, unknown] {
    const { method, body, query } = call;
    if (method === 'POST') {
      const wrong = wrongInRec(body);
      if (wrong !== undefined) return problem(400, 'RecOperacaoInvalida', wrong);
      const mark = body.politicaRetentativa === 'NAO_PERMITE' ? 'N' : 'R';
      const suffix = randomBytes(8).toString('hex').slice(0, 11);
      const idRec = `R${mark}12345678${today().replaceAll('-', '')}${suffix}`;
      const made = { idRec, status: 'CRIADA', criacao: new Date().toISOString(), body, requests: [] };
      recs.push(made);
      return [201, view(made)];
    }
    if (id === undefined) return listRecs(query);
    const known = recs.find(({ idRec }) => idRec === id);
    if (known === undefined) return problem(404, 'RecNaoEncontrada');
    if (method === 'PATCH') {
      if (known.status !== 'CRIADA' && known.status !== 'APROVADA')
        return problem(400, 'RecOperacaoInvalida');
      known.status = String(body.status);
    }
    const txid = query.get('txid');
    const pixCopiaECola = `00020126-REC-${id}${txid === null ? '' : `-${txid}`}`;
    if (known.body.loc === undefined) return [200, view(known)];
    return [200, { ...view(known), dadosQR: { jornada: 'JORNADA_2', pixCopiaECola } }];
  }

  /** Asks the payer of a recurrence, once at a time. */
  function solicrec({ body }: FakeCall): readonly [number, unknown] {
    const known = recs.find(({ idRec }) => idRec === body.idRec);
    const { ispbParticipante, conta, agencia, cpf } = body.destinatario ?? {};
    const isAccount = /^[0-9A-Z]{8}$/.test(ispbParticipante ?? '') && /^.{1,20}$/.test(conta ?? '');
    if (known === undefined) return problem(404, 'RecNaoEncontrada');
    if (!isAccount || (agencia?.length ?? 0) > 4 || cpf !== known.body.vinculo.devedor.cpf)
      return problem(400, 'SolicRecOperacaoInvalida', 'solicrec.destinatario');
    if (!(Date.parse(body.calendario?.dataExpiracaoSolicitacao) > Date.now()))
      return problem(400, 'SolicRecOperacaoInvalida', 'solicrec.calendario');
    const isActive = known.requests.some(({ status }) => ['CRIADA', 'ENVIADA', 'RECEBIDA'].includes(status));
    if (isActive) return problem(400, 'SolicRecOperacaoInvalida', 'solicrec.idRec');
    known.requests.push({ status: 'CRIADA', body });
    return [201, { ...body, idSolicRec: 'SC123456782026112411111111111', status: 'CRIADA', atualizacao: [] }];
  }

  function listRecs(query: URLSearchParams): readonly [number, unknown] {
    const [from, to] = [query.get('inicio') ?? '', query.get('fim') ?? ''];
    if (!(from < to) || (query.get('cpf') ?? query.get('cnpj')) === null)
      return problem(400, 'RecConsultaInvalida');
    const found = recs.filter(
      ({ criacao, body }) =>
        criacao >= from && criacao <= to && body.vinculo.devedor.cpf === (query.get('cpf') ?? undefined),
    );
    const paginacao = {
      paginaAtual: 0,
      itensPorPagina: 100,
      quantidadeDePaginas: 1,
      quantidadeTotalDeItens: found.length,
    };
    return [200, { parametros: { inicio: from, fim: to, paginacao }, recs: found.map(view) }];
  }

  function cobr({ method, body }: FakeCall, txid: string): readonly [number, unknown] {
    const known = cobrs.get(txid);
    if (method === 'GET')
      return known === undefined ? problem(404, 'CobRNaoEncontrada') : [200, viewCharge(known)];
    if (method === 'PATCH') {
      if (known === undefined) return problem(404, 'CobRNaoEncontrada');
      if (known.status !== 'CRIADA' && known.status !== 'ATIVA') return problem(400, 'CobROperacaoInvalida');
      known.status = String(body.status);
      return [200, viewCharge(known)];
    }
    const owner = recs.find(({ idRec }) => idRec === body.idRec);
    const date = String(body.calendario?.dataDeVencimento);
    if (known !== undefined) return problem(400, 'CobROperacaoInvalida', 'cobr.txid');
    if (owner?.status !== 'APROVADA') return problem(400, 'CobROperacaoInvalida', 'cobr.idRec');
    if (!(date >= today(2) && date <= today(10)))
      return problem(400, 'CobROperacaoInvalida', 'cobr.calendario');
    if (body.recebedor?.conta === undefined) return problem(400, 'CobROperacaoInvalida', 'cobr.recebedor');
    const isLive = [...cobrs.values()].some(
      (one) => one.idRec === body.idRec && one.date === date && one.status === 'ATIVA',
    );
    if (isLive) return problem(400, 'CobROperacaoInvalida', 'cobr.calendario');
    const made: FakeCobR = {
      txid,
      idRec: String(body.idRec),
      status: 'ATIVA',
      original: String(body.valor.original),
      date,
      tentativas: [attempt('AGND', date)],
      pix: [],
    };
    cobrs.set(txid, made);
    return [201, viewCharge(made)];
  }

  function retry(txid: string, date: string): readonly [number, unknown] {
    const known = cobrs.get(txid);
    if (known === undefined) return problem(404, 'CobRNaoEncontrada');
    const retries = known.tentativas.filter(({ tipo }) => tipo === 'NTAG').length;
    const limit = new Date(Date.parse(known.date) + 7 * DAY_MS).toISOString().slice(0, 10);
    const isOpen = known.tentativas.some(({ status }) => status === 'AGENDADA');
    if (known.status !== 'ATIVA' || isOpen || retries >= 3 || date > limit || date < today(1))
      return problem(400, 'CobROperacaoInvalida', 'data');
    known.tentativas.push(attempt('NTAG', date));
    return [201, viewCharge(known)];
  }

  return {
    recs,
    cobrs,
    datedCharges,
    webhooks,
    reject(txid, codigo) {
      const known = cobrs.get(txid);
      const open = known?.tentativas.findLast(({ status }) => status === 'AGENDADA');
      if (known === undefined || open === undefined) throw new Error('no open attempt');
      open.status = 'REJEITADA';
      open.rejeicao = {
        codigo,
        descricao: 'rejected',
      };
      if (FINAL_CODES.includes(codigo)) known.status = 'REJEITADA';
    },
    execute(call) {
      const [, kind, id, sub, subId] = call.path.split('/');
      if (kind === 'locrec')
        return [
          201,
          {
            id: (locations += 1),
            location: 'pix.example.com/rec/1',
            tipo: 'rec',
          },
        ];
      if (kind === 'rec') return rec(call, id);
      if (kind === 'solicrec') return solicrec(call);
      if (kind === 'cobr' && sub === 'retentativa') return retry(id ?? '', subId ?? '');
      if (kind === 'cobr') return cobr(call, id ?? '');
      if (kind === 'cobv') {
        datedCharges.set(id ?? '', call.body);
        return [
          201,
          {
            ...call.body,
            txid: id,
            status: 'ATIVA',
          },
        ];
      }
      if (kind !== 'webhookrec' && kind !== 'webhookcobr') return undefined;
      const known = webhooks.get(kind);
      if (call.method === 'GET')
        return known === undefined ? problem(404, 'WebhookNaoEncontrado') : [200, { webhookUrl: known }];
      webhooks.set(kind, String(call.body.webhookUrl));
      return [200, undefined];
    },
  };
}

function wrongInRec(body: FakeCall['body']): string | undefined {
  const { vinculo, calendario, valor, politicaRetentativa } = body ?? {};
  if (typeof vinculo?.contrato !== 'string' || vinculo.contrato.length > 35) return 'rec.vinculo.contrato';
  if (!/^\d{11}$/.test(vinculo.devedor?.cpf ?? '') || typeof vinculo.devedor.nome !== 'string')
    return 'rec.vinculo.devedor';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(calendario?.dataInicial ?? '')) return 'rec.calendario.dataInicial';
  const periods = ['SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL'];
  if (!periods.includes(calendario.periodicidade)) return 'rec.calendario.periodicidade';
  if (valor?.valorRec !== undefined && valor.valorMinimoRecebedor !== undefined) return 'rec.valor';
  return ['NAO_PERMITE', 'PERMITE_3R_7D'].includes(politicaRetentativa)
    ? undefined
    : 'rec.politicaRetentativa';
}
