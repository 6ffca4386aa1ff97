import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';

import { formatBasisPoints } from '../i18n/format.ts';

/** Digits of 100,00%. */
const MAX_DIGITS = 5;

/** Percentage input in basis points, typed like an amount: 3-9-9 is 3,99%. */
export function PercentInput({
  value,
  onChange,
  ...rest
}: {
  readonly value: number;
  readonly onChange: (basisPoints: number) => void;
} & Omit<TextInputProps, 'value' | 'onChange'>): ReactNode {
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      classNames={{ input: 'figures' }}
      {...rest}
      rightSection="%"
      value={formatBasisPoints(value)}
      onChange={(event) =>
        onChange(Number(event.currentTarget.value.replaceAll(/\D/g, '').slice(-MAX_DIGITS)))
      }
    />
  );
}
