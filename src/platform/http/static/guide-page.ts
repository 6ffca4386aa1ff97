import { Marked, type Tokens } from 'marked';

import { escapeHtml } from '#formats/html.ts';

export const GUIDE_LANGUAGES = ['pt', 'en'] as const;
export type GuideLanguage = (typeof GUIDE_LANGUAGES)[number];

/** A guide in one language. */
export interface Guide {
  /** The last part of its address. */
  readonly slug: string;
  readonly language: GuideLanguage;
  readonly title: string;
  /** The first paragraph, as HTML. */
  readonly summary: string;
  /** The whole page. */
  readonly page: string;
}

export const GUIDES_PATH = '/docs/guides';

const TEXTS = {
  pt: {
    tag: 'pt-BR',
    guides: 'Guias',
    main: 'Principal',
    contents: 'Nesta página',
    dashboard: 'Painel',
    reference: 'Referência da API',
    errors: 'Códigos de erro',
    output: 'Saída',
    intro:
      'Siga cada guia com um sandbox na sua máquina. Os comandos e exemplos de código são executados ' +
      'pelos testes desta versão.',
  },
  en: {
    tag: 'en',
    guides: 'Guides',
    main: 'Main',
    contents: 'On this page',
    dashboard: 'Dashboard',
    reference: 'API reference',
    errors: 'Error codes',
    output: 'Output',
    intro:
      'Follow each guide with a sandbox on your own machine. The tests of this version run the commands ' +
      'and code samples.',
  },
} as const;

const NAME_OF_LANGUAGE = { pt: 'Português', en: 'English' } as const;

/** The names of the languages of code blocks. */
const CODE_LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  php: 'PHP',
  python: 'Python',
  go: 'Go',
  html: 'HTML',
  json: 'JSON',
};

/** Renders Markdown that begins with a title and a paragraph. HTML in it is escaped. */
export function renderGuide(slug: string, language: GuideLanguage, markdown: string): Guide {
  const marked = createMarked(language);
  const tokens = marked.lexer(markdown);
  const title = tokens.find((token): token is Tokens.Heading => isHeading(token, 1));
  const first = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph');
  if (title === undefined || first === undefined)
    throw new Error(`the guide ${slug} (${language}) needs a title and a paragraph`);
  const headings = tokens.filter((token): token is Tokens.Heading => isHeading(token, 2));
  const end = tokens.indexOf(first) + 1;
  const body =
    marked.parser(tokens.slice(0, end)) + contents(headings, language) + marked.parser(tokens.slice(end));
  return {
    slug,
    language,
    title: title.text,
    summary: marked.Parser.parseInline(first.tokens, marked.defaults),
    page: document({ language, path: `${GUIDES_PATH}/${slug}`, title: title.text, body }),
  };
}

/** The page that lists the guides. */
export function renderGuideIndex(language: GuideLanguage, guides: readonly Guide[]): string {
  const { guides: title, intro } = TEXTS[language];
  const entries = guides.map(
    (guide) => `<li>
          <a href="${addressOf(guide.slug, language)}">${escapeHtml(guide.title)}</a>
          <p>${guide.summary}</p>
        </li>`,
  );
  const body = `<h1>${title}</h1>
      <p>${intro}</p>
      <ol class="guides">
        ${entries.join('\n        ')}
      </ol>`;
  return document({ language, path: GUIDES_PATH, title, body });
}

const isHeading = (token: { readonly type: string; readonly depth?: number }, depth: number): boolean =>
  token.type === 'heading' && token.depth === depth;

/** The address of a guide in a language. Links keep the language that the reader has chosen. */
const addressOf = (slug: string, language: GuideLanguage): string =>
  `${GUIDES_PATH}/${slug}?lang=${language}`;

function createMarked(language: GuideLanguage): Marked {
  return new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${content}</h1>\n`;
        const id = anchorOf(text);
        return `<h${depth} id="${id}"><a href="#${id}">${content}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(targetOf(href, language))}">${this.parser.parseInline(tokens)}</a>`;
      },
      code: (token) => codeBlock(token, language),
      table(token) {
        const rows = [token.header, ...token.rows].map(
          (cells) =>
            `<tr>${cells.map((cell) => tableCell(cell, this.parser.parseInline(cell.tokens))).join('')}</tr>`,
        );
        const [head = '', ...body] = rows;
        const content = `<thead>${head}</thead><tbody>${body.join('')}</tbody>`;
        return `<div class="table" tabindex="0"><table>${content}</table></div>\n`;
      },
    },
  });
}

const tableCell = ({ header }: Tokens.TableCell, content: string): string =>
  header ? `<th scope="col">${content}</th>` : `<td>${content}</td>`;

/** The address of a sandbox in guides that are read elsewhere. */
const SANDBOX = 'http://127.0.0.1:8080';

/**
 * A link to the file of another guide leads to its page, and a link to a sandbox to the gateway
 * that serves the page.
 */
function targetOf(href: string, language: GuideLanguage): string {
  if (href.startsWith(`${SANDBOX}/`)) return href.slice(SANDBOX.length);
  const [, slug, anchor = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  return slug === undefined ? href : addressOf(slug, language) + anchor;
}

/**
 * The info string is a language and a terminal, or a language and a file name: `sh terminal=2`,
 * `js server.mjs`. Blocks without a language are output of a program.
 */
function codeBlock({ text, lang = '' }: Tokens.Code, language: GuideLanguage): string {
  const [name = '', detail = ''] = lang.split(' ');
  const label = CODE_LANGUAGES[name] ?? TEXTS[language].output;
  const terminal = detail.replace(/^terminal=/, 'terminal ');
  const where = detail === terminal ? `<code>${escapeHtml(detail)}</code>` : terminal;
  const kind = name in CODE_LANGUAGES ? 'code' : 'code output';
  const caption = detail === '' ? label : `${label} · ${where}`;
  return `<figure class="${kind}"><figcaption><span>${caption}</span></figcaption>
<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre></figure>\n`;
}

/** As GitHub generates it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

function contents(headings: readonly Tokens.Heading[], language: GuideLanguage): string {
  if (headings.length < 2) return '';
  const entries = headings.map(({ text }) => {
    const label = escapeHtml(text.replaceAll('`', ''));
    return `<li><a href="#${anchorOf(text)}">${label}</a></li>`;
  });
  return `<nav class="toc" aria-label="${TEXTS[language].contents}">
<ul class="contents">
${entries.join('\n')}
</ul>
</nav>\n`;
}

interface PageParts {
  readonly language: GuideLanguage;
  /** Without the language. */
  readonly path: string;
  readonly title: string;
  readonly body: string;
}

function document({ language, path, title, body }: PageParts): string {
  const { tag, guides, main, dashboard, reference, errors } = TEXTS[language];
  const other = language === 'pt' ? 'en' : 'pt';
  const alternates = GUIDE_LANGUAGES.map(
    (one) => `<link rel="alternate" hreflang="${TEXTS[one].tag}" href="${path}?lang=${one}" />`,
  );
  const attributes = `href="${path}?lang=${other}" lang="${TEXTS[other].tag}"`;
  const switchLanguage = `<a class="language" ${attributes}>${NAME_OF_LANGUAGE[other]}</a>`;
  return `<!doctype html>
<html lang="${tag}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(title)} · Vereda</title>
    <link rel="icon" href="/assets/icon.svg" />
    <link rel="stylesheet" href="/assets/style.css" />
    <link rel="stylesheet" href="/assets/guides.css" />
    <script type="module" src="/assets/guides.js"></script>
    ${alternates.join('\n    ')}
    <link rel="alternate" hreflang="x-default" href="${path}" />
  </head>
  <body>
    <nav aria-label="${main}">
      <a href="${GUIDES_PATH}?lang=${language}">${guides}</a>
      <a href="/docs">${reference}</a>
      <a href="/docs/errors">${errors}</a>
      <a href="/dashboard/">${dashboard}</a>
      ${switchLanguage}
    </nav>
    <main>
      ${body}
    </main>
  </body>
</html>
`;
}
