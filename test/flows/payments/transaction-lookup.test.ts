import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { lockTable } from '#test/support/lock-table.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';

let gateway: TestGateway;
let seller: TestSeller;

beforeAll(async () => {
  gateway = await startTestGateway();
  seller = await newSeller(gateway);
});
afterAll(async () => {
  await gateway.stop();
});

const lookUp = (text: string, { apiKey } = seller): Promise<ApiResponse> =>
  gateway.post('/transactions/lookup', { text }, { apiKey });

async function idsOf(text: string, as = seller): Promise<readonly string[]> {
  const response = await lookUp(text, as);
  expect(response.status).toBe(200);
  return response.body.data.found.map(({ id }: { id: string }) => id);
}

interface Payer {
  readonly name?: string;
  readonly email?: string;
  readonly externalRef?: string;
}

async function charge(
  payer: Payer,
  changes: Readonly<Record<string, unknown>> = {},
  { apiKey } = seller,
): Promise<string> {
  const customer = {
    name: 'Ana Souza',
    email: 'ana@example.com',
    phone: '11987654321',
    documentType: 'CPF',
    document: '52998224725',
    ...payer,
  };
  const made = await gateway.charge({ customer, ...changes }, { apiKey });
  expect(made.status).toBe(201);
  return String(made.body.data.id);
}

describe('POST /v1/transactions/lookup', () => {
  it('finds a transaction by parts of its payer’s data, ignoring case and accents', async () => {
    const id = await charge(
      { name: 'João da Conceição', email: 'jc+loja@Example.com', externalRef: 'CLI-0077' },
      { amount: 77_701, description: 'Assinatura Óleo 100%_puro' },
    );
    for (const text of ['joao', 'JOÃO DA', 'conceicao', 'CONCEIÇÃO', 'Joa\u0303o']) {
      expect(await idsOf(text)).toEqual([id]);
    }
    for (const text of ['jc+loja@example', 'cli-0077', ' óleo ', 'OLEO 100%_P']) {
      expect(await idsOf(text)).toEqual([id]);
    }
    const { body } = await lookUp('joão');
    expect(body.data).toEqual({
      found: [
        expect.objectContaining({
          id,
          amount: 77_701,
          status: 'PENDING',
          description: 'Assinatura Óleo 100%_puro',
          customer: { name: 'João da Conceição', email: 'jc+loja@Example.com' },
        }),
      ],
    });
  });

  it('matches every character literally, without wildcards and patterns', async () => {
    const id = await charge({ name: `50%_off \\ 'x' (a+)+$` });
    expect(await idsOf('50%_off')).toEqual([id]);
    expect(await idsOf("\\ 'x' (a+)+$")).toEqual([id]);
    for (const text of ['50%off', '5__', '%', '50._off']) {
      expect((await idsOf(text)).filter((one) => one === id)).toEqual(text === '%' ? [id] : []);
    }
    expect(await idsOf('[unlikely')).toEqual([]);
  });

  it('does not match across two fields', async () => {
    await charge({ name: 'Fim Azulejo', email: 'quartzo@example.com' });
    expect(await idsOf('azulejo')).toHaveLength(1);
    expect(await idsOf('azulejoquartzo')).toEqual([]);
    expect(await idsOf('azulejo quartzo')).toEqual([]);
  });

  it('finds exact amounts in common formats', async () => {
    const fifteen = await charge({ name: 'Preciso' }, { amount: 123_456 });
    const cents = await charge({ name: 'Preciso' }, { amount: 1_234 });
    for (const text of ['1.234,56', 'R$ 1.234,56', '1234,56', '1,234.56', '123456']) {
      expect(await idsOf(text)).toEqual([fifteen]);
    }
    expect(await idsOf('12,34')).toEqual([cents]);
    // Digits alone are reais or cents.
    const reais = await charge({ name: 'Preciso' }, { amount: 123_400 });
    expect(await idsOf('1234')).toEqual([reais, cents]);
    expect(await idsOf('R$ 1234')).toEqual([reais]);
    expect(await idsOf('1.234,57')).toEqual([]);
  });

  it('finds a complete id, and nothing by a part of it', async () => {
    const id = await charge({});
    expect(await idsOf(` ${id.toUpperCase()} `)).toEqual([id]);
    expect(await idsOf(id.slice(0, 30))).toEqual([]);
    expect(await idsOf('00000000-0000-4000-8000-000000000000')).toEqual([]);
  });

  it('never returns transactions of another seller', async () => {
    const other = await newSeller(gateway);
    const id = await charge({ name: 'Somente Outra' }, { amount: 555_555 }, other);
    expect(await idsOf('somente outra', other)).toEqual([id]);
    for (const text of ['somente outra', id, '5.555,55']) expect(await idsOf(text)).toEqual([]);
  });

  it('returns at most 20, newest first', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 22; index += 1) ids.push(await charge({ name: `Muitas ${index}` }));
    expect(await idsOf('muitas')).toEqual(ids.toReversed().slice(0, 20));
  });

  it('rejects a text that is missing, too long or cannot be stored', async () => {
    const rule = 'text should not be empty';
    expect((await gateway.post('/transactions/lookup', {})).body.message).toContain(rule);
    expect((await lookUp('  ')).body.message).toEqual([rule]);
    expect((await lookUp('x'.repeat(321))).body.message).toEqual([
      'text must be shorter than or equal to 320 characters',
    ]);
    expect((await gateway.post('/transactions/lookup', { text: 'a\0b' })).body.message).toEqual([
      'text must not contain NUL characters',
    ]);
    expect((await gateway.post('/transactions/lookup', { text: ['a', 'b'] })).status).toBe(400);
  });
});

describe('a lookup among more than 20,000 transactions', () => {
  const MANY = 21_000;
  const MADE_AT = Date.now() - 40 * 24 * 3_600_000;
  let many: TestSeller;

  beforeAll(async () => {
    many = await newSeller(gateway);
    const ids = `(lpad(to_hex($2::bigint + n), 12, '0') || '40008000' || lpad(to_hex(n), 12, '0'))::uuid`;
    // Before the transactions, which the worker may index at any moment.
    await gateway.database.query(
      `INSERT INTO transaction_customers (seller_id, transaction_id, id, name, email, phone, document_type,
          document, created_at)
       SELECT $1, ${ids}, gen_random_uuid(), 'Pagador Número ' || n, 'p' || n || '@example.com',
         '11987654321', 'CPF', '52998224725', to_timestamp(($2::bigint + n) / 1000.0)
       FROM generate_series(1, $3::integer) AS n`,
      [many.id, MADE_AT, MANY],
    );
    await gateway.database.query(
      `INSERT INTO transactions (seller_id, id, method, status, version, amount, fee_amount, refunded_amount,
          description, created_at, updated_at)
       SELECT $1, ${ids}, 'PIX', 'PENDING', 1, 1000, 15, 0, 'Pedido ' || n,
         to_timestamp(($2::bigint + n) / 1000.0), to_timestamp(($2::bigint + n) / 1000.0)
       FROM generate_series(1, $3::integer) AS n`,
      [many.id, MADE_AT, MANY],
    );
  });

  it('finds the oldest', async () => {
    const found = await lookUp('pagador numero 1001', many);
    expect(found.body.data.found).toHaveLength(11);
    for (const text of ['p1@', 'p20000@', 'Número 21000']) {
      const { data } = (await lookUp(text, many)).body;
      expect(data.found).toHaveLength(1);
    }
    expect((await lookUp('p21001@', many)).body.data.found).toEqual([]);
  });

  it('ends at its deadline and delays no other request', async () => {
    const unlock = await lockTable(gateway.database, 'transaction_customers');
    try {
      const response = await lookUp('pagador', many);
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('1');
    } finally {
      await unlock();
    }
    expect((await lookUp('pagador', many)).status).toBe(200);
  });
});

const findOfAll = async (text: string): Promise<readonly string[]> => {
  const token = await gateway.adminToken();
  const response = await gateway.post('/admin/transactions/lookup', { text }, { token });
  expect(response.status).toBe(200);
  return response.body.data.found.map(({ id }: { id: string }) => id);
};

describe('POST /v1/admin/transactions/lookup', () => {
  it('finds new charges of all sellers by payer, document, end-to-end id, order and card', async () => {
    const other = await newSeller(gateway);
    const payer = { name: 'Ubiratã Quaresma', email: 'bira@example.com', document: '39053344705' };
    const card = {
      number: '4111111111117779',
      holderName: 'BIRA',
      expirationMonth: 12,
      expirationYear: 2090,
      cvv: '123',
    };
    const pix = await charge(payer, { externalRef: 'ordem-778899' }, other);
    const byCard = await charge(payer, { method: 'CREDIT_CARD', installments: 1, card });
    await gateway.post(`/sandbox/transactions/${pix}/pay`, undefined, other);
    const { endToEndId } = (await gateway.get(`/transactions/${pix}`, other)).body.data.pix;
    for (const text of ['ubirata', 'BIRA@example', '390.533.447-05']) {
      expect({ text, found: await findOfAll(text) }).toEqual({ text, found: [byCard, pix] });
    }
    expect(await findOfAll('ordem-7788')).toEqual([pix]);
    // Names and addresses may contain the digits, too.
    expect((await findOfAll('7779'))[0]).toBe(byCard);
    expect(await findOfAll(endToEndId)).toEqual([pix]);
    expect(await findOfAll(pix)).toEqual([pix]);
    expect(await findOfAll('Ninguém')).toEqual([]);
    const token = await gateway.adminToken();
    const { found } = (await gateway.post('/admin/transactions/lookup', { text: 'ordem-7788' }, { token }))
      .body.data;
    expect(found).toMatchObject([{ id: pix, sellerId: other.id, sellerName: 'Loja' }]);
    expect(await idsOf('7779')).toEqual([byCard]);
    expect(await idsOf('ubirata')).toEqual([byCard]);
  });
});
