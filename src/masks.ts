/** How personal data is shown: enough to recognise one's own, too little to use. */

/** CPF `***.456.789-**`, CNPJ `**.345.678/****-**`. */
export function maskDocument(type: 'CPF' | 'CNPJ', document: string): string {
  return type === 'CPF'
    ? `***.${document.slice(3, 6)}.${document.slice(6, 9)}-**`
    : `**.${document.slice(2, 5)}.${document.slice(5, 8)}/****-**`;
}

/** A PIX key in its canonical form: documents as everywhere, `+55*******4321`, `j***@domain.com`, and of an EVP the first part. */
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

/** The first six and the last four characters of a wallet's address. */
export function maskCryptoAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
