import type { Reason } from '#payments/transactions/reasons.ts';
import type { ProviderContext, ProviderJob } from '#providers/adapter.ts';
import type { BacenClient } from './client.ts';
import { readCharge } from './pix-automatico.ts';
import type { CobR, Tentativa } from './pix-automatico-messages.ts';
import { findTransactionByTxid, handleEach, type PaymentsHandler } from './pix-payments.ts';

/** Deadline of the lookup of one charge, or of all lookups of one callback. */
const TIMEOUT_MS = 8_000;
const POLL_INTERVAL_MS = 1_000;
const CHARGES_PER_RUN = 20;

/** Codes by which a rejected attempt ends the whole charge (API Pix 2.9, `tentativas.rejeicao`). */
const FINAL_CODES = new Set(['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09']);
const INSUFFICIENT_FUNDS_CODE = 'AM04';
const FAILED_STATUSES = new Set(['REJEITADA', 'EXPIRADA', 'CANCELADA']);

export interface RecurringChargeDeps extends Pick<ProviderContext, 'transactions' | 'subscriptions' | 'log'> {
  readonly name: string;
  readonly client: BacenClient;
  readonly handlePayments: PaymentsHandler;
}

/**
 * Reads the charges of a callback. Those that are not read by the deadline make it fail, so that the
 * bank repeats it; the job reads each of them within an hour.
 */
export async function readReportedCharges(
  deps: RecurringChargeDeps,
  txids: readonly string[],
): Promise<void> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  await handleEach(txids, (txid) => readRecurringCharge(deps, txid, deadline));
}

/** Reads a charge from the bank and applies the bank's response. */
async function readRecurringCharge(
  deps: RecurringChargeDeps,
  txid: string,
  deadline: AbortSignal,
): Promise<void> {
  deadline.throwIfAborted();
  const transaction = await findTransactionByTxid(deps, txid);
  if (transaction?.subscriptionId === null || transaction === undefined) return;
  const charge = await readCharge(deps.client, txid, deadline);
  if (charge === undefined) return;
  // A payment is read from the bank by its own id before it is money.
  await deps.handlePayments(charge.pix ?? []);
  if (charge.status === 'CONCLUIDA') return;
  const failed = (charge.tentativas ?? []).filter(({ status }) => FAILED_STATUSES.has(status));
  const hasEnded = FAILED_STATUSES.has(charge.status);
  if (failed.length === 0 && !hasEnded) return;
  await deps.subscriptions.recordFailedDebit({
    sellerId: transaction.sellerId,
    transactionId: transaction.id,
    ordinal: hasEnded ? null : failed.length,
    reason: reasonOf(charge, failed.at(-1)),
    isFinal: hasEnded || FINAL_CODES.has(failed.at(-1)?.rejeicao?.codigo ?? ''),
  });
}

function reasonOf({ encerramento }: CobR, failed: Tentativa | undefined): Reason {
  const code =
    failed?.rejeicao?.codigo ?? encerramento?.rejeicao?.codigo ?? encerramento?.cancelamento?.codigo;
  if (code === INSUFFICIENT_FUNDS_CODE) return 'insufficient funds';
  const isCode = code !== undefined && /^[A-Z0-9]{4}$/.test(code);
  return isCode ? `refused by the provider: ${code}` : 'refused by the provider';
}

/** Reads charges whose day has come, so that a lost callback delays a retry by an hour at most. */
export function recurringChargesJob(deps: RecurringChargeDeps): ProviderJob {
  return {
    name: `recurring charges at ${deps.name}`,
    intervalMs: POLL_INTERVAL_MS,
    async run() {
      const due = await deps.subscriptions.takeDebitsToRead(deps.name, CHARGES_PER_RUN);
      for (const { transactionId } of due) {
        try {
          const deadline = AbortSignal.timeout(TIMEOUT_MS);
          await readRecurringCharge(deps, transactionId.replaceAll('-', ''), deadline);
        } catch (error) {
          deps.log.warn({ err: error, provider: deps.name, transactionId }, 'recurring charge not read');
        }
      }
      return due.length === CHARGES_PER_RUN;
    },
  };
}
