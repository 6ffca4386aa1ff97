import { Agent, Dispatcher } from 'undici';
import { expect, vi } from 'vitest';

import { createClient, type Answer, type Client } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';

/** The real thing that the model is held against: several nodes on one database, and the operator's way to them. */

export interface Nodes {
  readonly gateway: TestGateway;
  readonly all: readonly Client[];
  /** The same nodes, as an operator reaches them. */
  readonly offices: readonly Client[];
  /** Asks as the operator, whose token is good for an hour of the domain's time. */
  asOperator(ask: (token: string) => Promise<Answer>): Promise<Answer>;
  /** The domain's time now, in milliseconds. */
  now(): number;
  /** Moves the clock; answers the time that was said. Other nodes may be a moment behind. */
  advance(seconds: number): Promise<number>;
  /** Waits until every node has come to a time. */
  follow(time: number): Promise<void>;
  stop(): Promise<void>;
}

/** Whoever signs in is counted by address, and a clock that leaps asks for it often: the operator comes from many addresses. */
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

/** One database under so many nodes, each with a worker; only the first delivers to receivers of one's own. */
export async function startNodes(count: number, receiverAuthorities?: string): Promise<Nodes> {
  const gateway = await startTestGateway({
    environment: SHARED_SECRETS,
    ...(receiverAuthorities === undefined ? {} : { receiverAuthorities }),
  });
  const others: TestNode[] = [];
  for (let node = 1; node < count; node += 1) {
    others.push(
      await startNode({ databaseUrl: gateway.database.url, worker: receiverAuthorities === undefined }),
    );
  }
  const addresses = new ManyAddresses();
  const all = [gateway, ...others];
  // Only Linux owns all of 127/8.
  const reach = process.platform === 'linux' ? { dispatcher: addresses } : {};
  const offices = all.map(({ baseUrl }) => createClient(baseUrl, '', reach));
  const [office = gateway] = offices;
  const signIn = async (client: Client): Promise<string> => {
    const signedIn = await client.post('/login', gateway.demo.admin, { credential: 'none' });
    expect(signedIn.status).toBe(200);
    return String(signedIn.body.accessToken);
  };
  let token = await signIn(office);
  let moving: Promise<unknown> = Promise.resolve();
  let offset = 0;
  return {
    gateway,
    all,
    offices,
    async asOperator(ask) {
      const answer = await ask(token);
      if (answer.status !== 401) return answer;
      // The clock has leapt over the token's life.
      await moving;
      return ask(token);
    },
    now: () => Date.now() + offset,
    advance(seconds) {
      const move = async (): Promise<number> => {
        const moved = await office.post('/sandbox/clock', { advanceSeconds: seconds }, { token });
        expect(moved.status).toBe(200);
        const time = Date.parse(moved.body.data.now);
        offset = time - Date.now();
        token = await signIn(office);
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
            // A charge is made at the time as its node has it.
            const made = await node.charge({}, { apiKey: gateway.demo.apiKey });
            expect(Date.parse(made.body.data.createdAt)).toBeGreaterThanOrEqual(time);
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
  const [office = nodes.gateway] = nodes.offices;
  const check = await nodes.asOperator((token) => office.get('/admin/ledger/check', { token }));
  expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
}
