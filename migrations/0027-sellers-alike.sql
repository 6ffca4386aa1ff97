-- Statements about one seller are planned alike whoever it is. What ANALYZE knows of sellers is always a little old: a seller who
-- has grown since is taken for one with a row or two, and then all charges are read along the primary key where a rare status
-- is asked for (hundreds of milliseconds instead of one at a million charges). Without figures a seller has one of two hundred parts.
ALTER TABLE transactions ALTER COLUMN seller_id SET STATISTICS 0;

-- What is known already would be kept for ever. Servers before version 18 cannot forget it, and go on as before.
DO $$
BEGIN
  IF to_regproc('pg_clear_attribute_stats') IS NOT NULL THEN
    PERFORM pg_clear_attribute_stats(current_schema()::text, 'transactions', 'seller_id', false);
  END IF;
END
$$;
