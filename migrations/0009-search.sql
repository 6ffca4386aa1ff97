-- The search index of the records of sellers.

-- A range of a seller's records, of ids above after_id up to last_id, whose values search_terms holds. The
-- segments of a seller follow one another. Later records, and those of stale segments, are searched
-- themselves until the worker indexes them.
-- citus: distributed
CREATE TABLE search_segments (
  seller_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('TRANSACTION', 'WITHDRAWAL', 'CUSTOMER')),
  after_id uuid NOT NULL,
  last_id uuid NOT NULL,
  records integer NOT NULL,
  stale boolean NOT NULL, -- has no terms
  PRIMARY KEY (seller_id, kind, after_id)
);
CREATE INDEX search_segments_stale ON search_segments (seller_id, kind) WHERE stale;

-- The values of one field of the records of a segment.
-- citus: distributed
CREATE TABLE search_terms (
  seller_id uuid NOT NULL,
  kind text NOT NULL,
  field text NOT NULL,
  after_id uuid NOT NULL, -- the segment
  records integer NOT NULL, -- that have a value
  ngrams bytea NOT NULL, -- a Bloom filter of all parts of up to four characters; its size is a power of two
  ids uuid[] NOT NULL, -- of those records, oldest first
  terms text NOT NULL, -- their values in the same order, between U+001E
  PRIMARY KEY (seller_id, kind, field, after_id)
);
-- A search reads every filter, and the values of the few segments that pass it.
ALTER TABLE search_terms ALTER COLUMN ngrams SET STORAGE PLAIN;
ALTER TABLE search_terms ALTER COLUMN ids SET STORAGE EXTERNAL;
ALTER TABLE search_terms ALTER COLUMN terms SET STORAGE EXTERNAL;
