import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '#test/support/client.ts';
import {
  NO_CREDENTIAL,
  gateway,
  onItsOwnGateway,
  newSeller,
  newKey,
  login,
  refresh,
  wallet,
  resultOf,
  refused,
  UNAUTHORIZED,
  renewAdmin,
} from './credentials-setup.ts';

async function timedLogin(email: string): Promise<{ readonly ms: number; readonly response: ApiResponse }> {
  const started = performance.now();
  const response = await login(email, 'not the password');
  return { ms: performance.now() - started, response };
}

/** The number of connections that wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await gateway.database.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

describe('sessions', () => {
  onItsOwnGateway();

  describe('POST /login', () => {
    it('returns tokens and user at the top level, and the token is accepted', async () => {
      const { email } = await newSeller();
      const response = await login(email);
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refreshToken: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        user: { id: expect.any(String), name: 'Ana Souza', email, role: 'OWNER' },
      });
      expect((await wallet({ token: response.body.accessToken })).status).toBe(200);
    });

    it('accepts an email in any letter case', async () => {
      const { email } = await newSeller();
      expect((await login(email.toUpperCase())).status).toBe(200);
    });

    it('returns the same for a wrong password and an unknown email, in the same time', async () => {
      const { email } = await newSeller();
      const [known, unknown] = [[], []] as [number[], number[]];
      for (let i = 0; i < 3; i += 1) {
        const one = await timedLogin(email);
        const other = await timedLogin(`nobody-${i}@example.com`);
        expect(resultOf(one.response)).toEqual(refused(401, 'Invalid credentials'));
        expect(resultOf(other.response)).toEqual(refused(401, 'Invalid credentials'));
        expect([...one.response.headers.keys()]).toEqual([...other.response.headers.keys()]);
        known.push(one.ms);
        unknown.push(other.ms);
      }
      // Verifying a password takes about twenty milliseconds, an unknown user less than two: the
      // minimum of each shows the difference.
      expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
      expect(Math.min(...known)).toBeGreaterThan(Math.min(...unknown) / 3);
    });

    it('stores no password in plain text', async () => {
      const rows = await gateway.database.query<{ password_hash: string }>('SELECT password_hash FROM users');
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) expect(row.password_hash).toMatch(/^\$argon2id\$/);
    });

    it('reports the violations of the body', async () => {
      const response = await gateway.post('/login', { email: 'ana', password: '' }, NO_CREDENTIAL);
      expect(response.status).toBe(400);
      expect(response.body.message).toEqual(['email must be an email', 'password should not be empty']);
      const mistyped = await gateway.post(
        '/login',
        { email: ['a@b.co'], password: { $ne: '' } },
        NO_CREDENTIAL,
      );
      expect(mistyped.status).toBe(400);
      expect(mistyped.body.message).toEqual(['email must be a string', 'password must be a string']);
    });
  });

  describe('POST /auth/refresh', () => {
    it('returns the next tokens at the top level and rotates them', async () => {
      const { email } = await newSeller();
      const first = await login(email);
      const second = await refresh(first.body.refreshToken);
      expect(second.status).toBe(200);
      expect(second.body).toEqual({ token: expect.any(String), refreshToken: expect.any(String) });
      expect(second.body.refreshToken).not.toBe(first.body.refreshToken);
      expect((await wallet({ token: second.body.token })).status).toBe(200);
      expect((await refresh(second.body.refreshToken)).status).toBe(200);
    });

    it('ends the whole family, and no other, when a rotated token is reused', async () => {
      const { email } = await newSeller();
      const [first, elsewhere] = [await login(email), await login(email)];
      const second = await refresh(first.body.refreshToken);
      const third = await refresh(second.body.refreshToken);
      expect(third.status).toBe(200);
      expect(resultOf(await refresh(first.body.refreshToken))).toEqual(UNAUTHORIZED);
      expect(resultOf(await refresh(third.body.refreshToken))).toEqual(UNAUTHORIZED);
      expect(resultOf(await refresh(second.body.refreshToken))).toEqual(UNAUTHORIZED);
      expect((await refresh(elsewhere.body.refreshToken)).status).toBe(200);
    });

    it('accepts a token for seven days on the domain clock', async () => {
      const { email } = await newSeller();
      const [early, late] = [await login(email), await login(email)];
      await gateway.advance(7 * 24 * 3600 - 60);
      expect((await refresh(early.body.refreshToken)).status).toBe(200);
      await gateway.advance(61);
      expect(resultOf(await refresh(late.body.refreshToken))).toEqual(UNAUTHORIZED);
      await renewAdmin();
    });

    it.each(['x', '00000000-0000-4000-8000-000000000000', "' OR 1=1 --"])('rejects %s', async (text) => {
      expect(resultOf(await refresh(text))).toEqual(UNAUTHORIZED);
    });

    it('stores no token in plain text', async () => {
      const { email } = await newSeller();
      const { refreshToken } = (await login(email)).body;
      const rows = await gateway.database.query<{ text: string }>(
        'SELECT t::text AS text FROM refresh_tokens t',
      );
      expect(rows.length).toBeGreaterThan(0);
      const hex = Buffer.from(refreshToken).toString('hex');
      for (const { text } of rows) {
        expect(text).not.toContain(refreshToken);
        expect(text).not.toContain(hex);
      }
    });
  });

  describe('a concurrent refresh', () => {
    // A trigger blocks the insertion of the next token until the test opens the gate: the moment
    // between the end of the old token and the insertion of the new one.
    const GATE = 4711;

    beforeAll(async () => {
      await gateway.database.query(`
      CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NEW; END $$`);
      await gateway.database.query(
        'CREATE TRIGGER gate BEFORE INSERT ON refresh_tokens FOR EACH ROW EXECUTE FUNCTION wait_at_gate()',
      );
    });
    afterAll(async () => {
      await gateway.database.query('DROP FUNCTION wait_at_gate CASCADE');
    });

    /**
     * Blocks `slow` at the gate, starts `fast`, and opens the gate when `fast` has ended or waits
     * for `slow`.
     */
    async function interleave(
      slow: () => Promise<ApiResponse>,
      fast: () => Promise<ApiResponse>,
    ): Promise<readonly [ApiResponse, ApiResponse]> {
      await gateway.database.query(`SELECT pg_advisory_lock(${GATE})`);
      let ended = false;
      const slowAnswer = slow();
      await expect.poll(waiting).toBe(1);
      const fastAnswer = fast().finally(() => {
        ended = true;
      });
      await expect.poll(async () => ended || (await waiting()) > 1).toBe(true);
      await gateway.database.query(`SELECT pg_advisory_unlock(${GATE})`);
      return [await slowAnswer, await fastAnswer];
    }

    it('and replay of its token leave no valid token of the family', async () => {
      const { email } = await newSeller();
      const { refreshToken } = (await login(email)).body;
      const [first, replay] = await interleave(
        () => refresh(refreshToken),
        () => refresh(refreshToken),
      );
      expect([first.status, replay.status]).toEqual(expect.arrayContaining([200, 401]));
      const won = first.status === 200 ? first : replay;
      expect(resultOf(await refresh(won.body.refreshToken))).toEqual(UNAUTHORIZED);
    });

    it('and logout leave no valid token of the user', async () => {
      const { email } = await newSeller();
      const { accessToken, refreshToken } = (await login(email)).body;
      const [refreshed, out] = await interleave(
        () => refresh(refreshToken),
        () => gateway.post('/auth/logout', undefined, { token: accessToken }),
      );
      expect(out.status).toBe(200);
      // In either order, tokens that the refresh returned are no longer valid.
      expect(resultOf(await wallet({ token: refreshed.body.token ?? 'none' }))).toEqual(UNAUTHORIZED);
      expect(resultOf(await refresh(refreshed.body.refreshToken ?? 'none'))).toEqual(UNAUTHORIZED);
    });
  });

  describe('POST /auth/logout', () => {
    it('revokes all tokens of the user at once, and none of other users', async () => {
      const [one, other] = [await newSeller(), await newSeller()];
      const [here, there, bystander] = [
        await login(one.email),
        await login(one.email),
        await login(other.email),
      ];
      // Used just before, so that the gateway's caches are fresh.
      for (const { body } of [here, there])
        expect((await wallet({ token: body.accessToken })).status).toBe(200);
      const out = await gateway.post('/auth/logout', undefined, { token: here.body.accessToken });
      expect(out.status).toBe(200);
      expect(out.body).toEqual({ status: true, data: {} });
      for (const { body } of [here, there]) {
        expect(resultOf(await wallet({ token: body.accessToken }))).toEqual(UNAUTHORIZED);
        expect(resultOf(await refresh(body.refreshToken))).toEqual(UNAUTHORIZED);
      }
      expect(
        resultOf(await gateway.post('/auth/logout', undefined, { token: here.body.accessToken })),
      ).toEqual(UNAUTHORIZED);
      expect((await wallet({ token: bystander.body.accessToken })).status).toBe(200);
      expect((await refresh(bystander.body.refreshToken)).status).toBe(200);
      const again = await login(one.email);
      expect((await wallet({ token: again.body.accessToken })).status).toBe(200);
    });

    it('rejects API keys and requests without a credential', async () => {
      expect(resultOf(await gateway.post('/auth/logout', undefined, NO_CREDENTIAL))).toEqual(UNAUTHORIZED);
      const { id } = await newSeller();
      expect((await gateway.post('/auth/logout', undefined, await newKey(id))).status).toBe(403);
    });
  });
});
