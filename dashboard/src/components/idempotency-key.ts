import { useRef } from 'react';

/**
 * The key of a request. The same request keeps its key until `end` is called, so that a retry after
 * a lost response creates no second record.
 */
export function useIdempotencyKey() {
  const attempt = useRef({ request: '', key: '' });
  return {
    keyOf: (request: object): string => {
      const text = JSON.stringify(request);
      if (attempt.current.request !== text) attempt.current = { request: text, key: crypto.randomUUID() };
      return attempt.current.key;
    },
    end: (): void => {
      attempt.current = { request: '', key: '' };
    },
  };
}
