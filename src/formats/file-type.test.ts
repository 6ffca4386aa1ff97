import { expect, it } from 'vitest';

import { detectFileType } from './file-type.ts';

it.each([
  ['%PDF-1.7\n', 'application/pdf'],
  ['\u0089PNG\r\n\u001a\nrest', 'image/png'],
  ['\u00ff\u00d8\u00ff\u00e0rest', 'image/jpeg'],
  ['', undefined],
  ['%PDF', undefined],
  [' %PDF-1.7', undefined],
  ['GIF89a', undefined],
  ['<html>%PDF-1.7', undefined],
])('detects the type of %j', (text, type) => {
  expect(detectFileType(Buffer.from(text, 'latin1'))).toBe(type);
});
