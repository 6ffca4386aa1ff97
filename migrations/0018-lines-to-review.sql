-- each statement by itself
-- Lines of all return files that the operator should review are counted for monitoring.
DROP INDEX CONCURRENTLY IF EXISTS cnab_return_lines_to_review;
CREATE INDEX CONCURRENTLY IF NOT EXISTS cnab_return_lines_to_review ON cnab_return_lines (return_id, number)
  WHERE decision IS NULL AND (outcome IN ('LATE', 'REJECTED', 'UNMATCHED')
    OR (outcome = 'REPEATED' AND kind IN ('PAID', 'PAYOUT_PAID'))
    OR (kind IN ('REJECTED', 'ORDER_REJECTED', 'PAYOUT_FAILED', 'PAYOUT_UNCLEAR')
      AND outcome IS DISTINCT FROM 'REPEATED'));
