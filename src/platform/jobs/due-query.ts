/** Which due rows a job reads. */
export interface DueQuery {
  readonly now: Date;
  readonly limit: number;
  /** Sellers whose rows others have locked are left out, so that they do not delay others. */
  readonly exceptSellers: readonly string[];
}
