import { useEffect } from 'react';

import { api, unwrap } from './client.ts';
import { queryClient } from './queries.ts';

/** The query keys to invalidate for each event type. */
const AFFECTED_QUERIES: Readonly<Record<string, readonly string[]>> = {
  TRANSACTION: ['charges', 'links', 'wallet', 'entries', 'deliveries', 'reports', 'notifications'],
  WITHDRAWAL: ['withdrawals', 'wallet', 'entries', 'deliveries', 'notifications'],
  DISPUTE: ['disputes', 'charges', 'wallet', 'entries', 'deliveries', 'notifications'],
  SUBSCRIPTION: ['subscriptions', 'deliveries', 'notifications'],
  PING: ['deliveries'],
};

/** A busy seller has an event every second; lists are refetched at most this often. */
const MIN_LIST_INTERVAL_MS = 10_000;
const PAUSE_MS = 2_000;
const RETRY_DELAY_MS = 15_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let lists = new Set<string>();
let listsAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function refreshLists(): void {
  timer = undefined;
  listsAt = Date.now();
  const touched = lists;
  lists = new Set();
  for (const key of touched) void queryClient.invalidateQueries({ queryKey: [key] });
}

function take(event: string, recordId: string): void {
  // Open details are refetched at once.
  void queryClient.invalidateQueries({ queryKey: ['charges', 'one', recordId] });
  void queryClient.invalidateQueries({ queryKey: ['charges', 'timeline', recordId] });
  void queryClient.invalidateQueries({ queryKey: ['withdrawals', 'one', recordId] });
  void queryClient.invalidateQueries({ queryKey: ['withdrawals', 'timeline', recordId] });
  const kind = Object.keys(AFFECTED_QUERIES).find((name) => event.startsWith(name));
  for (const key of AFFECTED_QUERIES[kind ?? 'TRANSACTION'] ?? []) lists.add(key);
  timer ??= setTimeout(refreshLists, Math.max(0, listsAt + MIN_LIST_INTERVAL_MS - Date.now()));
}

/** Resolves when the tab is visible. */
function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
  });
}

async function follow(signal: AbortSignal): Promise<void> {
  let after = 'now';
  while (!signal.aborted) {
    await untilVisible(signal);
    try {
      const query = { after, wait: 25, take: 100 };
      const response = await unwrap(api.GET('/v1/events', { params: { query }, signal }));
      after = response.nextCursor;
      for (const { event, recordId } of response.data) take(event, recordId);
      await pause(PAUSE_MS);
    } catch {
      // Queries still poll at their intervals, and the shell shows the connection state.
      await pause(RETRY_DELAY_MS);
    }
  }
}

/**
 * Refetches queries when the seller's events arrive. Uses long polling: a request waits up to 25
 * seconds.
 */
export function useLive(enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return undefined;
    const stop = new AbortController();
    void follow(stop.signal);
    return () => stop.abort();
  }, [enabled]);
}
