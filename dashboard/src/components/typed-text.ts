import { useState } from 'react';

/**
 * The text of an input whose trimmed value is in the address. What is typed stays as it is, also a
 * space between two words. Another value, as after Back, replaces it.
 */
export function useTypedText(value: string | undefined) {
  const [text, setText] = useState(value ?? '');
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  if (seen !== value) {
    setSeen(value);
    if (value !== sent) {
      setSent(value);
      setText(value ?? '');
    }
  }
  return { text, setText, setSent };
}
