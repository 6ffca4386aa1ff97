import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

const NO_CREDENTIAL = { credential: 'none' } as const;
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const signIn = async (user: { readonly email: string; readonly password: string }): Promise<ApiResponse> =>
  gateway.post('/login', user, NO_CREDENTIAL);
const refresh = (refreshToken: unknown): Promise<ApiResponse> =>
  gateway.post('/auth/refresh', { refreshToken }, NO_CREDENTIAL);

describe('a session of a seller', () => {
  it('ends 30 days after the sign-in, however often it is refreshed', async () => {
    let { refreshToken } = (await signIn(gateway.demo.seller)).body;
    for (let day = 6; day < 30; day += 6) {
      await gateway.advance(6 * DAY);
      const refreshed = await refresh(refreshToken);
      expect(refreshed.status).toBe(200);
      refreshToken = refreshed.body.refreshToken;
    }
    await gateway.advance(6 * DAY + MINUTE);
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  it('does not end while it is idle for some days', async () => {
    const { refreshToken } = (await signIn(gateway.demo.seller)).body;
    await gateway.advance(3 * DAY);
    expect((await refresh(refreshToken)).status).toBe(200);
  });
});

describe('a session of the operator', () => {
  it('ends after 30 minutes without a request', async () => {
    const { refreshToken, accessToken } = (await signIn(gateway.demo.admin)).body;
    expect((await gateway.get('/users/me', { token: accessToken })).status).toBe(200);
    await gateway.advance(31 * MINUTE);
    expect((await refresh(refreshToken)).status).toBe(401);
    // The session has ended, and within a second its access token too.
    await vi.waitFor(async () => {
      expect((await gateway.get('/users/me', { token: accessToken })).status).toBe(401);
    }, 5_000);
  });

  it('is extended by requests, without a refresh', async () => {
    const { refreshToken, accessToken } = (await signIn(gateway.demo.admin)).body;
    for (let time = 0; time < 2; time += 1) {
      await gateway.advance(20 * MINUTE);
      expect((await gateway.get('/users/me', { token: accessToken })).status).toBe(200);
    }
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it('is not revived by a request after its idle timeout', async () => {
    const { refreshToken, accessToken } = (await signIn(gateway.demo.admin)).body;
    await gateway.advance(31 * MINUTE);
    await gateway.get('/users/me', { token: accessToken });
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  it('ends 12 hours after the sign-in, with its access tokens', async () => {
    let { refreshToken, accessToken } = (await signIn(gateway.demo.admin)).body;
    for (let minutes = 25; minutes < 12 * 60; minutes += 25) {
      await gateway.advance(25 * MINUTE);
      const refreshed = await refresh(refreshToken);
      expect(refreshed.status).toBe(200);
      ({ refreshToken, token: accessToken } = refreshed.body);
    }
    expect((await gateway.get('/users/me', { token: accessToken })).status).toBe(200);
    await gateway.advance(25 * MINUTE);
    expect((await gateway.get('/users/me', { token: accessToken })).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
  });
});
