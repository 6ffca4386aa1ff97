import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { cnabEnvironment, segmentsOf } from '#test/support/bank-files.ts';
import { goodCharge } from '#test/support/client.ts';
import { newShipmentFile } from '#test/support/cnab-exchange.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';
import { bringTo, newSeller, withdrawn } from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let operator: Operator;

beforeAll(async () => {
  const environment = cnabEnvironment('341', { ...SHARED_SECRETS, PAYOUT_PROVIDER: 'cnab' });
  gateway = await startTestGateway({ environment });
  operator = await operatorOf(gateway);
});
afterAll(() => gateway.stop());

const customer = (name: string) => ({ ...goodCharge().customer, name });
const boletoOf = async (name: string) => {
  const made = await gateway.charge({ method: 'BOLETO', customer: customer(name) });
  expect(made.status).toBe(201);
  return made.body.data;
};
const shipped = (service: string): Promise<string> => newShipmentFile(gateway, operator, service);

describe('names in other scripts', () => {
  const NAMES = [
    ['Иванов Пётр', 'IVANOV PETR'],
    ['Ελένη Παπαδοπούλου', 'ELENI PAPADOPOYLOY'],
    ['محمد علي', 'MHMD LY'],
    ['王小明', 'WANGXIAOMING'],
    ['김철수', 'GIMCHEOLSU'],
  ] as const;

  it('are transliterated in segment Q of boleto files', async () => {
    for (const [name] of NAMES) await boletoOf(name);
    const written = segmentsOf(await shipped('BOLETOS'), 'Q').map((line) => line.slice(33, 73).trim());
    expect(written).toEqual(NAMES.map(([, ascii]) => ascii));
  });

  it('are transliterated in segment A of payment files', async () => {
    const seller = await newSeller(gateway, { balance: 100_000 });
    for (const [beneficiaryName] of NAMES) {
      const id = await withdrawn(gateway, seller, { beneficiaryName });
      await bringTo(gateway, seller, id, 'PROCESSING');
    }
    const ready = () => gateway.database.query('SELECT 1 FROM cnab_payments');
    await expect.poll(ready).toHaveLength(NAMES.length);
    const written = segmentsOf(await shipped('PIX'), 'A').map((line) => line.slice(43, 73).trim());
    expect(written.toSorted()).toEqual(NAMES.map(([, ascii]) => ascii).toSorted());
  });
});

/** Right-to-left controls, combining marks, quotes, angle brackets, formulas and 120 letters. */
const HOSTILE = [
  '\u202eadlaC ed oãoJ\u202c\u200b',
  'Zoe\u0301 a\u0300\u0301\u0302\u0303\u0304 Lima',
  `D'Ávila "Bia" & Cia`,
  '<script>alert(1)</script> Souza',
  '=HYPERLINK("http://evil.example","Ana")',
  '@SUM(A1) Ana',
  'محمد <b>علي</b>',
  'A'.repeat(120),
];

describe('hostile names', () => {
  it.each(HOSTILE)('%j is escaped in the page and the PDF', async (name) => {
    const { boleto } = await boletoOf(name);
    const page = await (await fetch(boleto.url)).text();
    expect(page).not.toMatch(/<script>alert|<b>/);

    const pdf = Buffer.from(await (await fetch(boleto.pdf)).arrayBuffer());
    const reading = promisify(execFile)('pdftotext', ['-', '-']);
    reading.child.stdin?.end(pdf);
    const text = (await reading).stdout.replaceAll(/[\u202a-\u202c]/g, '');
    expect(text).not.toMatch(/[\u200b\u202d\u202e\ufffd]/);
    // The document is printed however long the name is.
    expect(text).toContain('CPF 529.982.247-25');
  });

  it('are ASCII of the right width in bank files', async () => {
    await shipped('BOLETOS');
    for (const name of HOSTILE) await boletoOf(name);
    const lines = segmentsOf(await shipped('BOLETOS'), 'Q');
    expect(lines).toHaveLength(HOSTILE.length);
    for (const line of lines) {
      expect(line).toMatch(/^[ -~]{240}$/);
      expect(line.slice(33, 73)).toMatch(/^[A-Z0-9=@'&<>"(]/);
      expect(line.slice(33, 73)).not.toMatch(/[<>"]/);
    }
  });

  it('are not formulas in CSV files', async () => {
    const seller = await newSeller(gateway, { balance: 100_000 });
    for (const beneficiaryName of HOSTILE) await withdrawn(gateway, seller, { beneficiaryName });
    const { text } = await gateway.get('/withdrawals?export=true', seller);
    expect(text).not.toMatch(/(^|[,"])[=@+-](HYPERLINK|SUM)/m);
    expect(text).toContain("'@SUM(A1) Ana");
  });
});
