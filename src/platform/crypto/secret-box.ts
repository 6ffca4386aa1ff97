import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

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

  encrypt(secret: string, context: string): string {
    return this.encryptWith(this.#currentId, secret, context);
  }

  /** With a certain one of the keys. */
  encryptWith(id: string, secret: string, context: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key(id), nonce);
    cipher.setAAD(Buffer.from(context));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${id}.${nonce.toString('base64url')}.${ciphertext.toString('base64url')}`;
  }

  decrypt(encrypted: string, context: string): string {
    const [version, id, nonce, rest] = encrypted.split('.');
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

  /** A code that only the holder of a key can make: HMAC-SHA256 under a key of its own for each context. */
  mac(text: string, context: string): string {
    return computeMac(this.#currentId, this.deriveMacKey(this.#currentId, context), text);
  }

  /**
   * Whether the code was made of this text by a holder of one of the keys. `retired` has what codes of this context are made with
   * of keys that the box has no more, by their ids (see `macKey`).
   */
  verifyMac(code: string, text: string, context: string, retired?: ReadonlyMap<string, Buffer>): boolean {
    const id = keyIdOf(code);
    const key = this.#keys.has(id) ? this.deriveMacKey(id, context) : retired?.get(id);
    if (key === undefined) return false;
    const expected = Buffer.from(computeMac(id, key, text));
    const given = Buffer.from(code);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  /** What codes of a context are made with: it follows from the key, and the key does not follow from it. */
  deriveMacKey(id: string, context: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key(id), '', context, 32));
  }

  /** The key that seals. */
  get currentKeyId(): string {
    return this.#currentId;
  }

  /** All keys, the one that seals first. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  hasKey(id: string): boolean {
    return this.#keys.has(id);
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id);
    if (key === undefined) throw new Error(`no ENCRYPTION_KEY opens secrets sealed with key ${id}`);
    return key;
  }
}

const computeMac = (id: string, key: Buffer, text: string): string =>
  `v1.${id}.${createHmac('sha256', key).update(text).digest('base64url')}`;

/** The id of the key that a sealed value or a code was made with; empty where it has no such form. */
export const keyIdOf = (value: string): string => value.split('.')[1] ?? '';

/** The id tells keys apart without telling anything of the key. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('key-id:').update(key).digest('base64url').slice(0, 8);
}
