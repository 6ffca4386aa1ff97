import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';
import { createEventReporter, paymentOf } from '#test/support/provider-events.ts';
import { newSeller } from '#test/support/sellers.ts';

/**
 * Two nodes that receive the same records in opposite order, many in one statement. They must lock
 * them in one order: otherwise PostgreSQL has to end a deadlock, which it does here only after a
 * minute.
 */
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  const [database] = await gateway.database.query<{ name: string }>('SELECT current_database() AS name');
  await gateway.database.query(`ALTER DATABASE ${database?.name} SET deadlock_timeout = '60s'`);
});
afterAll(async () => {
  await gateway.stop();
});

const MANY = 100;
const ROUNDS = 10;

const statuses = (responses: readonly ApiResponse[]): readonly number[] => [
  ...new Set(responses.map((response) => response.status)),
];

describe('concurrent requests with records in opposite order', () => {
  it('create transactions with the same idempotency keys once and all receive them', async () => {
    const seller = await newSeller(gateway);
    // Both connect now, so that both get the database's new setting.
    const place = { databaseUrl: gateway.database.url, apiKey: seller.apiKey };
    const nodes: TestNode[] = [await startNode(place), await startNode(place)];
    const [one, two] = nodes;
    if (one === undefined || two === undefined) throw new Error('no nodes');
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const keys = Array.from({ length: MANY }, () => randomUUID());
        const [here, there] = await Promise.all([
          Promise.all(keys.map((idempotencyKey) => one.charge({}, { idempotencyKey }))),
          Promise.all(keys.toReversed().map((idempotencyKey) => two.charge({}, { idempotencyKey }))),
        ]);
        expect(statuses([...here, ...there])).toEqual([201]);
        expect(here.map((response) => response.text)).toEqual(
          there.toReversed().map((response) => response.text),
        );
      }
      const [records] = await gateway.database.query<{ number: number }>(
        'SELECT count(*)::integer AS number FROM idempotency_keys WHERE seller_id = $1',
        [seller.id],
      );
      expect(records?.number).toBe(ROUNDS * MANY);
    } finally {
      for (const node of nodes) await node.stop();
    }
  });

  it('apply the same payment events once and all receive a success', async () => {
    const reporters = [createEventReporter(gateway), createEventReporter(gateway)];
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const made = await Promise.all(Array.from({ length: MANY }, () => gateway.charge()));
        const ids = made.map((response) => String(response.body.data.id));
        const reports = ids.map((id) => paymentOf(gateway, id));
        const [here = [], there = []] = await Promise.all(
          reporters.map((reporter, index) =>
            Promise.all(
              (index === 0 ? reports : reports.toReversed()).map((report) => reporter.report(report)),
            ),
          ),
        );
        // One of the two applied it, and the other found it applied.
        const pairs = here.map((outcome, index) => new Set([outcome.kind, there.at(-1 - index)?.kind]));
        for (const pair of pairs) expect(pair).toEqual(new Set(['applied', 'repeated']));
        const [booked] = await gateway.database.query<{ number: number }>(
          'SELECT count(*)::integer AS number FROM provider_events WHERE record_id = ANY($1)',
          [ids],
        );
        expect(booked?.number).toBe(MANY);
      }
    } finally {
      for (const reporter of reporters) await reporter.close();
    }
  });
});
