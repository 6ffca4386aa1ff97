/**
 * Everything that is kept sealed under ENCRYPTION_KEY: the column, the key of its row, and the context that binds the value
 * to that row. A column that is not in this list is not found by the rotation, so a test holds it against the schema.
 */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** What all of them are. */
  readonly keyType: 'uuid' | 'text';
  /** Of a row with this key, in the same order. */
  readonly contextOf: (...key: readonly string[]) => string;
}

export const webhookContext = (sellerId: string, id: string): string => `webhook ${sellerId} ${id}`;
export const postbackContext = (sellerId: string): string => `postback ${sellerId}`;
export const cardContext = (sellerId: string, id: string): string => `card ${sellerId} ${id}`;
export const withdrawalContext = (sellerId: string, id: string): string => `withdrawal ${sellerId} ${id}`;
export const cnabPaymentContext = (sellerId: string, id: string): string => `cnab-payment ${sellerId} ${id}`;
export const cnabShipmentContext = (id: string): string => `cnab-shipment ${id}`;
export const secondFactorContext = (userId: string): string => `second-factor:${userId}`;
export const chainKeyContext = (keyId: string): string => `chain key ${keyId}`;

/** Of the codes that the ledger's seals are. */
export const LEDGER_CHAIN_CONTEXT = 'ledger seal';

const column = (
  table: string,
  name: string,
  key: readonly string[],
  contextOf: EncryptedColumn['contextOf'],
  keyType: EncryptedColumn['keyType'] = 'uuid',
): EncryptedColumn => ({ table, column: name, key, keyType, contextOf });

export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  column('webhooks', 'encrypted_secret', ['seller_id', 'id'], webhookContext),
  // A replaced secret was its webhook's, and is bound to that.
  column('retired_webhook_secrets', 'encrypted_secret', ['seller_id', 'webhook_id', 'id'], webhookContext),
  column('postback_secrets', 'encrypted_secret', ['seller_id'], postbackContext),
  column('second_factors', 'encrypted_secret', ['user_id'], secondFactorContext),
  column('card_tokens', 'encrypted_number', ['seller_id', 'id'], cardContext),
  column('withdrawals', 'encrypted_payee', ['seller_id', 'id'], withdrawalContext),
  column('cnab_payments', 'encrypted_instruction', ['seller_id', 'withdrawal_id'], cnabPaymentContext),
  column('cnab_shipments', 'encrypted_file', ['id'], cnabShipmentContext),
  column('encryption_keys', 'encrypted_chain_key', ['id'], chainKeyContext, 'text'),
];
