/**
 * The names of the jobs that every worker can run; part of the metrics and of the system's state.
 */
export type JobName =
  | 'deliveries'
  | 'retries'
  | 'expirations'
  | 'releases'
  | 'transaction counts'
  | 'dispute deadlines'
  | 'waiting disputes'
  | 'payouts'
  | 'reversals'
  | 'provider operations'
  | 'ledger chain'
  | 'ledger heads'
  | 'daily totals'
  | 'cleanup'
  | 'clock rollback'
  | 'lost leases'
  | 'delivery log retention'
  | 'ledger check'
  | 'disabled webhooks'
  | 'sandbox events';
