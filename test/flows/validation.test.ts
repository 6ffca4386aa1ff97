import { randomUUID } from 'node:crypto';
import { request as rawRequest, STATUS_CODES } from 'node:http';
import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goodCharge, type Answer } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.stop();
});

/** Stands for a member that is left out. */
const ABSENT = Symbol('absent');

/** A good charge in which the members at the given paths are replaced or left out. */
function chargeWith(changes: Readonly<Record<string, unknown>>): unknown {
  let body: unknown = goodCharge();
  for (const [path, value] of Object.entries(changes)) body = changed(body, path.split('.'), value);
  return body;
}

function changed(holder: unknown, [name = '', ...below]: readonly string[], value: unknown): unknown {
  if (Array.isArray(holder)) {
    return holder.map((entry, index) => (String(index) === name ? changed(entry, below, value) : entry));
  }
  const members = Object.entries(holder ?? {});
  const others = members.filter(([member]) => member !== name);
  if (below.length === 0)
    return Object.fromEntries([...others, ...(value === ABSENT ? [] : [[name, value]])]);
  const member: unknown = members.find(([known]) => known === name)?.[1];
  return Object.fromEntries([...others, [name, changed(member, below, value)]]);
}

function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return gateway.post('/transactions', body, { idempotencyKey: randomUUID(), headers });
}

/** What of an answer is the same for every refusal. */
const told = (answer: Answer) => ({
  status: answer.status,
  body: answer.body,
  type: answer.headers.get('content-type'),
  named: /^[\w-]{1,64}$/.test(answer.headers.get('x-request-id') ?? ''),
});

/** The one form that every refusal has. */
const refused = (statusCode: number, message: unknown) => ({
  status: statusCode,
  body: { statusCode, message, error: STATUS_CODES[statusCode] },
  type: 'application/json; charset=utf-8',
  named: true,
});

const METHOD_RULE = 'method must be one of the following values: PIX, BOLETO, CREDIT_CARD';
const TYPE_RULE = 'customer.documentType must be one of the following values: CPF, CNPJ';
const elevenKeys = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, i]));

/** Each row breaks one rule of the body table: what is changed, and all that may be said about it. */
const BROKEN: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly string[]])[] = [
  ['no amount', { amount: ABSENT }, ['amount must be an integer number']],
  ['a null amount', { amount: null }, ['amount must be an integer number']],
  ['an amount in quotes', { amount: '1500' }, ['amount must be an integer number']],
  ['an amount with a fraction', { amount: 1500.5 }, ['amount must be an integer number']],
  ['a fraction below the minimum', { amount: 99.5 }, ['amount must be an integer number']],
  ['a boolean amount', { amount: true }, ['amount must be an integer number']],
  ['an amount in a list', { amount: [1500] }, ['amount must be an integer number']],
  ['an amount below 100', { amount: 99 }, ['amount must not be less than 100']],
  ['an amount of zero', { amount: 0 }, ['amount must not be less than 100']],
  ['a negative amount', { amount: -1500 }, ['amount must not be less than 100']],
  [
    'an amount above what a boleto carries',
    { amount: 10_000_000_000 },
    ['amount must not be greater than 9999999999'],
  ],
  [
    'an amount that no number holds exactly',
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
  ['a phone with signs', { 'customer.phone': '(11)987654321' }, ['customer.phone must be 10 to 13 digits']],
  [
    'a phone with a line end',
    { 'customer.phone': '11987654321\n' },
    ['customer.phone must be 10 to 13 digits'],
  ],
  ['other scripts’ digits', { 'customer.phone': '١١٩٨٧٦٥٤٣٢١' }, ['customer.phone must be 10 to 13 digits']],
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
    'a CPF with its marks',
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
    'a CNPJ of letters',
    { 'customer.documentType': 'CNPJ', 'customer.document': '12ABC34501DE35' },
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
  ['a postbackUrl by HTTP', { postbackUrl: 'http://example.com/hook' }, ['postbackUrl must be an HTTPS URL']],
  ['a postbackUrl that is none', { postbackUrl: 'example.com/hook' }, ['postbackUrl must be an HTTPS URL']],
  [
    'a postbackUrl with a password',
    { postbackUrl: 'https://ana:secret@example.com/hook' },
    ['postbackUrl must be an HTTPS URL'],
  ],
  ['an empty postbackUrl', { postbackUrl: '' }, ['postbackUrl must be an HTTPS URL']],
  ['a postbackUrl that is a number', { postbackUrl: 1 }, ['postbackUrl must be a string']],
  ['an expiration of zero', { expiration: 0 }, ['expiration must not be less than 1']],
  [
    'an expiration past 365 days',
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

describe('the body of a creation', () => {
  it.each(BROKEN)('with %s is refused in one sentence (C3)', async (_name, changes, message) => {
    expect(told(await post(chargeWith(changes)))).toEqual(refused(400, message));
  });

  it('is told all that is wrong with it at once, in the order of its members (C3)', async () => {
    const answer = await post({
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
    expect(told(answer)).toEqual(
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

  it('names the later items by number and in order, past the tenth too (C3)', async () => {
    const item = { title: 'Caneca', amount: 1, quantity: 1, tangible: true };
    const items = Array.from({ length: 12 }, (_, i) =>
      i === 2 || i === 10 ? { ...item, quantity: 0 } : item,
    );
    expect(told(await post(goodCharge({ items })))).toEqual(
      refused(400, ['items.2.quantity must not be less than 1', 'items.10.quantity must not be less than 1']),
    );
  });

  it.each([
    ['an empty object', '{}'],
    ['an empty body', ''],
  ])('that is %s lacks every required member (C3)', async (_name, body) => {
    expect(told(await post(body, { 'content-type': 'application/json' }))).toEqual(
      refused(400, [
        'amount must be an integer number',
        METHOD_RULE,
        'customer must be an object',
        'items must be an array',
      ]),
    );
  });

  it.each(['[]', '[{"amount":1500}]', '"text"', '7', 'true'])(
    'that is no object, %s, is refused (C3)',
    async (body) => {
      expect(told(await post(body))).toEqual(refused(400, ['body must be an object']));
    },
  );

  it('may be absent altogether, and is then empty (C3)', async () => {
    const answer = await gateway.post('/transactions', undefined, { idempotencyKey: randomUUID() });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toHaveLength(4);
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
      'null in every optional member',
      {
        metadata: null,
        description: null,
        postbackUrl: null,
        expiration: null,
        'customer.externalRef': null,
        'items.0.externalRef': null,
      },
    ],
  ])('with %s is accepted (C3)', async (_name, changes) => {
    const answer = await post(chargeWith(changes));
    expect(answer.body.message).toBeUndefined();
    expect(answer.status).toBe(201);
  });

  it('may hold members that nobody knows, at every level; they change nothing (C3)', async () => {
    const answer = await post(
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
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toMatchObject({ status: 'PENDING', feeAmount: 15 });
    expect(data.id).not.toBe('00000000-0000-4000-8000-000000000000');
    expect(data).not.toHaveProperty('surprise');
    expect(data.customer).not.toHaveProperty('vip');
    expect(data.items[0]).not.toHaveProperty('colour');
  });

  it('of a new seller may hold members that nobody knows; they change nothing (C3, C13)', async () => {
    const token = await gateway.adminToken();
    for (const id of ['mine', gateway.demo.seller.id, randomUUID()]) {
      const answer = await gateway.post('/admin/sellers', newSeller({ id, requestsPerMinute: 5 }), { token });
      expect(answer.status).toBe(201);
      expect(answer.body.data.requestsPerMinute).toBe(120);
      expect(answer.body.data.id).not.toBe(id);
    }
  });
});

describe('check digits and letters of documents', () => {
  let strict: TestGateway;
  beforeAll(async () => {
    strict = await startTestGateway({
      environment: { VERIFY_DOCUMENTS: 'true', ALPHANUMERIC_CNPJ: 'true' },
      worker: false,
    });
  });
  afterAll(async () => {
    await strict.stop();
  });

  it('are not looked at in the sandbox (C3)', async () => {
    expect((await post(chargeWith({ 'customer.document': '52998224726' }))).status).toBe(201);
    expect((await post(chargeWith({ 'customer.document': '00000000000' }))).status).toBe(201);
  });

  it.each([
    ['CPF', '52998224725'],
    ['CNPJ', '11222333000181'],
    ['CNPJ', '12ABC34501DE35'],
  ])('of a %s %s are right where the settings ask for it (C3)', async (documentType, document) => {
    const body = chargeWith({ 'customer.documentType': documentType, 'customer.document': document });
    const answer = await strict.post('/transactions', body, { idempotencyKey: randomUUID() });
    expect(answer.body.message).toBeUndefined();
    expect(answer.status).toBe(201);
  });

  it.each([
    ['CPF', '52998224726'],
    ['CPF', '11111111111'],
    ['CNPJ', '11222333000182'],
    ['CNPJ', '12ABC34501DE36'],
    ['CNPJ', '12abc34501de35'],
    ['CNPJ', '12ABC34501DEX5'],
  ])(
    'of a %s %s are wrong, and it is refused without being repeated (C3, C7)',
    async (documentType, document) => {
      const body = chargeWith({ 'customer.documentType': documentType, 'customer.document': document });
      const answer = await strict.post('/transactions', body, { idempotencyKey: randomUUID() });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toHaveLength(1);
      expect(answer.body.message[0]).toMatch(/^customer\.document must be /);
      expect(answer.text).not.toContain(document);
    },
  );
});

/** A good charge of exactly so many bytes. */
function chargeOf(bytes: number): string {
  const empty = JSON.stringify(goodCharge({ padding: '' }));
  return JSON.stringify(goodCharge({ padding: 'x'.repeat(bytes - empty.length) }));
}

/** Sends exactly these headers, which fetch would not. */
function raw(text: string, headers: Record<string, string>): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = rawRequest(
      `${gateway.baseUrl}/transactions`,
      {
        method: 'POST',
        headers: {
          'x-api-key': gateway.demo.apiKey,
          'idempotency-key': randomUUID(),
          ...('transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
          resolve({ status: response.statusCode ?? 0, body });
        });
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}

/** Whatever the gateway says to these bytes until it hangs up. */
function speak(bytes: string): Promise<string> {
  const { hostname, port } = new URL(gateway.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('what cannot be read', () => {
  it.each([
    ['cut off', '{"amount":1500'],
    ['in single quotes', "{'amount':1500}"],
    ['not JSON at all', 'amount=1500'],
    ['more than one value', '{} {}'],
    ['a bare NaN', '{"amount":NaN}'],
    ['a trailing comma', '{"amount":1500,}'],
  ])('a body %s is 400 (C3)', async (_name, body) => {
    expect(told(await post(body))).toEqual(refused(400, 'Body must be valid JSON'));
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
  ])('a body of type %s is 415 (C3)', async (type) => {
    const answer = await post(JSON.stringify(goodCharge()), { 'content-type': type });
    expect(told(answer)).toEqual(refused(415, 'Content-Type must be application/json'));
  });

  it('a body without a type is 415 (C3)', async () => {
    const { status, body } = await raw(JSON.stringify(goodCharge()), {});
    expect(status).toBe(415);
    expect(body).toMatchObject({ statusCode: 415, error: 'Unsupported Media Type' });
  });

  it('a type with a charset is JSON all the same (C3)', async () => {
    const answer = await post(JSON.stringify(goodCharge()), {
      'content-type': 'application/json; charset=utf-8',
    });
    expect(answer.status).toBe(201);
  });

  it('a body of 256 KiB is read, one byte more is 413 (C3)', async () => {
    expect((await post(chargeOf(256 * 1024))).status).toBe(201);
    expect(told(await post(chargeOf(256 * 1024 + 1)))).toEqual(
      refused(413, 'Body must not be larger than 256 KiB'),
    );
  });

  it('a large body that does not tell its length is 413 too (C3)', async () => {
    const text = JSON.stringify(goodCharge({ padding: 'x'.repeat(256 * 1024) }));
    const { status, body } = await raw(text, {
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    expect(status).toBe(413);
    expect(body).toMatchObject({ statusCode: 413, error: 'Payload Too Large' });
  });

  it.each([
    ['NUL', String.raw`"a\u0000b"`],
    ['half a pair', String.raw`"a\ud800b"`],
    ['the other half', String.raw`"\udc00"`],
  ])('text with %s is refused with the member that carries it (C3)', async (_name, text) => {
    const body = (name: string) => JSON.stringify(chargeWith({ [name]: '@@' })).replace('"@@"', text);
    for (const name of ['customer.name', 'items.0.title', 'description', 'postbackUrl', 'unknown']) {
      const answer = await post(body(name));
      expect(answer.status).toBe(400);
      expect(answer.body.message).toHaveLength(1);
      expect(answer.body.message[0]).toMatch(new RegExp(`^${name} must `));
    }
  });

  it.each([
    ['NUL', String.raw`{"a\u0000":1}`],
    ['half a pair', String.raw`{"a":[{"\ud800":1}]}`],
    ['NUL in a value', String.raw`{"a":{"b":["\u0000"]}}`],
  ])('metadata with %s is refused (C3)', async (_name, text) => {
    const body = JSON.stringify(goodCharge({ metadata: '@@' })).replace('"@@"', text);
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message[0]).toMatch(/^metadata/);
  });

  it('text that is NUL and nothing else is refused in a sentence with a subject (C3)', async () => {
    const answer = await post(String.raw`"\u0000"`);
    expect(answer.status).toBe(400);
    expect(answer.body.message[0]).toMatch(/^\S/);
  });

  it.each([
    ['lists', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['objects', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
    [
      'lists under metadata',
      JSON.stringify(goodCharge({ metadata: { a: '@@' } })).replace('"@@"', '['.repeat(40) + ']'.repeat(40)),
    ],
  ])('deep nesting of %s is refused (C3)', async (_name, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body.message)).toContain('nested deeper than 32 levels');
  });

  it.each(['%00', 'a%00b'])(
    'NUL in a query, %s, is refused and not passed to the database (C3)',
    async (text) => {
      for (const query of [`metadataKey=${text}&metadataValue=x`, `metadataKey=x&metadataValue=${text}`]) {
        const answer = await gateway.get(`/transactions?${query}`);
        expect(answer.status).toBe(400);
        expect(answer.body.error).toBe('Bad Request');
      }
    },
  );

  it('a query with a broken escape disturbs nothing (C3)', async () => {
    const answer = await gateway.get('/transactions?metadataKey=%E0%A4%A&metadataValue=%');
    expect([200, 400]).toContain(answer.status);
  });

  it('an address with a broken escape is 400 in the same form (C3)', async () => {
    const answer = await gateway.get('/transactions/%E0%A4%A');
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body).toSorted()).toEqual(['error', 'message', 'statusCode']);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
  });

  it('a request that is no HTTP is 400 in the same form, with a request id (C3)', async () => {
    const text = await speak('GET /v1/health HTTP/1.1\r\nHost: x\r\nbroken header\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.toLowerCase()).toContain('x-request-id: ');
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({
      statusCode: 400,
      message: expect.any(String),
      error: 'Bad Request',
    });
  });
});

describe('names that JavaScript gives a meaning', () => {
  it.each([
    ['as a member', '{"__proto__":{"amount":1500},"amount":1500}'],
    ['in metadata', JSON.stringify(goodCharge({ metadata: { x: 1 } })).replace('"x"', '"__proto__"')],
    ['escaped', String.raw`{"\u005f_proto__":{"isAdmin":true}}`],
    ['as constructor.prototype', '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ])('__proto__ %s is refused or harmless (C3)', async (_name, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body.statusCode).toBe(400);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    expect((await gateway.charge()).status).toBe(201);
  });

  it('are metadata keys like any other (C3)', async () => {
    const metadata = {
      constructor: 'x',
      toString: 1,
      hasOwnProperty: null,
      valueOf: { length: 3 },
      toJSON: 'y',
    };
    const created = await gateway.charge({ metadata });
    expect(created.status).toBe(201);
    expect(created.body.data.metadata).toEqual(metadata);
    const read = await gateway.get(`/transactions/${created.body.data.id}`);
    expect(read.body.data.metadata).toEqual(metadata);
  });

  it('do not pass as values (C3)', async () => {
    const broken = {
      method: 'constructor',
      customer: { ...goodCharge().customer, documentType: 'toString' },
    };
    expect(told(await post(goodCharge(broken)))).toEqual(refused(400, [METHOD_RULE, TYPE_RULE]));
  });

  it('do not pass in place of members of their own (C3)', async () => {
    expect((await gateway.get('/transactions?constructor=1&__proto__=2&toString=3')).status).toBe(200);
    expect(told(await gateway.get('/transactions/constructor'))).toEqual(
      refused(404, 'Transaction not found'),
    );
  });
});

describe('numbers', () => {
  it.each(['1e400', '-1e400', '1e21', '123456789012345678901234567890'])(
    'past all bounds, %s, are refused (C3)',
    async (text) => {
      for (const [member, path] of [
        ['amount', 'amount'],
        ['items.0.quantity', 'items\\.0\\.quantity'],
        ['expiration', 'expiration'],
      ] as const) {
        const body = JSON.stringify(chargeWith({ [member]: '@@' })).replace('"@@"', text);
        const answer = await post(body);
        expect(answer.status).toBe(400);
        expect(answer.body.message).toHaveLength(1);
        expect(answer.body.message[0]).toMatch(new RegExp(`^${path} must `));
      }
    },
  );

  it.each(['1.5e3', '1500.0', '15e2'])('written as %s are the integer they are (C3)', async (text) => {
    const answer = await post(JSON.stringify(goodCharge({ amount: '@@' })).replace('"@@"', text));
    expect(answer.status).toBe(201);
    expect(answer.body.data.amount).toBe(1500);
  });
});

describe('what is not there', () => {
  it.each([
    ['GET', '/nothing'],
    ['GET', ''],
    ['DELETE', '/transactions'],
    ['PUT', '/health'],
    ['GET', '/transactions/a/b'],
    ['GET', '/../../etc/passwd'],
  ])('%s %s is 404 in the one form (C3)', async (method, path) => {
    const answer = await gateway.call(method, path);
    expect(told(answer)).toEqual(refused(404, expect.any(String)));
  });

  it.each([
    'not-a-uuid',
    '1',
    '00000000-0000-4000-8000-000000000000',
    '00000000000040008000000000000000',
    "'%20OR%201=1--",
    '%00',
    'ç',
    'a'.repeat(190),
  ])('a charge named %s is not found (C3)', async (id) => {
    expect(told(await gateway.get(`/transactions/${id}`))).toEqual(refused(404, 'Transaction not found'));
    const paid = await gateway.post(`/sandbox/transactions/${id}/pay`);
    expect(told(paid)).toEqual(refused(404, 'Transaction not found'));
  });

  it('a charge with a very long name is not found either (C3)', async () => {
    const answer = await gateway.get(`/transactions/${'a'.repeat(500)}`);
    expect(told(answer)).toEqual(refused(404, 'Transaction not found'));
  });

  it.each(['nope', '00000000-0000-4000-8000-000000000000'])(
    'a webhook named %s is not found (C3)',
    async (id) => {
      expect(told(await gateway.get(`/webhooks/${id}`))).toEqual(refused(404, 'Webhook not found'));
      expect(told(await gateway.delete(`/webhooks/${id}`))).toEqual(refused(404, 'Webhook not found'));
    },
  );

  it('a charge is found by its id in capitals too (C3)', async () => {
    const created = await gateway.charge();
    const read = await gateway.get(`/transactions/${String(created.body.data.id).toUpperCase()}`);
    expect(read.status).toBe(200);
    expect(read.body.data.id).toBe(created.body.data.id);
  });
});

describe('the Idempotency-Key', () => {
  it.each([
    ['a bad body', '{"amount":1}', 'application/json'],
    ['no JSON', '{', 'application/json'],
    ['another type', 'x', 'text/plain'],
  ])('is asked for before %s is looked at (C3, C4)', async (_name, body, type) => {
    const answer = await gateway.post('/transactions', body, { headers: { 'content-type': type } });
    expect(told(answer)).toEqual(refused(400, 'Idempotency-Key header is required'));
  });

  it.each([
    'x',
    '11111111-1111-1111-8111-111111111111',
    '018f3c5e-7b7a-7c5e-8a1b-2c3d4e5f6a7b',
    '11111111111141118111111111111111',
    '11111111-1111-4111-c111-111111111111',
    `${randomUUID()}, ${randomUUID()}`,
  ])('%s is no UUID v4 (C3, C4)', async (idempotencyKey) => {
    const answer = await gateway.post('/transactions', { amount: 1 }, { idempotencyKey });
    expect(told(answer)).toEqual(refused(400, 'Idempotency-Key must be a UUID'));
  });

  it('is asked for after the credential (C3, C4)', async () => {
    const answer = await gateway.post('/transactions', {}, { credential: 'none' });
    expect(told(answer)).toEqual(refused(401, 'Unauthorized'));
  });
});

describe('every answer', () => {
  it('has a request id of its own (C3)', async () => {
    const answers = await Promise.all([
      gateway.get('/health'),
      gateway.get('/nothing'),
      gateway.get('/transactions'),
      gateway.get('/transactions', { credential: 'none' }),
      gateway.get('/transactions?take=0'),
      post('{'),
      post('x', { 'content-type': 'text/plain' }),
      post('x'.repeat(300_000)),
      gateway.charge(),
    ]);
    const ids = answers.map((answer) => answer.headers.get('x-request-id'));
    expect(ids.every((id) => id !== null && /^[\w-]{8,64}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(answers.length);
  });

  it('takes over the caller’s request id where it is a plain word (C3)', async () => {
    const named = await gateway.get('/health', { headers: { 'x-request-id': 'order-42_a' } });
    expect(named.headers.get('x-request-id')).toBe('order-42_a');
    for (const forged of ['a b', 'x'.repeat(65), '{"level":"error"}', '<script>']) {
      const answer = await gateway.get('/health', { headers: { 'x-request-id': forged } });
      expect(answer.headers.get('x-request-id')).not.toBe(forged);
    }
  });

  it('that is 500 names the request and nothing of the inside (C3)', async () => {
    await gateway.database.query('ALTER TABLE webhooks RENAME TO webhooks_lost');
    try {
      const answer = await gateway.get('/webhooks');
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual({
        statusCode: 500,
        message: 'Internal server error',
        error: 'Internal Server Error',
        requestId: answer.headers.get('x-request-id'),
      });
      expect(answer.body.requestId).toMatch(/^[\w-]{8,64}$/);
    } finally {
      await gateway.database.query('ALTER TABLE webhooks_lost RENAME TO webhooks');
    }
    expect((await gateway.get('/webhooks')).status).toBe(200);
  });
});

describe('query strings', () => {
  it.each([
    ['take=0', ['take must not be less than 1']],
    ['take=101', ['take must not be greater than 100']],
    ['take=-1', ['take must not be less than 1']],
    ['take=ten', ['take must be an integer number']],
    ['take=1.5', ['take must be an integer number']],
    ['take=', ['take must be an integer number']],
    ['take=1&take=2', ['take must be an integer number']],
    ['skip=-1', ['skip must not be less than 0']],
    ['skip=100001', ['skip must not be greater than 100000']],
    ['skip=x', ['skip must be an integer number']],
    ['take=Infinity', ['take must be an integer number']],
    ['take=1e999', ['take must be an integer number']],
    ['skip=Infinity', ['skip must be an integer number']],
    ['skip=-1e999', ['skip must be an integer number']],
    ['take=0&skip=-1', ['take must not be less than 1', 'skip must not be less than 0']],
    ['skip=-1&take=0', ['take must not be less than 1', 'skip must not be less than 0']],
    ['cursor=nonsense', ['cursor must be the nextCursor of a previous page']],
    ['method=CASH', ['method must be one of the following values: PIX, BOLETO, CREDIT_CARD, CRYPTO']],
    ['transactionId=7', ['transactionId must be a UUID']],
    [
      'status=PAID,LOST',
      [
        'status must be one of the following values: PENDING, WAITING_PAYMENT, PROCESSING, AUTHORIZED, PAID, FAILED, REFUSED, REFUNDED, CHARGEDBACK, DISPUTE',
      ],
    ],
    ['status=PAID&status=FAILED', ['status must be a string']],
  ])('%s is refused (C2, C3)', async (query, message) => {
    expect(told(await gateway.get(`/transactions?${query}`))).toEqual(refused(400, message));
  });

  it('are read as the types their members have, and unknown members are ignored (C3)', async () => {
    const answer = await gateway.get('/transactions?take=1&skip=0&colour=blue&Take=0');
    expect(answer.status).toBe(200);
    expect(answer.body.data).toHaveLength(1);
  });
});
