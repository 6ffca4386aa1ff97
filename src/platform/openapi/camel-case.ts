/** `Insufficient balance` becomes `insufficientBalance`, the key of an example or operation. */
export function camelCase(text: string): string {
  const words = text
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .split(' ');
  return words
    .slice(0, 8)
    .map((word, index) => {
      const lower = word.toLowerCase();
      return index === 0 ? lower : lower.charAt(0).toUpperCase() + lower.slice(1);
    })
    .join('');
}
