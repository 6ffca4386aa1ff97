import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

import { Vereda, VeredaApiError, type Item } from '../../sdk/src/index.ts';
import { findConnection } from './connection.ts';
import { withoutKeys, type CommonOptions } from './output.ts';

export interface McpOptions extends CommonOptions {
  readonly allowWrites?: boolean;
}

/** Keys of a sandbox move no real money. */
const SANDBOX_KEY = 'sk_test_';

const id = z.string().describe('The id, a UUID.');
const READ = { readOnlyHint: true };

/**
 * Serves the Model Context Protocol on standard input and output. Writes are offered in the
 * sandbox, and with `--allow-writes`; the role of the key limits them further.
 */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { baseUrl, apiKey } = await findConnection(options);
  const vereda = new Vereda({ baseUrl, apiKey });
  const server = new McpServer({ name: 'vereda', version: '0.1.0' });
  addSearch(server, vereda);
  addChargeTools(server, vereda);
  addDeliveryTool(server, vereda);
  if (apiKey.startsWith(SANDBOX_KEY)) addSimulation(server, vereda);
  if (apiKey.startsWith(SANDBOX_KEY) || options.allowWrites === true) addRefund(server, vereda);
  await server.connect(new StdioServerTransport());
}

const METHODS = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const;
const STATUSES = [
  'PENDING',
  'WAITING_PAYMENT',
  'PROCESSING',
  'AUTHORIZED',
  'PAID',
  'FAILED',
  'REFUSED',
  'REFUNDED',
  'CHARGEDBACK',
  'DISPUTE',
] as const satisfies readonly Item<'listTransactions'>['status'][];
const DATE = 'A date (YYYY-MM-DD, the whole day in São Paulo) or a timestamp in ISO 8601.';

function addSearch(server: McpServer, vereda: Vereda): void {
  server.registerTool(
    'search_charges',
    {
      description: 'Lists transactions (charges) of the seller, newest first. Amounts are in cents of BRL.',
      annotations: READ,
      inputSchema: {
        externalRef: z.string().optional().describe("The seller's reference of the transaction."),
        method: z.enum(METHODS).optional(),
        status: z.enum(STATUSES).optional(),
        startDate: z.string().optional().describe(`Created on or after it. ${DATE}`),
        endDate: z.string().optional().describe(`Created on or before it. ${DATE}`),
        limit: z.number().int().min(1).max(50).default(10),
      },
    },
    ({ limit, ...filters }) =>
      toolResult(() => {
        const given = Object.entries(filters).filter(([, value]) => value !== undefined);
        return vereda.transactions.list({ ...Object.fromEntries(given), take: limit }).toArray(limit);
      }),
  );
}

function addChargeTools(server: McpServer, vereda: Vereda): void {
  server.registerTool(
    'get_charge',
    {
      description: 'Returns a transaction (charge) with its timeline: what happened to it, and when.',
      annotations: READ,
      inputSchema: { id },
    },
    (input) =>
      toolResult(async () => ({
        charge: await vereda.transactions.get(input.id),
        timeline: await vereda.transactions.timeline(input.id),
      })),
  );
  server.registerTool(
    'draft_refund',
    {
      description:
        'Checks a refund and returns the request that would make it. Does not refund anything. ' +
        'Without an amount, refunds what has not been refunded yet.',
      annotations: READ,
      inputSchema: { id, amount: z.number().int().min(1).optional().describe('Cents.') },
    },
    (input) =>
      toolResult(async () => {
        const { status, amount, ...refunds } = await vereda.transactions.get(input.id);
        if (status !== 'PAID')
          throw new Error(`only PAID transactions can be refunded; this one is ${status}`);
        const remaining = amount - refunds.refundedAmount - refunds.refundingAmount;
        const refund = input.amount ?? remaining;
        if (remaining === 0 || refund > remaining)
          throw new Error(`only ${remaining} cents can still be refunded`);
        const request = `POST /v1/transactions/${input.id}/refund`;
        return { request, body: { amount: refund }, executed: false };
      }),
  );
}

function addDeliveryTool(server: McpServer, vereda: Vereda): void {
  server.registerTool(
    'explain_deliveries',
    {
      description:
        'Explains whether the webhooks about a record arrived: each delivery with its attempts, ' +
        "the receiver's status codes and errors. Without a record, returns the latest failed deliveries.",
      annotations: READ,
      inputSchema: { recordId: z.string().optional().describe('A transaction, withdrawal or dispute.') },
    },
    ({ recordId }) =>
      toolResult(async () => {
        const query = recordId === undefined ? { status: 'FAILED' as const } : { recordId };
        const found = await vereda.webhooks.deliveries.list({ ...query, take: 5 }).toArray(5);
        return Promise.all(found.map((delivery) => vereda.webhooks.deliveries.get(delivery.id)));
      }),
  );
}

function addSimulation(server: McpServer, vereda: Vereda): void {
  server.registerTool(
    'simulate_payment',
    { description: 'Pays a transaction in the sandbox, as its payer would.', inputSchema: { id } },
    (input) => toolResult(() => vereda.sandbox.payTransaction(input.id)),
  );
}

function addRefund(server: McpServer, vereda: Vereda): void {
  server.registerTool(
    'refund_charge',
    {
      description:
        'Refunds a transaction, which moves money. Draft the refund first, and ask the user to confirm it.',
      annotations: { destructiveHint: true },
      inputSchema: {
        id,
        amount: z.number().int().min(1).describe('Cents.'),
        idempotencyKey: z.uuid().describe('A new UUID v4. Send the same one if you repeat this call.'),
      },
    },
    ({ idempotencyKey, amount, ...input }) =>
      toolResult(() => vereda.transactions.refund(input.id, { amount }, { idempotencyKey })),
  );
}

/** Errors are results, which the assistant can act on. */
async function toolResult(read: () => Promise<unknown>) {
  try {
    return { content: [{ type: 'text' as const, text: JSON.stringify(await read()) }] };
  } catch (error) {
    const code = error instanceof VeredaApiError ? `${error.code}: ` : '';
    const message = withoutKeys(error instanceof Error ? error.message : 'unknown error');
    return { isError: true, content: [{ type: 'text' as const, text: `${code}${message}` }] };
  }
}
