import { expect } from 'vitest';
import type { FileSettings } from '#cnab/codec/settings.ts';

/** Compares whole files with the banks' manuals, column by column. */

/** First column, last column and expected text. */
export type Columns = readonly (readonly [number, number, string])[];

/** Expects the ranges to cover the line without gaps and each to hold its text. */
export function expectLine(line: string | undefined, columns: Columns): void {
  let next = 1;
  for (const [from, to, expected] of columns) {
    expect(from, `columns ${next} to ${from - 1} are not covered`).toBe(next);
    expect(line?.slice(from - 1, to), `columns ${from} to ${to}`).toBe(expected.padEnd(to - from + 1));
    next = to + 1;
  }
  expect(next).toBe(241);
}

export const zeros = (count: number): string => '0'.repeat(count);

export const company = {
  name: 'Vereda Pagamentos Ltda',
  document: '11222333000181',
  address: {
    street: 'Rua Direita 10',
    district: 'Centro',
    postalCode: '01002000',
    city: 'São Paulo',
    state: 'SP',
  },
};

export function settings(
  bankCode: string,
  agreement: string,
  wallet: string,
  account = '123456-0',
): FileSettings {
  return {
    agreement: { bankCode, agency: '1234-5', account, agreement, wallet },
    walletVariation: '019',
    paymentAgreement: '654321',
    company,
    test: false,
  };
}

// 14:05:09 in São Paulo.
export const file = { number: 42, madeAt: new Date('2026-11-24T17:05:09.000Z') };
