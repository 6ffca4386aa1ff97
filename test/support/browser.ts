import { createClient, type ApiResponse, type CallOptions, type Client } from '#test/support/client.ts';

/** A minimal browser for sign-in tests: stores cookies and sends each only where it applies. */
export interface Browser {
  /** Stored cookies by name, with their attributes. */
  readonly jar: ReadonlyMap<string, { readonly value: string; readonly attributes: string }>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<ApiResponse>;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiResponse>;
  /** Another browser with a copy of the cookies, such as another tab or an attacker. */
  copy(): Browser;
}

export const FROM_DASHBOARD = { 'x-requested-by': 'dashboard', 'sec-fetch-site': 'same-origin' };

export function newBrowser(
  baseUrl: string,
  kept: ReadonlyMap<string, { readonly value: string; readonly attributes: string }> = new Map(),
): Browser {
  const client: Client = createClient(baseUrl, '');
  const jar = new Map(kept);

  async function call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<ApiResponse> {
    const { pathname } = new URL(baseUrl + path);
    const sent = [...jar]
      .filter(([, { attributes }]) => {
        const scope = /path=([^;]+)/i.exec(attributes)?.[1] ?? '/';
        return pathname === scope || pathname.startsWith(scope.endsWith('/') ? scope : `${scope}/`);
      })
      .map(([name, { value }]) => `${name}=${value}`);
    const headers = {
      ...FROM_DASHBOARD,
      ...(sent.length > 0 && { cookie: sent.join('; ') }),
      ...options.headers,
    };
    const response = await client.call(method, path, body, { credential: 'none', ...options, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, { value, attributes: attributes.join('; ') });
    }
    return response;
  }

  return {
    jar,
    call,
    post: (path, body, options) => call('POST', path, body, options),
    copy: () => newBrowser(baseUrl, jar),
  };
}
