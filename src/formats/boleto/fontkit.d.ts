/** The part of fontkit, which has no types of its own, that boletos use. */
declare module 'fontkit' {
  interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean;
  }

  export function create(file: Uint8Array): Font;
}
