import { maskIpAddress } from '#platform/kit/masks.ts';
import type { ClientInfo } from './store-sessions.ts';

/** Longer ones are read no further: a user agent is whatever its sender likes. */
const MAX_USER_AGENT_LENGTH = 512;

/** The first that fits counts: most browsers claim to be several others too. */
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

/** `Firefox on Linux`; of a program its own name; null where nothing is said. */
export function describeBrowser(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH);
  const browser = BROWSERS.find(([pattern]) => pattern.test(text))?.[1];
  const system = OPERATING_SYSTEMS.find(([pattern]) => pattern.test(text))?.[1];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  // A program: its name without the version, as `curl`.
  return /^[A-Za-z][\w.-]{0,39}(?=\/|$)/.exec(text)?.[0] ?? system ?? null;
}

/** Where a request comes from, as it may be kept. */
export const clientInfoOf = (request: {
  readonly ip: string;
  readonly headers: { readonly 'user-agent'?: string | undefined };
}): ClientInfo => ({
  browser: describeBrowser(request.headers['user-agent']),
  maskedAddress: maskIpAddress(request.ip) ?? null,
});
