import { STATUS_CODES } from 'node:http';

import { escapeHtml } from '#formats/html.ts';
import { ERROR_GROUPS } from '#platform/http/error-codes.ts';
import type { ErrorDescription } from '#platform/http/error-codes/description.ts';
import { FIELD_ERRORS, type FieldErrorDescription } from '#platform/http/error-codes/fields.ts';

/** Writes the list of error codes, a whole HTML document. Every code has an anchor. */
export const errorsPage = (): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Error codes · Vereda</title>
    <link rel="icon" href="/assets/icon.svg" />
    <link rel="stylesheet" href="/assets/style.css" />
    <link rel="stylesheet" href="/assets/errors.css" />
  </head>
  <body>
    <nav aria-label="Main">
      <a href="/docs/guides">Guides</a>
      <a href="/docs">API reference</a>
      <a href="/docs/operator">Operator reference</a>
    </nav>
    <main>
      <h1>Error codes</h1>
      <p>
        The body of every error has a <code>code</code>. Codes are stable: programs can switch on them. The
        <code>message</code> is for people and may change. Report the <code>requestId</code> if you ask for
        support.
      </p>
      <pre><code>${escapeHtml(EXAMPLE)}</code></pre>
      <ul class="contents">
        ${[...Object.keys(ERROR_GROUPS), FIELDS].map(contentsEntry).join('\n        ')}
      </ul>
      ${Object.entries(ERROR_GROUPS).map(group).join('\n      ')}
      <h2 id="${anchorOf(FIELDS)}">${FIELDS}</h2>
      <p>The codes in <code>errors</code> of
        <a href="#validation_failed"><code>validation_failed</code></a> and
        <a href="#invalid_file"><code>invalid_file</code></a>.</p>
      ${Object.entries(FIELD_ERRORS).map(fieldError).join('\n      ')}
    </main>
  </body>
</html>
`;

const FIELDS = 'Field errors';

const EXAMPLE = `{
  "statusCode": 400,
  "message": ["amount must not be less than 100"],
  "error": "Bad Request",
  "code": "validation_failed",
  "requestId": "d2f3a7c4-5a0e-4f0b-9c1d-6f1f5e0b7a21",
  "errors": [
    {
      "path": "amount",
      "code": "too_small",
      "message": "amount must not be less than 100"
    }
  ]
}`;

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

const contentsEntry = (title: string): string => `<li><a href="#${anchorOf(title)}">${title}</a></li>`;

const group = ([title, errors]: [string, Readonly<Record<string, ErrorDescription>>]): string =>
  [`<h2 id="${anchorOf(title)}">${title}</h2>`, ...Object.entries(errors).map(error)].join('\n      ');

const error = ([code, { status, message, ...explanation }]: [string, ErrorDescription]): string =>
  section(code, explanation, [
    `<p class="status">${status} ${STATUS_CODES[status] ?? ''}</p>`,
    `<p class="message"><q>${escapeHtml(message)}</q></p>`,
  ]);

const fieldError = ([code, explanation]: [string, FieldErrorDescription]): string =>
  section(code, explanation);

function section(
  code: string,
  { cause, remedy }: FieldErrorDescription,
  details: readonly string[] = [],
): string {
  return [
    `<section id="${code}">`,
    `  <h3><a href="#${code}"><code>${code}</code></a></h3>`,
    ...details.map((line) => `  ${line}`),
    `  <p>${withCode(cause)} ${withCode(remedy)}</p>`,
    '</section>',
  ].join('\n      ');
}

/** Text between backticks is code. */
const withCode = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
