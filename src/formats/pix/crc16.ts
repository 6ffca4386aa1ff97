const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x11021);
  return crc;
});

/**
 * CRC-16/CCITT-FALSE, the checksum that closes an EMV QR payload (EMV QRCPS-MPM, object 63): polynomial 0x1021,
 * initial value 0xFFFF, nothing reflected.
 *
 * @param bytes a text in which each character is one byte, as an ASCII text is.
 * @returns four upper-case hexadecimal digits.
 */
export function crc16(bytes: string): string {
  let crc = 0xffff;
  for (let i = 0; i < bytes.length; i++) {
    crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >>> 8) ^ (bytes.charCodeAt(i) & 0xff)]!;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
