import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goodCharge, type ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import {
  ABSENT,
  chargeWith,
  METHOD_RULE,
  refused,
  resultOf,
  TYPE_RULE,
} from '#test/support/invalid-requests.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.stop();
});

function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> {
  return gateway.post('/transactions', body, { idempotencyKey: randomUUID(), headers });
}

const elevenKeys = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, i]));

/** Each row violates one rule of the body: the changed fields, and all expected messages. */
const BROKEN: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly string[]])[] = [
  ['no amount', { amount: ABSENT }, ['amount must be an integer number']],
  ['a null amount', { amount: null }, ['amount must be an integer number']],
  ['an amount as text', { amount: '1500' }, ['amount must be an integer number']],
  ['an amount with a fraction', { amount: 1500.5 }, ['amount must be an integer number']],
  ['a fraction below the minimum', { amount: 99.5 }, ['amount must be an integer number']],
  ['a boolean amount', { amount: true }, ['amount must be an integer number']],
  ['an amount in a list', { amount: [1500] }, ['amount must be an integer number']],
  ['an amount below 100', { amount: 99 }, ['amount must not be less than 100']],
  ['an amount of zero', { amount: 0 }, ['amount must not be less than 100']],
  ['a negative amount', { amount: -1500 }, ['amount must not be less than 100']],
  ['an amount above the maximum', { amount: 10_000_000_000 }, ['amount must not be greater than 9999999999']],
  [
    'an amount beyond safe integers',
    { amount: Number.MAX_SAFE_INTEGER + 1 },
    ['amount must not be greater than 9999999999'],
  ],
  ['no method', { method: ABSENT }, [METHOD_RULE]],
  ['an unknown method', { method: 'CRYPTO' }, [METHOD_RULE]],
  ['a method in lower case', { method: 'pix' }, [METHOD_RULE]],
  ['a method that is a number', { method: 1 }, [METHOD_RULE]],
  ['a method in a list', { method: ['PIX'] }, [METHOD_RULE]],
  ['no customer', { customer: ABSENT }, ['customer must be an object']],
  ['a null customer', { customer: null }, ['customer must be an object']],
  ['a customer that is text', { customer: 'Ana' }, ['customer must be an object']],
  ['a customer that is a list', { customer: [] }, ['customer must be an object']],
  ['no name', { 'customer.name': ABSENT }, ['customer.name should not be empty']],
  ['an empty name', { 'customer.name': '' }, ['customer.name should not be empty']],
  ['a blank name', { 'customer.name': ' \t\n' }, ['customer.name should not be empty']],
  ['an invisible name', { 'customer.name': '\u200b\u2060\u00ad' }, ['customer.name should not be empty']],
  ['a name of emoji', { 'customer.name': '🙂🇧🇷' }, ['customer.name must contain a letter or a digit']],
  ['a name that is a number', { 'customer.name': 7 }, ['customer.name must be a string']],
  ['no email', { 'customer.email': ABSENT }, ['customer.email must be an email']],
  ['an email without @', { 'customer.email': 'ana.example.com' }, ['customer.email must be an email']],
  ['an email without a host', { 'customer.email': 'ana@' }, ['customer.email must be an email']],
  ['an email without a domain', { 'customer.email': 'ana@example' }, ['customer.email must be an email']],
  ['an email with a space', { 'customer.email': 'a na@example.com' }, ['customer.email must be an email']],
  ['an empty email', { 'customer.email': '' }, ['customer.email must be an email']],
  ['two addresses', { 'customer.email': 'a@b.com,c@d.com' }, ['customer.email must be an email']],
  ['an email that is an object', { 'customer.email': {} }, ['customer.email must be a string']],
  ['no phone', { 'customer.phone': ABSENT }, ['customer.phone must be 10 to 13 digits']],
  ['a phone of 9 digits', { 'customer.phone': '198765432' }, ['customer.phone must be 10 to 13 digits']],
  [
    'a phone of 14 digits',
    { 'customer.phone': '55119876543210' },
    ['customer.phone must be 10 to 13 digits'],
  ],
  ['a formatted phone', { 'customer.phone': '(11)987654321' }, ['customer.phone must be 10 to 13 digits']],
  [
    'a phone with a line break',
    { 'customer.phone': '11987654321\n' },
    ['customer.phone must be 10 to 13 digits'],
  ],
  [
    'digits of other scripts',
    { 'customer.phone': '١١٩٨٧٦٥٤٣٢١' },
    ['customer.phone must be 10 to 13 digits'],
  ],
  ['a phone that is a number', { 'customer.phone': 11987654321 }, ['customer.phone must be a string']],
  ['no document type', { 'customer.documentType': ABSENT }, [TYPE_RULE]],
  ['an unknown document type', { 'customer.documentType': 'RG' }, [TYPE_RULE]],
  ['no document', { 'customer.document': ABSENT }, ['customer.document must be a string']],
  [
    'a document that is a number',
    { 'customer.document': 52998224725 },
    ['customer.document must be a string'],
  ],
  ['a short CPF', { 'customer.document': '5299822472' }, ['customer.document must be 11 digits for CPF']],
  ['an empty CPF', { 'customer.document': '' }, ['customer.document must be 11 digits for CPF']],
  [
    'a formatted CPF',
    { 'customer.document': '529.982.247-25' },
    ['customer.document must be 11 digits for CPF'],
  ],
  [
    'a CPF of 15 digits',
    { 'customer.document': '529982247255299' },
    ['customer.document must be 11 digits for CPF'],
  ],
  [
    'a CPF called CNPJ',
    { 'customer.documentType': 'CNPJ' },
    ['customer.document must be 14 digits for CNPJ'],
  ],
  [
    'a CNPJ called CPF',
    { 'customer.document': '11222333000181' },
    ['customer.document must be 11 digits for CPF'],
  ],
  [
    'a CNPJ whose check digits are letters',
    { 'customer.documentType': 'CNPJ', 'customer.document': '12ABC34501DEX5' },
    ['customer.document must be 14 digits for CNPJ'],
  ],
  [
    'a long customer.externalRef',
    { 'customer.externalRef': 'x'.repeat(129) },
    ['customer.externalRef must be shorter than or equal to 128 characters'],
  ],
  [
    'a customer.externalRef that is a number',
    { 'customer.externalRef': 5 },
    ['customer.externalRef must be a string'],
  ],
  ['no items', { items: ABSENT }, ['items must be an array']],
  ['items that are an object', { items: { 0: goodCharge().items[0] } }, ['items must be an array']],
  ['an empty list of items', { items: [] }, ['items should not be empty']],
  ['an item that is text', { items: ['Caneca'] }, ['items.0 must be an object']],
  ['an item that is null', { items: [null] }, ['items.0 must be an object']],
  ['no title', { 'items.0.title': ABSENT }, ['items.0.title should not be empty']],
  ['a blank title', { 'items.0.title': '  ' }, ['items.0.title should not be empty']],
  ['an invisible title', { 'items.0.title': '\u200b\u3164' }, ['items.0.title should not be empty']],
  ['no item amount', { 'items.0.amount': ABSENT }, ['items.0.amount must be an integer number']],
  ['an item amount with a fraction', { 'items.0.amount': 0.1 }, ['items.0.amount must be an integer number']],
  ['a negative item amount', { 'items.0.amount': -1 }, ['items.0.amount must not be less than 0']],
  ['no quantity', { 'items.0.quantity': ABSENT }, ['items.0.quantity must be an integer number']],
  ['a quantity of zero', { 'items.0.quantity': 0 }, ['items.0.quantity must not be less than 1']],
  ['a quantity in quotes', { 'items.0.quantity': '1' }, ['items.0.quantity must be an integer number']],
  ['no tangible', { 'items.0.tangible': ABSENT }, ['items.0.tangible must be a boolean value']],
  ['tangible in quotes', { 'items.0.tangible': 'true' }, ['items.0.tangible must be a boolean value']],
  ['tangible as a number', { 'items.0.tangible': 1 }, ['items.0.tangible must be a boolean value']],
  [
    'a long items.0.externalRef',
    { 'items.0.externalRef': 'x'.repeat(129) },
    ['items.0.externalRef must be shorter than or equal to 128 characters'],
  ],
  ['metadata that is text', { metadata: 'a=1' }, ['metadata must be an object']],
  ['metadata that is a list', { metadata: ['a'] }, ['metadata must be an object']],
  ['eleven metadata keys', { metadata: elevenKeys }, ['metadata must have at most 10 keys']],
  ['a description that is a number', { description: 1 }, ['description must be a string']],
  [
    'a postbackUrl with HTTP',
    { postbackUrl: 'http://example.com/hook' },
    ['postbackUrl must be an HTTPS URL'],
  ],
  ['an invalid postbackUrl', { postbackUrl: 'example.com/hook' }, ['postbackUrl must be an HTTPS URL']],
  [
    'a postbackUrl with a password',
    { postbackUrl: 'https://ana:secret@example.com/hook' },
    ['postbackUrl must be an HTTPS URL'],
  ],
  ['an empty postbackUrl', { postbackUrl: '' }, ['postbackUrl must be an HTTPS URL']],
  ['a postbackUrl that is a number', { postbackUrl: 1 }, ['postbackUrl must be a string']],
  ['an expiration of zero', { expiration: 0 }, ['expiration must not be less than 1']],
  [
    'an expiration beyond 365 days',
    { expiration: 31_536_001 },
    ['expiration must not be greater than 31536000'],
  ],
  ['an expiration in quotes', { expiration: '60' }, ['expiration must be an integer number']],
  ['an expiration with a fraction', { expiration: 1.5 }, ['expiration must be an integer number']],
];

const newSeller = (more: Readonly<Record<string, unknown>>) => ({
  name: 'Loja',
  documentType: 'CPF',
  document: '52998224725',
  ownerName: 'Ana',
  ownerEmail: `${randomUUID()}@example.com`,
  ownerPassword: 'a long enough password',
  ...more,
});

describe('the body of a transaction', () => {
  it.each(BROKEN)('with %s is rejected with one message', async (_name, changes, message) => {
    expect(resultOf(await post(chargeWith(changes)))).toEqual(refused(400, message));
  });

  it('returns all violations at once, in field order', async () => {
    const response = await post({
      expiration: 0,
      postbackUrl: 'ftp://example.com',
      metadata: elevenKeys,
      items: [
        { title: 'Caneca', amount: 1500, quantity: 1, tangible: true },
        { externalRef: 'x'.repeat(129), tangible: 'no', quantity: 0, amount: '1', title: '' },
      ],
      customer: { document: '123', documentType: 'CPF', phone: '1', email: 'ana', name: '' },
      method: 'CASH',
      amount: 1,
    });
    expect(resultOf(response)).toEqual(
      refused(400, [
        'amount must not be less than 100',
        METHOD_RULE,
        'customer.name should not be empty',
        'customer.email must be an email',
        'customer.phone must be 10 to 13 digits',
        'customer.document must be 11 digits for CPF',
        'items.1.title should not be empty',
        'items.1.amount must be an integer number',
        'items.1.quantity must not be less than 1',
        'items.1.tangible must be a boolean value',
        'items.1.externalRef must be shorter than or equal to 128 characters',
        'metadata must have at most 10 keys',
        'postbackUrl must be an HTTPS URL',
        'expiration must not be less than 1',
      ]),
    );
  });

  it('reports later items by index and in order, beyond the tenth', async () => {
    const item = { title: 'Caneca', amount: 1, quantity: 1, tangible: true };
    const items = Array.from({ length: 12 }, (_, i) =>
      i === 2 || i === 10 ? { ...item, quantity: 0 } : item,
    );
    expect(resultOf(await post(goodCharge({ items })))).toEqual(
      refused(400, ['items.2.quantity must not be less than 1', 'items.10.quantity must not be less than 1']),
    );
  });

  it.each([
    ['an empty object', '{}'],
    ['an empty body', ''],
  ])('that is %s lacks every required field', async (_name, body) => {
    expect(resultOf(await post(body, { 'content-type': 'application/json' }))).toEqual(
      refused(400, [
        'amount must be an integer number',
        METHOD_RULE,
        'customer must be an object',
        'items must be an array',
      ]),
    );
  });

  it.each(['[]', '[{"amount":1500}]', '"text"', '7', 'true', 'null'])(
    'that is %s is rejected, since it is not an object',
    async (body) => {
      expect(resultOf(await post(body))).toEqual(refused(400, ['body must be an object']));
    },
  );

  it('may be absent, and is then empty', async () => {
    const response = await gateway.post('/transactions', undefined, { idempotencyKey: randomUUID() });
    expect(response.status).toBe(400);
    expect(response.body.message).toHaveLength(4);
  });

  it.each([
    ['the smallest amount', { amount: 100 }],
    ['the largest amount', { amount: 9_999_999_999 }],
    ['a phone of 10 digits', { 'customer.phone': '1187654321' }],
    ['a phone of 13 digits', { 'customer.phone': '5511987654321' }],
    ['a CNPJ', { 'customer.documentType': 'CNPJ', 'customer.document': '11222333000181' }],
    [
      'references of 128 characters',
      { 'customer.externalRef': 'x'.repeat(128), 'items.0.externalRef': 'é'.repeat(128) },
    ],
    ['a free item', { 'items.0.amount': 0 }],
    ['ten metadata keys', { metadata: Object.fromEntries(Object.entries(elevenKeys).slice(1)) }],
    ['empty metadata', { metadata: {} }],
    ['the shortest expiration', { expiration: 1 }],
    ['the longest expiration', { expiration: 31_536_000 }],
    ['an HTTPS postbackUrl', { postbackUrl: 'https://example.com/hook?shop=1' }],
    [
      'null in every optional field',
      {
        metadata: null,
        description: null,
        postbackUrl: null,
        expiration: null,
        'customer.externalRef': null,
        'items.0.externalRef': null,
      },
    ],
  ])('with %s is accepted', async (_name, changes) => {
    const response = await post(chargeWith(changes));
    expect(response.body.message).toBeUndefined();
    expect(response.status).toBe(201);
  });

  it('may contain unknown fields at every level, which are ignored', async () => {
    const response = await post(
      chargeWith({
        id: '00000000-0000-4000-8000-000000000000',
        status: 'PAID',
        feeAmount: 0,
        sellerId: 'x',
        surprise: { deep: [1, 2] },
        'customer.id': 7,
        'customer.vip': true,
        'items.0.id': 'mine',
        'items.0.colour': 'blue',
      }),
    );
    expect(response.status).toBe(201);
    const { data } = response.body;
    expect(data).toMatchObject({ status: 'PENDING', feeAmount: 15 });
    expect(data.id).not.toBe('00000000-0000-4000-8000-000000000000');
    expect(data).not.toHaveProperty('surprise');
    expect(data.customer).not.toHaveProperty('vip');
    expect(data.items[0]).not.toHaveProperty('colour');
  });

  it('of a new seller may contain unknown fields, which are ignored', async () => {
    const token = await gateway.adminToken();
    for (const id of ['mine', gateway.demo.seller.id, randomUUID()]) {
      const response = await gateway.post('/admin/sellers', newSeller({ id, requestsPerMinute: 5 }), {
        token,
      });
      expect(response.status).toBe(201);
      expect(response.body.data.requestsPerMinute).toBe(120);
      expect(response.body.data.id).not.toBe(id);
    }
  });
});

describe('document verification', () => {
  let strict: TestGateway;
  beforeAll(async () => {
    strict = await startTestGateway({
      environment: { VERIFY_DOCUMENTS: 'true' },
      worker: false,
    });
  });
  afterAll(async () => {
    await strict.stop();
  });

  it('is disabled in the sandbox', async () => {
    expect((await post(chargeWith({ 'customer.document': '52998224726' }))).status).toBe(201);
    expect((await post(chargeWith({ 'customer.document': '00000000000' }))).status).toBe(201);
  });

  it.each([
    ['CPF', '52998224725'],
    ['CNPJ', '11222333000181'],
    ['CNPJ', '12ABC34501DE35'],
  ])('accepts the %s %s if enabled', async (documentType, document) => {
    const body = chargeWith({ 'customer.documentType': documentType, 'customer.document': document });
    const response = await strict.post('/transactions', body, { idempotencyKey: randomUUID() });
    expect(response.body.message).toBeUndefined();
    expect(response.status).toBe(201);
  });

  it.each([
    ['CPF', '52998224726'],
    ['CPF', '11111111111'],
    ['CNPJ', '11222333000182'],
    ['CNPJ', '12ABC34501DE36'],
    ['CNPJ', '12abc34501de35'],
    ['CNPJ', '12ABC34501DEX5'],
  ])('rejects the %s %s if enabled, without quoting it', async (documentType, document) => {
    const body = chargeWith({ 'customer.documentType': documentType, 'customer.document': document });
    const response = await strict.post('/transactions', body, { idempotencyKey: randomUUID() });
    expect(response.status).toBe(400);
    expect(response.body.message).toHaveLength(1);
    expect(response.body.message[0]).toMatch(/^customer\.document must be /);
    expect(response.text).not.toContain(document);
  });
});

describe('alphanumeric CNPJs', () => {
  const company = { 'customer.documentType': 'CNPJ', 'customer.document': '12ABC34501DE35' };
  const byCard = goodCharge({
    method: 'CREDIT_CARD',
    installments: 1,
    card: {
      number: '4111111111111111',
      holderName: 'ANA SOUZA',
      expirationMonth: 12,
      expirationYear: 2030,
      cvv: '123',
      holderDocument: '12ABC34501DE35',
    },
  });

  it('are accepted by default', async () => {
    expect((await post(chargeWith(company))).status).toBe(201);
    expect((await post(byCard)).status).toBe(201);
  });

  it('are rejected with ALPHANUMERIC_CNPJ=false', async () => {
    const digitsOnly = await startTestGateway({ environment: { ALPHANUMERIC_CNPJ: 'false' }, worker: false });
    try {
      const messageOf = async (body: unknown): Promise<unknown> =>
        (await digitsOnly.post('/transactions', body, { idempotencyKey: randomUUID() })).body.message;
      expect(await messageOf(chargeWith(company))).toEqual(['customer.document must be 14 digits for CNPJ']);
      expect(await messageOf(byCard)).toEqual(['card.holderDocument must be 11 to 14 digits']);
    } finally {
      await digitsOnly.stop();
    }
  });
});

const itemsWith = (member: object) => [{ ...goodCharge().items[0], ...member }];

describe('a card number in free text', () => {
  const VISA = '4111 1111 1111 1111';

  it.each([
    [{ description: `paid with ${VISA}` }, 'description'],
    [{ items: itemsWith({ title: '5555555555554444' }) }, 'items.0.title'],
    [{ items: itemsWith({ externalRef: '5555-5555-5555-4444' }) }, 'items.0.externalRef'],
    [{ customer: { ...goodCharge().customer, externalRef: '378282246310005' } }, 'customer.externalRef'],
    [{ metadata: { note: VISA } }, 'metadata.note'],
    [{ metadata: { note: 4_111_111_111_111_111 } }, 'metadata.note'],
    [{ metadata: { notes: [{ deep: VISA }] } }, 'metadata.notes.0.deep'],
    [{ metadata: { [VISA]: 'x' } }, 'metadata'],
  ])('%j is rejected without being quoted', async (changes, path) => {
    const response = await post(goodCharge(changes));
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual([`${path} must not contain a card number`]);
    expect(response.text).not.toContain('1111');
  });

  it.each([
    [{ description: `paid with ${VISA}` }, 'description'],
    [{ metadata: { note: VISA } }, 'metadata.note'],
    [{ metadata: { [VISA]: 'x' } }, 'metadata'],
  ])('%j is rejected in a withdrawal', async (changes, path) => {
    const body = { amount: 100, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL', ...changes };
    const response = await gateway.post('/withdrawals', body, { idempotencyKey: randomUUID() });
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual([`${path} must not contain a card number`]);
  });

  it('is not a timestamp, IMEI, id or boleto line', async () => {
    const metadata = {
      timestamp: Date.now(),
      imei: '490154203237518',
      id: randomUUID(),
      line: '00190.50095 40144.816069 06809.350314 3 37370000000100',
      cnpj: '11222333000181',
    };
    expect((await post(goodCharge({ metadata }))).status).toBe(201);
  });
});
