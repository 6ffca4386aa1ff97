import { Agent, Dispatcher } from 'undici';
import { expect, vi } from 'vitest';

import { createClient, type ApiResponse, type Client } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';
import type { Environment } from '#platform/config/settings-reader.ts';

/**
 * The system under test: several nodes on one database, with clients of sellers and of the
 * operator.
 */

export interface Nodes {
  readonly gateway: TestGateway;
  readonly all: readonly Client[];
  /** Clients of the same nodes for operator requests. */
  readonly operatorClients: readonly Client[];
  /** Calls as the operator and renews the token, which lives one hour of domain time. */
  asOperator(ask: (token: string) => Promise<ApiResponse>): Promise<ApiResponse>;
  /** The domain time in milliseconds. */
  now(): number;
  /** Advances the clock and returns the new time. Other nodes follow a moment later. */
  advance(seconds: number): Promise<number>;
  /** Waits until every node has reached `time`. */
  follow(time: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Sign-ins are limited per address, and every advance of the clock needs one: the operator uses
 * many addresses.
 */
class ManyAddresses extends Dispatcher {
  readonly #agents = Array.from(
    { length: 100 },
    (_, index) => new Agent({ localAddress: `127.0.1.${index + 1}` }),
  );
  #next = 0;

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#next = (this.#next + 1) % this.#agents.length;
    const agent = this.#agents[this.#next];
    if (agent === undefined) throw new Error('no agent');
    return agent.dispatch(options, handler);
  }

  async end(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.close()));
  }
}

interface NodesOptions {
  /** Trusted by the first node only, which then has the only worker. */
  readonly receiverAuthorities?: string;
  readonly environment?: Environment;
}

/** Starts nodes on one database, each with a worker. */
export async function startNodes(
  count: number,
  { receiverAuthorities, environment }: NodesOptions = {},
): Promise<Nodes> {
  const gateway = await startTestGateway({
    environment: { ...SHARED_SECRETS, ...environment },
    ...(receiverAuthorities === undefined ? {} : { receiverAuthorities }),
  });
  const others: TestNode[] = [];
  for (let node = 1; node < count; node += 1) {
    others.push(
      await startNode({
        databaseUrl: gateway.database.url,
        worker: receiverAuthorities === undefined,
        ...(environment === undefined ? {} : { environment }),
      }),
    );
  }
  const addresses = new ManyAddresses();
  const all = [gateway, ...others];
  // Only Linux owns all of 127/8.
  const reach = process.platform === 'linux' ? { dispatcher: addresses } : {};
  const operatorClients = all.map(({ baseUrl }) => createClient(baseUrl, '', reach));
  const [operatorClient = gateway] = operatorClients;
  const signIn = async (client: Client): Promise<string> => {
    const signedIn = await client.post('/login', gateway.demo.admin, { credential: 'none' });
    expect(signedIn.status).toBe(200);
    return String(signedIn.body.accessToken);
  };
  let token = await signIn(operatorClient);
  let moving: Promise<unknown> = Promise.resolve();
  let offset = 0;
  return {
    gateway,
    all,
    operatorClients,
    async asOperator(ask) {
      const response = await ask(token);
      if (response.status !== 401) return response;
      // The token expired because the clock was advanced.
      await moving;
      return ask(token);
    },
    now: () => Date.now() + offset,
    advance(seconds) {
      const move = async (): Promise<number> => {
        const moved = await operatorClient.post('/sandbox/clock', { advanceSeconds: seconds }, { token });
        expect(moved.status).toBe(200);
        const time = Date.parse(moved.body.data.now);
        offset = time - Date.now();
        token = await signIn(operatorClient);
        return time;
      };
      const moved = move();
      moving = moved;
      return moved;
    },
    async follow(time) {
      for (const node of others) {
        await vi.waitFor(
          async () => {
            // A new transaction shows the clock of its node.
            const created = await node.charge({}, { apiKey: gateway.demo.apiKey });
            expect(Date.parse(created.body.data.createdAt)).toBeGreaterThanOrEqual(time);
          },
          { timeout: 5_000, interval: 50 },
        );
      }
    },
    async stop() {
      await addresses.end();
      for (const node of others) await node.stop();
      await gateway.stop();
    },
  };
}

export async function expectLedgerBalanced(nodes: Nodes): Promise<void> {
  const [operatorClient = nodes.gateway] = nodes.operatorClients;
  const check = await nodes.asOperator((token) => operatorClient.get('/admin/ledger/check', { token }));
  expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
}
