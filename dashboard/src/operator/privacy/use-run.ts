import { useEffect, useRef, useState } from 'react';

import type { SearchQuery } from '../../../../src/privacy/search-query.ts';
import { api, unwrap } from '../../api/client.ts';
import { ApiError, ConnectionError } from '../../api/errors.ts';
import type { operations } from '../../api/schema.gen.ts';
import { compact } from '../../app/search.ts';
import { refresh } from '../queries.ts';

export type RunAction = 'export' | 'erase';

/** The payer of a run. Kept in memory only: not in the URL nor in browser storage. */
export interface PayerSearch {
  /** The search text as typed. */
  readonly text: string;
  readonly query: SearchQuery;
}

export type KeptCharge =
  operations['erasePayer']['responses'][200]['content']['application/json']['data']['kept'][number];

/** The state of a run. */
export interface Run extends PayerSearch {
  readonly action: RunAction;
  /** Incremented each time the run starts or resumes. */
  readonly attempt: number;
  readonly state: 'running' | 'stopping' | 'stopped' | 'failed' | 'done';
  readonly error: unknown;
  /** The export as JSON lines, one for each charge and customer record. */
  readonly lines: readonly string[];
  /** The number of customer records that were exported or erased. */
  readonly customers: number;
  readonly erased: number;
  readonly kept: readonly KeptCharge[];
  /** Whether a failed request may have erased data that is not counted. */
  readonly mayHaveErased: boolean;
  /** Cursor of the next page. */
  readonly after: string | undefined;
}

const upTo = (next: string | null) =>
  ({ after: next ?? undefined, state: next === null ? 'done' : 'running' }) as const;

/** Processes one page and returns the new state. */
async function processPage(run: Run): Promise<Run> {
  const body = compact({ ...run.query, after: run.after });
  if (run.action === 'export') {
    const { charges, customers, next } = (await unwrap(api.POST('/v1/admin/privacy/export', { body }))).data;
    const lines = [...customers, ...charges].map((one) => JSON.stringify(one));
    return {
      ...run,
      ...upTo(next),
      lines: [...run.lines, ...lines],
      customers: run.customers + customers.length,
    };
  }
  const { data } = await unwrap(api.POST('/v1/admin/privacy/erase', { body }));
  return {
    ...run,
    ...upTo(data.next),
    erased: run.erased + data.erased,
    customers: run.customers + data.erasedCustomers,
    kept: [...run.kept, ...data.kept],
  };
}

/** Whether the request may have succeeded despite the error. */
const mayHaveSucceeded = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);

/**
 * Exports or erases page by page. Stopping, or leaving the screen, takes effect after the current
 * page.
 */
export function useRun() {
  const [run, setRun] = useState<Run>();
  const stopped = useRef(false);
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );

  async function resume(from: Run): Promise<void> {
    stopped.current = false;
    let at: Run = { ...from, state: 'running', error: undefined, attempt: from.attempt + 1 };
    setRun(at);
    try {
      while (at.state === 'running') {
        at = await processPage(at);
        if (at.state === 'running' && stopped.current) at = { ...at, state: 'stopped' };
        setRun(at);
      }
    } catch (error) {
      const mayHaveErased = at.mayHaveErased || (at.action === 'erase' && mayHaveSucceeded(error));
      setRun({ ...at, state: 'failed', error, mayHaveErased });
    }
    await refresh(
      'audit',
      ...(at.action === 'erase' ? ['transactions', 'disputes', 'returns', 'reports'] : []),
    );
  }

  return {
    run,
    begin: (action: RunAction, search: PayerSearch) => {
      const nothing = {
        lines: [],
        customers: 0,
        erased: 0,
        kept: [],
        mayHaveErased: false,
        after: undefined,
        error: undefined,
      };
      void resume({ ...search, ...nothing, action, attempt: run?.attempt ?? 0, state: 'running' });
    },
    resume: () => {
      if (run !== undefined) void resume(run);
    },
    stop: () => {
      stopped.current = true;
      setRun((before) => (before === undefined ? before : { ...before, state: 'stopping' }));
    },
  };
}
