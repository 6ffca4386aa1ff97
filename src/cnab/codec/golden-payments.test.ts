import { describe, expect, test } from 'vitest';
import { buildPaymentLines, type Payment } from './payments.ts';
import { expectLine, zeros, company, settings, file } from '#test/support/cnab-golden.ts';

describe('a payment file', () => {
  const pix: Payment = {
    reference: '000000000001',
    amountCents: 970,
    destination: { method: 'PIX', pixKeyType: 'CPF', pixKey: '52998224725' },
    payee: { name: 'Ana', document: null },
  };
  const savings = {
    method: 'TED',
    bankCode: '237',
    branch: '3021-1',
    account: '987654-3',
    accountType: 'SAVINGS',
  } as const;
  const ted: Payment = {
    reference: '000000000002',
    amountCents: 120_000,
    destination: savings,
    payee: { name: 'Ana', document: company.document },
  };

  test('matches the golden file of Banco do Brasil for a TED between accounts of one holder', () => {
    const lines = buildPaymentLines(settings('001', '1234567', '17'), file, '2026-11-24', [ted]);
    expect(lines).toHaveLength(6);
    expectLine(lines[1], [
      [1, 3, '001'],
      [4, 7, '0001'],
      [8, 8, '1'],
      [9, 9, 'C'],
      [10, 11, '20'],
      [12, 13, '43'],
      [14, 16, '045'],
      [17, 17, ''],
      [18, 18, '2'],
      [19, 32, '11222333000181'],
      [33, 41, '000654321'],
      [42, 45, '0126'],
      [46, 52, ''],
      [53, 57, '01234'],
      [58, 58, '5'],
      [59, 70, '000000123456'],
      [71, 71, '0'],
      [72, 72, ''],
      [73, 102, 'VEREDA PAGAMENTOS LTDA'],
      [103, 142, ''],
      [143, 172, 'RUA DIREITA 10'],
      [173, 177, zeros(5)],
      [178, 192, ''],
      [193, 212, 'SAO PAULO'],
      [213, 220, '01002000'],
      [221, 222, 'SP'],
      [223, 224, '01'],
      [225, 240, ''],
    ]);
    expectLine(lines[2], [
      [1, 3, '001'],
      [4, 7, '0001'],
      [8, 8, '3'],
      [9, 13, '00001'],
      [14, 14, 'A'],
      [15, 17, '000'],
      [18, 20, '018'],
      [21, 23, '237'],
      [24, 28, '03021'],
      [29, 29, '1'],
      [30, 41, '000000987654'],
      [42, 42, '3'],
      [43, 43, ''],
      [44, 73, 'ANA'],
      [74, 93, '000000000002'],
      [94, 101, '24112026'],
      [102, 104, 'BRL'],
      [105, 119, zeros(15)],
      [120, 134, '000000000120000'],
      [135, 154, ''],
      [155, 162, zeros(8)],
      [163, 177, zeros(15)],
      [178, 219, ''],
      [220, 224, '00010'],
      [225, 226, 'PP'],
      [227, 229, ''],
      [230, 230, '0'],
      [231, 240, ''],
    ]);
    expectLine(lines[4], [
      [1, 3, '001'],
      [4, 7, '0001'],
      [8, 8, '5'],
      [9, 17, ''],
      [18, 23, '000004'],
      [24, 41, '000000000000120000'],
      [42, 59, zeros(18)],
      [60, 65, zeros(6)],
      [66, 240, ''],
    ]);
  });

  test('matches the golden file of Itaú for a Pix to a key', () => {
    const lines = buildPaymentLines(settings('341', '', '109', '12345-6'), file, '2026-11-24', [pix]);
    expect(lines[0]?.slice(13, 18)).toBe(' 0812');
    expect(lines[1]?.slice(9, 16)).toBe('2045040');
    expectLine(lines[2], [
      [1, 3, '341'],
      [4, 7, '0001'],
      [8, 8, '3'],
      [9, 13, '00001'],
      [14, 14, 'A'],
      [15, 17, '000'],
      [18, 20, '009'],
      [21, 23, '000'],
      [24, 28, zeros(5)],
      [29, 29, ''],
      [30, 41, zeros(12)],
      [42, 43, ''],
      [44, 73, 'ANA'],
      [74, 93, '000000000001'],
      [94, 101, '24112026'],
      [102, 104, 'REA'],
      [105, 112, zeros(8)],
      [113, 114, '04'],
      [115, 119, zeros(5)],
      [120, 134, '000000000000970'],
      [135, 154, ''],
      [155, 162, zeros(8)],
      [163, 177, zeros(15)],
      [178, 203, ''],
      [204, 217, '00052998224725'],
      [218, 229, ''],
      [230, 230, '0'],
      [231, 240, ''],
    ]);
    expectLine(lines[3], [
      [1, 3, '341'],
      [4, 7, '0001'],
      [8, 8, '3'],
      [9, 13, '00002'],
      [14, 14, 'B'],
      [15, 17, '03'],
      [18, 18, '1'],
      [19, 32, '00052998224725'],
      [33, 127, ''],
      [128, 227, '52998224725'],
      [228, 240, ''],
    ]);
  });

  test('contains one batch per payment method, and uses no TED within a bank', () => {
    const set = settings('237', '4567', '09');
    const lines = buildPaymentLines(set, file, '2026-11-24', [
      { ...ted, payee: { name: 'Ana', document: '52998224725' } },
      { ...ted, destination: { ...savings, bankCode: '341' } },
    ]);
    expect(lines.filter((line) => line[7] === '1').map((line) => line.slice(11, 13))).toEqual(['05', '43']);
    expect(lines.filter((line) => line[13] === 'A').map((line) => line.slice(17, 23))).toEqual([
      '000237',
      '018341',
    ]);
    expect(lines.at(-1)?.slice(17, 29)).toBe('000002000010');
  });
});
