import { describe, expect, it } from 'vitest';
import { type Receiver } from '#test/support/receiver.ts';
import { type TestSeller as Seller } from '#test/support/sellers.ts';
import { newMember } from '#test/support/sellers.ts';
import {
  receiver,
  otherReceiver,
  gateway,
  newSeller,
  register,
  paidCharge,
  pay,
  workerHasPolled,
  callsOf,
  waitForCalls,
  deliveriesOf,
  verified,
  setUp,
} from './deliveries-setup.ts';

setUp();

async function postbackSecret({ id }: Seller): Promise<string> {
  const developer = await newMember(gateway, id, 'DEVELOPER');
  return String((await gateway.get('/webhooks/postback-secret', developer)).body.data.secret);
}

describe('a webhook request', () => {
  it('contains the event, with a signature that standardwebhooks verifies', async () => {
    const seller = await newSeller();
    const { secret } = await register(seller, receiver.url);
    const other = await register(await newSeller(), otherReceiver.url);
    const id = await paidCharge(seller, {
      metadata: { order: 'A1', n: 1.5 },
      customer: {
        name: 'Ana Souza',
        email: 'ana@example.com',
        phone: '11987654321',
        documentType: 'CPF',
        document: '52998224725',
        externalRef: 'cliente-7',
      },
    });
    const [call] = await waitForCalls(receiver, id, 1);
    const { paidAt } = (await gateway.get(`/transactions/${id}`, { apiKey: seller.apiKey })).body.data;
    const event = {
      event: 'TRANSACTION_UPDATED',
      data: {
        id,
        externalRef: 'cliente-7',
        status: 'PAID',
        amount: 1500,
        netAmount: 1485,
        feeAmount: 15,
        refundedAmount: 0,
        method: 'PIX',
        paidAt,
        metadata: { order: 'A1', n: 1.5 },
      },
    };
    expect(call?.body).toEqual(event);
    expect(verified(secret, call)).toEqual(event);
    expect(() => verified(other.secret, call)).toThrow('No matching signature found');
    const tampered = call && { ...call, text: call.text.replace('1500', '9500') };
    expect(() => verified(secret, tampered)).toThrow('No matching signature found');

    expect(call?.headers['content-type']).toMatch(/^application\/json/);
    expect(call?.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(Math.abs(Number(call?.headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000);
    const [delivery] = await deliveriesOf(id);
    expect(call?.headers['webhook-id']).toBe(delivery?.event_id);
  });

  it('is sent within 100 ms of the commit on an idle gateway', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    const delays: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      const id = await paidCharge(seller);
      // The response is sent as soon as it is committed.
      const answered = Date.now();
      const [call] = await waitForCalls(receiver, id, 1);
      delays.push((call?.at ?? Number.NaN) - answered);
    }
    expect(delays.toSorted((a, b) => a - b)[7]).toBeLessThan(100);
  });

  it('to a postbackUrl is signed with both secrets for 24 hours after a rotation', async () => {
    const seller = await newSeller();
    const before = await postbackSecret(seller);
    const owner = await newMember(gateway, seller.id, 'OWNER');
    const rotated = await gateway.post('/webhooks/postback-secret/rotate', undefined, owner);
    expect(rotated.status).toBe(200);
    const after = String(rotated.body.data.secret);
    expect(after).not.toBe(before);
    expect(await postbackSecret(seller)).toBe(after);
    const id = await paidCharge(seller, { postbackUrl: receiver.url });
    const [call] = await waitForCalls(receiver, id, 1);
    for (const secret of [before, after]) expect(verified(secret, call)).toMatchObject({ data: { id } });
    await gateway.advance(24 * 3_600 + 1);
    const late = await paidCharge(seller, { postbackUrl: receiver.url });
    const [lateCall] = await waitForCalls(receiver, late, 1);
    expect(verified(after, lateCall)).toMatchObject({ data: { id: late } });
    expect(() => verified(before, lateCall)).toThrow('No matching signature');
  });

  it('to the postbackUrl of a transaction is signed with the seller’s postback secret', async () => {
    const [seller, other] = [await newSeller(), await newSeller()];
    const id = await paidCharge(seller, { postbackUrl: receiver.url });
    const [call] = await waitForCalls(receiver, id, 1);
    expect(verified(await postbackSecret(seller), call)).toMatchObject({ data: { id, status: 'PAID' } });
    await expect(postbackSecret(other).then((secret) => verified(secret, call))).rejects.toThrow(
      'No matching signature',
    );
    const rows = await deliveriesOf(id);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ webhook_id: null, url: receiver.url });
  });

  it('is sent to both the webhooks and the postbackUrl', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    const id = await paidCharge(seller, { postbackUrl: otherReceiver.url });
    const [byWebhook] = await waitForCalls(receiver, id, 1);
    const [byPostback] = await waitForCalls(otherReceiver, id, 1);
    expect(byPostback?.text).toBe(byWebhook?.text);
  });

  it.each(['pay', 'fail', 'refuse', 'processing'])('is sent after %s', async (action) => {
    const seller = await newSeller();
    const { secret } = await register(seller, receiver.url);
    const { id } = (await gateway.charge({}, seller)).body.data;
    const simulated = await gateway.post(`/sandbox/transactions/${id}/${action}`, undefined, seller);
    const { status, paidAt } = simulated.body.data;
    const [call] = await waitForCalls(receiver, String(id), 1);
    expect(verified(secret, call)).toMatchObject({
      event: 'TRANSACTION_UPDATED',
      data: { id, status, paidAt },
    });
  });

  it('has a unique event id for each change, the same at all its receivers', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    await register(seller, otherReceiver.url, 'ALL');
    const { id } = (await gateway.charge({}, seller)).body.data;
    await gateway.post(`/sandbox/transactions/${id}/processing`, undefined, seller);
    await pay(String(id), seller);
    const ids = async (one: Receiver) =>
      (await waitForCalls(one, String(id), 2)).map((call) => String(call.headers['webhook-id'])).toSorted();
    const here = await ids(receiver);
    expect(new Set(here).size).toBe(2);
    expect(await ids(otherReceiver)).toEqual(here);
  });

  it('is sent to matching endpoints only, not to WITHDRAWAL or DISPUTE', async () => {
    const seller = await newSeller();
    const wanted = {
      TRANSACTION: await register(seller, `${receiver.url}/t`, 'TRANSACTION'),
      ALL: await register(seller, `${receiver.url}/a`, 'ALL'),
    };
    await register(seller, `${receiver.url}/w`, 'WITHDRAWAL');
    await register(seller, `${receiver.url}/d`, 'DISPUTE');
    const id = await paidCharge(seller);
    const rows = await deliveriesOf(id);
    expect(rows.map((row) => String(row.webhook_id)).toSorted()).toEqual(
      [wanted.TRANSACTION.id, wanted.ALL.id].toSorted(),
    );
    await waitForCalls(receiver, id, 2);
    await workerHasPolled();
    expect(callsOf(receiver, id)).toHaveLength(2);
  });

  it('is not sent to webhooks of another seller', async () => {
    const [seller, other] = [await newSeller(), await newSeller()];
    await register(seller, receiver.url);
    await register(other, otherReceiver.url, 'ALL');
    const id = await paidCharge(seller);
    await waitForCalls(receiver, id, 1);
    expect((await deliveriesOf(id)).map((row) => row.url)).toEqual([receiver.url]);
    expect(callsOf(otherReceiver, id)).toEqual([]);
  });

  it('is not sent for a creation alone', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url, 'ALL');
    const { id } = (await gateway.charge({ postbackUrl: otherReceiver.url }, seller)).body.data;
    const rows = await gateway.database.query('SELECT id FROM events WHERE record_id = $1', [id]);
    expect(rows).toEqual([]);
    await workerHasPolled();
    expect(callsOf(receiver, String(id))).toEqual([]);
    expect(callsOf(otherReceiver, String(id))).toEqual([]);
  });

  it('contains no personal data, code or secret', async () => {
    const seller = await newSeller();
    const { secret } = await register(seller, receiver.url);
    const customer = {
      name: 'Benedita Particular',
      email: 'benedita@privado.example',
      phone: '21998765432',
      documentType: 'CPF',
      document: '39053344705',
    };
    const id = await paidCharge(seller, { customer, description: 'segredo da compra' });
    const [call] = await waitForCalls(receiver, id, 1);
    const sent = `${call?.text} ${JSON.stringify(call?.headers)}`;
    for (const personal of [
      'Benedita',
      customer.email,
      customer.phone,
      customer.document,
      '390.533.447',
      '533.447',
      'segredo',
      'br.gov.bcb.pix',
      seller.apiKey,
      secret,
      '11222333000181',
    ]) {
      expect(sent).not.toContain(personal);
    }
  });
});

describe('events and deliveries', () => {
  it('are committed before the response', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    await register(seller, `${receiver.url}/2`, 'ALL');
    for (let round = 0; round < 10; round += 1) {
      const id = await paidCharge(seller, { postbackUrl: otherReceiver.url });
      const events = await gateway.database.query<{ payload: string; type: string }>(
        'SELECT payload, type FROM events WHERE record_id = $1',
        [id],
      );
      expect(events.map((event) => event.type)).toEqual(['TRANSACTION_UPDATED']);
      expect(JSON.parse(events[0]?.payload ?? '')).toMatchObject({ data: { id, status: 'PAID' } });
      expect(await deliveriesOf(id)).toHaveLength(3);
    }
  });

  it('are committed with the change or not at all', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    const { id } = (await gateway.charge({}, seller)).body.data;
    await gateway.database.query('ALTER TABLE deliveries RENAME TO gone');
    try {
      expect((await pay(String(id), seller)).status).toBe(500);
    } finally {
      await gateway.database.query('ALTER TABLE gone RENAME TO deliveries');
    }
    const read = await gateway.get(`/transactions/${id}`, seller);
    expect(read.body.data).toMatchObject({ status: 'PENDING', paidAt: null });
    expect((await gateway.get('/seller-wallet/gestao', seller)).body.data.totalBalance).toBe(0);
    expect(await gateway.database.query('SELECT id FROM events WHERE record_id = $1', [id])).toEqual([]);
    expect((await pay(String(id), seller)).status).toBe(200);
    await waitForCalls(receiver, String(id), 1);
    expect(await deliveriesOf(String(id))).toHaveLength(1);
  });
});
