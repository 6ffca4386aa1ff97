import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller } from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let as: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway();
  as = { apiKey: (await newSeller(gateway)).apiKey };
});
afterAll(() => gateway.stop());

const create = async (changes: object) => (await gateway.charge({ ...changes }, as)).body.data;
const pay = (id: string) => gateway.post(`/sandbox/transactions/${id}/pay`, undefined, as);
const ids = async (query: string) => {
  const { body } = await gateway.get(`/transactions?${query}`, as);
  return [body.count, body.data.map(({ id }: { id: string }) => id)];
};

describe('members of transactions beyond the specification', () => {
  it('filters by order number and by days of creation and payment', async () => {
    const first = await create({ externalRef: 'order-1', description: 'Caneca' });
    const second = await create({ externalRef: 'order-1' });
    await create({ externalRef: 'order-2' });
    await pay(first.id);
    const day = String(first.createdAt);
    expect(await ids('externalRef=order-1')).toEqual([2, [second.id, first.id]]);
    expect(await ids('externalRef=order-1&status=PAID')).toEqual([1, [first.id]]);
    expect(await ids(`externalRef=order-1&transactionId=${first.id}`)).toEqual([1, [first.id]]);
    expect(await ids('externalRef=order-1&take=1')).toEqual([2, [second.id]]);
    expect(await ids('externalRef=order')).toEqual([0, []]);
    expect(await ids(`paidStartDate=${day}`)).toEqual([1, [first.id]]);
    expect(await ids('paidEndDate=2020-01-01')).toEqual([0, []]);
    expect((await ids(`startDate=${second.createdAt}`))[0]).toBe(2);
    expect(await ids(`endDate=${day}`)).toEqual([1, [first.id]]);
    expect(await ids(`startDate=${day}&status=PAID&method=PIX`)).toEqual([1, [first.id]]);
    expect(await ids(`customerId=${randomUUID()}`)).toEqual([0, []]);
    expect((await gateway.get('/transactions?paidStartDate=soon', as)).body.message).toEqual([
      'paidStartDate must be a valid ISO 8601 date string',
    ]);
    const listed = await gateway.get('/transactions?externalRef=order-1', as);
    expect(listed.body.data[1]).toMatchObject({
      customerName: 'Ana Souza',
      description: 'Caneca',
      externalRef: 'order-1',
      refundedAmount: 0,
    });
    const { found } = (await gateway.post('/transactions/lookup', { text: 'ORDER-2' }, as)).body.data;
    expect(found).toMatchObject([{ externalRef: 'order-2' }]);
  });

  it('shows who paid a Pix, the codes of a card, and the payment page', async () => {
    const created = await create({});
    expect(created).toMatchObject({ pix: { endToEndId: null, payer: null }, subscriptionId: null });
    expect(created.paymentUrl).toMatch(/\/pay\/t\/[\w-]{43}$/);
    const paid = (await pay(created.id)).body.data;
    const { body } = await gateway.get(`/transactions/${created.id}`, as);
    expect(body.data.paymentUrl).toBe(created.paymentUrl);
    expect(body.data.pix).toMatchObject({
      endToEndId: expect.stringMatching(/^E99999999\w{23}$/),
      payer: { name: 'Ana Souza', document: '***.982.247-**', ispb: '99999999' },
    });
    expect(paid.status).toBe('PAID');
    const lookup = await gateway.post('/transactions/lookup', { text: body.data.pix.endToEndId }, as);
    expect(lookup.body.data.found).toMatchObject([{ id: created.id }]);

    const card = {
      number: '4111111111111111',
      holderName: 'ANA SOUZA',
      expirationMonth: 12,
      expirationYear: 2030,
      cvv: '123',
    };
    const key = randomUUID();
    const body1 = { method: 'CREDIT_CARD', installments: 1, card };
    const byCard = await gateway.charge(body1, { ...as, idempotencyKey: key });
    expect(byCard.body.data.card).toMatchObject({
      lastFour: '1111',
      brand: 'VISA',
      authorizationCode: expect.stringMatching(/^\d{6}$/),
      nsu: expect.stringMatching(/^\d{9}$/),
    });
    expect((await gateway.charge(body1, { ...as, idempotencyKey: key })).text).toBe(byCard.text);
    const declined = await create({ ...body1, card: { ...card, number: '4000000000000002' } });
    expect(declined.card).toMatchObject({ lastFour: '0002', authorizationCode: null, nsu: null });
  });

  it('publishes partial refunds with the refunded amount and the order number', async () => {
    await gateway.post('/webhooks', { url: 'https://localhost:50001/hook', eventType: 'ALL' }, as);
    const { id } = await create({ externalRef: 'order-9' });
    await pay(id);
    const refund = { amount: 400 };
    const options = { ...as, idempotencyKey: randomUUID() };
    expect((await gateway.post(`/transactions/${id}/refund`, refund, options)).body.data).toMatchObject({
      status: 'PAID',
      refundedAmount: 400,
    });
    const events = await gateway.database.query<{ payload: string }>(
      'SELECT payload FROM events WHERE record_id = $1 ORDER BY id',
      [id],
    );
    expect(events.map(({ payload }) => JSON.parse(payload).data)).toMatchObject([
      { status: 'PAID', refundedAmount: 0, externalRef: 'order-9' },
      { status: 'PAID', refundedAmount: 400, externalRef: 'order-9' },
    ]);
    const deliveries = await gateway.get(`/webhooks/deliveries?recordId=${id}`, as);
    expect(deliveries.body.count).toBe(2);
  });

  it('exports CSV for spreadsheets in Brazil', async () => {
    const { id } = await create({ amount: 123_456, externalRef: 'csv-1', description: 'Caneca; azul' });
    await pay(id);
    const response = await fetch(
      `${gateway.baseUrl}/transactions?export=true&locale=pt-BR&externalRef=csv-1`,
      {
        headers: { 'x-api-key': as.apiKey ?? '' },
      },
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    const [header, line, end] = bytes.toString('utf8').slice(1).split('\r\n');
    expect(header).toBe(
      'ID;Valor;Valor líquido;Tarifa;Forma de pagamento;Situação;Parcelas;Paga em;Criada em;Pagador;' +
        'Descrição;Número do pedido;Reembolsado',
    );
    const time = String.raw`\d{2}/\d{2}/\d{4} \d{2}:\d{2}:\d{2}`;
    expect(line).toMatch(
      new RegExp(
        `^${id};1234,56;1234,56;0,00;Pix;Paga;;${time};${time};Ana Souza;"Caneca; azul";csv-1;0,00$`,
      ),
    );
    expect(end).toBe('');
    const plain = await gateway.get('/transactions?export=true', as);
    expect(plain.text.split('\r\n')[0]).toBe(
      'id,amount,netAmount,feeAmount,method,status,installments,paidAt,createdAt,customerName,description,' +
        'externalRef,refundedAmount',
    );
  });
});
