/**
 * The hash by which Citus divides sellers among shards: PostgreSQL's hash of a uuid (Bob Jenkins'
 * lookup3), as a signed integer.
 */
export function hashSeller(sellerId: string): number {
  const bytes = Buffer.from(sellerId.replaceAll('-', ''), 'hex');
  const [k0 = 0, k1 = 0, k2 = 0, k3 = 0] = [0, 4, 8, 12].map((at) => bytes.readUInt32LE(at));
  const start = (0x9e37_79b9 + bytes.length + 3_923_095) | 0;
  const [a, b, c] = mix((start + k0) | 0, (start + k1) | 0, (start + k2) | 0);
  return finish((a + k3) | 0, b, c);
}

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

function mix(a: number, b: number, c: number): readonly [number, number, number] {
  a = (a - c) ^ rotate(c, 4);
  c = (c + b) | 0;
  b = (b - a) ^ rotate(a, 6);
  a = (a + c) | 0;
  c = (c - b) ^ rotate(b, 8);
  b = (b + a) | 0;
  a = (a - c) ^ rotate(c, 16);
  c = (c + b) | 0;
  b = (b - a) ^ rotate(a, 19);
  a = (a + c) | 0;
  c = (c - b) ^ rotate(b, 4);
  b = (b + a) | 0;
  return [a, b, c];
}

function finish(a: number, b: number, c: number): number {
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
}
