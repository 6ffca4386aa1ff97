const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x11021);
  return crc;
});

/**
 * CRC-16/CCITT-FALSE, the checksum at the end of an EMV QR payload (EMV QRCPS-MPM, object 63):
 * polynomial 0x1021, initial value 0xFFFF, no reflection.
 *
 * @param bytes a text with one byte per character, such as ASCII.
 * @returns four upper-case hexadecimal digits.
 */
export function crc16(bytes: string): string {
  let crc = 0xffff;
  for (let i = 0; i < bytes.length; i += 1) {
    crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >>> 8) ^ (bytes.charCodeAt(i) & 0xff)]!;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
