import { describe, expect, test } from 'vitest';
import { ourNumber } from '#formats/boleto/agreement.ts';
import { buildCollectionLines, type Title } from './collection.ts';
import type { FileSettings } from './settings.ts';
import { type Columns, expectLine, zeros, settings, file } from '#test/support/cnab-golden.ts';

const title = (set: FileSettings): Title => ({
  movement: 'REGISTER',
  ourNumber: ourNumber(set.agreement, 6),
  documentNumber: '7D8E9F0A1B',
  dueOn: '2026-12-10',
  issuedOn: '2026-11-24',
  amountCents: 25_990,
  goods: true,
  payer: { name: 'Ana Conceição', document: '52998224725' },
});

/** Columns 78 to 117 of segment P, which are the same at all banks. */
const MONEY: Columns = [
  [78, 85, '10122026'],
  [86, 100, '000000000025990'],
  [101, 105, zeros(5)],
  [106, 106, ''],
];

const payer = (bank: string, name: Columns): Columns => [
  [1, 3, bank],
  [4, 7, '0001'],
  [8, 8, '3'],
  [9, 13, '00002'],
  [14, 14, 'Q'],
  [15, 15, ''],
  [16, 17, '01'],
  [18, 18, '1'],
  [19, 33, '000052998224725'],
  ...name,
  [74, 113, 'RUA DIREITA 10'],
  [114, 128, 'CENTRO'],
  [129, 133, '01002'],
  [134, 136, '000'],
  [137, 151, 'SAO PAULO'],
  [152, 153, 'SP'],
  [154, 154, '0'],
  [155, 169, zeros(15)],
  [170, 209, ''],
];

const detail = (bank: string): Columns => [
  [1, 3, bank],
  [4, 7, '0001'],
  [8, 8, '3'],
  [9, 13, '00001'],
  [14, 14, 'P'],
  [15, 15, ''],
  [16, 17, '01'],
];

const batchTrailer = (bank: string): Columns => [
  [1, 3, bank],
  [4, 7, '0001'],
  [8, 8, '5'],
  [9, 17, ''],
  [18, 23, '000004'],
  [24, 29, '000001'],
  [30, 46, '00000000000025990'],
  [47, 52, zeros(6)],
  [53, 69, zeros(17)],
  [70, 75, zeros(6)],
  [76, 92, zeros(17)],
  [93, 98, zeros(6)],
  [99, 115, zeros(17)],
  [116, 240, ''],
];

const fileTrailer = (bank: string, last: string): Columns => [
  [1, 3, bank],
  [4, 7, '9999'],
  [8, 8, '9'],
  [9, 17, ''],
  [18, 23, '000001'],
  [24, 29, '000006'],
  [30, 35, last],
  [36, 240, ''],
];

describe('a boleto file', () => {
  test('matches the golden file of Banco do Brasil', () => {
    const set = settings('001', '1234567', '17');
    const lines = buildCollectionLines(set, file, [title(set)]);
    expect(lines).toHaveLength(6);
    expectLine(lines[0], [
      [1, 3, '001'],
      [4, 7, '0000'],
      [8, 8, '0'],
      [9, 17, ''],
      [18, 18, '2'],
      [19, 32, '11222333000181'],
      [33, 41, '001234567'],
      [42, 45, '0014'],
      [46, 47, '17'],
      [48, 50, '019'],
      [51, 52, ''],
      [53, 57, '01234'],
      [58, 58, '5'],
      [59, 70, '000000123456'],
      [71, 71, '0'],
      [72, 72, ''],
      [73, 102, 'VEREDA PAGAMENTOS LTDA'],
      [103, 132, 'BANCO DO BRASIL S.A.'],
      [133, 142, ''],
      [143, 143, '1'],
      [144, 151, '24112026'],
      [152, 157, '140509'],
      [158, 163, '000042'],
      [164, 166, '083'],
      [167, 171, zeros(5)],
      [172, 240, ''],
    ]);
    expectLine(lines[1], [
      [1, 3, '001'],
      [4, 7, '0001'],
      [8, 8, '1'],
      [9, 9, 'R'],
      [10, 11, '01'],
      [12, 13, ''],
      [14, 16, '042'],
      [17, 17, ''],
      [18, 18, '2'],
      [19, 33, '011222333000181'],
      [34, 42, '001234567'],
      [43, 46, '0014'],
      [47, 48, '17'],
      [49, 51, '019'],
      [52, 53, ''],
      [54, 58, '01234'],
      [59, 59, '5'],
      [60, 71, '000000123456'],
      [72, 72, '0'],
      [73, 73, ''],
      [74, 103, 'VEREDA PAGAMENTOS LTDA'],
      [104, 183, ''],
      [184, 191, '00000042'],
      [192, 199, '24112026'],
      [200, 207, zeros(8)],
      [208, 240, ''],
    ]);
    expectLine(lines[2], [
      ...detail('001'),
      [18, 22, '01234'],
      [23, 23, '5'],
      [24, 35, '000000123456'],
      [36, 36, '0'],
      [37, 37, ''],
      [38, 57, '12345670000000006'],
      [58, 58, '7'],
      [59, 61, '000'],
      [62, 62, ''],
      [63, 77, '7D8E9F0A1B'],
      ...MONEY,
      [107, 108, '02'],
      [109, 109, 'N'],
      [110, 117, '24112026'],
      [118, 118, '3'],
      [119, 195, zeros(77)],
      [196, 220, '7D8E9F0A1B'],
      [221, 221, '3'],
      [222, 223, '00'],
      [224, 224, '0'],
      [225, 227, '000'],
      [228, 229, '09'],
      [230, 239, zeros(10)],
      [240, 240, ''],
    ]);
    expectLine(lines[3], [...payer('001', [[34, 73, 'ANA CONCEICAO']]), [210, 212, '000'], [213, 240, '']]);
    expectLine(lines[4], batchTrailer('001'));
    expectLine(lines[5], fileTrailer('001', zeros(6)));
  });

  test('matches the golden file of Santander', () => {
    const set = settings('033', '7654321', '101');
    const lines = buildCollectionLines(set, file, [title(set)]);
    expect(lines).toHaveLength(6);
    expectLine(lines[0], [
      [1, 3, '033'],
      [4, 7, '0000'],
      [8, 8, '0'],
      [9, 16, ''],
      [17, 17, '2'],
      [18, 32, '011222333000181'],
      [33, 47, '123400007654321'],
      [48, 72, ''],
      [73, 102, 'VEREDA PAGAMENTOS LTDA'],
      [103, 132, 'BANCO SANTANDER'],
      [133, 142, ''],
      [143, 143, '1'],
      [144, 151, '24112026'],
      [152, 157, ''],
      [158, 163, '000042'],
      [164, 166, '040'],
      [167, 240, ''],
    ]);
    expectLine(lines[2], [
      ...detail('033'),
      [18, 21, '1234'],
      [22, 22, '5'],
      [23, 31, '000123456'],
      [32, 32, '0'],
      [33, 41, '000123456'],
      [42, 42, '0'],
      [43, 44, ''],
      // 6 and its digit: 2 × 6 = 12, 12 mod 11 = 1, which is 0.
      [45, 57, '0000000000060'],
      [58, 58, '5'],
      [59, 59, '1'],
      [60, 60, '2'],
      [61, 62, ''],
      [63, 77, '7D8E9F0A1B'],
      ...MONEY,
      [107, 108, '02'],
      [109, 109, 'N'],
      [110, 117, '24112026'],
      [118, 118, '0'],
      [119, 195, zeros(77)],
      [196, 220, '7D8E9F0A1B'],
      [221, 221, '0'],
      [222, 223, '00'],
      [224, 224, '2'],
      [225, 227, '000'],
      [228, 229, '00'],
      [230, 240, ''],
    ]);
    expectLine(lines[3], [
      ...payer('033', [[34, 73, 'ANA CONCEICAO']]),
      [210, 221, zeros(12)],
      [222, 240, ''],
    ]);
    expectLine(lines[4], [
      [1, 3, '033'],
      [4, 7, '0001'],
      [8, 8, '5'],
      [9, 17, ''],
      [18, 23, '000004'],
      [24, 240, ''],
    ]);
  });

  test('matches the golden file of Caixa', () => {
    const set = settings('104', '245274', '14');
    const lines = buildCollectionLines(set, file, [title(set)]);
    expect(lines[0]?.slice(32, 72)).toBe(`${zeros(20)}0123450245274${zeros(7)}`);
    expect(lines[0]?.slice(163, 211)).toBe(`10100000${' '.repeat(20)}REMESSA-PRODUCAO    `);
    expect(lines[1]?.slice(33, 73)).toBe(`0245274${zeros(13)}012345245274${zeros(8)}`);
    expectLine(lines[2], [
      ...detail('104'),
      [18, 22, '01234'],
      [23, 23, '5'],
      [24, 30, '0245274'],
      [31, 39, zeros(9)],
      // A zero, the wallet (14: registered, printed by the company) and fifteen digits.
      [40, 57, '014000000000000006'],
      [58, 62, '11220'],
      [63, 73, '7D8E9F0A1B'],
      [74, 77, ''],
      ...MONEY,
      [107, 108, '02'],
      [109, 109, 'N'],
      [110, 117, '24112026'],
      [118, 118, '3'],
      [119, 195, zeros(77)],
      [196, 220, '7D8E9F0A1B'],
      [221, 221, '3'],
      [222, 223, '00'],
      [224, 224, '1'],
      [225, 227, '000'],
      [228, 229, '09'],
      [230, 239, zeros(10)],
      [240, 240, ''],
    ]);
    expectLine(lines[5], fileTrailer('104', ''));
    const test = buildCollectionLines({ ...set, test: true }, file, [title(set)]);
    expect(test[0]?.slice(191, 211).trim()).toBe('REMESSA-TESTE');
  });

  test('matches the golden file of Bradesco', () => {
    const set = settings('237', '4567', '09');
    const lines = buildCollectionLines(set, file, [{ ...title(set), movement: 'WRITE_OFF', goods: false }]);
    expect(lines[0]?.slice(32, 52)).toBe('00000000000000004567');
    expectLine(lines[2], [
      ...detail('237').slice(0, -1),
      [16, 17, '02'],
      [18, 22, '01234'],
      [23, 23, '5'],
      [24, 35, '000000123456'],
      [36, 36, '0'],
      [37, 37, ''],
      [38, 40, '009'],
      [41, 45, zeros(5)],
      [46, 57, ourNumber(set.agreement, 6).replace(/^09\/|-/g, '')],
      [58, 62, '11122'],
      [63, 77, '7D8E9F0A1B'],
      ...MONEY,
      [107, 108, '04'],
      [109, 109, 'N'],
      [110, 117, '24112026'],
      [118, 118, '3'],
      [119, 195, zeros(77)],
      [196, 220, '7D8E9F0A1B'],
      [221, 221, '3'],
      [222, 223, '00'],
      [224, 224, '2'],
      [225, 227, '000'],
      [228, 229, '09'],
      [230, 239, zeros(10)],
      [240, 240, ''],
    ]);
    expectLine(lines[4], batchTrailer('237'));
  });

  test('matches the golden file of Itaú', () => {
    const set = settings('341', '', '109', '12345-6');
    const lines = buildCollectionLines(set, file, [title(set)]);
    expect(lines).toHaveLength(6);
    expectLine(lines[0], [
      [1, 3, '341'],
      [4, 7, '0000'],
      [8, 8, '0'],
      [9, 17, ''],
      [18, 18, '2'],
      [19, 32, '11222333000181'],
      [33, 52, ''],
      [53, 53, '0'],
      [54, 57, '1234'],
      [58, 58, ''],
      [59, 65, zeros(7)],
      [66, 70, '12345'],
      [71, 71, ''],
      [72, 72, '6'],
      [73, 102, 'VEREDA PAGAMENTOS LTDA'],
      [103, 132, 'BANCO ITAU SA'],
      [133, 142, ''],
      [143, 143, '1'],
      [144, 151, '24112026'],
      [152, 157, '140509'],
      [158, 163, '000042'],
      [164, 166, '040'],
      [167, 171, zeros(5)],
      [172, 240, ''],
    ]);
    expectLine(lines[2], [
      ...detail('341'),
      [18, 18, '0'],
      [19, 22, '1234'],
      [23, 23, ''],
      [24, 30, zeros(7)],
      [31, 35, '12345'],
      [36, 36, ''],
      [37, 37, '6'],
      [38, 40, '109'],
      [41, 48, '00000006'],
      [49, 49, ourNumber(set.agreement, 6).slice(-1)],
      [50, 57, ''],
      [58, 62, zeros(5)],
      [63, 72, '7D8E9F0A1B'],
      [73, 77, ''],
      ...MONEY,
      [107, 108, '01'],
      [109, 109, 'N'],
      [110, 117, '24112026'],
      [118, 118, '0'],
      [119, 195, zeros(77)],
      [196, 220, '7D8E9F0A1B'],
      [221, 221, '0'],
      [222, 223, '00'],
      [224, 224, '0'],
      [225, 239, zeros(15)],
      [240, 240, ''],
    ]);
    expectLine(lines[3], [
      ...payer('341', [
        [34, 63, 'ANA CONCEICAO'],
        [64, 73, ''],
      ]),
      [210, 212, '000'],
      [213, 240, ''],
    ]);
  });
});
