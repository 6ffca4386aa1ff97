import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { isRecord } from '#platform/kit/records.ts';
import { fetchOpenApi } from '#test/support/openapi-documents.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';

/**
 * Texts that a spreadsheet would execute at the beginning of a cell, also after the separators of
 * other locales.
 */
const FORMULAS = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '"=1+1"',
  '＝1+1',
  '＋1',
  '－1',
  '＠A1',
  'x;=1+1',
  'x;  "=1+1',
  'x\t=1+1',
  'x\r\n=1+1',
  'x\n@A1',
  ';;=1+1',
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("https://evil.example";"x")',
];

let gateway: TestGateway;
let operator: Operator;

beforeAll(async () => {
  gateway = await startTestGateway();
  operator = await operatorOf(gateway);
});
afterAll(() => gateway.stop());

/** Cells as a spreadsheet splits them: quotes count if a cell begins with one. */
function cellsOf(csv: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let [cell, quoted] = ['', false];
  for (let at = 0; at < csv.length; at += 1) {
    const one = csv[at] ?? '';
    if (quoted) {
      if (one !== '"') cell += one;
      else if (csv[at + 1] === '"') {
        cell += one;
        at += 1;
      } else quoted = false;
    } else if (one === '"' && cell === '') quoted = true;
    else if (one === separator || one === '\r' || one === '\n') {
      cells.push(cell);
      cell = '';
    } else cell += one;
  }
  return [...cells, cell];
}

const isFormula = (cell: string): boolean => /^["\s]*[=+\-@＝＋－＠]/.test(cell) && !/^-?\d+$/.test(cell);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

async function as(
  options: { readonly token?: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const response = await gateway.call(method, path, body, { ...options, idempotencyKey: randomUUID() });
  if (![200, 201].includes(response.status)) throw new Error(`${path}: ${response.text}`);
  return String(response.body?.data?.id ?? '');
}

it('no export contains a formula, whatever the data', async () => {
  const admin = { token: operator.token };
  for (const [number, text] of FORMULAS.entries()) {
    const person = { name: text, email: `${randomUUID()}@example.com`, password: 'a long password' };
    const owner = {
      ownerName: text,
      ownerEmail: `${randomUUID()}@example.com`,
      ownerPassword: person.password,
    };
    const id = await as(admin, 'POST', '/admin/sellers', {
      name: text,
      documentType: 'CNPJ',
      document: '11222333000181',
      ...owner,
    });
    await as(admin, 'POST', `/admin/sellers/${id}/users`, { ...person, role: 'VIEWER' });
    await as(admin, 'POST', `/admin/sellers/${id}/api-keys`, { name: text });
    const customer = {
      name: text,
      email: person.email,
      phone: '11987654321',
      documentType: 'CPF',
      document: '52998224725',
      externalRef: text,
    };
    if (number === 0) await as({}, 'POST', '/customers', customer);
    const items = [{ title: text, amount: 50_000, quantity: 1, tangible: true }];
    const charge = await as({}, 'POST', '/transactions', {
      amount: 50_000,
      method: 'PIX',
      customer,
      items,
      description: text,
      metadata: { [`k${number}`]: text },
    });
    await as({}, 'POST', `/sandbox/transactions/${charge}/pay`, { reportId: text.trim() + number });
    await as({}, 'POST', `/transactions/${charge}/refund`, { amount: 100, reason: text });
    if (number < 15)
      await as({}, 'POST', '/webhooks', {
        url: `https://shop.example/${number}`,
        eventType: 'ALL',
        description: text.slice(0, 60),
      });
    const to = {
      pixKey: '52998224725',
      pixKeyType: 'CPF',
      beneficiaryName: text,
      beneficiaryDocumentType: 'CPF',
      beneficiaryDocumentNumber: '52998224725',
    };
    const withdrawal = await as({}, 'POST', '/withdrawals', {
      amount: 1_000,
      method: 'PIX',
      withdrawFrom: 'PIX',
      ...to,
      description: text,
      metadata: { k: text },
    });
    await as(admin, 'POST', `/admin/withdrawals/${withdrawal}/reject`, { reason: text });
  }
  // The bank's day, which ends at midnight in São Paulo: requested after the last payment.
  const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
  // Payment ids are read from files, and begin with a letter.
  const ids = FORMULAS.filter((text) => /^[\x20-\x7e]+$/.test(text)).map((text) => `x;${text}`.trim());
  const lines = ids.map((id) => `${quoted(id)},PAYMENT,1500,5,${today},\r\n`);
  const imported = await gateway.call(
    'POST',
    `/admin/reconciliation/files?provider=sandbox&day=${today}`,
    `id,type,amount,fee,date,reference\r\n${lines.join('')}`,
    { ...admin, headers: { 'content-type': 'text/csv' } },
  );
  expect({ status: imported.status, said: imported.text.slice(0, 300) }).toMatchObject({ status: 201 });

  const document = await fetchOpenApi(new URL(gateway.baseUrl).origin);
  const paths = isRecord(document['paths']) ? document['paths'] : {};
  const exported = Object.entries(paths).flatMap(([path, operations]) =>
    isRecord(operations) && JSON.stringify(operations['get'] ?? {}).includes('"text/csv"') ? [path] : [],
  );
  // New exports must be added here.
  expect(exported.length).toBeGreaterThanOrEqual(9);
  let neutral = 0;
  for (const path of exported) {
    const credential = /\/admin\/|\/sandbox\//.test(path) ? admin : {};
    const days = path.endsWith('/revenue')
      ? `startDate=${today}&endDate=${today}&groupBy=seller`
      : `day=${today}`;
    const query = `export=true&provider=sandbox&${days}`
      .split('&')
      .filter((member) => JSON.stringify(paths[path]).includes(`"name":"${member.split('=')[0]}"`));
    const response = await gateway.get(`${path.replace('/v1', '')}?${query.join('&')}`, credential);
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.text.split('\r\n').length).toBeGreaterThan(2);
    for (const separator of [',', ';', '\t']) {
      const formulas = cellsOf(response.text, separator).filter(isFormula);
      expect({ path, separator, formulas }).toEqual({ path, separator, formulas: [] });
    }
    neutral += response.text.split("'=1+1").length - 1;
  }
  // For Excel in Brazil.
  for (const [path, header] of [
    ['/transactions', 'ID;Valor;'],
    ['/withdrawals', 'ID;Valor;Tarifa;Valor líquido;'],
    ['/seller-wallet/entries', 'ID;Data;Lançamento;'],
    ['/customers', 'ID;Nome completo;E-mail;'],
  ]) {
    const { text } = await gateway.get(`${path}?export=true&locale=pt-BR`, {});
    const start = text.replace('\uFEFF', '').slice(0, String(header).length);
    expect({ path, start }).toEqual({ path, start: header });
    expect(text).toMatch(/;\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}:\d{2}[;\r]/);
  }
  // Otherwise it was not exported at all.
  expect(neutral).toBeGreaterThan(FORMULAS.length);
});
