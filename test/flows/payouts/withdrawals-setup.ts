import { afterAll, beforeAll } from 'vitest';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';

export let gateway: TestGateway;

export const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

/** Registers the hooks of a test file. */
export function setUp(): void {
  beforeAll(async () => {
    gateway = await startTestGateway({ environment: SHARED_SECRETS });
  });
  afterAll(async () => {
    await gateway.stop();
  });
}
