/**
 * A column that is encrypted with ENCRYPTION_KEY. The key rotation finds only columns in
 * `ENCRYPTED_COLUMNS`, so a test compares the list with the schema.
 */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** The type of all columns of the key. */
  readonly keyType: 'uuid' | 'text';
  /** Returns the context that binds a value to the row with this key. */
  readonly contextOf: (...key: readonly string[]) => string;
}

export const webhookContext = (sellerId: string, id: string): string => `webhook ${sellerId} ${id}`;
export const postbackContext = (sellerId: string): string => `postback ${sellerId}`;
export const cardContext = (sellerId: string, id: string): string => `card ${sellerId} ${id}`;
export const withdrawalContext = (sellerId: string, id: string): string => `withdrawal ${sellerId} ${id}`;
export const cnabPaymentContext = (sellerId: string, id: string): string => `cnab-payment ${sellerId} ${id}`;
export const cnabShipmentContext = (id: string): string => `cnab-shipment ${id}`;
export const secondFactorContext = (userId: string): string => `second-factor:${userId}`;
export const pixSigningKeyContext = (id: string): string => `pix-signing-key ${id}`;
export const approvalContext = (id: string): string => `approval ${id}`;
export const chainKeyContext = (keyId: string): string => `chain key ${keyId}`;

/** The context of the MACs of the ledger's chain. */
export const LEDGER_CHAIN_CONTEXT = 'ledger seal';

const uuidColumn = (
  table: string,
  column: string,
  key: readonly string[],
  contextOf: EncryptedColumn['contextOf'],
): EncryptedColumn => ({ table, column, key, keyType: 'uuid', contextOf });

export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  uuidColumn('webhooks', 'encrypted_secret', ['seller_id', 'id'], webhookContext),
  // A retired secret remains bound to its webhook.
  uuidColumn(
    'retired_webhook_secrets',
    'encrypted_secret',
    ['seller_id', 'webhook_id', 'id'],
    webhookContext,
  ),
  uuidColumn('postback_secrets', 'encrypted_secret', ['seller_id'], postbackContext),
  uuidColumn('postback_secrets', 'encrypted_previous_secret', ['seller_id'], postbackContext),
  uuidColumn('second_factors', 'encrypted_secret', ['user_id'], secondFactorContext),
  uuidColumn('operator_approvals', 'encrypted_request', ['id'], approvalContext),
  uuidColumn('card_tokens', 'encrypted_number', ['seller_id', 'id'], cardContext),
  uuidColumn('withdrawals', 'encrypted_payee', ['seller_id', 'id'], withdrawalContext),
  uuidColumn('cnab_payments', 'encrypted_instruction', ['seller_id', 'withdrawal_id'], cnabPaymentContext),
  uuidColumn('cnab_shipments', 'encrypted_file', ['id'], cnabShipmentContext),
  uuidColumn('sandbox_signing_keys', 'encrypted_private_key', ['id'], pixSigningKeyContext),
  {
    table: 'encryption_keys',
    column: 'encrypted_chain_key',
    key: ['id'],
    keyType: 'text',
    contextOf: chainKeyContext,
  },
];
