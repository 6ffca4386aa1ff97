import { useEffect, useRef, useState } from 'react';

import type { SearchQuery } from '../../../../src/privacy/search-query.ts';
import { api, ask } from '../../api/client.ts';
import { ApiError, ConnectionError } from '../../api/errors.ts';
import type { operations } from '../../api/schema.gen.ts';
import { compact } from '../../app/search.ts';
import { refresh } from '../queries.ts';

export type Order = 'export' | 'erase';

/** Whom an order is about. It is held here and nowhere else: not in an address, nor in what browsers keep. */
export interface Asked {
  /** As it was typed. */
  readonly who: string;
  readonly sought: SearchQuery;
}

export type KeptCharge =
  operations['erasePayer']['responses'][200]['content']['application/json']['data']['kept'][number];

/** How far an order has come. */
export interface Run extends Asked {
  readonly order: Order;
  /** How often it was begun or gone on with. */
  readonly attempt: number;
  readonly state: 'running' | 'stopping' | 'stopped' | 'failed' | 'done';
  readonly error: unknown;
  /** What was exported, a line for each charge. */
  readonly lines: readonly string[];
  readonly erased: number;
  readonly kept: readonly KeptCharge[];
  /** Whether a part of an erasure has failed that may have erased some all the same, uncounted. */
  readonly unsure: boolean;
  /** Where the next portion begins. */
  readonly after: string | undefined;
}

const upTo = (next: string | null) =>
  ({ after: next ?? undefined, state: next === null ? 'done' : 'running' }) as const;

/** The order with one portion more. */
async function further(run: Run): Promise<Run> {
  const body = compact({ ...run.sought, after: run.after });
  if (run.order === 'export') {
    const { charges, next } = (await ask(api.POST('/v1/admin/privacy/export', { body }))).data;
    return { ...run, ...upTo(next), lines: [...run.lines, ...charges.map((one) => JSON.stringify(one))] };
  }
  const { erased, kept, next } = (await ask(api.POST('/v1/admin/privacy/erase', { body }))).data;
  return { ...run, ...upTo(next), erased: run.erased + erased, kept: [...run.kept, ...kept] };
}

/** Whether what was asked for may have been done all the same. */
const mayBeDone = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);

/** Does an order portion by portion. What is under way ends with its portion when it is stopped or the screen is left. */
export function useRun() {
  const [run, setRun] = useState<Run>();
  const stopped = useRef(false);
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );

  async function goOn(from: Run): Promise<void> {
    stopped.current = false;
    let at: Run = { ...from, state: 'running', error: undefined, attempt: from.attempt + 1 };
    setRun(at);
    try {
      while (at.state === 'running') {
        at = await further(at);
        if (at.state === 'running' && stopped.current) at = { ...at, state: 'stopped' };
        setRun(at);
      }
    } catch (error) {
      const unsure = at.unsure || (at.order === 'erase' && mayBeDone(error));
      setRun({ ...at, state: 'failed', error, unsure });
    }
    await refresh(
      'audit',
      ...(at.order === 'erase' ? ['transactions', 'disputes', 'returns', 'reports'] : []),
    );
  }

  return {
    run,
    begin: (order: Order, asked: Asked) => {
      const nothing = { lines: [], erased: 0, kept: [], unsure: false, after: undefined, error: undefined };
      void goOn({ ...asked, ...nothing, order, attempt: run?.attempt ?? 0, state: 'running' });
    },
    goOn: () => {
      if (run !== undefined) void goOn(run);
    },
    stop: () => {
      stopped.current = true;
      setRun((before) => (before === undefined ? before : { ...before, state: 'stopping' }));
    },
  };
}
