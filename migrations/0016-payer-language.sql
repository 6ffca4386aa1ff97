-- The language of emails to the payers of a seller.
ALTER TABLE seller_settings ADD COLUMN payer_language text NOT NULL DEFAULT 'pt-BR'
  CHECK (payer_language IN ('pt-BR', 'en'));
