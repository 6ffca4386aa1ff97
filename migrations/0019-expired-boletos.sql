-- each statement by itself
-- Boletos of a bank that reports payments in files wait for its reports after they have expired. They have an
-- index of their own, so that looking for other expired transactions does not read them each time.
DROP INDEX CONCURRENTLY IF EXISTS boletos_to_expire;
CREATE INDEX CONCURRENTLY IF NOT EXISTS boletos_to_expire ON transactions (expires_at)
  WHERE status IN ('PENDING', 'WAITING_PAYMENT') AND method = 'BOLETO';
DROP INDEX CONCURRENTLY IF EXISTS pix_and_cards_to_expire;
CREATE INDEX CONCURRENTLY IF NOT EXISTS pix_and_cards_to_expire ON transactions (expires_at)
  WHERE status IN ('PENDING', 'WAITING_PAYMENT', 'AUTHORIZED') AND method <> 'BOLETO';
DROP INDEX CONCURRENTLY IF EXISTS transactions_to_expire;
