/**
 * A column that is encrypted with a data key. The key rotation finds only columns in
 * `ENCRYPTED_COLUMNS`, so a test compares the list with the schema.
 */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key, in its order. All are UUIDs. */
  readonly key: readonly string[];
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
export const attachmentContext = (sellerId: string, id: string): string => `attachment ${sellerId} ${id}`;
export const applicationContext = (sellerId: string): string => `application ${sellerId}`;
export const applicationDocumentContext = (sellerId: string, id: string): string =>
  `application-document ${sellerId} ${id}`;
export const mailContext = (sellerId: string, id: string): string => `mail ${sellerId} ${id}`;

/** The context of the MACs of the ledger's chain. */
export const LEDGER_CHAIN_CONTEXT = 'ledger seal';

const encryptedColumn = (
  table: string,
  column: string,
  key: readonly string[],
  contextOf: EncryptedColumn['contextOf'],
): EncryptedColumn => ({ table, column, key, contextOf });

export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  encryptedColumn('webhooks', 'encrypted_secret', ['seller_id', 'id'], webhookContext),
  // A retired secret remains bound to its webhook.
  encryptedColumn(
    'retired_webhook_secrets',
    'encrypted_secret',
    ['seller_id', 'webhook_id', 'id'],
    webhookContext,
  ),
  encryptedColumn('postback_secrets', 'encrypted_secret', ['seller_id'], postbackContext),
  encryptedColumn('postback_secrets', 'encrypted_previous_secret', ['seller_id'], postbackContext),
  encryptedColumn('second_factors', 'encrypted_secret', ['user_id'], secondFactorContext),
  encryptedColumn('operator_approvals', 'encrypted_request', ['id'], approvalContext),
  encryptedColumn('card_tokens', 'encrypted_number', ['seller_id', 'id'], cardContext),
  encryptedColumn('withdrawals', 'encrypted_payee', ['seller_id', 'id'], withdrawalContext),
  encryptedColumn(
    'cnab_payments',
    'encrypted_instruction',
    ['seller_id', 'withdrawal_id'],
    cnabPaymentContext,
  ),
  encryptedColumn('cnab_shipments', 'encrypted_file', ['id'], cnabShipmentContext),
  encryptedColumn('dispute_attachments', 'encrypted_key', ['seller_id', 'id'], attachmentContext),
  encryptedColumn('seller_applications', 'encrypted_details', ['seller_id'], applicationContext),
  encryptedColumn('application_documents', 'encrypted_key', ['seller_id', 'id'], applicationDocumentContext),
  encryptedColumn('mails', 'encrypted_token', ['seller_id', 'id'], mailContext),
  encryptedColumn('sandbox_signing_keys', 'encrypted_private_key', ['id'], pixSigningKeyContext),
];
