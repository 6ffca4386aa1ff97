import { SecretBox } from '#platform/crypto/secret-box.ts';
import type { TestDatabase } from '#test/support/database.ts';

interface DataKeyRow extends Record<string, unknown> {
  readonly id: string;
  readonly wrapped_key: string;
  readonly retired_at: Date | null;
}

/** The data keys of a database, which these master keys unwrap: the newest first. */
export async function dataKeysOf(
  database: Pick<TestDatabase, 'query'>,
  ...masterKeys: readonly Buffer[]
): Promise<SecretBox> {
  const master = new SecretBox(masterKeys);
  const rows = await database.query<DataKeyRow>(
    'SELECT id, wrapped_key, retired_at FROM encryption_keys ORDER BY encrypts_from DESC',
  );
  const unwrap = ({ id, wrapped_key: wrapped }: DataKeyRow) =>
    Buffer.from(master.decrypt(wrapped, `data key ${id}`), 'base64');
  return new SecretBox(
    rows.filter((row) => row.retired_at === null).map(unwrap),
    rows.filter((row) => row.retired_at !== null).map(unwrap),
  );
}
