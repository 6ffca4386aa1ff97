import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A key management service for tests: `node fake-kms.ts KEY_FILE wrap|unwrap`. The file
 * KEY_FILE.mode selects a failure.
 */
const [keyFile = '', verb] = process.argv.slice(2);
const key = Buffer.from(readFileSync(keyFile, 'utf8'), 'hex');
const mode = existsSync(`${keyFile}.mode`) ? readFileSync(`${keyFile}.mode`, 'utf8') : '';
const input = (await text(process.stdin)).trim();

if (mode === 'hangs') await sleep(600_000);
if (mode === 'fails') {
  process.stderr.write('access denied by policy\nmore\n');
  process.exit(7);
}
if (mode === 'garbage') process.stdout.write('<html>not a key</html>\n');
else if (mode === 'other key') process.stdout.write(`${randomBytes(32).toString('base64')}\n`);
else if (mode === 'flood') process.stdout.write('x'.repeat(1_000_000));
else if (mode === 'echo') process.stdout.write(input);
else process.stdout.write(`${verb === 'wrap' ? encrypt(input) : decrypt(input)}\n`);

function encrypt(plain: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const bytes = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return bytes.toString('base64');
}

function decrypt(wrapped: string): string {
  const bytes = Buffer.from(wrapped, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
}
