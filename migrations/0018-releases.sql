-- When a seller's money comes, and what holds it.

-- A seller's money that is still retained, by the day on which it is released.
CREATE INDEX releases_by_seller ON releases (seller_id, due_at) INCLUDE (amount, transaction_id) WHERE status = 'PENDING';
-- A seller's withdrawals whose money is reserved.
CREATE INDEX withdrawals_under_way ON withdrawals (seller_id) INCLUDE (amount) WHERE status IN ('PENDING', 'APPROVED', 'PROCESSING');
