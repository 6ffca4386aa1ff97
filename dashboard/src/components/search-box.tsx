import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';

import { useTypedText } from './typed-text.ts';

const DEBOUNCE_MS = 400;

/** Debounced search input. Enter searches at once. */
export function SearchBox({
  label,
  placeholder,
  clear,
  value,
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  /** Label of the clear button. */
  readonly clear: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const { text, setText, setSent } = useTypedText(value);
  const search = (next: string) => {
    const typed = next.trim() === '' ? undefined : next.trim();
    setSent(typed);
    onChange(typed);
  };
  const searchLater = useDebouncedCallback(search, DEBOUNCE_MS);
  return (
    <TextInput
      type="search"
      className="no-print"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Search size={16} aria-hidden />}
      maxLength={320}
      value={text}
      rightSection={
        text === '' ? null : (
          <CloseButton
            size="sm"
            aria-label={clear}
            onClick={() => {
              searchLater.cancel();
              setText('');
              search('');
            }}
          />
        )
      }
      onChange={(event) => {
        setText(event.currentTarget.value);
        searchLater(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        searchLater.cancel();
        search(text);
      }}
    />
  );
}
