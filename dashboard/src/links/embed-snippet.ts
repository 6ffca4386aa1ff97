/** The HTML that embeds the payment page of a link in a site. */
export const embedSnippet = (publicUrl: string, code: string): string =>
  `<script src="${publicUrl}/checkout.js" defer></script>\n` +
  `<vereda-checkout code="${code}"></vereda-checkout>`;
