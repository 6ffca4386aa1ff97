import { randomBytes } from 'node:crypto';

import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import type { Environment } from '#platform/config/settings-reader.ts';
import { validatorCompiler } from '#platform/http/validation.ts';
import { ENCRYPTION_KEY, linesOf, namedIn, SECRET, useConfig } from '#test/support/config.ts';
import { readConfig } from './config.ts';

const { sandbox, production } = useConfig();

function accepts(settings: Environment): boolean {
  try {
    production({ ADMIN_PASSWORD: 'a long enough password', ...settings });
    return true;
  } catch {
    return false;
  }
}

/** Invalid settings, each to be tested with otherwise valid ones. */
const WRONG: readonly (readonly [string, string])[] = [
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', '80a'],
  ['PORT', '-1'],
  ['PORT', '8080.5'],
  ['PORT', '0x50'],
  ['PORT', '1e3'],
  ['MODE', 'test'],
  ['MODE', 'Sandbox'],
  ['LOG_LEVEL', 'verbose'],
  ['LOG_LEVEL', 'INFO'],
  ['DATABASE_POOL', '1'],
  ['DATABASE_POOL', '201'],
  ['DATABASE_POOL', 'many'],
  ['DATABASE_URL', 'db.example.com'],
  ['DATABASE_URL', `mysql://user:${SECRET}@db.example.com/gateway`],
  ['DATABASE_URL', `postgresql//user:${SECRET}@db.example.com`],
  ['VERIFY_DOCUMENTS', 'yes'],
  ['VERIFY_DOCUMENTS', '1'],
  ['ALPHANUMERIC_CNPJ', 'TRUE'],
  ['WEBHOOK_ALLOW_PRIVATE', 'no'],
  ['LEDGER_HEAD_URL', 'http://collector.example.com'],
  ['LEDGER_HEAD_URL', `https://user:${SECRET}@collector.example.com`],
  ['LEDGER_HEAD_SECRET', SECRET],
  ['WEBHOOK_LOG_DAYS', '0'],
  ['WEBHOOK_LOG_DAYS', '3651'],
  ['WEBHOOK_LOG_DAYS', 'long'],
  ['TRUSTED_PROXIES', 'proxy.example.com'],
  ['TRUSTED_PROXIES', '10.0.0.0/8, 10.0.0.0/64'],
  ['PUBLIC_URL', 'pay.example.com'],
  ['PUBLIC_URL', 'ftp://pay.example.com'],
  ['PUBLIC_URL', `https://user:${SECRET}@pay.example.com`],
  ['PUBLIC_URL', `https://pay.example.com/?key=${SECRET}`],
  ['PUBLIC_URL', 'https://pay.example.com/#here'],
  ['PUBLIC_URL', `https://${'long.'.repeat(8)}example.com`],
  ['ADMIN_EMAIL', 'operator'],
  ['ADMIN_EMAIL', 'a b@example.com'],
  ['ADMIN_PASSWORD', 'short'],
  ['ADMIN_PASSWORD', `${SECRET}${'x'.repeat(200)}`],
  ['JWT_SECRET', SECRET],
  ['JWT_SECRET_PREVIOUS', SECRET],
  ['ENCRYPTION_KEY', SECRET],
  ['ENCRYPTION_KEY', `${ENCRYPTION_KEY},${SECRET}`],
  ['ENCRYPTION_KEY', `${ENCRYPTION_KEY},`],
  ['ENCRYPTION_KEY', ENCRYPTION_KEY.slice(2)],
  ['ENCRYPTION_KEY', `${ENCRYPTION_KEY}00`],
];

const LEDGER_HEADS = {
  LEDGER_HEAD_URL: 'https://collector.example.com/heads',
  LEDGER_HEAD_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};

describe('an invalid setting', () => {
  it.each(WRONG)('%s=%s aborts startup with one line that names it and contains no secret', (name, value) => {
    const heads = name.startsWith('LEDGER_HEAD') ? LEDGER_HEADS : {};
    const lines = linesOf(() => production({ ...heads, [name]: value }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name} must `));
    expect(lines[0]).not.toContain(SECRET);
    expect(lines[0]).not.toContain(ENCRYPTION_KEY);
    expect(lines[0]).not.toContain('\n');
  });

  it('is reported along with all others, one line each', () => {
    const wrong = {
      PORT: 'x',
      MODE: 'production',
      LOG_LEVEL: 'x',
      DATABASE_POOL: 'x',
      DATABASE_URL: 'x',
      VERIFY_DOCUMENTS: 'x',
      ALPHANUMERIC_CNPJ: 'x',
      WEBHOOK_ALLOW_PRIVATE: 'x',
      PUBLIC_URL: 'x',
      ADMIN_EMAIL: 'x',
      ADMIN_PASSWORD: 'x',
      JWT_SECRET: 'x',
      ENCRYPTION_KEY: 'x',
    };
    const lines = linesOf(() => readConfig(wrong));
    expect(namedIn(lines)).toEqual(
      Object.keys(wrong)
        .filter((name) => name !== 'MODE')
        .toSorted(),
    );
  });

  it('is also reported in the sandbox, including secrets', () => {
    const lines = linesOf(() => sandbox({ PORT: 'x', JWT_SECRET: 'short', ENCRYPTION_KEY: 'short' }));
    expect(namedIn(lines)).toEqual(['ENCRYPTION_KEY', 'JWT_SECRET', 'PORT']);
  });

  it('with a line break is reported in one line', () => {
    const lines = linesOf(() => production({ PORT: '80\nforged line', LOG_LEVEL: 'a\r\nb' }));
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).not.toMatch(/[\r\n]/);
  });

  it('may be a key with characters outside base64, which are not ignored', () => {
    const key = randomBytes(32).toString('base64');
    expect(
      linesOf(() => production({ ENCRYPTION_KEY: `${key.slice(0, 20)} !${key.slice(20)}` })),
    ).toHaveLength(1);
  });

  it('may be an ADMIN_EMAIL that sign-in would reject', () => {
    const login = validatorCompiler({ schema: Type.Object({ email: Type.String({ format: 'email' }) }) });
    const emails = ['ops@localhost', 'ops@example', 'o ps@example.com', 'ops@example.com', '"o"@example.com'];
    const accepted = emails.filter((email) => accepts({ ADMIN_EMAIL: email }));
    expect(accepted).toContain('ops@example.com');
    expect(accepted.filter((email) => 'error' in login({ email }))).toEqual([]);
  });

  it('may be a HOST whose URL is too long for a Pix code', () => {
    const host = 'ec2-203-0-113-250.sa-east-1.compute.amazonaws.com';
    expect(linesOf(() => sandbox({ HOST: host }))[0]).toMatch(/PUBLIC_URL/);
    expect(production({ HOST: host, PUBLIC_URL: 'https://pay.example.com' }).host).toBe(host);
  });

  it('may be an incomplete pair of operator credentials', () => {
    expect(linesOf(() => production({ ADMIN_EMAIL: 'ops@example.com' }))[0]).toContain('ADMIN_PASSWORD');
    expect(linesOf(() => production({ ADMIN_PASSWORD: 'a long enough password' }))[0]).toContain(
      'ADMIN_EMAIL',
    );
  });
});
