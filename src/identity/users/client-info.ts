import { maskIpAddress } from '#platform/kit/masks.ts';
import type { ClientInfo } from './store-sessions.ts';

/** The client controls the header, so only this much of it is read. */
const MAX_USER_AGENT_LENGTH = 512;

/** The first match wins: most browsers name several others too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile(?:\/\w+)? )?Safari\//, 'Safari'],
];

const OPERATING_SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Describes the client of a session, without data that identifies a person. */
export const clientInfoOf = (request: {
  readonly ip: string;
  readonly headers: { readonly 'user-agent'?: string | undefined };
}): ClientInfo => ({
  browser: describeBrowser(request.headers['user-agent']),
  maskedAddress: maskIpAddress(request.ip) ?? null,
});

/**
 * `Firefox on Linux`; the name of another program, such as `curl`; null if the header has neither.
 */
export function describeBrowser(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH);
  const browser = BROWSERS.find(([pattern]) => pattern.test(text))?.[1];
  const system = OPERATING_SYSTEMS.find(([pattern]) => pattern.test(text))?.[1];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return /^[A-Za-z][\w.-]{0,39}(?=\/|$)/.exec(text)?.[0] ?? system ?? null;
}
