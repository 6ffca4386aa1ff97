import ipaddr from 'ipaddr.js';

/** How personal data is shown: enough to recognize one's own, too little to use. */

/** CPF `***.456.789-**`, CNPJ `**.345.678/****-**`. */
export function maskDocument(type: 'CPF' | 'CNPJ', document: string): string {
  return type === 'CPF'
    ? `***.${document.slice(3, 6)}.${document.slice(6, 9)}-**`
    : `**.${document.slice(2, 5)}.${document.slice(5, 8)}/****-**`;
}

/**
 * A PIX key in its canonical form: documents as everywhere, `+55*******4321`, `j***@domain.com`,
 * and of an EVP the first part.
 */
export function maskPixKey(type: 'CPF' | 'CNPJ' | 'PHONE' | 'EMAIL' | 'EVP', key: string): string {
  switch (type) {
    case 'CPF':
    case 'CNPJ':
      return maskDocument(type, key);
    case 'PHONE':
      return `${key.slice(0, 3)}*******${key.slice(-4)}`;
    case 'EMAIL':
      return `${key.slice(0, 1)}***${key.slice(key.lastIndexOf('@'))}`;
    case 'EVP':
      return `${key.slice(0, 8)}-****-****-****-************`;
  }
}

/** The last two digits of an account number and its check digit: `****56-7`. */
export function maskAccount(account: string): string {
  const shown = /.{0,2}(-.)?$/.exec(account)?.[0] ?? '';
  return `****${shown}`;
}

/** A URL without its query and fragment, which may contain credentials. */
export const maskUrl = (url: string): string => url.replace(/[?#].*$/s, '?…');

/** The first six and the last four characters of a wallet's address. */
export function maskCryptoAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/**
 * Of an IPv4 address the first half, of an IPv6 address the first two groups. Undefined for what is
 * no address.
 */
export function maskIpAddress(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 2).join('.')}.*.*`;
  return `${parsed.parts
    .slice(0, 2)
    .map((part) => part.toString(16))
    .join(':')}:*`;
}
