import { TextInput, type TextInputProps } from '@mantine/core';

import { formatMoney } from '../i18n/format.ts';

/** Digits of the largest amount. */
const MAX_DIGITS = 12;

/**
 * Amount input in cents. Digits enter from the right, as on a card terminal: 1-2-3-4 is R$ 12,34.
 */
export function MoneyInput({
  value,
  onChange,
  ...rest
}: {
  readonly value: number;
  readonly onChange: (cents: number) => void;
} & Omit<TextInputProps, 'value' | 'onChange'>) {
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      classNames={{ input: 'figures' }}
      placeholder={formatMoney(0)}
      {...rest}
      value={value === 0 ? '' : formatMoney(value)}
      onChange={(event) =>
        onChange(Number(event.currentTarget.value.replaceAll(/\D/g, '').slice(0, MAX_DIGITS)))
      }
    />
  );
}
