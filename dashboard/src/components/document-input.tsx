import { TextInput, type TextInputProps } from '@mantine/core';
import type { ChangeEvent } from 'react';

import { maskDocument } from '../i18n/format.ts';

/** Input of a CPF or CNPJ, punctuated as it is typed. A CNPJ may have letters. */
export function DocumentInput({
  onChange,
  ...rest
}: Omit<TextInputProps, 'onChange'> & { readonly onChange: (typed: string) => void }) {
  return (
    <TextInput
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={18}
      {...rest}
      onChange={({
        currentTarget: { value, selectionStart },
        nativeEvent,
      }: ChangeEvent<HTMLInputElement>) => {
        const isDeleting = nativeEvent instanceof InputEvent && nativeEvent.inputType.startsWith('delete');
        // In the middle of the text, the cursor would jump to the end.
        onChange(isDeleting || selectionStart !== value.length ? value : maskDocument(value));
      }}
    />
  );
}
