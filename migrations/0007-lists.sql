-- Lists of charges: the first page by any status and method, and how many there are, however many a seller has.

-- The newest charges of each method and status of a seller: a list by several of them merges as many ends of this index.
CREATE INDEX transactions_by_status ON transactions (seller_id, method, status, id);

-- How many charges of each method and status a seller has: the sum of count over writer. Every database connection that makes or
-- changes charges counts in rows of its own (writer is its process id), in the statement that does so. A connection runs one
-- transaction at a time, so none ever waits for another's count. The worker gathers the rows into the one of writer 0.
CREATE TABLE transaction_counts (
  seller_id uuid NOT NULL,
  method text NOT NULL,
  status text NOT NULL,
  writer integer NOT NULL,
  count bigint NOT NULL, -- below zero where charges made by others were taken away
  PRIMARY KEY (seller_id, method, status, writer)
) WITH (fillfactor = 50); -- changed by every batch: room on the page keeps the changes away from the index
-- What the worker has to gather, and nothing else.
CREATE INDEX transaction_counts_to_compact ON transaction_counts (seller_id) WHERE writer <> 0;

-- The first index keeps writers of charges away until this is committed, so none is counted twice or not at all.
INSERT INTO transaction_counts (seller_id, method, status, writer, count)
SELECT seller_id, method, status, 0, count(*) FROM transactions GROUP BY seller_id, method, status;
