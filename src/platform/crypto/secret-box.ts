import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** 128 bits. */
const KEYED_HASH_LENGTH = 22;

/**
 * Encrypts secrets that must be read again, such as webhook signing secrets, with AES-256-GCM. It
 * encrypts with the first key and decrypts with all, so that keys can be rotated without downtime.
 *
 * An encrypted value is `v1.<key id>.<nonce>.<ciphertext and tag>` in base64url. The `context`,
 * which names the record of the secret, is authenticated: a value that is copied into another row
 * does not decrypt there.
 */
export class SecretBox {
  #keys: ReadonlyMap<string, Buffer> = new Map();
  #retired: ReadonlyMap<string, Buffer> = new Map();
  #currentId = '';
  readonly #macKeys = new Map<string, Buffer>();
  /** In base64url. */
  readonly #hashKeys = new Map<string, string>();

  constructor(keys: readonly Buffer[], retired: readonly Buffer[] = []) {
    this.replaceKeys(keys, retired);
  }

  /** Retired keys decrypt, and verify MACs where those are accepted. */
  replaceKeys(keys: readonly Buffer[], retired: readonly Buffer[]): void {
    const [current] = keys;
    if (current === undefined) throw new Error('a secret box needs at least one key');
    this.#keys = byId(keys);
    this.#retired = byId(retired);
    this.#currentId = keyIdFor(current);
  }

  encrypt(secret: string, context: string): string {
    return this.encryptWith(this.#currentId, secret, context);
  }

  /** Encrypts with a specific key. */
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
      throw new Error('an encrypted secret has an unknown form');
    }
    const bytes = Buffer.from(rest, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#key(id), Buffer.from(nonce, 'base64url'), {
      authTagLength: 16,
    });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
  }

  /** Returns an HMAC-SHA256 with a key derived for the context. */
  mac(text: string, context: string): string {
    return computeMac(this.#currentId, this.#deriveMacKey(this.#currentId, context), text);
  }

  /**
   * Returns a keyed hash, by which values that must not be stored are compared: `<key id>.<hash>`
   * with 128 bits of SHA3-256 over a key derived for the context, and the text. SHA-3 needs no
   * nested HMAC, whose native objects cost several times as much for short texts.
   */
  keyedHash(text: string, context: string): string {
    return this.#computeKeyedHash(this.#currentId, text, context);
  }

  /** Returns the keyed hashes of a text with every key, also retired ones, first the current one. */
  allKeyedHashes(text: string, context: string): readonly string[] {
    const ids = new Set([this.#currentId, ...this.#keys.keys(), ...this.#retired.keys()]);
    return Array.from(ids, (id) => this.#computeKeyedHash(id, text, context));
  }

  #computeKeyedHash(id: string, text: string, context: string): string {
    const name = `${id} ${context}`;
    const key = this.#hashKeys.get(name) ?? this.#deriveMacKey(id, context).toString('base64url');
    this.#hashKeys.set(name, key);
    return `${id}.${hash('sha3-256', key + text, 'base64url').slice(0, KEYED_HASH_LENGTH)}`;
  }

  /** Whether the MAC is valid for the text under a key in use, or also under a retired one. */
  verifyMac(
    mac: string,
    text: string,
    context: string,
    accepted: 'in use' | 'retired too' = 'in use',
  ): boolean {
    const id = keyIdOf(mac);
    if (!this.#keys.has(id) && !(accepted === 'retired too' && this.#retired.has(id))) return false;
    const expected = Buffer.from(computeMac(id, this.#deriveMacKey(id, context), text));
    const given = Buffer.from(mac);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  /**
   * Derives the MAC key of a context, of which there are few. The encryption key does not follow
   * from it.
   */
  #deriveMacKey(id: string, context: string): Buffer {
    const name = `${id} ${context}`;
    const key = this.#macKeys.get(name) ?? Buffer.from(hkdfSync('sha256', this.#key(id), '', context, 32));
    this.#macKeys.set(name, key);
    return key;
  }

  /** The id of the key that encrypts. */
  get currentKeyId(): string {
    return this.#currentId;
  }

  /** The ids of the keys in use, first the one that encrypts. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** Whether the key is in use. */
  hasKey(id: string): boolean {
    return this.#keys.has(id);
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id) ?? this.#retired.get(id);
    if (key === undefined) throw new Error(`there is no key ${id} to decrypt a secret`);
    return key;
  }
}

const computeMac = (id: string, key: Buffer, text: string): string =>
  `v1.${id}.${createHmac('sha256', key).update(text).digest('base64url')}`;

/** Returns the id of the key of an encrypted value or MAC; empty if it has another form. */
export const keyIdOf = (value: string): string => value.split('.')[1] ?? '';

/** The id identifies a key and reveals nothing about it. */
export function keyIdFor(key: Buffer): string {
  return createHash('sha256').update('key-id:').update(key).digest('base64url').slice(0, 8);
}

const byId = (keys: readonly Buffer[]): ReadonlyMap<string, Buffer> =>
  new Map(keys.map((key) => [keyIdFor(key), key]));
