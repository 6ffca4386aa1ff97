-- What operators change while the gateway runs. Each row wins over the setting of the environment.

-- A limit or a time of retention. Cached by every process.
-- citus: local
CREATE TABLE stored_settings (
  name text PRIMARY KEY,
  value integer NOT NULL,
  updated_at timestamptz NOT NULL
);

-- The order in which the providers of a method are tried. Cached by every process.
-- citus: local
CREATE TABLE provider_orders (
  method text PRIMARY KEY CHECK (method IN ('PIX', 'BOLETO', 'CREDIT_CARD', 'PAYOUT')),
  providers json NOT NULL, -- names
  updated_at timestamptz NOT NULL
);

-- A provider to which nothing new of a method is sent. Cached by every process.
-- citus: local
CREATE TABLE paused_providers (
  method text NOT NULL CHECK (method IN ('PIX', 'BOLETO', 'CREDIT_CARD', 'PAYOUT')),
  provider text NOT NULL,
  reason text NOT NULL,
  paused_by uuid NOT NULL, -- the operator user
  paused_by_name text NOT NULL,
  paused_at timestamptz NOT NULL,
  PRIMARY KEY (method, provider)
);
