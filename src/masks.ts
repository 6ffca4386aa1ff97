/** How personal data is shown: enough to recognise one's own, too little to use. */

/** CPF `***.456.789-**`, CNPJ `**.345.678/****-**`. */
export function maskDocument(type: 'CPF' | 'CNPJ', document: string): string {
  return type === 'CPF'
    ? `***.${document.slice(3, 6)}.${document.slice(6, 9)}-**`
    : `**.${document.slice(2, 5)}.${document.slice(5, 8)}/****-**`;
}
