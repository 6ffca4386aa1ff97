import { describe, expect, it } from 'vitest';

import { renderGuide, renderGuideIndex } from './guide-page.ts';

const GUIDE = `# Take *payments*

Read \`id\` & more. See [the other](other-guide.md#a-part), <b>now</b>.

The [reference](http://127.0.0.1:8080/docs#tag), and [another host](http://127.0.0.1:80801/docs).

## A \`part\`, first

<script>alert(1)</script>

| Name | Value |
|---|---|
| a | <i>b</i> |

## Segunda seção

\`\`\`sh terminal=2
curl "$URL" > out
\`\`\`

\`\`\`js "x".mjs
'<b>'
\`\`\`

\`\`\`text
done
\`\`\`
`;

describe('the page of a guide', () => {
  const { title, summary, page } = renderGuide('take', 'en', GUIDE);

  it('has title, summary, anchors and a table of contents', () => {
    expect(title).toBe('Take *payments*');
    expect(summary).toContain('Read <code>id</code> &amp; more.');
    expect(page).toContain('<h1>Take <em>payments</em></h1>');
    expect(page).toContain(
      '<h2 id="a-part-first"><a href="#a-part-first">A <code>part</code>, first</a></h2>',
    );
    expect(page).toContain('<li><a href="#a-part-first">A part, first</a></li>');
    expect(page).toContain('<li><a href="#segunda-seção">Segunda seção</a></li>');
    expect(page.indexOf('class="contents"')).toBeLessThan(page.indexOf('<h2 '));
  });

  it('escapes HTML', () => {
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('&lt;b&gt;now&lt;/b&gt;');
    expect(page).toContain('<td>&lt;i&gt;b&lt;/i&gt;</td>');
    expect(page).toContain('curl &quot;$URL&quot; &gt; out');
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  it('names languages, terminals and files of code', () => {
    expect(page).toContain('<span>Shell · terminal 2</span>');
    expect(page).toContain('<span>JavaScript · <code>&quot;x&quot;.mjs</code></span>');
    expect(page).toContain('<span>Output</span>');
    expect(page).toContain('<th scope="col">Name</th>');
  });

  it('links other guides in the same language', () => {
    expect(page).toContain('<a href="/docs/guides/other-guide?lang=en#a-part">the other</a>');
    const index = renderGuideIndex('pt', [renderGuide('take', 'pt', GUIDE)]);
    expect(index).toContain('<a href="/docs/guides/take?lang=pt">Take *payments*</a>');
    expect(index).toContain('<html lang="pt-BR">');
  });

  it('links the gateway that serves the page instead of a sandbox', () => {
    expect(page).toContain('<a href="/docs#tag">reference</a>');
    expect(page).toContain('<a href="http://127.0.0.1:80801/docs">another host</a>');
  });

  it('needs a title and a paragraph', () => {
    expect(() => renderGuide('empty', 'pt', '# Title\n')).toThrow('the guide empty (pt) needs');
  });
});
