import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Seals secrets that must be read again later (webhook signing secrets) with AES-256-GCM.
 * The first key seals; every key opens, so that keys can be rotated without a stop.
 *
 * A sealed value is `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url. The `context` (which record the secret
 * belongs to) is authenticated: a sealed value copied into another row does not open there.
 */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #currentId: string;

  constructor(keys: readonly Buffer[]) {
    const [current] = keys;
    if (current === undefined) throw new Error('a secret box needs at least one key');
    this.#keys = new Map(keys.map((key) => [keyId(key), key]));
    this.#currentId = keyId(current);
  }

  seal(secret: string, context: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#currentId), nonce);
    cipher.setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${this.#currentId}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
  }

  open(sealed: string, context: string): string {
    const [version, id, nonce, rest] = sealed.split('.');
    if (version !== 'v1' || id === undefined || nonce === undefined || rest === undefined) {
      throw new Error('a sealed secret has an unknown form');
    }
    const bytes = Buffer.from(rest, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#key(id), Buffer.from(nonce, 'base64url'), {
      authTagLength: 16,
    });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id);
    if (key === undefined) throw new Error(`no ENCRYPTION_KEY opens secrets sealed with key ${id}`);
    return key;
  }
}

/** The id tells keys apart without telling anything of the key. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('key-id:').update(key).digest('base64url').slice(0, 8);
}
