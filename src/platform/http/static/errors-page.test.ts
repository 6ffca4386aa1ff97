import { describe, expect, it } from 'vitest';

import { ERROR_CODES, FIELD_ERROR_CODES } from '#platform/http/error-codes.ts';
import { errorsPage } from './errors-page.ts';

const page = errorsPage();

describe('the page of error codes', () => {
  it('has one unique anchor for each code', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => String(id));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ERROR_CODES, ...FIELD_ERROR_CODES].filter((code) => !ids.includes(code))).toEqual([]);
  });

  it('links only to existing anchors', () => {
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => String(id));
    expect(targets.filter((id) => !page.includes(` id="${id}"`))).toEqual([]);
    expect(targets.length).toBeGreaterThan(ERROR_CODES.length);
  });

  it('shows status, message, cause and remedy, escaped', () => {
    expect(page).toContain('<p class="status">422 Unprocessable Entity</p>');
    expect(page).toContain('<q>Insufficient balance</q>');
    expect(page).toContain('Send the API key in <code>x-api-key</code>');
    expect(page).toContain('Another user of the gateway has this email. Use another email.');
    expect(page).toContain('A provider&#39;s notification');
    expect(page).not.toMatch(/`|<script|style=/);
  });
});
