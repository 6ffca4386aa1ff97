import type { Transaction, TransactionsService } from '#payments/transactions/service.ts';

/** How often the transactions that payers wait for are checked, all of them with one statement. */
const POLL_INTERVAL_MS = 500;
/** More requests than this in all, or of one address, do not wait. */
const MAX_WAITING = 5_000;
const MAX_WAITING_PER_ADDRESS = 20;

interface Waiter {
  readonly transaction: Transaction;
  readonly address: string;
  readonly resolve: () => void;
}

export interface WaitRequest {
  readonly transaction: Transaction;
  readonly address: string;
  readonly seconds: number;
}

/**
 * Requests that wait until a transaction changes. One statement in half a second looks for the
 * changes of all of them, however many wait.
 */
export class PaymentWaiting {
  readonly #transactions: Pick<TransactionsService, 'versionsOf'>;
  readonly #waiters = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isStopped = false;

  constructor(transactions: Pick<TransactionsService, 'versionsOf'>) {
    this.#transactions = transactions;
  }

  /** Resolves when the transaction has changed, after the time, or at once if too many wait. */
  async wait({ transaction, address, seconds }: WaitRequest): Promise<void> {
    const ofAddress = [...this.#waiters].filter((waiter) => waiter.address === address).length;
    if (this.#isStopped || this.#waiters.size >= MAX_WAITING || ofAddress >= MAX_WAITING_PER_ADDRESS) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter: Waiter = { transaction, address, resolve };
    const timeout = setTimeout(resolve, seconds * 1_000);
    this.#waiters.add(waiter);
    this.#timer ??= setInterval(() => void this.#poll(), POLL_INTERVAL_MS).unref();
    await promise;
    clearTimeout(timeout);
    this.#remove(waiter);
  }

  /** Answers all requests, because the process is stopping. */
  stop(): void {
    this.#isStopped = true;
    for (const { resolve } of this.#waiters) resolve();
  }

  #remove(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      const waiters = [...this.#waiters];
      const versions = await this.#transactions.versionsOf(waiters.map(({ transaction }) => transaction));
      for (const { transaction, resolve } of waiters)
        if ((versions.get(transaction.id) ?? transaction.version) > transaction.version) resolve();
    } catch {
      // The database is unavailable. The requests continue to wait, and the next poll tries again.
    } finally {
      this.#isPolling = false;
    }
  }
}
