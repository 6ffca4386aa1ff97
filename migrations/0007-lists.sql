-- Lists of charges: the first page by any status and method, and how many there are, however many a seller has.

-- The newest charges of each method and status of a seller: a list by several of them merges as many ends of this index.
CREATE INDEX transactions_by_status ON transactions (seller_id, method, status, id);

-- How many charges of each method and status a seller has, but for the changes that still stand in transaction_count_changes:
-- only both together are the count. Payments never touch these rows, so they wait for nobody here; the worker alone changes them.
CREATE TABLE transaction_counts (
  seller_id uuid NOT NULL,
  method text NOT NULL,
  status text NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (seller_id, method, status)
) WITH (fillfactor = 50); -- changed every second: room on the page keeps the changes away from the index

-- What a statement that made or changed charges did to their counts: so many (number) went from one status to another, or, where
-- from_status is null, were made. Written with the charges, only ever inserted, and deleted when the worker adds it to transaction_counts.
CREATE TABLE transaction_count_changes (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL,
  from_status text,
  to_status text NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (seller_id, id)
);

-- The index above keeps writers away until this is committed, so nothing is counted twice or not at all.
INSERT INTO transaction_counts (seller_id, method, status, count)
SELECT seller_id, method, status, count(*) FROM transactions GROUP BY seller_id, method, status;
