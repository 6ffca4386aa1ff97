import { expect, it } from 'vitest';

import { findMisspelledNames } from './misspelled-names.ts';

const TRACING = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_BSP_SCHEDULE_DELAY'];
const SETTINGS = new Set([
  'DATABASE_URL',
  'PORT',
  'HOST',
  'MODE',
  'REDIS_URL',
  'BACEN_PIX_CLIENT_ID',
  ...TRACING,
]);

it.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URLS', 'DATABASE_URL'],
  ['REDIS_UR', 'REDIS_URL'],
  ['BACEN_PIX_CLINT_ID', 'BACEN_PIX_CLIENT_ID'],
  ['OTEL_EXPORTER_OTLP_ENDPIONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['PROT', 'PORT'],
  ['MOD', 'MODE'],
  ['MODEE', 'MODE'],
  ['HOSTS', 'HOST'],
])('%s within two edits of %s is found', (name, meant) => {
  expect(findMisspelledNames([name], SETTINGS)).toEqual([{ name, meant }]);
});

it.each([
  'DATABASE_URL',
  'HOME',
  'NODE',
  'MODEL',
  'CHOST',
  'CODE',
  'NAME',
  'OS',
  'POST',
  'TEST',
  'HOSTNAME',
  'HOSTTYPE',
  'MOTD',
  'PATH',
  'TERM',
  'PGHOST',
  'PGPORT',
  'REDIS_PORT',
  'DATABASE_HOST',
  'BACEN2_PIX_CLIENT_ID',
  'npm_config_port',
  'OTEL_BLRP_SCHEDULE_DELAY',
  'OTEL_EXPORTER_OTLP_HEADERS',
])('%s is not reported as a misspelled setting', (name) => {
  expect(findMisspelledNames([name], SETTINGS)).toEqual([]);
});
