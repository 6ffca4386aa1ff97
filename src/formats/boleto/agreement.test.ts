import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  validateAgreement,
  bankName,
  unformatOurNumber,
  beneficiaryCode,
  freeField,
  maxSequence,
  ourNumber,
  type BoletoAgreement,
} from './agreement.ts';
import { encodeBarcode, parseBarcode } from './barcode.ts';
import vectors from '#test/vectors/boleto.json' with { type: 'json' };

const brasil: BoletoAgreement = {
  bankCode: '001',
  agency: '1234-3',
  account: '123456-0',
  agreement: '1234567',
  wallet: '17',
};
const santander: BoletoAgreement = {
  bankCode: '033',
  agency: '1234',
  account: '1',
  agreement: '1234567',
  wallet: '101',
};
const bradesco: BoletoAgreement = {
  bankCode: '237',
  agency: '3021',
  account: '52121-7',
  agreement: '',
  wallet: '19',
};
const itau: BoletoAgreement = {
  bankCode: '341',
  agency: '0057',
  account: '12345-7',
  agreement: '',
  wallet: '110',
};

const caixa: BoletoAgreement = {
  bankCode: '104',
  agency: '1234-2',
  account: '12345678-9',
  agreement: '1234561',
  wallet: '14',
};

const agreement = fc.constantFrom(brasil, santander, bradesco, itau, caixa);

describe('Banco do Brasil', () => {
  test('writes the free field of the test vector', () => {
    const vector = vectors.valid.find(({ id }) => id === 'no-due-no-amount')!;
    expect(freeField(brasil, 1234)).toBe(vector.freeField);
    expect(ourNumber(brasil, 1234)).toBe('12345670000001234');
    expect(beneficiaryCode(brasil)).toBe('1234-3 / 123456-0');
    expect(bankName(brasil)).toBe('Banco do Brasil');
  });
});

describe('Bradesco', () => {
  // The three examples of the bank's manual, wallet 19.
  test.each([
    [1, '19/00000000001-P'],
    [2, '19/00000000002-8'],
    [6, '19/00000000006-0'],
  ])('computes for %i the number %s', (sequence, number) => {
    expect(ourNumber(bradesco, sequence)).toBe(number);
  });

  test('writes the free field of the test vector', () => {
    const vector = vectors.valid.find(({ id }) => id === 'rollover-day-1000')!;
    expect(freeField({ ...bradesco, wallet: '09' }, 1_890_000_001)).toBe(vector.freeField);
  });
});

describe('Itaú', () => {
  test('matches the example of the bank’s manual', () => {
    expect(freeField(itau, 12_345_678)).toBe('1101234567880057123457000');
    expect(ourNumber(itau, 12_345_678)).toBe('110/12345678-8');
  });
});

describe('Santander', () => {
  test('matches the example of the bank’s manual', () => {
    expect(ourNumber(santander, 566_612_457_800)).toBe('566612457800-2');
    expect(freeField(santander, 566_612_457_800)).toBe('9123456756661245780020101');
    expect(beneficiaryCode(santander)).toBe('1234 / 1234567');
  });
});

describe('Caixa', () => {
  test('matches the layout of the test vector', () => {
    const vector = vectors.valid.find(({ id }) => id === 'new-cycle-2027-06-30-big')!;
    // The last digit of the vector was chosen for the barcode, not computed by the bank's rule.
    expect(freeField(caixa, 1).slice(0, 24)).toBe(vector.freeField.slice(0, 24));
  });

  // As written by other implementations that banks accept (brcobranca), and the digit of 005507 in
  // the manual.
  test('pads a six-digit beneficiary and appends the check digits', () => {
    const six = { ...caixa, agreement: '245274' };
    expect(freeField(six, 1)).toBe('2452740000100040000000017');
    expect(ourNumber(six, 1)).toBe('14000000000000001-4');
    expect(freeField({ ...caixa, agreement: '5507' }, 1).slice(0, 7)).toBe('0055077');
    expect(beneficiaryCode(six)).toBe('1234-2 / 245274');
  });
});

describe('unformatOurNumber', () => {
  test.each([
    [brasil, '12345670000000006'],
    [santander, '000000000006'],
    [bradesco, '00000000006'],
    [itau, '00000006'],
    [caixa, '14000000000000006'],
  ])('removes wallet and check digit of bank $bankCode', (any, bare) => {
    expect(unformatOurNumber(ourNumber(any, 6))).toBe(bare);
  });
});

describe('ourNumber and freeField', () => {
  test('differ for each sequence and fit a barcode', () => {
    fc.assert(
      fc.property(agreement, fc.nat(), fc.nat(), (any, first, second) => {
        const limit = maxSequence(any);
        const [one, other] = [1 + (first % limit), 1 + (second % limit)];
        const free = freeField(any, one);
        const barcode = encodeBarcode({
          bankCode: any.bankCode,
          dueDate: '2026-12-10',
          amountCents: 100,
          freeField: free,
        });
        expect(parseBarcode(barcode)).toMatchObject({ ok: true, boleto: { freeField: free } });
        expect(freeField(any, other) === free).toBe(one === other);
        expect(ourNumber(any, other) === ourNumber(any, one)).toBe(one === other);
      }),
    );
  });

  test.each([brasil, santander, bradesco, itau, caixa])(
    'accept the highest sequence of bank $bankCode and reject the next one',
    (any) => {
      const last = maxSequence(any);
      expect(freeField(any, last)).toMatch(/^\d{25}$/);
      expect(() => freeField(any, last + 1)).toThrow(RangeError);
      expect(() => ourNumber(any, 0)).toThrow(RangeError);
      expect(() => ourNumber(any, 1.5)).toThrow(RangeError);
    },
  );
});

describe('validateAgreement', () => {
  test.each([brasil, santander, bradesco, itau, caixa])(
    'returns nothing for a valid agreement of bank $bankCode',
    (any) => {
      expect(validateAgreement(any)).toBeNull();
    },
  );

  test.each([
    [{ ...brasil, bankCode: '999' }, 'bankCode must be one of 001, 033, 104, 237, 341'],
    [{ ...brasil, bankCode: 'constructor' }, 'bankCode must be one of 001, 033, 104, 237, 341'],
    [{ ...brasil, agency: '123' }, 'agency must be 4 digits'],
    [{ ...brasil, account: '123456789' }, 'account must be at most 8 digits'],
    [{ ...brasil, account: '12a' }, 'account must be at most 8 digits'],
    [{ ...brasil, agreement: '123456' }, 'agreement must be 7 digits'],
    [{ ...brasil, agreement: '123456-7' }, 'agreement must be at most 7 digits'],
    [{ ...brasil, wallet: '' }, 'wallet must be at most 2 digits'],
    [{ ...brasil, wallet: '117' }, 'wallet must be at most 2 digits'],
    [{ ...itau, wallet: '198' }, 'wallet 198 is not supported'],
  ])('for %o returns: %s', (any, failure) => {
    expect(validateAgreement(any)).toBe(failure);
    expect(() => ourNumber(any, 1)).toThrow(RangeError);
    expect(() => bankName(any)).toThrow(RangeError);
  });
});
