-- When the ledger was recomputed, and what came of it. Without an end: it is under way, or its process died. By the machine's
-- clock, since it is about machines; rows are kept for 90 days.
CREATE TABLE ledger_checks (
  id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  entries bigint,
  discrepancies integer
);
